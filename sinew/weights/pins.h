// Pins: vertices whose weights are given by a person, while a method finds the weights of all others around them.
//
// A pins file is JSON. Each entry of "pins" says which vertices, and their weights by joint name; weights are
// normalised. Vertices are counted as in the file that is bound, positions are in its space and unit:
//
//   { "pins": [
//       {"vertex": 120, "weights": {"Head": 1}},
//       {"vertices": [7, 8, 9], "weights": {"Hips": 0.5, "Spine": 0.5}},
//       {"position": [0.1, 1.5, 0], "weights": {"LeftEye": 1}},
//       {"position": [0.1, 1.5, 0], "radius": 0.02, "weights": {"LeftEye": 1}} ] }
//
// A position pins the nearest vertex, with a radius every vertex within it. Painting in any program that paints
// vertex colours works too: a legend says what each colour means, and vertices of other colours stay free:
//
//   { "colors": [ {"color": [1, 0, 0], "weights": {"Head": 1}},
//                 {"color": [0, 0, 1], "weights": {"Neck": 1}} ],
//     "tolerance": 0.1 }
//
// Colours are as stored in the file (0 … 1 per channel); a vertex takes the nearest colour of the legend within
// the tolerance (of the largest difference of a channel). Both kinds may be in one file; "pins" win.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sinew/weights/bind_input.h"

namespace sinew {

struct WeightPin {
  std::uint32_t vertex = 0;                     // welded vertex of the bind input
  std::vector<std::pair<int, double>> weights;  // joint → weight, not negative, sum one
};

// At most one pin per vertex, in order of vertex. Throws Error(bad_input) that names the file and the entry for what is
// not JSON of this form, a joint or vertex that does not exist, or weights that are negative or all zero. Entries that
// pin nothing (a colour nobody painted) are told in `warnings`.
std::vector<WeightPin> read_pins(const std::filesystem::path& file, const BindInput& input, Warnings& warnings);

// Pins as the text of such a file; here vertices count as in the mesh's file, not as welded. Vertices of the same
// weights share an entry.
std::string pins_text(const std::vector<WeightPin>& pins, const Skeleton& skeleton);

}  // namespace sinew
