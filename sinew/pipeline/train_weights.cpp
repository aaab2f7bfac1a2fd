#include "sinew/train_weights.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

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
constexpr double clearly_worse = 1.1;
constexpr std::size_t general_networks = 2;  // that learn from all characters

// Random poses, and as many of the character's own motions.
std::vector<Pose> training_poses(const Character& character, std::uint64_t seed) {
  std::vector<Pose> poses = normal_poses(character.skeleton, random_poses, random_degrees, seed).poses;
  const std::vector<Pose> moving = motion_poses(character.skeleton, character.motions, most_motion_poses).poses;
  const std::size_t count = std::min<std::size_t>(moving.size(), most_motion_poses);
  for (std::size_t i = 0; i < count; ++i) poses.push_back(moving[i * moving.size() / count]);
  return poses;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
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

  int parts() const { return static_cast<int>(std::min<std::size_t>(options.members, examples.size())); }

  // Which part each character belongs to.
  std::vector<int> part_of() const {
    std::map<std::string, int> sizes;
    for (const std::string& group : groups) ++sizes[group];
    std::vector<int> part(groups.size());
    if (static_cast<int>(sizes.size()) < parts()) {
      for (std::size_t i = 0; i < part.size(); ++i) part[i] = static_cast<int>(i) % parts();
      return part;
    }
    // Whole groups, the largest first, each to the part that has least so far.
    std::vector<std::pair<int, std::string>> order;
    for (const auto& [group, size] : sizes) order.emplace_back(-size, group);
    std::sort(order.begin(), order.end());
    std::vector<int> load(parts(), 0);
    std::map<std::string, int> part_of_group;
    for (const auto& [size, group] : order) {
      const auto least = std::min_element(load.begin(), load.end());
      *least -= size;
      part_of_group[group] = static_cast<int>(least - load.begin());
    }
    for (std::size_t i = 0; i < part.size(); ++i) part[i] = part_of_group[groups[i]];
    return part;
  }

  // Those characters that a network learns from. Every group counts the same.
  std::vector<TrainingCharacter> chosen(const std::function<bool(std::size_t character)>& learns) const {
    std::map<std::string, double> sizes;
    std::vector<TrainingCharacter> chosen;
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

  Eigen::RowVectorXf point(std::size_t character) const { return examples[character].batch.features.colwise().mean(); }

  // The first learn from all characters, then one per part from it alone, then one per part from all but
  // it: the last are for measuring.
  std::vector<RefinerNetwork> train_networks(const std::vector<int>& part, const Progress& progress) const {
    const auto parts = static_cast<std::size_t>(this->parts());
    const std::size_t count = general_networks + (parts > 1 ? 2 * parts : 0);
    std::vector<RefinerNetwork> networks(count);
    parallel_for(count, 1, progress, "training", [&](std::size_t begin, std::size_t end) {
      for (std::size_t network = begin; network < end; ++network) {
        const auto learns = [&](std::size_t i) {
          if (network < general_networks) return true;
          const std::size_t place = network - general_networks;
          const bool is_own = static_cast<std::size_t>(part[i]) == place % parts;
          return place < parts ? is_own : !is_own;
        };
        RefinerTraining training;
        training.hidden = options.hidden;
        training.epochs = options.epochs;
        training.seed = options.seed + network;
        networks[network] = train_refiner(chosen(learns), training, {});
      }
    });
    return networks;
  }

  WeightModel make_model(const std::vector<RefinerNetwork>& networks) const {
    WeightModel model;
    const auto experts_begin = networks.begin() + general_networks;
    model.members.assign(networks.begin(), experts_begin);
    model.experts = parts() > 1 ? std::vector(experts_begin, experts_begin + parts()) : model.members;
    std::vector<Eigen::RowVectorXf> points;
    for (std::size_t i = 0; i < examples.size(); ++i) points.push_back(point(i));
    model.known = make_known_characters(points);
    model.rigidity = rigidity();
    return model;
  }

  // error_ratio of every character, as all networks do on what they learned from.
  std::vector<double> seen_ratios(const WeightModel& model) const {
    std::vector<double> result(examples.size());
    parallel_for(examples.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) result[i] = error_ratio(model, examples[i], 0);
    });
    return result;
  }

  // The same as if the part of the character had not been there: neither learned from nor known. `left_out`: networks
  // that learned without each part.
  std::vector<double> unseen_ratios(const WeightModel& model, std::span<const RefinerNetwork> left_out,
                                    const std::vector<int>& part) const {
    std::vector<double> result(examples.size());
    for (int own = 0; own < parts(); ++own) {
      WeightModel without;
      without.members = {left_out[own]};
      without.experts = model.experts;
      without.experts.erase(without.experts.begin() + own);
      std::vector<char> others(examples.size());
      for (std::size_t i = 0; i < others.size(); ++i) others[i] = part[i] != own;
      parallel_for(examples.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          if (part[i] != own) continue;
          result[i] = error_ratio(without, examples[i], caution_for(model.known.strangeness(point(i), others)));
        }
      });
    }
    return result;
  }

  std::vector<UnseenGroup> by_group(const std::vector<double>& ratios) const {
    std::map<std::string, std::vector<double>> sorted;
    for (std::size_t i = 0; i < groups.size(); ++i) sorted[groups[i]].push_back(ratios[i]);
    std::vector<UnseenGroup> result;
    for (const auto& [group, values] : sorted) {
      const auto worse =
          std::count_if(values.begin(), values.end(), [](double ratio) { return ratio > clearly_worse; });
      result.push_back({group, values.size(), geometric_mean(values), *std::max_element(values.begin(), values.end()),
                        static_cast<std::size_t>(worse)});
    }
    return result;
  }

  PieceRigidity rigidity() const {
    std::vector<PieceExample> pieces;
    std::map<std::string, float> importance;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      for (const PieceExample& piece : examples[i].pieces) importance[groups[i]] += piece.importance;
    }
    for (std::size_t i = 0; i < examples.size(); ++i) {
      for (PieceExample piece : examples[i].pieces) {
        piece.importance /= importance[groups[i]];
        pieces.push_back(piece);
      }
    }
    return train_piece_rigidity(pieces);
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
    const std::vector<int> part = pool.part_of();
    const std::vector<RefinerNetwork> networks = pool.train_networks(part, progress.part(0, 0.9));
    WeightModel model = pool.make_model(networks);
    progress(0.9, "measuring what was learned");
    TrainedWeights result;
    result.characters = pool.examples.size();
    result.seen_ratio = geometric_mean(pool.seen_ratios(model));
    if (pool.parts() > 1) {
      const std::vector<double> unseen =
          pool.unseen_ratios(model, std::span(networks).last(static_cast<std::size_t>(pool.parts())), part);
      result.unseen_ratio = geometric_mean(unseen);
      result.unseen = pool.by_group(unseen);
    }
    model.description = nlohmann::json{{"characters", result.characters},     {"members", pool.options.members},
                                       {"epochs", pool.options.epochs},       {"seed", pool.options.seed},
                                       {"unseen_ratio", result.unseen_ratio}, {"seen_ratio", result.seen_ratio}}
                            .dump();
    result.model = to_bytes(model);
    progress(1.0, "done");
    return result;
  });
}

}  // namespace sinew
