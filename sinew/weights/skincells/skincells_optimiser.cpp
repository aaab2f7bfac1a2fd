#include "sinew/weights/skincells/skincells_optimiser.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "sinew/base/plain_text.h"
#include "sinew/base/random.h"
#include "sinew/error.h"

namespace sinew::skincells {
namespace {

constexpr int window_steps = 50;
// After convergence the steps become smaller, down to nothing, so that the result rests in the minimum instead of where
// the last batch of poses threw it.
constexpr int cooling_steps = 50;
// Slopes this much weaker than the usual one are not blown up to full steps: on symmetric shapes many are nothing but
// round-off, which would make the result depend on the unit of the file.
constexpr double least_slope = 1e-3;
// Two windows whose losses differ by less than this are as good as each other.
constexpr double least_progress = 0.002;

// Metrics are as large as one over a limb's radius, so their steps are too, and those of centres as small.
std::vector<double> natural_sizes(const SkinCellField& field) {
  std::vector<double> sizes(field.parameters.size(), 1.0);
  for (int cell = 0; cell < field.cell_count(); ++cell) {
    for (int site = 0; site < field.sites_per_cell; ++site) {
      const std::size_t at = static_cast<std::size_t>(cell) * field.cell_stride() + site * SkinCellField::site_stride;
      const double size = std::max(1e-3, std::abs(static_cast<double>(field.parameters[at + 3])));
      for (int axis = 0; axis < 3; ++axis) sizes[at + axis] = 1.0 / size;
      for (int entry = 3; entry < 9; ++entry) sizes[at + entry] = size;
    }
  }
  return sizes;
}

void begin_stage(OptimiserState& state, const OptimiserPlan& plan, Stage stage) {
  state.stage = stage;
  state.step = 0;
  state.rates = natural_sizes(state.field);
  for (std::size_t i = 0; plan.only_falloffs && i < state.rates.size(); ++i) {
    const auto stride = static_cast<std::size_t>(state.field.cell_stride());
    if (i % stride != stride - 1) state.rates[i] = 0.0;
  }
  state.adam = Adam<double>(state.rates.size());
  state.window = state.window_before = 0;
}

// One step downhill, each parameter measured in its natural size. The gradient is used up.
void descend(OptimiserState& state, std::vector<double>& gradient, double rate) {
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    // Where a cell just fades out the slope may be infinite; such a step says nothing.
    gradient[i] = std::isfinite(gradient[i]) ? gradient[i] * state.rates[i] : 0.0;
  }
  state.adam.step(gradient, least_slope);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    state.field.parameters[i] -= static_cast<float>(rate * state.rates[i] * gradient[i]);
  }
  clamp_parameters(state.field);
}

// `count` different numbers below `limit`, in order, from the step's own stream.
template <typename Index>
std::vector<Index> draw(std::size_t limit, std::size_t count, std::uint64_t seed, int step) {
  std::vector<Index> all(limit);
  std::iota(all.begin(), all.end(), Index{0});
  if (count >= limit) return all;
  Random random = Random::stream(seed, static_cast<std::uint64_t>(step));
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + random.below(limit - i)]);
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

double falling(double done) { return 0.5 * (1.0 + std::cos(done * std::numbers::pi)); }

void fit(OptimiserState& state, const OptimiserInput& input, const OptimiserPlan& plan, const Progress& progress) {
  std::vector<double> gradient(state.field.parameters.size());
  double loss = 0;
  while (state.step < plan.fit_steps) {
    const double done = static_cast<double>(state.step) / plan.fit_steps;
    state.field.relaxation = static_cast<float>(std::max(0.0, 1.0 - 2.0 * done));
    std::fill(gradient.begin(), gradient.end(), 0.0);
    const auto blocks = draw<std::uint32_t>(input.target.block_count(), plan.fit_batch, plan.seed, state.step);
    loss = input.target.evaluate(state.field, blocks, 1.0, gradient);
    if (!input.pins.empty()) input.pins.evaluate(state.field, 1.0, gradient);
    descend(state, gradient, plan.fit_rate * falling(done));
    ++state.step;
    if (state.step % 10 == 0) progress(done, "fitting the field, loss " + number_text(loss, 3));
    if (state.step % 100 == 0) plan.save(state);
  }
  state.field.relaxation = 0;
}

