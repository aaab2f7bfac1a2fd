// Skeletons of any creature against the ones their artists made.
//
//   bench_creatures [--generated | --matched] --folder FOLDER [--only TEXT] [--write FOLDER] [--variants N]
//
// --generated: a skeleton made from the mesh alone. J2J, J2B, B2B: Chamfer distances (skeleton_comparison.h) over the
// bounding diagonal; IoU: joints matched one to one with an artist's joint within half of the local shape diameter
// there, twice their number over the number of both skeletons' joints (RigNet, section 6.1).
// --matched: the artist's own skeleton back into its mesh, with other bone lengths and size and without names; error:
// mean distance of joints over the bounding diagonal, per variant.
// Only joints that move skin count on the artist's side. --write keeps every result as a GLB beside the artist's.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sinew/anatomy/joint_name_words.h"
#include "sinew/base/random.h"
#include "sinew/base/stopwatch.h"
#include "sinew/evaluate/skeleton_comparison.h"
#include "sinew/fit.h"
#include "sinew/fit/fit_mesh.h"
#include "sinew/fit/voxel_solid.h"
#include "sinew/generate_skeleton.h"
#include "sinew/io.h"

namespace {
using namespace sinew;
namespace fs = std::filesystem;

struct Arguments {
  fs::path folder, write;
  std::string only;
  bool matched = false;
  int variants = 5;
};

// The joints that move skin, as a character of its own.
std::vector<char> moves_skin(const Character& character) {
  std::vector<char> moves(character.skeleton.names.size(), character.weights.empty());
  for (std::size_t k = 0; k < character.weights.weights.size(); ++k) {
    if (character.weights.weights[k] > 0) moves[character.weights.joints[k]] = 1;
  }
  return moves;
}

Character moving_joints(const Character& character) {
  Character result;
  result.name = character.name;
  result.mesh = mesh_to_fit(character);
  const std::vector<char> moves = moves_skin(character);
  std::vector<int> index(character.skeleton.names.size(), -1);
  for (int j = 0; j < character.skeleton.joint_count(); ++j) {
    int parent = character.skeleton.parents[j];
    while (parent >= 0 && index[parent] < 0) parent = character.skeleton.parents[parent];
    if (!moves[j]) continue;
    index[j] = add_joint(result.skeleton, character.skeleton.names[j], parent >= 0 ? index[parent] : -1,
                         character.skeleton.rest[j]);
  }
  return result;
}

// The most pairs of one joint of each within the truth's tolerance: augmenting paths.
class Pairing {
 public:
  Pairing(const Skeleton& found, const Skeleton& truth, const std::vector<double>& tolerance)
      : found_(found), truth_(truth), tolerance_(tolerance), partner_(truth.names.size(), -1) {
    for (int j = 0; j < found.joint_count(); ++j) {
      std::vector<char> seen(truth.names.size(), 0);
      pairs_ += place(j, seen);
    }
  }
  int pairs() const { return pairs_; }

 private:
  bool place(int joint, std::vector<char>& seen) {
    for (int t = 0; t < truth_.joint_count(); ++t) {
      if (seen[t] || (found_.position(joint) - truth_.position(t)).norm() > tolerance_[t]) continue;
      seen[t] = 1;
      if (partner_[t] < 0 || place(partner_[t], seen)) {
        partner_[t] = joint;
        return true;
      }
    }
    return false;
  }

