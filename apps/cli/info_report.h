// What `sinew info` finds out about a file, and the same as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sinew/asset/summary.h"
#include "sinew/mesh/diagnose.h"
#include "sinew/recognise.h"

namespace sinew::cli {

struct InfoReport {
  std::string file, format;
  std::uint64_t bytes = 0;
  Character character;
  SkinSummary skin;
  LookSummary looks;
  std::string convention;  // of the joints' names; empty: of none that is known
  MeshDefects defects;
  LengthUnit unit = LengthUnit::unknown;
  bool looked_for_intersections = false;
  std::optional<RecognisedBody> body;
};

// Metres in one unit; 0: nobody knows.
double metres_in(LengthUnit unit);

nlohmann::json info_json(const InfoReport& report);

}  // namespace sinew::cli
