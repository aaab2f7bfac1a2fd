// Fitting a skeleton into real characters, against the joints their artists set.
//
//   bench_fit [--data FOLDER] [--only FILE] [--skeleton FILE] [--own] [--show-joints] [--markdown]
//
// The skeleton is the built-in adult's (the built-in quadruped's for animals), or FILE's, or with --own the file's own
// after it was made unrecognisable: scaled, turned, its limbs lengthened and shortened. Limb error: mean distance of
// shoulders, elbows, wrists, hips, knees and ankles to the artist's over the bounding diagonal. Chamfer distances of
// the body's joints over the height.
#include "sinew/fit/fit.h"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <map>
#include <string>

#include "sinew/asset/file.h"
#include "sinew/base/random.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/evaluate/skeleton_comparison.h"
#include "sinew/rig/joint_structure.h"

namespace {
using namespace sinew;
namespace fs = std::filesystem;

struct Arguments {
  fs::path data = fs::path(SINEW_PROJECT_DIR) / ".." / "shared" / "data";
  std::string only, skeleton;
  bool own = false, show_joints = false, markdown = false;
};

const std::map<std::string, bool>& files() {  // and whether it goes on four legs
  static const std::map<std::string, bool> list = {{"CesiumMan.glb", false},
                                                   {"KayKit_Knight.glb", false},
                                                   {"RiggedFigure.glb", false},
                                                   {"mannequiny.glb", false},
                                                   {"ozz_arnaud.fbx", false},
                                                   {"pm_029_Skelly.fbx", false},
                                                   {"raylib_robot.glb", false},
                                                   {"rocketbox_Female_Adult_01.fbx", false},
                                                   {"rocketbox_Male_Adult_05.fbx", false},
                                                   {"Fox.glb", true},
                                                   {"quaternius_Wolf.glb", true},
                                                   {"rocketbox_Dog_Beagle_01.fbx", true},
                                                   {"pm_003_Hexabear.glb", true}};
  return list;
}

// The same hierarchy with other proportions, another size and another place.
Skeleton changed(const Skeleton& skeleton, std::uint64_t seed) {
  Random random(seed);
  Skeleton result = skeleton;
  const std::vector<JointIdentity> roles = identify_joints_anyhow(skeleton);
  std::map<int, double> factor;  // per role: left and right alike
  const double size = random.uniform(0.3, 3.0);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int parent = skeleton.parents[j];
    const auto key = static_cast<int>(roles[j].role);
    if (!factor.contains(key)) factor[key] = size * random.uniform(0.75, 1.3);
    const Vec3d offset = skeleton.position(j) - (parent >= 0 ? skeleton.position(parent) : Vec3d::Zero());
    result.rest[j].translation() = factor[key] * offset + (parent >= 0 ? result.position(parent) : Vec3d::Zero());
  }
  return result;
}

bool is_body(JointRole role) {
  switch (role) {
    case JointRole::hips:
    case JointRole::spine:
    case JointRole::chest:
    case JointRole::neck:
    case JointRole::head:
    case JointRole::clavicle:
    case JointRole::upper_arm:
    case JointRole::forearm:
    case JointRole::hand:
    case JointRole::thigh:
    case JointRole::shin:
    case JointRole::foot:
    case JointRole::toe:
      return true;
    default:
      return false;
  }
}

bool is_limb(JointRole role) {
  return role == JointRole::upper_arm || role == JointRole::forearm || role == JointRole::hand ||
         role == JointRole::thigh || role == JointRole::shin || role == JointRole::foot;
}

// Only the joints of trunk and limbs, as the peers' table counts them.
Skeleton body_joints(const Skeleton& skeleton) {
  const std::vector<JointIdentity> roles = identify_joints_anyhow(skeleton);
  Skeleton result;
  std::vector<int> index(skeleton.names.size(), -1);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (skeleton.kinds[j] != JointKind::joint || !is_body(roles[j].role)) continue;
    int parent = skeleton.parents[j];
    while (parent >= 0 && index[parent] < 0) parent = skeleton.parents[parent];
    index[j] = add_joint(result, skeleton.names[j], parent >= 0 ? index[parent] : -1, skeleton.rest[j]);
  }
  return result;
}

// The skin without swords and shields: a bare mesh to be rigged would not hold them.
TriangleMesh skin_of(const Character& character) {
  TriangleMesh mesh;
  mesh.positions = character.mesh.positions;
  for (const Part& part : character.parts) {
    if (part.binding == PartBinding::attached) continue;
    const auto first = character.mesh.triangles.begin() + static_cast<std::ptrdiff_t>(part.first_triangle);
    mesh.triangles.insert(mesh.triangles.end(), first, first + static_cast<std::ptrdiff_t>(part.triangle_count));
  }
  if (character.parts.empty()) mesh.triangles = character.mesh.triangles;
  return mesh;
}

