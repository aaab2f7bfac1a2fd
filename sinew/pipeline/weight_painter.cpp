#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/parallel.h"
#include "sinew/paint.h"
#include "sinew/weights/biharmonic/biharmonic.h"

namespace sinew {
namespace {

using JointWeights = std::vector<std::pair<int, double>>;

// The weights of a vertex with one joint's moved towards the target; the others keep their proportions.
JointWeights painted(const SkinWeights& weights, std::size_t vertex, const BrushStroke& stroke, double amount) {
  const double old = weights.weight_of(vertex, stroke.joint);
  const double wanted = old + amount * (stroke.target - old);
  JointWeights result{{stroke.joint, wanted}};
  double others = 0;
  for (int slot = 0; slot < weights.influences; ++slot) {
    const std::size_t at = vertex * weights.influences + slot;
    const int joint = weights.joints[at];
    if (joint == stroke.joint || weights.weights[at] <= 0.0f) continue;
    result.emplace_back(joint, weights.weights[at]);
    others += weights.weights[at];
  }
  // What the others have is summed, not taken as 1 - old: rounding may leave a residue of 1e-8 beside a whole weight.
  for (std::size_t i = 1; i < result.size(); ++i) result[i].second *= (1.0 - wanted) / others;
  // A vertex that follows one joint alone has nobody to give the rest to: it stays with it.
  if (result.size() == 1) result[0].second = 1.0;
  return result;
}

// At most so many, none of zero, sum one, in order of joint.
JointWeights tidy(JointWeights weights, int max_influences) {
  std::stable_sort(weights.begin(), weights.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (static_cast<int>(weights.size()) > max_influences) weights.resize(max_influences);
  std::erase_if(weights, [](const auto& w) { return w.second <= 1e-6; });
  double sum = 0;
  for (const auto& w : weights) sum += w.second;
  for (auto& w : weights) w.second /= sum;
  std::sort(weights.begin(), weights.end());
  return weights;
}

void check_stroke(const BrushStroke& stroke, const BindInput& input) {
  const auto wrong = [](const std::string& what) { return Error(ErrorCode::argument_invalid, what); };
  if (stroke.joint < 0 || stroke.joint >= input.joint_count()) throw wrong("a stroke names no joint of the skeleton");
  if (!(stroke.target >= 0 && stroke.target <= 1)) throw wrong("the target of a stroke is not within 0 … 1");
  if (stroke.vertices.size() != stroke.amounts.size()) throw wrong("a stroke needs one amount per vertex");
  for (const float amount : stroke.amounts) {
    if (!(amount >= 0.0f && amount <= 1.0f)) throw wrong("an amount of a stroke is not within 0 … 1");
  }
  if (!input.takes_weight[stroke.joint]) {
    throw Error(ErrorCode::weights_invalid, "joint '" + input.skeleton.names[stroke.joint] + "' takes no weight",
                "paint another joint, or choose it among those that take weights");
  }
}

std::uint32_t welded_vertex(std::uint32_t vertex, const BindInput& input) {
  if (vertex >= input.welded_of.size()) {
    throw Error(ErrorCode::argument_invalid, "there is no vertex " + std::to_string(vertex));
  }
  return input.welded_of[vertex];
}

}  // namespace

struct WeightPainter::State {
  Character character;  // without motions
  BindInput input;
  JointHandles bones;
  BiharmonicSolver solver;
  int threads = 0;
  bool solved = false;
  Warnings warnings;

