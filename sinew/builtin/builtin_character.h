// Procedural characters: a body with skin, skeleton, weights and motions, from a seed.
//
//   Character hero = make_builtin_character({.kind = BuiltinKind::adult, .seed = 7, .vertex_budget = 20000});
#pragma once

#include <cstdint>
#include <optional>

#include "sinew/asset/character.h"
#include "sinew/base/progress.h"
#include "sinew/builtin/proportions.h"

namespace sinew {

enum class BuiltinKind : std::uint8_t { adult, child, toon, bulky, quadruped };

struct BuiltinOptions {
  BuiltinKind kind = BuiltinKind::adult;
  std::uint64_t seed = 1;
  std::size_t vertex_budget = 10'000;  // 1,000 … 500,000 for the whole character
  std::optional<builtin::Proportions> proportions;
};

// Throws Error(usage) for a budget out of range.
Character make_builtin_character(const BuiltinOptions& options, const Progress& progress = {});

}  // namespace sinew
