// What a character holds, in numbers: for reports and for a first judgement of a file.
#pragma once

#include <string>
#include <vector>

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

// What a file holds beside mesh, skeleton and motions.
struct LookSummary {
  struct Picture {
    std::string name, kind;  // "skin", "png"; either may be empty
    std::size_t bytes = 0;
  };
  std::vector<std::string> materials;
  std::vector<Picture> textures;
  std::vector<std::string> shape_keys;  // morph targets, by name
  std::vector<std::string> extensions;  // of glTF, that the file uses
  std::vector<std::string> extras;      // of glTF: where there are some ("asset", "node 'Head'", …)
};

LookSummary summarise_looks(const Character& character);

}  // namespace sinew
