// Applying a saved SkinCells field to another mesh: a level of detail, a garment, a point cloud or Gaussian splats.
//
//   const SkinCellField field = load_field("hero.skincells");
//   apply_field(field, character);  // character has a skeleton with the field's joints
#pragma once

#include "sinew/character.h"
#include "sinew/weights/skincells/skincells_field.h"

namespace sinew {

struct FieldReport {
  Warnings warnings;
  std::size_t vertices = 0;  // that took weights from the field
  double mean_influences = 0;
  double seconds = 0;
};

// Replaces the weights of every vertex, except of attached parts. Joints are found by name. The mesh must lie where the
// field's own mesh lay, in the same unit; a mesh that lies elsewhere is told in the warnings. Throws Error(bad_input)
// when there is no vertex, or a joint of the field is missing from the skeleton; the character is then unchanged.
FieldReport apply_field(const SkinCellField& field, Character& character);

}  // namespace sinew
