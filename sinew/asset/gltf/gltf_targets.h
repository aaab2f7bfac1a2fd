// A motion's corrections as morph targets in glTF: what any viewer can play, without knowing how they were found.
//
// glTF adds morph targets before skinning, which is where correctives belong. The file is the character's own with the
// targets (positions, and normals where the file has some) added to its meshes and their weights to the motion's
// animation; nothing else changes.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

struct MorphTargets {
  std::string motion;                       // of the character: gets the weights
  std::vector<std::vector<Vec3f>> offsets;  // per target: one per vertex of the character
  std::vector<double> times;                // of the frames, seconds from the motion's first, ascending
  Eigen::MatrixXf weights;                  // one row per target, one column per frame
};

// The few principal shapes that `frames` (one offset per vertex each) are made of, up to a root mean square of
// `tolerance` per vertex and frame; at most `most`.
MorphTargets compress_to_targets(const std::vector<std::vector<Vec3f>>& frames, double tolerance, int most);

// `format`: glb or gltf. Throws Error(bad_input) when the character has no such motion or has morph targets already, and
// as write_character does.
WrittenCharacter write_gltf_targets(const Character& character, const MorphTargets& targets, FileFormat format,
                                    const SaveOptions& options = {});

}  // namespace sinew
