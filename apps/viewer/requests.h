// Binding from the page: from JSON to options and from the registry to JSON. Knows nothing of HTTP.
#pragma once

#include <filesystem>
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

// The job itself: a new entry of the history. Pins of the entry before go on to methods that understand them; a method
// that makes a field leaves it in the entry.
void run_bind(Document& document, LiveCache& cache, const BindRequest& request, const Progress& progress);

// The job of dropped pins (pins.h): they take the place of the present ones, and biharmonic weights follow them.
void run_pins(Document& document, const std::filesystem::path& file, std::uint64_t seed, const Progress& progress);

}  // namespace sinew::viewer