  const Skeleton &found_, &truth_;
  const std::vector<double>& tolerance_;
  std::vector<int> partner_;
  int pairs_ = 0;
};

// Half of the local shape diameter: the depth of the deepest place near the joint, in the limb it stands in.
std::vector<double> tolerances(const VoxelSolid& solid, const Skeleton& truth) {
  std::vector<double> result;
  for (int j = 0; j < truth.joint_count(); ++j) {
    std::int64_t voxel = solid.near(truth.position(j), 6);
    double depth = solid.cell();
    while (voxel >= 0) {
      const auto here = static_cast<std::uint32_t>(voxel);
      depth = std::max(depth, solid.depth(here));
      std::int64_t next = -1;
      solid.for_neighbours(here, [&](std::uint32_t other, double) {
        if (solid.depth(other) > (next < 0 ? solid.depth(here) : solid.depth(static_cast<std::uint32_t>(next)))) {
          next = other;
        }
      });
      // Uphill to the middle of the limb, but not on along it.
      if (next >= 0 && (solid.position(static_cast<std::uint32_t>(next)) - truth.position(j)).norm() > depth) break;
      voxel = next;
    }
    result.push_back(depth);
  }
  return result;
}

// Another size and place, other bone lengths (the same for all joints whose names differ only in numbers and side), no
// names.
Skeleton changed_skeleton(const Skeleton& truth, std::uint64_t seed) {
  Random random(seed);
  Skeleton result = truth;
  std::map<std::string, double> factor;
  const double size = random.uniform(0.3, 3.0);
  const Vec3d lift(0, size * random.uniform(-1.0, 1.0), 0);
  for (int j = 0; j < truth.joint_count(); ++j) {
    const int parent = truth.parents[j];
    const std::string key = split_name(truth.names[j]).joined;
    if (!factor.contains(key)) factor[key] = size * random.uniform(0.75, 1.3);
    const double own = parent >= 0 ? factor[key] : size;
    const Vec3d offset = truth.position(j) - (parent >= 0 ? truth.position(parent) : Vec3d::Zero());
    result.rest[j].translation() = (parent >= 0 ? result.position(parent) : lift) + own * offset;
    result.names[j] = "bone_" + std::to_string(j);
  }
  return result;
}

double median(std::vector<double> values) {
  if (values.empty()) return NAN;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v / static_cast<double>(values.size());
  return sum;
}

class CreatureBench {
 public:
  explicit CreatureBench(Arguments arguments) : arguments_(std::move(arguments)) {}

  void run() {
    std::printf(
        arguments_.matched
            ? "| creature | error, mean of variants | accepted | s |\n|---|---|---|---|\n"
            : "| creature | joints | of the artist | J2J | J2B | B2B | IoU | s |\n|---|---|---|---|---|---|---|---|\n");
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(arguments_.folder)) {
      const std::string name = entry.path().filename().string(), type = entry.path().extension().string();
      if ((type == ".glb" || type == ".fbx") && name.find(arguments_.only) != std::string::npos) {
        files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      try {
        const Character character = load_character(file);
        if (arguments_.matched) {
          match(file.stem().string(), character);
        } else {
          generate(file.stem().string(), character);
        }
      } catch (const Error& problem) {
        std::printf("| %s | %s |\n", file.stem().c_str(), problem.what());
      }
      std::fflush(stdout);
    }
    summarise();
  }

 private:
  void generate(const std::string& name, const Character& character) {
    const Character truth = moving_joints(character);
    if (truth.skeleton.joint_count() < 2) return;
    Character made;
    made.name = name;
    made.mesh = truth.mesh;
    const Stopwatch watch;
    made.skeleton = generate_skeleton(truth.mesh);
    const double seconds = watch.seconds();
    const SkeletonComparison compared = compare_skeletons(made, truth);
    const Pairing pairing(made.skeleton, truth.skeleton, tolerances(VoxelSolid(truth.mesh), truth.skeleton));
    const double iou = 2.0 * pairing.pairs() / (made.skeleton.joint_count() + truth.skeleton.joint_count());
    const AABBf box = bounding_box(truth.mesh);
    longest_.push_back(compared.j2j / box.sizes().maxCoeff());
    j2j_.push_back(compared.j2j / compared.diagonal);
    j2b_.push_back(compared.j2b / compared.diagonal);
    b2b_.push_back(compared.b2b / compared.diagonal);
    iou_.push_back(iou);
    ratio_.push_back(static_cast<double>(made.skeleton.joint_count()) / truth.skeleton.joint_count());
    std::printf("| %s | %d | %d | %.3f | %.3f | %.3f | %.2f | %.2f |\n", name.c_str(), made.skeleton.joint_count(),
                truth.skeleton.joint_count(), j2j_.back(), j2b_.back(), b2b_.back(), iou, seconds);
    if (!arguments_.write.empty()) {
      save_character(made, arguments_.write / (name + "_generated.glb"));
      save_character(truth, arguments_.write / (name + "_artist.glb"));
    }
  }

