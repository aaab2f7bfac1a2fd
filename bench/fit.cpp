// Fitting a skeleton into real characters, against the joints their artists set.
//
//   bench_fit [--augmented | --rigged [--method NAME] [--own-joints] | --fingers | --pictures]
//             [--networks | --networks-alone] [--model FILE]
//             [--data FOLDER | --folder FOLDER [--every N] [--from N]] [--only FILE] [--calibration] [--show-joints]
//
// Without a mode: the built-in adult's skeleton (the quadruped's for animals). --augmented: the artist's own skeleton,
// moved away, and five that were changed (fit_cases.h): one row each is the mean over the five. --rigged: fit the own
// skeleton, bind with heat weights (or --method), and compare how the skin moves with the artist's rig; --own-joints
// leaves the artist's joints where they are. --fingers: error of finger joints over the length of the hand, on built-in
// people with another one's skeleton, then on real ones with their own. --pictures: what the networks
// alone make of it, with and without the features of pictures. --folder takes all rigged people of a folder (every Nth
// file, from the Nth on) instead of the development set. --calibration prints how often limb joints of a given
// confidence are within 0.03 heights of the artist's.
//
// Limb error: mean distance of shoulders, elbows, wrists, hips, knees and ankles over the bounding diagonal. J2J, J2B,
// B2B: Chamfer distances of the body's joints over the height.
#include "sinew/fit.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "apps/torch/training_data/training_body.h"
#include "bench/fit_cases.h"
#include "sinew/anatomy/legs.h"
#include "sinew/bind.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/evaluate/deformation_comparison.h"
#include "sinew/evaluate/pose_set.h"
#include "sinew/evaluate/skeleton_comparison.h"
#include "sinew/fit/fit_mesh.h"
#include "sinew/io.h"
#include "sinew/learn/fit_model.h"

namespace {
using namespace sinew;
using namespace sinew::bench;
namespace fs = std::filesystem;

enum class Mode { builtin, augmented, rigged, fingers, pictures };

struct Arguments {
  fs::path data = fs::path(SINEW_PROJECT_DIR) / ".." / "shared" / "data";
  fs::path folder;
  int every = 1, from = 0;
  std::string only, model, method = "heat";
  Mode mode = Mode::builtin;
  bool own_joints = false, show_joints = false, networks = false, networks_alone = false, calibration = false;
};

struct Score {
  double limbs = 0, j2j = 0, j2b = 0, b2b = 0;
  int inside = 0, joints = 0;  // of those that deform
};

// Confidence and error, in heights, of limb joints.
std::vector<std::pair<double, double>> judged;

Score score_of(const FitResult& fit, const FitCase& target, const TriangleMesh& mesh, bool show) {
  const SkeletonComparison chamfer = compare_skeletons(counted_joints(fit.skeleton, target.roles, mesh),
                                                       counted_joints(target.truth, target.roles, mesh));
  Score score{0, chamfer.j2j / chamfer.height, chamfer.j2b / chamfer.height, chamfer.b2b / chamfer.height, 0, 0};
  int limbs = 0;
  for (int j = 0; j < target.truth.joint_count(); ++j) {
    const JointRole role = target.roles[j].role;
    if (target.truth.kinds[j] != JointKind::joint || role == JointRole::root) continue;
    if (role == JointRole::control || role == JointRole::prop) continue;  // of the animator, not of the body
    ++score.joints;
    score.inside += fit.inside[j];
    if (show && !fit.inside[j])
      std::printf("    %-28s (%s) is outside\n", target.truth.names[j].c_str(), role_name(role));
    if (!is_limb(target.roles[j].role) || target.roles[j].index != 1) continue;
    const Vec3d away = fit.skeleton.position(j) - target.truth.position(j);
    if (show) {
      std::printf("    %-28s confidence %.2f  off %8.4f %8.4f %8.4f of the height\n", target.truth.names[j].c_str(),
                  fit.confidence[j], away.x() / chamfer.height, away.y() / chamfer.height, away.z() / chamfer.height);
    }
    score.limbs += away.norm() / chamfer.diagonal;
    ++limbs;
    judged.emplace_back(fit.confidence[j], away.norm() / chamfer.height);
  }
  score.limbs = limbs > 0 ? score.limbs / limbs : NAN;
  return score;
}

void print_calibration() {
  std::printf("\n| confidence | joints | within 0.03 of the height | median error |\n|---|---|---|---|\n");
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
    std::printf("| %.1f – %.1f | %zu | %.2f | %.4f |\n", bin / 10.0, (bin + 1) / 10.0, errors.size(),
                good / static_cast<double>(errors.size()), errors[errors.size() / 2]);
  }
}

