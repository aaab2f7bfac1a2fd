// Procedural characters: a body with skin, skeleton, weights and motions, from a seed.
//
//   Character hero = make_builtin_character({.kind = BuiltinKind::adult, .seed = 7, .vertex_budget = 20000});
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sinew/builtin/look.h"
#include "sinew/builtin/proportions.h"
#include "sinew/character.h"
#include "sinew/progress.h"

namespace sinew {

enum class BuiltinPose : std::uint8_t { t, a };

struct BuiltinOptions {
  BuiltinKind kind = BuiltinKind::adult;
  std::uint64_t seed = 1;
  std::size_t vertex_budget = 10'000;  // 1,000 … 500,000 for the whole character
  BuiltinPose pose = BuiltinPose::t;
  BuiltinGarment garment = BuiltinGarment::automatic;
  std::optional<builtin::Proportions> proportions;  // drawn from the seed when absent
  std::optional<builtin::QuadrupedProportions> quadruped_proportions;
};

const char* kind_name(BuiltinKind kind);  // "adult"

// What users choose from, by name.
const std::map<std::string, BuiltinKind>& builtin_kinds();
const std::map<std::string, BuiltinPose>& builtin_poses();
const std::map<std::string, BuiltinGarment>& builtin_garments();

// Throws Error(usage) for a budget out of range.
Character make_builtin_character(const BuiltinOptions& options, const Progress& progress = {});

// Its skeleton and motions alone, without garments and the joints of those: at once, where no body is needed. A budget
// below 4,000 gives mittens instead of five fingers, as it does there.
Character make_builtin_rig(const BuiltinOptions& options);

}  // namespace sinew
