// Training the network of the learned method from artists' weights.
//
//   RefinerExamples examples = make_refiner_examples(character, poses, …);   of every character
//   RefinerNetwork network = train_refiner({{&examples, 1.0}, …}, options, progress);
//
// The loss of a vertex is how far its place in the poses is from where the artist's weights put it, over how far bone
// heat's error is on that character, so that every character counts the same and the figure to beat is 1; plus a little
// cross-entropy between the weights, which also tells apart joints that happen to move alike.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/character.h"
#include "sinew/progress.h"
#include "sinew/weights/auto/weight_model.h"

namespace sinew {

// Some vertices of one character, with what the artist gave them.
struct RefinerExamples {
  CandidateBatch batch;
  std::vector<float> truth;  // per row: the artist's weight of the candidate; sum 1 over a vertex
  // Per vertex count² numbers: Σ over poses of (T_a p − q)·(T_b p − q) / poses for candidates a, b, where q is where the
  // artist's weights put the vertex. Then wᵀ G w is the squared distance of weights w.
  std::vector<float> gram;
  std::vector<std::size_t> gram_begin;  // per vertex; one more at the end
  std::vector<float> heat_distance;     // per vertex: of bone heat's weights
  double heat_error = 0;                // its mean
  std::vector<PieceExample> pieces;     // of the whole character
  double missed = 0;                    // share of the artist's weight on joints that were no candidates
};

struct RefinerExampleOptions {
  int vertices = 400;  // drawn at random; all when there are fewer
  std::uint64_t seed = 1;
};

// The character must be skinned. Throws Error(bad_input) when it cannot be bound.
RefinerExamples make_refiner_examples(const Character& character, const std::vector<Pose>& poses,
                                      const RefinerExampleOptions& options);

struct RefinerTraining {
  int hidden = 64;
  int epochs = 10;
  int characters_per_step = 4;
  double rate = 3e-3;           // annealed to a hundredth by a cosine
  double cross_entropy = 0.05;  // its share in the loss
  double reluctance = 2;        // how much more it counts where bone heat was closer to the artist
  double large_errors = 0.03;   // share of the squared distance in the loss
  double weight_decay = 0.01;   // per step, times the rate
  double hidden_names = 0.3;    // share of the characters whose joint names are hidden in a step
  std::uint64_t seed = 1;
};

// Loss over the examples and, when asked for, its slopes: as many as parameters_of gives.
double refiner_loss(const RefinerNetwork& network, const RefinerExamples& examples, const RefinerTraining& options,
                    std::vector<float>* slopes);
// All trained numbers in one row, and back.
std::vector<float> parameters_of(const RefinerNetwork& network);
void set_parameters(const std::vector<float>& parameters, RefinerNetwork& network);

struct TrainingCharacter {
  const RefinerExamples* examples = nullptr;
  double importance = 1;  // the mean over all characters is one
};
RefinerNetwork train_refiner(const std::vector<TrainingCharacter>& characters, const RefinerTraining& options,
                             const Progress& progress);

// Mean distance from the artist's deformation over bone heat's, with at most four influences as the method gives them.
double error_ratio(const WeightModel& model, const RefinerExamples& examples, float caution);

}  // namespace sinew
