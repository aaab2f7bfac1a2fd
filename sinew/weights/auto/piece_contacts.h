// What the pieces of a mesh are and what each one touches: a button its coat, hair its head, a bolt its shell.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/weights/bind_input.h"

namespace sinew {

struct PieceFacts {
  std::size_t vertices = 0;
  double size = 0;              // diagonal of its box, of the whole mesh's 1
  std::vector<float> heat;      // per joint: mean bone heat of its vertices
  std::vector<float> touched;   // per joint: mean bone heat where it touches larger pieces; empty: it touches none
  double contact_distance = 1;  // to the nearest larger piece, between vertices; 1: none near
  double contact_share = 0;     // of its vertices that are about as near to it
};

// Per component of the input. `heat`: per vertex.
using PieceContacts = std::vector<PieceFacts>;
PieceContacts find_piece_contacts(const BindInput& input, const SkinWeights& heat);

}  // namespace sinew