  std::vector<BiharmonicPin> solver_pins(const std::vector<WeightPin>& pins) const {
    return handle_pins(welded_pins(pins, input), bones);
  }
  SkinWeights answer() const {
    const SkinWeights welded = joint_weights(solver.vertex_weights(), bones.joint_of, input.max_influences);
    return to_character_weights(character, input, welded);
  }
};

WeightPainter::WeightPainter(const Character& character, const BindOptions& options, const Progress& progress) {
  const MethodInfo method = weight_method_info("biharmonic");
  if (options.method != method.name) {
    throw Error(ErrorCode::options_conflict, "painting follows by biharmonic weights, not by '" + options.method + "'");
  }
  const OptionValues values = checked_options(method, options.values);
  with_threads(options.threads, progress, [&] {
    Warnings warnings;
    Character own = character;
    own.motions.clear();
    match_units(own, warnings);
    BindInput input = make_bind_input(own, options, warnings);
    JointHandles bones = joint_handles(input);
    BiharmonicSolver solver(solver_mesh(input), bones.handles, biharmonic_options(input, values), progress);
    state_ = std::make_unique<State>(State{std::move(own), std::move(input), std::move(bones), std::move(solver),
                                           options.threads, false, std::move(warnings)});
  });
}

WeightPainter::~WeightPainter() = default;
WeightPainter::WeightPainter(WeightPainter&&) noexcept = default;
WeightPainter& WeightPainter::operator=(WeightPainter&&) noexcept = default;

const Warnings& WeightPainter::warnings() const { return state_->warnings; }

std::vector<WeightPin> WeightPainter::brush(const SkinWeights& before, const std::vector<WeightPin>& pins,
                                            const BrushEdit& edit) const {
  const BindInput& input = state_->input;
  if (before.vertex_count() != input.welded_of.size()) {
    throw Error(ErrorCode::weights_invalid, "the weights to paint on belong to another mesh");
  }
  std::map<std::uint32_t, WeightPin> by_welded;
  if (!edit.free_all) {
    for (const WeightPin& pin : pins) by_welded.try_emplace(welded_vertex(pin.vertex, input), pin);
  }
  for (const std::uint32_t vertex : edit.free) by_welded.erase(welded_vertex(vertex, input));
  bool touched = edit.strokes.empty();
  for (const BrushStroke& stroke : edit.strokes) {
    check_stroke(stroke, input);
    std::map<std::uint32_t, std::pair<std::uint32_t, double>> strongest;  // welded → vertex and amount
    for (std::size_t i = 0; i < stroke.vertices.size(); ++i) {
      const std::uint32_t welded = welded_vertex(stroke.vertices[i], input);
      if (welded == BindInput::not_bound || stroke.amounts[i] <= 0.0f) continue;
      auto [at, fresh] = strongest.try_emplace(welded, stroke.vertices[i], stroke.amounts[i]);
      if (!fresh) at->second.second = std::max<double>(at->second.second, stroke.amounts[i]);
      touched = true;
    }
    for (const auto& [welded, place] : strongest) {
      const auto& [vertex, amount] = place;
      by_welded[welded] = {vertex, tidy(painted(before, vertex, stroke, amount), input.max_influences)};
    }
  }
  if (!touched) throw Error(ErrorCode::weights_invalid, "the brush touched nothing that is bound by weights");
  std::vector<WeightPin> result;
  for (auto& [welded, pin] : by_welded) result.push_back(std::move(pin));
  std::sort(result.begin(), result.end(), [](const WeightPin& a, const WeightPin& b) { return a.vertex < b.vertex; });
  return result;
}

void WeightPainter::get_ready(const std::vector<WeightPin>& pins, const Progress& progress) {
  if (!state_->solved) settle(pins, progress);
}

SkinWeights WeightPainter::near(const std::vector<WeightPin>& pins, const Progress& progress) {
  const std::vector<BiharmonicPin> wanted = state_->solver_pins(pins);
  get_ready(pins, progress);
  with_threads(state_->threads, progress, [&] { state_->solver.settle_near(wanted, progress); });
  return state_->answer();
}

SkinWeights WeightPainter::settle(const std::vector<WeightPin>& pins, const Progress& progress) {
  const std::vector<BiharmonicPin> wanted = state_->solver_pins(pins);
  with_threads(state_->threads, progress, [&] { state_->solver.solve(wanted, progress); });
  state_->solved = true;
  return state_->answer();
}

}  // namespace sinew
