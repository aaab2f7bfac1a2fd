// What the learned method knows: networks that learned from different characters, and how far to trust them.
//
// Training cuts the characters into parts (studios, usually). Members learned from all of them, an expert from one part
// alone. On a character like those that were learned from, the mean of the members is the answer. On another one
// only that is changed of bone heat which all experts would change in the same direction, and only as far as the most
// careful of them would: what every style has in common. How unlike a character is decides how much of either.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/weights/auto/piece_rigidity.h"
#include "sinew/weights/auto/weight_refiner.h"

namespace sinew {

// Characters as points: the mean of their features. Near ones are of a like build, rig and mesh.
struct KnownCharacters {
  Eigen::RowVectorXf mean, scale;  // of the points
  NetMatrix points;                // one row per character, x ← (x − mean) · scale

  // 0: like the nearest known ones; 1: unlike all of them. Rows for which `counts` is given and false are left out.
  float strangeness(const Eigen::RowVectorXf& point, const std::vector<char>& counts = {}) const;
};
KnownCharacters make_known_characters(const std::vector<Eigen::RowVectorXf>& points);

class WeightModel {
 public:
  // The one that comes with the library. Made on first use; safe from any thread.
  static const WeightModel& shipped();

  std::vector<RefinerNetwork> members, experts;  // at least one of each
  KnownCharacters known;
  PieceRigidity rigidity;
  std::string description;  // JSON: how it was trained
};

// How much of what all experts agree on goes into the answer for a character of that strangeness, 0 … 1.
float caution_for(float strangeness);

// Weights per row; they sum to 1 over a vertex. `caution` 0: the members alone; 1: what all experts agree on alone.
std::vector<float> weigh(const WeightModel& model, const CandidateBatch& batch, float caution);

// A .sinewweights file (learn/network_file.h). Throws Error(bad_input) for anything else.
WeightModel parse_weight_model(std::span<const std::byte> bytes);
std::vector<std::byte> to_bytes(const WeightModel& model);

}  // namespace sinew