  void match(const std::string& name, const Character& character) {
    const TriangleMesh mesh = mesh_to_fit(character);
    const std::vector<char> moves = moves_skin(character);
    double error = 0;
    int accepted = 0;
    const Stopwatch watch;
    for (int variant = 1; variant <= arguments_.variants; ++variant) {
      const Skeleton changed = changed_skeleton(character.skeleton, static_cast<std::uint64_t>(variant));
      ++tried_;
      try {
        const FitResult fit = fit_skeleton(mesh, changed, {});
        const double own = joint_error(fit.skeleton, character.skeleton, moves) / bounding_diagonal(mesh);
        errors_.push_back(own);
        error += own;
        ++accepted;
        if (!arguments_.write.empty() && variant == 1) {
          Character fitted;
          fitted.mesh = mesh;
          fitted.skeleton = fit.skeleton;
          save_character(fitted, arguments_.write / (name + "_matched.glb"));
        }
      } catch (const Error& problem) {
        if (variant == 1) std::printf("    %s: %s\n", name.c_str(), problem.what());
      }
    }
    std::printf("| %s | %.4f | %d of %d | %.2f |\n", name.c_str(), accepted > 0 ? error / accepted : NAN, accepted,
                arguments_.variants, watch.seconds() / arguments_.variants);
  }

  static double joint_error(const Skeleton& fitted, const Skeleton& truth, const std::vector<char>& moves) {
    double sum = 0;
    int count = 0;
    for (int j = 0; j < truth.joint_count(); ++j) {
      if (!moves[j]) continue;
      sum += (fitted.position(j) - truth.position(j)).norm();
      ++count;
    }
    return count > 0 ? sum / count : NAN;
  }

  void summarise() const {
    if (arguments_.matched) {
      std::printf("%zu of %d accepted; error median %.4f, mean %.4f\n", errors_.size(), tried_, median(errors_),
                  mean(errors_));
      return;
    }
    std::printf(
        "%zu creatures, mean (median): J2J %.4f (%.4f), J2B %.4f (%.4f), B2B %.4f (%.4f), IoU %.3f (%.3f); "
        "J2J over the longest side %.4f; joints over the artist's, median %.2f\n",
        j2j_.size(), mean(j2j_), median(j2j_), mean(j2b_), median(j2b_), mean(b2b_), median(b2b_), mean(iou_),
        median(iou_), mean(longest_), median(ratio_));
  }

  Arguments arguments_;
  std::vector<double> j2j_, j2b_, b2b_, iou_, longest_, ratio_, errors_;
  int tried_ = 0;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "--generated") {
      arguments.matched = false;
    } else if (word == "--matched") {
      arguments.matched = true;
    } else if (word == "--folder") {
      arguments.folder = next();
    } else if (word == "--write") {
      arguments.write = next();
    } else if (word == "--only") {
      arguments.only = next();
    } else if (word == "--variants") {
      arguments.variants = std::max(1, std::atoi(next().c_str()));
    } else {
      throw Error(ErrorCode::option_unknown, "unknown argument '" + word + "'");
    }
  }
  if (!fs::is_directory(arguments.folder)) throw Error(ErrorCode::option_missing, "give --folder");
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CreatureBench(parse(argc, argv)).run();
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return exit_code(error.kind());
  }
}
