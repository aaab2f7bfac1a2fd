// Which pieces of a mesh an artist would keep rigid: helmets, buttons, teeth, the shells of a robot.
//
// What a piece is like (how large, what it touches, how much bone heat differs within it, which bones run through it) is
// put into a few numbers, and a logistic regression over them learned from artists' pieces. A piece that is judged rigid
// gets one set of weights: the mean of what the networks give its vertices.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sinew/learn/network_file.h"
#include "sinew/weights/auto/piece_contacts.h"

namespace sinew {

constexpr int piece_sign_count = 14;
using PieceSigns = std::array<float, piece_sign_count>;

PieceSigns signs_of_piece(const BindInput& input, const PieceContacts& pieces, std::size_t piece);

struct PieceRigidity {
  PieceSigns mean{}, scale{}, slope{};  // chance = 1 / (1 + exp(−bias − Σ slope · (sign − mean) · scale))
  float bias = -10;                     // that of one that learned nothing: no piece is rigid

  float chance(const PieceSigns& signs) const;
};

struct PieceExample {
  PieceSigns signs{};
  float rigid = 0;       // 1: the artist gave all its vertices the same weights
  float importance = 1;  // in the loss
};

// Per piece of a skinned character: how much its own weights differ within it (as PieceFacts::spread) and its share of
// the vertices decide. A character of one piece gives none.
std::vector<PieceExample> make_piece_examples(const BindInput& input, const PieceContacts& pieces,
                                              const SkinWeights& truth);

PieceRigidity train_piece_rigidity(const std::vector<PieceExample>& examples);

// Gives every piece that is rigid by a chance of more than `least_chance` the mean of its weights. Returns how many.
int hold_rigid_pieces(const BindInput& input, const PieceContacts& pieces, const PieceRigidity& rigidity,
                      float least_chance, SkinWeights& weights);

// Arrays "rigid.…". Throws Error(bad_input) when one is missing.
PieceRigidity read_piece_rigidity(const NetworkFile& file);
void write_piece_rigidity(const PieceRigidity& rigidity, NetworkFile& file);

}  // namespace sinew
