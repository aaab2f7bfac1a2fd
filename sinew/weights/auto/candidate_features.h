// What the learned method sees: for every vertex the few joints that may move it, and numbers about each of them.
//
// Candidates are the joints that bone heat gives the vertex, those of the piece that its own piece touches, and the
// nearest bones. Numbers describe the vertex relative to the candidate's bone (distance, place along it, side of the
// bend, in units of the limb's thickness), bone heat of the candidate and its relatives at two strengths, what the whole
// piece and the piece it touches say, and what kind of joint it is. Nothing depends on unit, place or turn of the file.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/anatomy/joint_roles.h"
#include "sinew/weights/auto/piece_contacts.h"
#include "sinew/weights/bind_input.h"

namespace sinew {

constexpr int most_candidates = 8;
constexpr int candidate_feature_count = 85;
// Columns that tell by name what a joint is; the first of them stands for "unknown".
constexpr int role_feature_begin = 64, role_feature_count = 18;

struct VertexCandidates {
  int count = 0;  // at least one
  std::array<std::uint16_t, most_candidates> joints{};
  std::array<float, most_candidates> heat{};  // bone heat of each, 0 … 1
};

// A joint and the bones it drives, as features need them.
struct JointFacts {
  std::vector<Bone> bones;
  std::vector<int> next;  // per bone: the joint at its tail that goes on, or -1
  int parent = -1;        // nearest joint above that takes weight
  std::vector<int> children;
  int depth = 0;      // joints above that take weight
  double radius = 0;  // mean distance of the skin that heat gives mostly to this joint
  // Place in a run of joints that hold one another and nothing else: a tail, a finger, the spine of a fish.
  int chain_place = 0, chain_length = 1;
  JointIdentity identity;
};

class CandidateFeatures {
 public:
  // Solves bone heat. `input` must stay valid.
  CandidateFeatures(const BindInput& input, const Progress& progress, Warnings& warnings);

  VertexCandidates candidates(std::size_t vertex) const;
  // One row of candidate_feature_count numbers per candidate, into `rows`.
  void describe(std::size_t vertex, const VertexCandidates& candidates, std::span<float> rows) const;

  const BindInput& input() const { return input_; }
  const SkinWeights& heat() const { return heat_; }
  const PieceContacts& pieces() const { return pieces_; }
  const std::vector<JointFacts>& joints() const { return joints_; }

 private:
  struct Sight;
  struct View;
  class Row;
  Sight look_at(std::size_t vertex, int joint) const;
  // Each writes its columns of one candidate, in this order.
  void describe_heat(const View& view, int candidate, Row& row) const;
  void describe_piece(const View& view, int candidate, Row& row) const;
  void describe_place(const View& view, int candidate, Row& row) const;
  void describe_joint(const View& view, int candidate, Row& row) const;

  const BindInput& input_;
  SkinWeights heat_;  // as the method heat gives it, with more slots
  SkinWeights soft_;  // a tenth as strong: spreads farther
  PieceContacts pieces_;
  std::vector<JointFacts> joints_;
  std::vector<float> edge_length_;  // per vertex: mean of its edges
};

}  // namespace sinew