std::vector<fs::path> chosen_files(const Arguments& arguments) {
  static const std::set<std::string> not_fitted = {"momentum_human.fbx", "aframe_hand_right.glb",
                                                   "quaternius_Trex.glb"};
  const fs::path folder = arguments.folder.empty() ? arguments.data / "characters" : arguments.folder;
  std::vector<fs::path> all, chosen;
  if (!fs::is_directory(folder)) {
    std::printf("no characters in '%s': nothing to fit (give --data)\n", folder.c_str());
    return chosen;
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string(), type = entry.path().extension().string();
    if ((type == ".glb" || type == ".fbx") && !not_fitted.contains(name)) all.push_back(entry.path());
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = static_cast<std::size_t>(arguments.from); i < all.size();
       i += static_cast<std::size_t>(arguments.every)) {
    if (all[i].filename().string().find(arguments.only) != std::string::npos) chosen.push_back(all[i]);
  }
  return chosen;
}

class FitBench {
 public:
  explicit FitBench(const Arguments& arguments) : arguments_(arguments) {
    if (!arguments.model.empty()) model_.emplace(load_network_file(arguments.model));
    if (arguments.networks || arguments.networks_alone || !arguments.model.empty()) options_.networks = &model();
    options_.networks_alone = arguments.networks_alone;
  }

  void run() {
    print_header();
    if (arguments_.mode == Mode::fingers) builtin_fingers();
    for (const fs::path& path : chosen_files(arguments_)) {
      try {
        const Character truth = load_character(path);
        if (!arguments_.folder.empty()) make_training_body(truth);  // is it a person at all?
        run(path.stem().string(), truth);
      } catch (const Error& problem) {
        std::printf("| %s | %s |\n", path.stem().string().c_str(), problem.what());
      }
      std::fflush(stdout);
    }
    print_summary();
    if (arguments_.calibration) print_calibration();
  }

 private:
  const FitModel& model() { return model_ ? *model_ : FitModel::shipped(); }

  void print_header() const {
    if (arguments_.mode == Mode::rigged) {
      std::printf("| character | ADE | MDE | ELS |\n|---|---|---|---|\n");
    } else if (arguments_.mode == Mode::fingers) {
      std::printf("| character | fingers, mean | worst | inside |\n|---|---|---|---|\n");
    } else if (arguments_.mode == Mode::pictures) {
      std::printf("| character | joints, with pictures | without |\n|---|---|---|\n");
    } else {
      std::printf("| character | limb error | J2J | J2B | B2B | inside | s |\n|---|---|---|---|---|---|---|\n");
    }
  }

