#include "sinew/bind.h"
#include "sinew/fit/fit_mesh.h"
#include "sinew/generate_skeleton.h"
#include "sinew/mesh/solid_domain.h"
#include "sinew/pipeline/turn_upright.h"

namespace sinew {

FitResult generate_character_skeleton(Character& character, const GenerateOptions& options, const Progress& progress) {
  if (character.mesh.positions.empty()) throw Error(ErrorCode::mesh_missing, "there is no mesh to make a skeleton for");
  const TriangleMesh mesh = mesh_to_fit(character, options.ignore);
  const GeneratedSkeleton made = generate_creature_skeleton(mesh, options, progress);
  FitResult result;
  result.skeleton = made.skeleton;
  result.confidence = made.confidence;
  result.frame = made.frame;
  result.symmetry = made.symmetry;
  result.warnings = made.warnings;
  const SolidDomain domain(mesh);
  for (int joint = 0; joint < made.skeleton.joint_count(); ++joint) {
    result.inside.push_back(domain.contains(made.skeleton.position(joint).cast<float>()));
  }
  result.probability = result.mean_confidence();
  result.chosen = "generated";
  Character given = character;
  if (!options.keep_axes) turn_upright(given, result);
  Character source;
  source.name = "generated";
  source.skeleton = result.skeleton;
  use_skeleton_of(source, given, result.warnings);
  character = std::move(given);
  return result;
}

}  // namespace sinew
