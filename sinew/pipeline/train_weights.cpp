#include "sinew/train_weights.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "sinew/base/parallel.h"
#include "sinew/evaluate/pose_set.h"
#include "sinew/mesh/shared_vertices.h"
#include "sinew/weights/auto/refiner_training.h"
#include "sinew/weights/auto/weight_model.h"

namespace sinew {
namespace {

constexpr double same_geometry = 0.05;
constexpr int random_poses = 24, most_motion_poses = 24;
constexpr double random_degrees = 20;

// Random poses, and as many of the character's own motions.
std::vector<Pose> training_poses(const Character& character, std::uint64_t seed) {
  std::vector<Pose> poses = normal_poses(character.skeleton, random_poses, random_degrees, seed).poses;
  const std::vector<Pose> moving = motion_poses(character.skeleton, character.motions, most_motion_poses).poses;
  const std::size_t count = std::min<std::size_t>(moving.size(), most_motion_poses);
  for (std::size_t i = 0; i < count; ++i) poses.push_back(moving[i * moving.size() / count]);
  return poses;
}

void check_range(int value, int least, int most, const char* option) {
  if (value >= least && value <= most) return;
  throw Error(ErrorCode::option_out_of_range, std::string(option) + " must be " + std::to_string(least) + " … " +
                                                  std::to_string(most) + ", got " + std::to_string(value))
      .about(option);
}

}  // namespace

struct WeightTrainer::Pool {
  WeightTrainingOptions options;
  std::vector<RefinerExamples> examples;
  std::vector<std::string> groups;  // of each
  std::vector<std::vector<std::uint64_t>> apart;

  // Which member learns without each character.
  std::vector<int> left_out_by() const {
    std::map<std::string, int> sizes;
    for (const std::string& group : groups) ++sizes[group];
    std::vector<int> member(groups.size());
    if (static_cast<int>(sizes.size()) < options.members) {
      for (std::size_t i = 0; i < member.size(); ++i) member[i] = static_cast<int>(i) % options.members;
      return member;
    }
    // Whole groups, the largest first, each to the member that leaves out least so far.
    std::vector<std::pair<int, std::string>> order;
    for (const auto& [group, size] : sizes) order.emplace_back(-size, group);
    std::sort(order.begin(), order.end());
    std::vector<int> load(options.members, 0);
    std::map<std::string, int> member_of;
    for (const auto& [size, group] : order) {
      const auto least = std::min_element(load.begin(), load.end());
      *least -= size;
      member_of[group] = static_cast<int>(least - load.begin());
    }
    for (std::size_t i = 0; i < member.size(); ++i) member[i] = member_of[groups[i]];
    return member;
  }

  // All characters but those that `member` leaves out. Every group counts the same.
  std::vector<TrainingCharacter> chosen_for(int member, const std::vector<int>& left_out) const {
    std::map<std::string, double> sizes;
    std::vector<TrainingCharacter> chosen;
    const auto learns = [&](std::size_t i) { return options.members == 1 || left_out[i] != member; };
    for (std::size_t i = 0; i < examples.size(); ++i) sizes[groups[i]] += learns(i);
    double sum = 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      if (!learns(i)) continue;
      chosen.push_back({&examples[i], 1 / sizes[groups[i]]});
      sum += chosen.back().importance;
    }
    for (TrainingCharacter& character : chosen) character.importance *= static_cast<double>(chosen.size()) / sum;
    return chosen;
  }

  // The geometric mean of error_ratio over all characters.
  double mean_ratio(const std::function<const WeightModel&(std::size_t character)>& model_for) const {
    double sum = 0;
    for (std::size_t i = 0; i < examples.size(); ++i) sum += std::log(error_ratio(model_for(i), examples[i]));
    return std::exp(sum / static_cast<double>(examples.size()));
  }
};

const WeightModel& shipped_weight_model() { return WeightModel::shipped(); }

std::shared_ptr<const WeightModel> read_weight_model(std::span<const std::byte> bytes) {
  return std::make_shared<const WeightModel>(parse_weight_model(bytes));
}

WeightTrainer::WeightTrainer(const WeightTrainingOptions& options) : pool_(std::make_unique<Pool>()) {
  check_range(options.vertices, 50, 10'000, "vertices");
  check_range(options.epochs, 1, 1000, "epochs");
  check_range(options.hidden, 8, 512, "hidden");
  check_range(options.members, 1, 16, "members");
  pool_->options = options;
}

WeightTrainer::~WeightTrainer() = default;

void WeightTrainer::keep_apart(const Character& character) { pool_->apart.push_back(vertex_places(character.mesh)); }

bool WeightTrainer::add(const Character& character, const std::string& group, Warnings& warnings) {
  const std::vector<std::uint64_t> places = vertex_places(character.mesh);
  for (const std::vector<std::uint64_t>& other : pool_->apart) {
    if (shared_places(places, other) <= same_geometry) continue;
    warnings.push_back({"kept-apart", "'" + character.name + "' shares geometry with a character to be measured on"});
    return false;
  }
  try {
    RefinerExamples examples = with_threads(pool_->options.threads, [&] {
      return make_refiner_examples(character, training_poses(character, pool_->options.seed),
                                   {pool_->options.vertices, pool_->options.seed});
    });
    if (examples.batch.vertex_count() == 0) {
      throw Error(ErrorCode::weights_missing, "no vertex has weights that sum to one");
    }
    pool_->examples.push_back(std::move(examples));
    pool_->groups.push_back(group);
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input) throw;
    warnings.push_back({"not-learned-from", "'" + character.name + "': " + error.what()});
    return false;
  }
}

TrainedWeights WeightTrainer::train(const Progress& progress) const {
  const Pool& pool = *pool_;
  if (pool.examples.size() < 2) {
    throw Error(ErrorCode::training_data_invalid, "there are fewer than two characters to learn from");
  }
  return with_threads(pool.options.threads, progress, [&] {
    const int members = pool.options.members;
    const std::vector<int> left_out = pool.left_out_by();
    WeightModel model;
    std::vector<WeightModel> alone(members);
    for (int member = 0; member < members; ++member) {
      RefinerTraining training;
      training.hidden = pool.options.hidden;
      training.epochs = pool.options.epochs;
      training.seed = pool.options.seed + static_cast<std::uint64_t>(member);
      const double begin = static_cast<double>(member) / members, end = static_cast<double>(member + 1) / members;
      model.members.push_back(train_refiner(pool.chosen_for(member, left_out), training, progress.part(begin, end)));
      alone[member].members = {model.members.back()};
    }
    TrainedWeights result;
    result.characters = pool.examples.size();
    result.seen_ratio = pool.mean_ratio([&](std::size_t) -> const WeightModel& { return model; });
    if (members > 1) {
      result.unseen_ratio = pool.mean_ratio([&](std::size_t i) -> const WeightModel& { return alone[left_out[i]]; });
    }
    model.description = nlohmann::json{{"characters", result.characters},     {"members", members},
                                       {"epochs", pool.options.epochs},       {"seed", pool.options.seed},
                                       {"unseen_ratio", result.unseen_ratio}, {"seen_ratio", result.seen_ratio}}
                            .dump();
    result.model = to_bytes(model);
    return result;
  });
}

}  // namespace sinew