  void run(const std::string& name, const Character& truth) {
    if (arguments_.mode == Mode::rigged) return rig(name, truth);
    if (arguments_.mode == Mode::fingers) return fingers(name, truth, original_case(truth.skeleton));
    if (arguments_.mode == Mode::pictures) return look(name, truth);
    if (arguments_.mode == Mode::builtin)
      return fit(name, truth, {builtin_case(on_four_legs(name, truth.skeleton), truth.skeleton)});
    fit(name + ", original", truth, {original_case(truth.skeleton)});
    std::vector<FitCase> changed;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) changed.push_back(augmented_case(truth.skeleton, seed));
    fit(name + ", five changed", truth, changed);
  }

  void fit(const std::string& name, const Character& truth, const std::vector<FitCase>& cases) {
    const TriangleMesh mesh = mesh_to_fit(truth);
    Score mean;
    int fitted = 0;
    const std::clock_t start = std::clock();
    for (const FitCase& target : cases) {
      try {
        const FitResult result = fit_skeleton(mesh, target.skeleton, options_);
        const Score score = score_of(result, target, truth.mesh, arguments_.show_joints);
        mean.limbs += score.limbs, mean.j2j += score.j2j, mean.j2b += score.j2b, mean.b2b += score.b2b;
        mean.inside += score.inside, mean.joints += score.joints;
        inside_ += score.inside, joints_ += score.joints;
        limb_errors_.push_back(score.limbs);
        ++fitted;
      } catch (const Error& problem) {
        ++refused_;
        std::printf("| %s | %s |\n", name.c_str(), problem.what());
      }
    }
    if (fitted == 0) return;
    std::printf("| %s | %.4f | %.3f | %.3f | %.3f | %d/%d | %.1f |\n", name.c_str(), mean.limbs / fitted,
                mean.j2j / fitted, mean.j2b / fitted, mean.b2b / fitted, mean.inside, mean.joints,
                static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / static_cast<double>(cases.size()));
  }

  void rig(const std::string& name, const Character& truth) {
    Character candidate = truth;
    if (!arguments_.own_joints) {
      candidate.skeleton = fit_skeleton(mesh_to_fit(truth), original_case(truth.skeleton).skeleton, options_).skeleton;
    }
    bind_character(candidate, {.method = arguments_.method});
    std::vector<Pose> poses = motion_poses(truth.skeleton, truth.motions, 12).poses;
    const bool random = poses.size() < 3;
    if (random) poses = normal_poses(truth.skeleton, 24, 20.0, 1).poses;
    if (poses.size() > 40) {
      for (std::size_t i = 0; i < 40; ++i) poses[i] = poses[i * poses.size() / 40];
      poses.resize(40);
    }
    const DeformationComparison compared = compare_deformation(pair_skins(candidate, truth), poses);
    std::printf("| %s%s | %.5f | %.3f | %.3f |\n", name.c_str(), random ? " †" : "", compared.ade, compared.mde,
                compared.els);
  }

  // Mean distance of finger joints from where they belong, over the distance from wrist to the furthest of them.
  void fingers(const std::string& name, const Character& truth, const FitCase& target) {
    std::map<BodySide, double> hand;
    int count = 0;
    for (int j = 0; j < target.truth.joint_count(); ++j) {
      if (!is_finger(target.roles[j].role)) continue;
      ++count;
      for (int up = target.truth.parents[j]; up >= 0; up = target.truth.parents[up]) {
        if (target.roles[up].role != JointRole::hand) continue;
        double& size = hand[target.roles[j].side];
        size = std::max(size, (target.truth.position(j) - target.truth.position(up)).norm());
      }
    }
    if (count < 6) return;
    const FitResult fit = fit_skeleton(mesh_to_fit(truth), target.skeleton, options_);
    double error = 0, worst = 0;
    int inside = 0, joints = 0;
    for (int j = 0; j < target.truth.joint_count(); ++j) {
      if (!is_finger(target.roles[j].role) || target.truth.kinds[j] != JointKind::joint) continue;
      const double own = (fit.skeleton.position(j) - target.truth.position(j)).norm() / hand[target.roles[j].side];
      error += own;
      worst = std::max(worst, own);
      inside += fit.inside[j];
      ++joints;
    }
    std::printf("| %s | %.3f | %.3f | %d/%d |\n", name.c_str(), error / joints, worst, inside, joints);
  }

  // Built-in people that nothing was tuned on, with the skeleton of another one.
  void builtin_fingers() {
    BuiltinOptions own;
    own.vertex_budget = 1000;
    const Skeleton other = make_builtin_character(own).skeleton;
    for (const BuiltinKind kind : {BuiltinKind::adult, BuiltinKind::child, BuiltinKind::bulky}) {
      for (const std::uint64_t seed : {7001u, 7002u}) {
        BuiltinOptions options;
        options.kind = kind;
        options.seed = seed;
        options.vertex_budget = 8000;
        const Character truth = make_builtin_character(options);
        FitCase target = original_case(truth.skeleton);
        if (truth.skeleton.names == other.names) target.skeleton = other;
        fingers(std::string("built-in ") + kind_name(kind) + " " + std::to_string(seed), truth, target);
      }
    }
  }

  // What the networks see, told where up and forward is.
  void look(const std::string& name, const Character& truth) {
    if (on_four_legs(name, truth.skeleton)) return;
    const FitCase target = augmented_case(truth.skeleton, 1);
    SkeletonGraph graph = body_graph(target.skeleton, target.roles);
    const BodyFrame own = body_frame(target.skeleton, target.roles);
    Mat3d axes;
    axes << own.left.transpose(), own.up.transpose(), own.forward.transpose();
    stand_in_body_space(graph, axes);
    std::array<double, 2> error{};
    for (int k = 0; k < 2; ++k) {
      const NeuralBody body =
          model().look_at(mesh_to_fit(truth), body_frame(truth.skeleton, identify_joints_anyhow(truth.skeleton)),
                          k == 0 ? FitModel::Pictures::with : FitModel::Pictures::without);
      const std::vector<Vec3d> places = model().place_joints(body, graph);
      for (int g = 0; g < graph.count(); ++g) {
        error[k] += (places[g] - target.truth.position(graph.joints[g])).norm() / body.space.height / graph.count();
      }
    }
    std::printf("| %s | %.4f | %.4f |\n", name.c_str(), error[0], error[1]);
  }

  void print_summary() {
    if (limb_errors_.empty()) return;
    std::sort(limb_errors_.begin(), limb_errors_.end());
    double sum = 0;
    for (const double error : limb_errors_) sum += error / static_cast<double>(limb_errors_.size());
    std::printf("%zu fitted, %d refused; limb error median %.4f, mean %.4f, 90 %% below %.4f\n", limb_errors_.size(),
                refused_, limb_errors_[limb_errors_.size() / 2], sum, limb_errors_[limb_errors_.size() * 9 / 10]);
    std::printf("%d of %d joints of all these lie inside their mesh\n", inside_, joints_);
  }

  Arguments arguments_;
  std::optional<FitModel> model_;
  FitOptions options_;
  std::vector<double> limb_errors_;
  int refused_ = 0, inside_ = 0, joints_ = 0;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "--augmented") {
      arguments.mode = Mode::augmented;
    } else if (word == "--rigged") {
      arguments.mode = Mode::rigged;
    } else if (word == "--fingers") {
      arguments.mode = Mode::fingers;
    } else if (word == "--method") {
      arguments.method = next();
    } else if (word == "--own-joints") {
      arguments.own_joints = true;
    } else if (word == "--pictures") {
      arguments.mode = Mode::pictures;
    } else if (word == "--networks") {
      arguments.networks = true;
    } else if (word == "--networks-alone") {
      arguments.networks_alone = true;
    } else if (word == "--show-joints") {
      arguments.show_joints = true;
    } else if (word == "--calibration") {
      arguments.calibration = true;
    } else if (word == "--data") {
      arguments.data = next();
    } else if (word == "--folder") {
      arguments.folder = next();
    } else if (word == "--every") {
      arguments.every = std::max(1, std::atoi(next().c_str()));
    } else if (word == "--from") {
      arguments.from = std::max(0, std::atoi(next().c_str()));
    } else if (word == "--only") {
      arguments.only = next();
    } else if (word == "--model") {
      arguments.model = next();
    } else {
      throw Error(ErrorCode::option_unknown, "unknown argument '" + word + "'");
    }
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    FitBench(parse(argc, argv)).run();
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return exit_code(error.kind());
  }
}
