// Painting weights: strokes of a brush become pins, and biharmonic weights follow everywhere else.
//
//   WeightPainter painter(character, {});                    // gets ready, once: seconds on a large mesh
//   auto pins = painter.brush(character.weights, {}, {.strokes = {{.joint = 7, .vertices = hit, .amounts = soft}}});
//   character.weights = painter.near(pins);                  // while the stroke is drawn: a fraction of a second
//   character.weights = painter.settle(pins);                // when it ends: every weight finds its place
//
// A stroke says for every vertex it touched how far its weight of one joint moves towards a target. Amounts count from
// the weights before the stroke, so a stroke may be given again and again while it grows, each time whole.
// mirror_joints (body_frame.h) helps to paint both sides at once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/bind.h"
#include "sinew/body_frame.h"
#include "sinew/export.h"

namespace sinew {

struct BrushStroke {
  int joint = -1;
  double target = 1;                      // 0 … 1: the weight of the joint where the amount is 1
  std::vector<std::uint32_t> vertices{};  // of the character
  std::vector<float> amounts{};           // one per vertex, 0 … 1
};

// One edit of the pins: vertices are freed first, then strokes are drawn in order.
struct BrushEdit {
  std::vector<BrushStroke> strokes{};
  std::vector<std::uint32_t> free{};  // vertices whose pins go
  bool free_all = false;              // all pins go
};

// Keeps the solver of one character: its points, its hierarchy and its last solution, from which the next answer
// starts. For one thread at a time.
class SINEW_API WeightPainter {
 public:
  // Of the options everything but pins counts, with the method "biharmonic" and its values; another method is
  // Error(usage). Throws as bind_character does.
  WeightPainter(const Character& character, const BindOptions& options, const Progress& progress = {});
  ~WeightPainter();
  WeightPainter(WeightPainter&&) noexcept;
  WeightPainter& operator=(WeightPainter&&) noexcept;

  // The pins after an edit, at most one per place, in order of vertex. `before`: the weights, per vertex of the
  // character, that the strokes' amounts count from. Throws Error(bad_input) when a stroke names a joint that takes no
  // weight or touches nothing that is bound by weights, Error(usage) for values out of range.
  std::vector<WeightPin> brush(const SkinWeights& before, const std::vector<WeightPin>& pins,
                               const BrushEdit& edit) const;

  // Solves for these pins so that the next near() is quick. Does nothing after the first settle() or get_ready().
  void get_ready(const std::vector<WeightPin>& pins, const Progress& progress = {});
  // Weights of all vertices, those around changed pins found anew. Gets ready first where nothing was solved yet.
  SkinWeights near(const std::vector<WeightPin>& pins, const Progress& progress = {});
  // Weights of all vertices, all found anew: the same as bind_character gives with these pins.
  SkinWeights settle(const std::vector<WeightPin>& pins, const Progress& progress = {});

  const Warnings& warnings() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew
