// Several calls at once in one process: each gives what it gives alone. Under ThreadSanitizer (tools/sanitize) this also
// shows that they share nothing that changes.
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "sinew/builtin/builtin_character.h"
#include "sinew/paint.h"
#include "sinew/rig.h"

namespace sinew {
namespace {

Character person(std::uint64_t seed) {
  BuiltinOptions options;
  options.vertex_budget = 1000;
  options.seed = seed;
  return make_builtin_character(options);
}

Character bare(const Character& character) {
  Character mesh;
  mesh.mesh.positions = character.mesh.positions;
  mesh.mesh.triangles = character.mesh.triangles;
  return mesh;
}

std::vector<float> bound(const std::string& method, std::uint64_t seed) {
  Character character = person(seed);
  character.weights = {};
  BindOptions options;
  options.method = method;
  options.threads = 2;
  if (method == "biharmonic") options.values = {{"resolution", 800}};
  bind_character(character, options);
  return character.weights.weights;
}

std::vector<float> fitted(std::uint64_t seed) {
  const Character whole = person(seed);
  Character character = bare(whole);
  FitOptions options;
  options.networks = &shipped_fit_model();
  const FitResult fit = fit_character(character, whole, options);
  std::vector<float> places;
  for (int joint = 0; joint < fit.skeleton.joint_count(); ++joint) {
    for (int axis = 0; axis < 3; ++axis) places.push_back(static_cast<float>(fit.skeleton.position(joint)[axis]));
  }
  return places;
}

std::vector<float> painted() {
  const Character character = person(5);
  BindOptions options;
  options.method = "biharmonic";
  options.values = {{"resolution", 800}};
  WeightPainter painter(character, options);
  const BrushEdit edit{.strokes = {{find_joint(character.skeleton, "Spine"), 1, {40, 41, 42}, {1.0f, 0.7f, 0.3f}}}};
  const std::vector<WeightPin> pins = painter.brush(character.weights, {}, edit);
  std::vector<float> weights = painter.near(pins).weights;
  const std::vector<float> settled = painter.settle(pins).weights;
  weights.insert(weights.end(), settled.begin(), settled.end());
  return weights;
}

TEST(Together, TwoBindsTwoFitsAndAPaint) {
  const std::vector<std::function<std::vector<float>()>> work = {
      [] { return bound("heat", 1); }, [] { return bound("biharmonic", 2); }, [] { return fitted(3); },
      [] { return fitted(4); }, painted};
  std::vector<std::vector<float>> alone, together(work.size());
  for (const auto& call : work) alone.push_back(call());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < work.size(); ++i) threads.emplace_back([&, i] { together[i] = work[i](); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < work.size(); ++i) EXPECT_EQ(together[i], alone[i]) << "call " << i;
}

}  // namespace
}  // namespace sinew
