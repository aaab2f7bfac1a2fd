#include <algorithm>

#include "sinew/base/closest_name.h"
#include "sinew/base/name_pattern.h"
#include "sinew/weight_tools.h"

namespace sinew {

std::vector<int> joints_matching(const Skeleton& skeleton, const std::string& patterns) {
  std::vector<std::string> unknown;
  const std::vector<char> chosen = names_chosen(skeleton.names, patterns, unknown);
  if (!unknown.empty()) {
    throw Error(ErrorCode::joint_unknown, "no joint matches '" + unknown.front() + "'",
                did_you_mean(unknown.front(), skeleton.names));
  }
  std::vector<int> joints;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (chosen[joint]) joints.push_back(joint);
  }
  return joints;
}

std::vector<std::uint32_t> vertices_of_parts(const Character& character, const std::string& patterns) {
  std::vector<std::string> names, unknown;
  for (const Part& part : character.parts) names.push_back(part.name);
  const std::vector<char> chosen = names_chosen(names, patterns, unknown);
  if (!unknown.empty()) {
    std::vector<std::string> each;  // several primitives of one mesh share a name
    for (const std::string& name : names) {
      if (std::find(each.begin(), each.end(), name) == each.end()) each.push_back(name);
    }
    throw Error(ErrorCode::choice_unknown, "no part matches '" + unknown.front() + "'",
                choices_for(unknown.front(), each))
        .about("parts");
  }
  std::vector<std::uint32_t> vertices;
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    if (!chosen[i]) continue;
    const Part& part = character.parts[i];
    for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      vertices.push_back(static_cast<std::uint32_t>(v));
    }
  }
  return vertices;
}

}  // namespace sinew