const Skeleton& builtin_skeleton(bool four) {
  static std::map<bool, Skeleton> made;
  Skeleton& skeleton = made[four];
  if (skeleton.empty()) {
    BuiltinOptions options;
    options.kind = four ? BuiltinKind::quadruped : BuiltinKind::adult;
    options.vertex_budget = 1000;
    skeleton = make_builtin_character(options).skeleton;
  }
  return skeleton;
}

double limb_error(const Skeleton& fitted, const Skeleton& truth, bool show) {
  const std::vector<JointIdentity> a = identify_joints_anyhow(fitted), b = identify_joints_anyhow(truth);
  double sum = 0;
  int count = 0;
  for (int j = 0; j < truth.joint_count(); ++j) {
    if (!is_limb(b[j].role) || b[j].index != 1 || truth.kinds[j] != JointKind::joint) continue;
    for (int i = 0; i < fitted.joint_count(); ++i) {
      if (!(a[i] == b[j]) || fitted.kinds[i] != JointKind::joint) continue;
      const Vec3d away = fitted.position(i) - truth.position(j);
      if (show) {
        std::printf("    %-28s %8.4f %8.4f %8.4f   off %8.4f %8.4f %8.4f\n", truth.names[j].c_str(),
                    truth.position(j).x(), truth.position(j).y(), truth.position(j).z(), away.x(), away.y(), away.z());
      }
      sum += away.norm();
      ++count;
      break;
    }
  }
  return count > 0 ? sum / count : NAN;
}

void run(const Arguments& arguments) {
  std::printf(arguments.markdown ? "| character | limb error / diagonal | J2J | J2B | B2B | inside | s |\n"
                                   "|---|---|---|---|---|---|---|\n"
                                 : "%-30s %8s %7s %7s %7s %9s %6s\n",
              "character", "limbs", "J2J", "J2B", "B2B", "inside", "s");
  for (const auto& [file, four] : files()) {
    if (!arguments.only.empty() && file.find(arguments.only) == std::string::npos) continue;
    const fs::path path = arguments.data / "characters" / file;
    if (!fs::exists(path)) continue;
    const Character truth = load_character(path);
    std::vector<Skeleton> skeletons;
    if (arguments.own) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) skeletons.push_back(changed(truth.skeleton, seed));
    } else if (!arguments.skeleton.empty()) {
      skeletons.push_back(load_character(arguments.skeleton).skeleton);
    } else {
      skeletons.push_back(builtin_skeleton(four));
    }
    for (const Skeleton& skeleton : skeletons) {
      try {
        const std::clock_t start = std::clock();
        const FitResult fit = fit_skeleton(skin_of(truth), skeleton);
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        int inside = 0, deforming = 0;
        const std::vector<JointIdentity> roles = identify_joints_anyhow(fit.skeleton);
        for (int j = 0; j < skeleton.joint_count(); ++j) {
          if (skeleton.kinds[j] != JointKind::joint || roles[j].role == JointRole::root) continue;
          ++deforming;
          inside += fit.inside[j];
        }
        Character candidate, body;
        candidate.mesh = body.mesh = truth.mesh;
        candidate.skeleton = body_joints(fit.skeleton);
        body.skeleton = body_joints(truth.skeleton);
        const SkeletonComparison chamfer = compare_skeletons(candidate, body);
        const double error = limb_error(fit.skeleton, truth.skeleton, arguments.show_joints) / chamfer.diagonal;
        std::printf(arguments.markdown ? "| %s | %.4f | %.3f | %.3f | %.3f | %d/%d | %.1f |\n"
                                       : "%-30s %8.4f %7.3f %7.3f %7.3f %4d/%-4d %6.1f\n",
                    file.c_str(), error, chamfer.j2j / chamfer.height, chamfer.j2b / chamfer.height,
                    chamfer.b2b / chamfer.height, inside, deforming, seconds);
      } catch (const Error& problem) {
        std::printf("%-30s %s\n", file.c_str(), problem.what());
      }
      std::fflush(stdout);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--own") arguments.own = true;
    if (word == "--show-joints") arguments.show_joints = true;
    if (word == "--markdown") arguments.markdown = true;
    if (i + 1 < argc && word == "--data") arguments.data = argv[++i];
    if (i + 1 < argc && word == "--only") arguments.only = argv[++i];
    if (i + 1 < argc && word == "--skeleton") arguments.skeleton = argv[++i];
  }
  run(arguments);
}
