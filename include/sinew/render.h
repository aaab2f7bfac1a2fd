// Pictures of characters.
//
//   write(render_character(hero, {.mode = "weights", .joint = "LeftForeArm", .motion = 0, .seconds = 1.5}).png);
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/export.h"
#include "sinew/progress.h"

namespace sinew {

struct PictureRequest {
  // What the colours show: "shaded" (the file's materials), "weights" (of `joint`), "dominant" (the strongest joint's
  // colour), "blended", "influences" (joints per vertex), "parts".
  std::string mode = "shaded";
  std::string joint{};            // by name, for "weights"
  std::string view = "front";     // "front", "side", "back", "three-quarter", …, or "TURN:HEIGHT" in degrees
  int width = 800, height = 800;  // pixels
  int motion = -1;                // of the character, by index; -1: the bind pose
  double seconds = 0;             // into the motion
  bool dual_quaternions = false;  // instead of linear blend skinning
  bool skeleton = false;          // drawn over the mesh
  bool legend = true;
  int samples = 16;  // rays per pixel
  int threads = 0;   // 0: all cores
};

struct RenderedPicture {
  std::vector<std::byte> png;
  Warnings warnings;  // what could not be drawn
};

// Throws Error(usage) for a mode, view, joint or motion that does not exist or that the character cannot show.
SINEW_API RenderedPicture render_character(const Character& character, const PictureRequest& request = {},
                                           const Progress& progress = {});

}  // namespace sinew
