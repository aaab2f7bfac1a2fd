#include "sinew/pipeline/turn_upright.h"

#include "sinew/fit/stand_upright.h"

namespace sinew {

bool up_is_known(const Character& character) {
  switch (character.format.value_or(FileFormat::obj)) {
    case FileFormat::glb:
    case FileFormat::gltf:
    case FileFormat::fbx:
    case FileFormat::collada:
      return true;
    default:
      return false;
  }
}

void turn_upright(Character& character, FitResult& fit) {
  if (up_is_known(character)) return;
  const UpAxis up = stand_upright(character.mesh, fit);
  if (up.is_y()) return;
  fit.warnings.push_back({"turned-upright", std::string(up.negative ? "-" : "") + "xyz"[up.axis] + " is up in '" +
                                                character.name + "': the character was turned so that y is"});
}

}  // namespace sinew
