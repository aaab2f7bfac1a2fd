// Fitting a skeleton into real characters, against the joints their artists set.
//
//   bench_fit [--data FOLDER | --folder FOLDER [--every N]] [--only FILE] [--skeleton FILE] [--own] [--networks |
//   --model FILE]
//             [--show-joints] [--calibration] [--markdown]
//
// --folder takes all rigged people of a folder (every Nth file) instead of the development set. --networks asks the
// shipped networks too, --model those of a file. --calibration prints how often limb joints of a given confidence are
// within 0.03 heights of the artist's. The skeleton is the built-in adult's (the built-in quadruped's for animals), or
// FILE's, or with --own the file's own after it was made unrecognisable: scaled, turned, its limbs lengthened and
// shortened. Limb error: mean distance of shoulders, elbows, wrists, hips, knees and ankles to the artist's over the
// bounding diagonal. Chamfer distances of the body's joints over the height.
#include "sinew/fit/fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "sinew/asset/file.h"
#include "sinew/base/random.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/evaluate/skeleton_comparison.h"
#include "sinew/neural/fit_model.h"
#include "sinew/neural/training_body.h"
#include "sinew/rig/joint_structure.h"

namespace {
using namespace sinew;
namespace fs = std::filesystem;

struct Arguments {
  fs::path data = fs::path(SINEW_PROJECT_DIR) / ".." / "shared" / "data";
  fs::path folder;
  int every = 1;
  std::string only, skeleton, model;
  bool own = false, show_joints = false, markdown = false, networks = false, calibration = false;
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

// Confidence and error, in heights, of limb joints.
std::vector<std::pair<double, double>> judged;

void judge(const FitResult& fit, const Skeleton& truth, double height) {
  const std::vector<JointIdentity> a = identify_joints_anyhow(fit.skeleton), b = identify_joints_anyhow(truth);
  for (int j = 0; j < truth.joint_count(); ++j) {
    if (!is_limb(b[j].role) || b[j].index != 1 || truth.kinds[j] != JointKind::joint) continue;
    for (int i = 0; i < fit.skeleton.joint_count(); ++i) {
      if (!(a[i] == b[j]) || fit.skeleton.kinds[i] != JointKind::joint) continue;
      judged.emplace_back(fit.confidence[i], (fit.skeleton.position(i) - truth.position(j)).norm() / height);
      break;
    }
  }
}

void print_calibration() {
  std::printf("confidence   joints   within 0.03 of the height   median error\n");
  for (int bin = 0; bin < 10; ++bin) {
    std::vector<double> errors;
    int good = 0;
    for (const auto& [confidence, error] : judged) {
      if (std::min(static_cast<int>(10 * confidence), 9) != bin) continue;
      errors.push_back(error);
      good += error < 0.03;
    }
    if (errors.empty()) continue;
    std::sort(errors.begin(), errors.end());
    std::printf("%.1f - %.1f  %8zu   %.2f   %.4f\n", bin / 10.0, (bin + 1) / 10.0, errors.size(),
                good / static_cast<double>(errors.size()), errors[errors.size() / 2]);
  }
}

std::vector<std::pair<fs::path, bool>> chosen_files(const Arguments& arguments) {
  std::vector<std::pair<fs::path, bool>> result;
  if (arguments.folder.empty()) {
    for (const auto& [file, four] : files()) result.emplace_back(arguments.data / "characters" / file, four);
    return result;
  }
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(arguments.folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (std::size_t i = 0; i < paths.size(); i += static_cast<std::size_t>(arguments.every)) {
    result.emplace_back(paths[i], false);
  }
  return result;
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
  FitOptions options;
  std::optional<FitModel> model;
  if (!arguments.model.empty()) model.emplace(load_network_file(arguments.model));
  if (arguments.networks) options.networks = model ? &*model : &FitModel::shipped();
  std::vector<double> errors;
  int refused = 0;
  for (const auto& [path, four] : chosen_files(arguments)) {
    const std::string file = path.filename().string();
    if (!arguments.only.empty() && file.find(arguments.only) == std::string::npos) continue;
    if (!fs::exists(path)) continue;
    Character truth;
    try {
      truth = load_character(path);
      if (!arguments.folder.empty()) make_training_body(truth);  // is it a person at all?
    } catch (const Error& problem) {
      std::printf("%-30s left out: %s\n", file.c_str(), problem.what());
      continue;
    }
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
        const FitResult fit = fit_skeleton(skin_of(truth), skeleton, options);
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
        judge(fit, truth.skeleton, chamfer.height);
        errors.push_back(error);
        std::printf(arguments.markdown ? "| %s | %.4f | %.3f | %.3f | %.3f | %d/%d | %.1f |\n"
                                       : "%-30s %8.4f %7.3f %7.3f %7.3f %4d/%-4d %6.1f\n",
                    file.c_str(), error, chamfer.j2j / chamfer.height, chamfer.j2b / chamfer.height,
                    chamfer.b2b / chamfer.height, inside, deforming, seconds);
      } catch (const Error& problem) {
        ++refused;
        std::printf("%-30s %s\n", file.c_str(), problem.what());
      }
      std::fflush(stdout);
    }
  }
  std::sort(errors.begin(), errors.end());
  if (!errors.empty()) {
    double sum = 0;
    for (const double error : errors) sum += error / static_cast<double>(errors.size());
    std::printf("%zu fitted, %d refused; limb error median %.4f, mean %.4f, 90 %% below %.4f\n", errors.size(), refused,
                errors[errors.size() / 2], sum, errors[errors.size() * 9 / 10]);
  }
  if (arguments.calibration) print_calibration();
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--own") arguments.own = true;
    if (word == "--show-joints") arguments.show_joints = true;
    if (word == "--markdown") arguments.markdown = true;
    if (word == "--networks") arguments.networks = true;
    if (word == "--calibration") arguments.calibration = true;
    if (i + 1 < argc && word == "--folder") arguments.folder = argv[++i];
    if (i + 1 < argc && word == "--every") arguments.every = std::max(1, std::atoi(argv[++i]));
    if (i + 1 < argc && word == "--model") {
      arguments.model = argv[++i];
      arguments.networks = true;
    }
    if (i + 1 < argc && word == "--data") arguments.data = argv[++i];
    if (i + 1 < argc && word == "--only") arguments.only = argv[++i];
    if (i + 1 < argc && word == "--skeleton") arguments.skeleton = argv[++i];
  }
  run(arguments);
}