// True when the last window of steps was hardly better than the one before.
bool finish_window(OptimiserState& state, double total) {
  state.window += total / window_steps;
  if (state.step % window_steps != 0) return false;
  const bool stuck = state.field.relaxation == 0 && state.window_before > 0 &&
                     state.window > state.window_before * (1.0 - least_progress);
  state.window_before = state.field.relaxation == 0 ? state.window : 0;
  state.window = 0;
  return stuck;
}

void optimise_over_poses(OptimiserState& state, const OptimiserInput& input, const OptimiserPlan& plan,
                         const Progress& progress) {
  const auto poses = static_cast<std::size_t>(input.problem.pose_count);
  const std::size_t batch = std::min(static_cast<std::size_t>(plan.batch), poses);
  Loss loss(input.problem, state.field.cell_count(), static_cast<int>(batch));
  std::vector<double> gradient(state.field.parameters.size());
  const bool fitted = plan.fit_steps > 0;
  if (state.step == 0) state.last_step = plan.pose_steps;
  while (state.step < state.last_step) {
    const double done = static_cast<double>(state.step) / plan.pose_steps;
    // A fitted field is sparse already; one that starts from the bones needs far joints to be heard at first.
    state.field.relaxation = fitted ? 0.0f : static_cast<float>(std::max(0.0, 1.0 - 2.0 * done));
    if (plan.keep_relaxation) state.field.relaxation = 1.0f;
    const auto drawn = draw<int>(poses, batch, plan.seed + 1, state.step);
    double total = loss.evaluate(state.field, plan.weights, drawn, gradient).total;
    if (plan.prior > 0 && !input.target.empty()) {
      const auto blocks = draw<std::uint32_t>(input.target.block_count(), plan.fit_batch, plan.seed + 2, state.step);
      total += plan.prior * input.target.evaluate(state.field, blocks, plan.prior, gradient);
    }
    if (!input.pins.empty()) total += plan.pins * input.pins.evaluate(state.field, plan.pins, gradient);
    const double left = static_cast<double>(state.last_step - state.step) / cooling_steps;
    descend(state, gradient, plan.pose_rate * falling(done) * (state.converged ? falling(1.0 - left) : 1.0));
    if (state.step == 0) state.first_loss = total;
    state.last_loss = total;
    ++state.step;
    if (!state.converged && finish_window(state, total)) {
      state.converged = true;
      state.last_step = std::min(state.last_step, state.step + cooling_steps);
    }
    if (state.step % 10 == 0) progress(done, "optimising over poses, loss " + number_text(total, 3));
    if (state.step % 100 == 0) plan.save(state);
  }
}

void run_stages(OptimiserState& state, const OptimiserInput& input, const OptimiserPlan& plan,
                const Progress& progress) {
  if (state.rates.empty()) begin_stage(state, plan, Stage::fit);
  if (state.stage == Stage::fit) {
    if (!input.target.empty()) fit(state, input, plan, progress.part(0.0, 0.4));
    begin_stage(state, plan, Stage::poses);
  }
  if (state.stage == Stage::poses) {
    optimise_over_poses(state, input, plan, progress.part(0.4, 1.0));
    state.stage = Stage::done;
  }
}

}  // namespace

void optimise(OptimiserState& state, const OptimiserInput& input, const OptimiserPlan& plan, const Progress& progress) {
  try {
    run_stages(state, input, plan, progress);
  } catch (const Error& error) {
    // A step changes the state at its end alone: what is saved goes on from the last whole one.
    if (error.kind() == ErrorKind::cancelled) plan.save(state);
    throw;
  }
  state.field.relaxation = 0;
  plan.save(state);
}

}  // namespace sinew::skincells
