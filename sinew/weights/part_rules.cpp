#include "sinew/weights/part_rules.h"

#include <algorithm>
#include <charconv>

#include "sinew/base/closest_name.h"
#include "sinew/base/name_pattern.h"
#include "sinew/mesh/pieces.h"

namespace sinew {
namespace {

// "#12" → 12; nothing for any other text.
bool is_piece(const std::string& name, std::size_t& number) {
  if (name.size() < 2 || name.front() != '#') return false;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 1, end, number);
  return error == std::errc() && stop == end;
}

void choose_piece(const Character& character, const PartRule& rule, std::size_t number, PartDecision& decision) {
  if (rule.kind == PartRuleKind::attach || rule.kind == PartRuleKind::ignore) {
    throw Error(ErrorCode::option_invalid,
                "'" + rule.part + "' is a piece; only whole parts can be attached or ignored",
                "make the piece rigid instead")
        .about("parts");
  }
  const Components pieces = pieces_of_mesh(character.mesh);
  if (number < 1 || number > pieces.count) {
    throw Error(ErrorCode::choice_unknown, "there is no piece '" + rule.part + "'",
                "the mesh has pieces #1 … #" + std::to_string(pieces.count))
        .about("parts");
  }
  for (std::uint32_t v = 0; v < pieces.component_of.size(); ++v) {
    if (pieces.component_of[v] + 1 == number) decision.vertices.push_back(v);
  }
}

void choose_parts(const Character& character, const PartRule& rule, PartDecision& decision) {
  std::vector<std::string> names;
  for (std::size_t p = 0; p < character.parts.size(); ++p) {
    const Part& part = character.parts[p];
    for (const std::string& name : {part.name, part.material}) {
      if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    if (!name_matches(rule.part, part.name) && !name_matches(rule.part, part.material)) continue;
    decision.parts.push_back(p);
    for (std::size_t v = 0; v < part.vertex_count; ++v) {
      decision.vertices.push_back(static_cast<std::uint32_t>(part.first_vertex + v));
    }
  }
  if (decision.parts.empty()) {
    throw Error(
        ErrorCode::choice_unknown, "no part or material is called '" + rule.part + "'",
        names.empty() ? "the mesh has no named parts; pieces are called #1, #2, …" : choices_for(rule.part, names))
        .about("parts");
  }
}

int joint_of(const Character& character, const PartRule& rule) {
  const bool needs_joint = rule.kind == PartRuleKind::attach;
  const bool takes_joint = needs_joint || rule.kind == PartRuleKind::rigid;
  if (rule.joint.empty() && !needs_joint) return -1;
  if (!takes_joint || rule.joint.empty()) {
    throw Error(ErrorCode::option_invalid,
                "the rule for part '" + rule.part + "' " + (takes_joint ? "needs a joint" : "does not take a joint"))
        .about("parts");
  }
  const int joint = find_joint(character.skeleton, rule.joint);
  if (joint < 0) {
    throw Error(ErrorCode::joint_unknown, "the skeleton has no joint '" + rule.joint + "'",
                did_you_mean(rule.joint, character.skeleton.names))
        .about("parts");
  }
  return joint;
}

void require_weights(const Character& character, const PartRule& rule, const PartDecision& decision) {
  const SkinWeights& weights = character.weights;
  const bool all = character.has_skin() && std::all_of(decision.vertices.begin(), decision.vertices.end(), [&](auto v) {
                     return weights.weights[static_cast<std::size_t>(v) * weights.influences] > 0;
                   });
  if (all) return;
  throw Error(ErrorCode::weights_missing, "part '" + rule.part + "' has no weights that could be kept").about("parts");
}

std::vector<Influence> influences_of(const SkinWeights& weights, std::size_t vertex) {
  std::vector<Influence> influences;
  for (int slot = 0; slot < weights.influences; ++slot) {
    const std::size_t at = vertex * weights.influences + slot;
    influences.push_back({weights.joints[at], weights.weights[at]});
  }
  return influences;
}

// The joint that has most of the vertices' weight.
std::uint16_t strongest_joint(const SkinWeights& weights, const std::vector<std::uint32_t>& vertices, int joints) {
  std::vector<double> sum(joints, 0.0);
  for (const std::uint32_t v : vertices) {
    for (const Influence& influence : influences_of(weights, v)) sum[influence.joint] += influence.weight;
  }
  return static_cast<std::uint16_t>(std::max_element(sum.begin(), sum.end()) - sum.begin());
}

}  // namespace

std::vector<PartDecision> decide_parts(const Character& character, const std::vector<PartRule>& rules) {
  std::vector<PartDecision> decisions;
  for (const PartRule& rule : rules) {
    PartDecision& decision = decisions.emplace_back();
    decision.kind = rule.kind;
    std::size_t number = 0;
    is_piece(rule.part, number) ? choose_piece(character, rule, number, decision)
                                : choose_parts(character, rule, decision);
    decision.joint = joint_of(character, rule);
    if (rule.kind == PartRuleKind::keep) require_weights(character, rule, decision);
  }
  return decisions;
}

void leave_parts_out(const std::vector<PartDecision>& decisions, Character& character) {
  const auto leaves_out = [](const PartDecision& decision) {
    return decision.kind == PartRuleKind::attach || decision.kind == PartRuleKind::ignore;
  };
  if (std::none_of(decisions.begin(), decisions.end(), leaves_out)) return;
  // In a bare mesh everything is fixed and will be bound; what stays fixed on purpose must differ from it.
  const bool has_skinned = std::any_of(character.parts.begin(), character.parts.end(),
                                       [](const Part& part) { return part.binding == PartBinding::skinned; });
  for (Part& part : character.parts) {
    if (!has_skinned && part.binding == PartBinding::fixed) part.binding = PartBinding::skinned;
  }
  if (!character.has_skin()) character.weights = make_skin_weights(character.mesh.vertex_count(), 1);
  for (const PartDecision& decision : decisions) {
    if (!leaves_out(decision)) continue;
    const bool attached = decision.kind == PartRuleKind::attach;
    for (const std::size_t p : decision.parts) {
      character.parts[p].binding = attached ? PartBinding::attached : PartBinding::fixed;
    }
    for (const std::uint32_t v : decision.vertices) {
      set_influences(character.weights, v,
                     attached ? std::vector<Influence>{{static_cast<std::uint16_t>(decision.joint), 1.0}}
                              : std::vector<Influence>{});
    }
  }
  if (std::none_of(character.parts.begin(), character.parts.end(),
                   [](const Part& part) { return part.binding == PartBinding::skinned; })) {
    throw Error(ErrorCode::mesh_missing, "every part is attached or ignored: there is nothing left to bind")
        .about("parts");
  }
}

void hold_parts(const std::vector<PartDecision>& decisions, const Character& before, const BindInput& input,
                Character& bound) {
  std::vector<std::vector<std::uint32_t>> copies;  // per welded vertex; made when it is needed
  for (const PartDecision& decision : decisions) {
    if (decision.kind != PartRuleKind::rigid && decision.kind != PartRuleKind::keep) continue;
    if (copies.empty()) {
      copies.resize(input.vertex_count());
      for (std::uint32_t v = 0; v < input.welded_of.size(); ++v) {
        if (input.welded_of[v] != BindInput::not_bound) copies[input.welded_of[v]].push_back(v);
      }
    }
    const bool rigid = decision.kind == PartRuleKind::rigid;
    const int joint = !rigid                ? -1
                      : decision.joint >= 0 ? decision.joint
                                            : strongest_joint(bound.weights, decision.vertices, input.joint_count());
    for (const std::uint32_t v : decision.vertices) {
      const std::vector<Influence> held =
          rigid ? std::vector<Influence>{{static_cast<std::uint16_t>(joint), 1.0}} : influences_of(before.weights, v);
      set_influences(bound.weights, v, held);
      if (input.welded_of[v] == BindInput::not_bound) continue;
      for (const std::uint32_t copy : copies[input.welded_of[v]]) set_influences(bound.weights, copy, held);
    }
    for (const std::size_t p : decision.parts) {
      if (rigid && bound.parts[p].binding == PartBinding::fixed) bound.parts[p].binding = PartBinding::skinned;
    }
  }
}

}  // namespace sinew
