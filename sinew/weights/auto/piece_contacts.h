// What the pieces of a mesh are and what each one touches: a button its coat, hair its head, a bolt its shell.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/weights/bind_input.h"

namespace sinew {

struct PieceFacts {
  std::size_t vertices = 0;
  double size = 0;               // diagonal of its box, of the whole mesh's 1
  double relative_size = 1;      // over that of the largest piece
  std::vector<float> heat;       // per joint: mean bone heat of its vertices
  std::vector<float> touched;    // per joint: mean bone heat where it touches larger pieces; empty: it touches none
  std::vector<char> holds_bone;  // per joint: one of its bones enters the piece's box
  double spread = 0;             // weight_spread of bone heat
  double contact_distance = 1;   // to the nearest larger piece, between vertices; 1: none near
  double contact_share = 0;      // of its vertices that are about as near to it
};

// Per component of the input. `heat`: per vertex.
using PieceContacts = std::vector<PieceFacts>;
PieceContacts find_piece_contacts(const BindInput& input, const SkinWeights& heat);

// Per component: its vertices.
std::vector<std::vector<std::uint32_t>> vertices_of_pieces(const BindInput& input);
// Per joint: the mean over some vertices.
std::vector<float> mean_weights(const SkinWeights& weights, const std::vector<std::uint32_t>& vertices, int joints);
// Mean over the vertices of the share that they have elsewhere than `mean` has it: 0 when all have the same weights.
double weight_spread(const SkinWeights& weights, const std::vector<std::uint32_t>& vertices,
                     const std::vector<float>& mean);

}  // namespace sinew
