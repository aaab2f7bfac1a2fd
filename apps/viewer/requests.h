// What requests mean: from JSON to options and from the registry to JSON. Knows nothing of HTTP.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "apps/viewer/document.h"
#include "apps/viewer/live_methods.h"

namespace sinew::viewer {

struct BindRequest {
  const WeightMethod* method = nullptr;
  OptionValues options;  // checked
  BindInputOptions input;
  std::string gesture;
};

// The registry for the page. Options that take any text are left out: they name files, and the page opens none.
nlohmann::json describe_methods();

// {"method", "options"?, "max_influences"?, "joints"?, "gesture"?}. Throws Error(usage) for anything else.
BindRequest parse_bind_request(const std::string& body, std::uint64_t seed);

// The job itself: a new entry of the history.
void run_bind(Document& document, LiveCache& cache, const BindRequest& request, const Progress& progress);

// The job of a dropped file: a file with a mesh is opened; the motions of one without are retargeted to the present
// skeleton; where there is none, the mesh gets the file's.
// `name` decides the format where the content does not; only its last component counts.
void run_open(Document& document, const std::string& name, const std::string& bytes, const Progress& progress);

// The present result as the bytes of a GLB.
std::string result_glb(const Document& document);
// The character as it was opened, for its materials and textures.
std::string opened_glb(const Document& document);

}  // namespace sinew::viewer
