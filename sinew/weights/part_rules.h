// What a person decided about parts of a mesh (BindOptions::parts): looked up, applied before and after a method runs.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/bind.h"
#include "sinew/weights/bind_input.h"

namespace sinew {

struct PartDecision {
  PartRuleKind kind = PartRuleKind::rigid;
  std::vector<std::size_t> parts;       // of the character, whole; empty for a piece
  std::vector<std::uint32_t> vertices;  // of these parts, or of the piece
  int joint = -1;                       // -1: rigid with the joint that has most of it
};

// Throws Error(usage) for a part, piece or joint that does not exist, or a piece that is to be attached or ignored;
// Error(bad_input) for weights to keep that are not there.
std::vector<PartDecision> decide_parts(const Character& character, const std::vector<PartRule>& rules);

// Attached and ignored parts, so that make_bind_input leaves them out.
void leave_parts_out(const std::vector<PartDecision>& decisions, Character& character);

// Rigid and kept ones, over what a method has given. `before`: the character with the weights to keep. Copies of a
// vertex along a seam follow it, so that no seam opens. A later decision overrules an earlier one.
void hold_parts(const std::vector<PartDecision>& decisions, const Character& before, const BindInput& input,
                Character& bound);

}  // namespace sinew
