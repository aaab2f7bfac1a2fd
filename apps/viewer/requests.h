// Binding from the page: from JSON to options and from the registry to JSON. Knows nothing of HTTP.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "apps/viewer/document.h"
#include "sinew/bind.h"

namespace sinew::viewer {

struct BindRequest {
  BindOptions options;  // `values` are complete and checked
  std::string gesture;
};

// The list of methods for the page.
nlohmann::json describe_methods();

// {"method", "options"?, "max_influences"?, "joints"?, "gesture"?}. Throws Error(usage) for anything else.
BindRequest parse_bind_request(const std::string& body, std::uint64_t seed);

// The job itself: a new entry of the history. Pins of the entry before go on to methods that understand them; a method
// that makes a field leaves it in the entry.
void run_bind(Document& document, Binder& binder, const BindRequest& request, const Progress& progress);

// The job of dropped pins (JSON, bind.h): they take the place of the present ones, and biharmonic weights follow them.
void run_pins(Document& document, std::string_view text, std::uint64_t seed, const Progress& progress);

}  // namespace sinew::viewer
