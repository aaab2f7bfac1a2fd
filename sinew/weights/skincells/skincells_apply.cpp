#include "sinew/weights/skincells/skincells_apply.h"

#include <algorithm>
#include <chrono>

#include "sinew/weights/skincells/skincells_file.h"

namespace sinew {
namespace {

// The field's own mesh fills the unit box around zero (its diagonal is 1).
void warn_about_place(const SkinCellField& field, const TriangleMesh& mesh, Warnings& warnings) {
  const auto box = bounding_box(mesh);
  const Vec3f low = field.to_unit_box(box.min().cast<double>()), high = field.to_unit_box(box.max().cast<double>());
  const float size = (high - low).norm(), away = (0.5f * (low + high)).norm();
  if (size <= 4.0f && size >= 0.02f && away <= 1.0f) return;
  warnings.push_back(
      {"field-elsewhere",
       "the mesh has another place or size than the one the field was made for: its weights are guesses; "
       "move it to the same place and unit first"});
}

std::vector<char> attached_vertices(const Character& character) {
  std::vector<char> attached(character.mesh.vertex_count(), 0);
  for (const Part& part : character.parts) {
    if (part.binding != PartBinding::attached || !character.has_skin()) continue;
    std::fill_n(attached.begin() + static_cast<std::ptrdiff_t>(part.first_vertex), part.vertex_count, 1);
  }
  return attached;
}

}  // namespace

FieldReport apply_field(const SkinCellField& field, Character& character) {
  if (character.mesh.positions.empty()) throw Error(ErrorCode::mesh_missing, "there is no mesh to give weights to");
  if (character.skeleton.empty()) {
    throw Error(ErrorCode::skeleton_missing, "'" + character.name + "' holds no skeleton",
                "give the skeleton that the field was made for")
        .about("skeleton");
  }
  const auto start = std::chrono::steady_clock::now();
  FieldReport report;
  const SkinCellField matched = match_field(field, character.skeleton);
  warn_about_place(field, character.mesh, report.warnings);
  SkinWeights weights = evaluate_field(matched, character.mesh.positions);

  const std::vector<char> attached = attached_vertices(character);
  std::size_t influences = 0;
  for (std::size_t v = 0; v < attached.size(); ++v) {
    const std::size_t first = v * weights.influences, old = v * character.weights.influences;
    if (attached[v]) {
      std::vector<Influence> own;
      for (int slot = 0; slot < character.weights.influences; ++slot) {
        own.push_back({character.weights.joints[old + slot], character.weights.weights[old + slot]});
      }
      set_influences(weights, v, std::move(own));
      continue;
    }
    ++report.vertices;
    influences += static_cast<std::size_t>(
        std::count_if(weights.weights.begin() + static_cast<std::ptrdiff_t>(first),
                      weights.weights.begin() + static_cast<std::ptrdiff_t>(first + weights.influences),
                      [](float w) { return w > 0; }));
  }
  character.weights = std::move(weights);
  for (Part& part : character.parts) {
    if (part.binding != PartBinding::attached && part.vertex_count > 0) part.binding = PartBinding::skinned;
  }
  report.mean_influences =
      static_cast<double>(influences) / static_cast<double>(std::max<std::size_t>(1, report.vertices));
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace sinew
