// Painting weights: strokes of a brush become pins, and the biharmonic solver finds the weights of all other vertices.
//
// A stroke says for every vertex it touched how far its weight of one joint moves towards a target. Amounts count from
// the weights before the stroke, so a stroke may be sent again and again while it grows, each time whole.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/viewer/document.h"
#include "sinew/weights/biharmonic/biharmonic.h"

namespace sinew::viewer {

struct Stroke {
  int joint = -1;
  double target = 1;                    // 0 … 1: the weight of the joint where the amount is 1
  std::vector<std::uint32_t> vertices;  // of the character
  std::vector<float> amounts;           // one per vertex, 0 … 1
};

enum class PaintAnswer {
  none,  // only gets ready for strokes: no entry of the history
  near,  // in a fraction of a second: weights follow around the stroke, for while it is drawn
  all    // every weight finds its place
};

struct PaintRequest {
  std::string gesture;
  PaintAnswer answer = PaintAnswer::all;
  std::vector<Stroke> strokes;
  std::vector<std::uint32_t> free;  // vertices whose pins go
  bool free_all = false;            // all pins go
};

// From a packet (packet.h): header {"gesture"?, "answer"?, "strokes"?: [{"joint", "target"}], "free_all"?}; arrays
// `vertices0`, `amounts0`, `vertices1`, … one pair per stroke, and `free`. Throws Error(usage) for anything else.
PaintRequest parse_paint_request(const std::string& body, const Character& character);

// Keeps the solver of what was painted last: its points, its hierarchy and its last solution, from which the next
// answer starts. For one thread.
class Painter {
 public:
  // The job of a request: a new entry of the history, unless no answer is wanted. Throws Error(bad_input) unless the
  // present weights are biharmonic, or when a stroke touches nothing that is bound by weights.
  void paint(Document& document, const PaintRequest& request, std::uint64_t seed, const Progress& progress);

 private:
  struct Ready {
    BindInput input;
    std::vector<int> handle_of;  // per joint; -1: takes no weight
    std::vector<int> joint_of;   // per handle
    BiharmonicSolver solver;
    bool solved = false;
  };
  static std::vector<BiharmonicPin> solver_pins(const std::vector<WeightPin>& pins, const Ready& ready);
  Ready& prepare(const Entry& base, std::uint64_t seed, const Progress& progress, Warnings& warnings);

  std::string key_;
  std::optional<Ready> ready_;
};

// Every joint's mirror image (itself in the middle, -1 when there is none), and the plane between left and right.
struct Mirror {
  std::vector<int> joints;
  Vec3d normal = Vec3d::UnitX();
  double offset = 0;  // points p of the plane have p · normal = offset
};
Mirror mirror_of(const Skeleton& skeleton);

}  // namespace sinew::viewer
