// Point Cloud Data files of the Point Cloud Library, import only: text, binary and LZF-compressed binary. Use
// load_character (io.h) unless the format is known.
//
// Understood: x y z, normal_x normal_y normal_z, rgb or rgba. A point whose position is not finite is the format's way
// of saying that there is none; such points are left out, with a warning.
#pragma once

#include <cstddef>
#include <span>

#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

Character read_pcd(std::span<const std::byte> bytes, const LoadOptions& options = {});

}  // namespace sinew
