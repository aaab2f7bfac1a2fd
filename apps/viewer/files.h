// Files that come from the page and go to it, as bytes: nothing here touches the disk.
#pragma once

#include <string>

#include "apps/viewer/corrective_view.h"
#include "apps/viewer/document.h"

namespace sinew::viewer {

struct DroppedFile {
  std::string name;  // decides the format where the content does not; only its last component counts
  std::string bytes;
  bool take_skeleton = false;  // a skeleton replaces the present one even if it has motions
};

// The job of a dropped file. A file with a mesh is opened; the motions of one without are retargeted to the present
// skeleton; where there is none, or by wish, the mesh gets the file's. Pins (.json), correctives (.sinewc) and training
// shapes (.sinewt) go to the open character. Errors name the file as the person knows it.
void run_open(Document& document, CorrectiveView& correctives, const DroppedFile& dropped, std::uint64_t seed,
              const Progress& progress);

// The present result as the bytes of a GLB.
std::string result_glb(const Document& document);
// The character as it was opened, for its materials and textures.
std::string opened_glb(const Document& document);

}  // namespace sinew::viewer
