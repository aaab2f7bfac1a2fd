// Painting from the page: requests become edits of pins, and a WeightPainter finds the weights (sinew/paint.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/viewer/document.h"
#include "sinew/paint.h"

namespace sinew::viewer {

enum class PaintAnswer {
  none,  // only gets ready for strokes: no entry of the history
  near,  // in a fraction of a second: weights follow around the stroke, for while it is drawn
  all    // every weight finds its place
};

struct PaintRequest {
  std::string gesture;
  PaintAnswer answer = PaintAnswer::all;
  BrushEdit edit;
};

// From a packet (packet.h): header {"gesture"?, "answer"?, "strokes"?: [{"joint", "target"}], "free_all"?}; arrays
// `vertices0`, `amounts0`, `vertices1`, … one pair per stroke, and `free`. Throws Error(usage) for anything else.
PaintRequest parse_paint_request(const std::string& body, const Character& character);

// Keeps the painter of what was painted last. For one thread.
class PaintJobs {
 public:
  // The job of a request: a new entry of the history, unless no answer is wanted. Throws Error(bad_input) unless the
  // present weights are biharmonic, or when a stroke touches nothing that is bound by weights.
  void paint(Document& document, const PaintRequest& request, std::uint64_t seed, const Progress& progress);

 private:
  WeightPainter& painter_for(const Entry& base, std::uint64_t seed, const Progress& progress);

  std::string key_;
  std::optional<WeightPainter> painter_;
};

}  // namespace sinew::viewer
