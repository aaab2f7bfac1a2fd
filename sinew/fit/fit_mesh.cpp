#include "sinew/fit/fit_mesh.h"

#include <algorithm>
#include <charconv>

#include "sinew/base/closest_name.h"
#include "sinew/base/name_pattern.h"
#include "sinew/mesh/pieces.h"

namespace sinew {
namespace {

// "#12" → 12; 0 for any other text.
std::size_t piece_number(const std::string& name) {
  std::size_t number = 0;
  const char* end = name.data() + name.size();
  if (name.size() < 2 || name.front() != '#') return 0;
  const auto [stop, error] = std::from_chars(name.data() + 1, end, number);
  return error == std::errc() && stop == end ? number : 0;
}

// Marks the vertices of a part or piece.
void mark_ignored(const Character& character, const Components& pieces, const std::string& name,
                  std::vector<char>& ignored) {
  if (const std::size_t number = piece_number(name)) {
    if (number > pieces.count) {
      throw Error(ErrorCode::choice_unknown, "there is no piece '" + name + "'",
                  "the mesh has pieces #1 … #" + std::to_string(pieces.count))
          .about("ignore");
    }
    for (std::size_t v = 0; v < ignored.size(); ++v) ignored[v] |= pieces.component_of[v] + 1 == number;
    return;
  }
  bool found = false;
  std::vector<std::string> names;
  for (const Part& part : character.parts) {
    for (const std::string& own : {part.name, part.material}) {
      if (!own.empty() && std::find(names.begin(), names.end(), own) == names.end()) names.push_back(own);
    }
    if (!name_matches(name, part.name) && !name_matches(name, part.material)) continue;
    found = true;
    const auto first = ignored.begin() + static_cast<std::ptrdiff_t>(part.first_vertex);
    std::fill(first, first + static_cast<std::ptrdiff_t>(part.vertex_count), 1);
  }
  if (found) return;
  throw Error(ErrorCode::choice_unknown, "no part or material is called '" + name + "'",
              names.empty() ? "the mesh has no named parts; pieces are called #1, #2, …" : choices_for(name, names))
      .about("ignore");
}

// What is left of a mesh, attached parts included; triangles that lose a corner go.
TriangleMesh without(const TriangleMesh& mesh, const std::vector<char>& gone) {
  TriangleMesh kept;
  std::vector<std::uint32_t> new_index(mesh.positions.size(), 0);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    if (gone[v]) continue;
    new_index[v] = static_cast<std::uint32_t>(kept.positions.size());
    kept.positions.push_back(mesh.positions[v]);
  }
  for (Triangle triangle : mesh.triangles) {
    if (std::any_of(triangle.begin(), triangle.end(), [&](std::uint32_t v) { return gone[v] != 0; })) continue;
    for (std::uint32_t& corner : triangle) corner = new_index[corner];
    kept.triangles.push_back(triangle);
  }
  if (kept.positions.empty() || (kept.triangles.empty() && !mesh.triangles.empty())) {
    throw Error(ErrorCode::mesh_missing, "every part is ignored: nothing is left to fit a skeleton into")
        .about("ignore");
  }
  return kept;
}

}  // namespace

TriangleMesh mesh_to_fit(const Character& character, const std::vector<std::string>& ignore) {
  if (!ignore.empty()) {
    std::vector<char> gone(character.mesh.positions.size(), 0);
    const Components pieces = pieces_of_mesh(character.mesh);
    for (const std::string& name : ignore) mark_ignored(character, pieces, name, gone);
    for (const Part& part : character.parts) {
      if (part.binding != PartBinding::attached) continue;
      const auto first = gone.begin() + static_cast<std::ptrdiff_t>(part.first_vertex);
      std::fill(first, first + static_cast<std::ptrdiff_t>(part.vertex_count), 1);
    }
    return without(character.mesh, gone);
  }
  TriangleMesh mesh;
  mesh.positions = character.mesh.positions;
  if (character.parts.empty()) {
    mesh.triangles = character.mesh.triangles;
    return mesh;
  }
  TriangleMesh kept;
  for (const Part& part : character.parts) {
    if (part.binding == PartBinding::attached) continue;
    const auto shift =
        static_cast<std::uint32_t>(kept.positions.size()) - static_cast<std::uint32_t>(part.first_vertex);
    for (std::size_t v = 0; v < part.vertex_count; ++v) {
      kept.positions.push_back(mesh.positions[part.first_vertex + v]);
    }
    for (std::size_t t = 0; t < part.triangle_count; ++t) {
      Triangle triangle = character.mesh.triangles[part.first_triangle + t];
      for (std::uint32_t& corner : triangle) corner += shift;
      kept.triangles.push_back(triangle);
    }
  }
  return kept;
}

}  // namespace sinew
