#include "sinew/character.h"

namespace sinew {

void check_character(const Character& character) {
  check_mesh(character.mesh);
  check_skeleton(character.skeleton);
  if (character.has_skin()) {
    check_skin_weights(character.weights, character.mesh.vertex_count(), character.skeleton.joint_count(), true);
  }
  std::size_t vertices = 0, triangles = 0;
  for (const Part& part : character.parts) {
    if (part.first_vertex != vertices || part.first_triangle != triangles) {
      throw Error(ErrorCode::mesh_invalid, "part '" + part.name + "' does not begin where the part before it ends");
    }
    vertices += part.vertex_count;
    triangles += part.triangle_count;
  }
  if (!character.parts.empty() &&
      (vertices != character.mesh.vertex_count() || triangles != character.mesh.triangles.size())) {
    throw Error(ErrorCode::mesh_invalid, "the parts do not cover the mesh");
  }
  for (const Motion& motion : character.motions) {
    if (motion.joint_count != character.skeleton.joint_count() || !(motion.frames_per_second > 0)) {
      throw Error(ErrorCode::motion_invalid, "motion '" + motion.name + "' does not fit the skeleton");
    }
  }
}

}  // namespace sinew
