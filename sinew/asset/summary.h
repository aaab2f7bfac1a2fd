// What a character holds, in numbers: for reports and for a first judgement of a file.
#pragma once

#include <string>

#include "sinew/character.h"

namespace sinew {

// How large one unit of length probably is, told by the size of the thing alone.
enum class LengthUnit { unknown, metres, centimetres, millimetres };

const char* unit_name(LengthUnit unit);

// Characters (anything with a skeleton) are taken to be 0.2 to 5 metres large: a box of 50 to 300 units is probably in
// centimetres, one of 500 to 3000 in millimetres. Without a skeleton there is no telling.
LengthUnit guess_unit(const Character& character);

// The box around the mesh, or around the joints when there is no mesh. Empty when there is neither.
AABBd extent_of(const Character& character);

struct SkinSummary {
  int joints = 0, ends = 0, helpers = 0;  // by kind
  int used_joints = 0;                    // that move any vertex by more than `least_weight`
  int most_influences = 0;                // per vertex, above `least_weight`
  double mean_influences = 0;             // over vertices that have any
  std::size_t unweighted_vertices = 0;    // of skinned parts: they stay where they are
  static constexpr float least_weight = 0.001f;
};

SkinSummary summarise_skin(const Character& character);

}  // namespace sinew
