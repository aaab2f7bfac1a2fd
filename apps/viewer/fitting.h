// Fitting a skeleton into the mesh, from the page: before, after, joints held by hand, motions carried over.
#pragma once

#include <string>
#include <vector>

#include "apps/viewer/document.h"

namespace sinew::viewer {

struct FitRequest {
  enum class Source { present, adult, quadruped };
  Source source = Source::present;  // what is fitted: the skeleton of the file or clip, or a built-in one
  bool symmetric = true;
  std::vector<HeldJoint> held;
};

// {"skeleton"?: "present" | "adult" | "quadruped", "symmetric"?, "held"?: [{"joint", "position": [x, y, z]}]}.
// Throws Error(usage) for anything else.
FitRequest parse_fit_request(const std::string& body);

// The job: a new entry of the history, with the source's motions on the fitted skeleton. Fitting again starts from the
// skeleton as it was before the first time.
void run_fit(Document& document, const FitRequest& request, const Progress& progress);

// The motions of a clip on the present skeleton, as `sinew retarget` does it.
void retarget_onto(Document& document, const Character& clip, const Progress& progress);

}  // namespace sinew::viewer
