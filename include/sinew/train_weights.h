// Teaching the weight method "auto" from rigged characters: a studio's own style, or another kind of creature.
//
//   WeightTrainer trainer;
//   for (…) trainer.add(load_character(file), folder);
//   TrainedWeights trained = trainer.train();
//   write trained.model to hero_style.sinewweights, and give it to BindOptions::weight_model by read_weight_model
//
// The networks learn where artists part from bone heat. They are small: a hundred characters train in a minute or two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/export.h"
#include "sinew/progress.h"

namespace sinew {

class WeightModel;
SINEW_API const WeightModel& shipped_weight_model();
// From the bytes of a .sinewweights file. Throws Error(bad_input).
SINEW_API std::shared_ptr<const WeightModel> read_weight_model(std::span<const std::byte> bytes);

struct WeightTrainingOptions {
  int vertices = 400;  // of each character to learn from, drawn at random, 50 … 10,000
  int epochs = 10;     // passes over all characters, 1 … 1,000
  int hidden = 64;     // size of the networks, 8 … 512
  // Parts of the characters, 1 … 16. For each of them one network learns from it alone; on characters
  // unlike all of them, only what these have in common is changed. Parts are groups where there are as many groups
  // as that, otherwise equal shares.
  int members = 4;
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores
};

// How the networks do on a group when they did not learn from it: what to expect of another studio's characters.
struct UnseenGroup {
  std::string group;
  std::size_t characters = 0;
  double ratio = 1;               // error over bone heat's, geometric mean
  double worst = 1;               // of one character
  std::size_t clearly_worse = 0;  // characters above 1.1
};

struct TrainedWeights {
  std::vector<std::byte> model;  // a .sinewweights file
  std::size_t characters = 0;    // learned from
  // Mean distance from the artists' deformation over that of bone heat, geometric mean over the characters: on each part
  // as if it had not been there, and by all networks on what they learned from.
  double unseen_ratio = 1, seen_ratio = 1;
  std::vector<UnseenGroup> unseen;  // in order of name; empty when there is one part
};

class SINEW_API WeightTrainer {
 public:
  explicit WeightTrainer(const WeightTrainingOptions& options = {});
  ~WeightTrainer();

  // Characters of one group (a studio, a folder) are alike; every group counts the same. Returns false, and
  // says why in `warnings`, for a character that cannot be learned from: no weights, joints far from the mesh, or a
  // twentieth of its vertices shared with one that keep_apart was given.
  bool add(const Character& character, const std::string& group, Warnings& warnings);
  // Learns from no character that shares geometry with this one, so that it can be measured on. Before add.
  void keep_apart(const Character& character);

  // Throws Error(bad_input) when there are fewer than two characters.
  TrainedWeights train(const Progress& progress = {}) const;

 private:
  struct Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace sinew
