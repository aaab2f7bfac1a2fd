#include "sinew/weights/skincells.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/rig/joint_limits.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/skincells_loss.h"
#include "sinew/weights/skincells_problem.h"

namespace sinew {
namespace {

using skincells::Loss;
using skincells::LossTerms;
using skincells::LossWeights;
using skincells::Problem;

// Adam (Kingma and Ba 2015) with one rate per parameter: metrics are as large as one over a limb's radius, so their
// steps are too.
class Adam {
 public:
  Adam(const SkinCellField& field)
      : rates_(field.parameters.size(), 1.0), mean_(rates_.size()), square_(rates_.size()) {
    for (int cell = 0; cell < field.cell_count(); ++cell) {
      for (int site = 0; site < field.sites_per_cell; ++site) {
        const std::size_t at = static_cast<std::size_t>(cell) * field.cell_stride() + site * SkinCellField::site_stride;
        const double size = std::abs(field.parameters[at + 3]);
        for (int axis = 0; axis < 3; ++axis) rates_[at + axis] = 1.0 / size;
        for (int entry = 3; entry < 9; ++entry) rates_[at + entry] = size;
      }
    }
  }

  void step(const std::vector<double>& gradient, double rate, std::vector<float>& parameters) {
    ++steps_;
    const double correct_mean = 1.0 - std::pow(0.9, steps_), correct_square = 1.0 - std::pow(0.99, steps_);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const double g = gradient[i] * rates_[i];
      mean_[i] = 0.9 * mean_[i] + 0.1 * g;
      square_[i] = 0.99 * square_[i] + 0.01 * g * g;
      const double change = mean_[i] / correct_mean / (std::sqrt(square_[i] / correct_square) + 1e-12);
      parameters[i] -= static_cast<float>(rate * rates_[i] * change);
    }
  }

 private:
  std::vector<double> rates_, mean_, square_;
  int steps_ = 0;
};

// The logarithms that evaluation can bear; Adam rarely comes near.
void clamp_logarithms(SkinCellField& field) {
  for (int cell = 0; cell < field.cell_count(); ++cell) {
    float* parameters = field.parameters.data() + static_cast<std::size_t>(cell) * field.cell_stride();
    for (int site = 0; site < field.sites_per_cell; ++site) {
      float& core = parameters[site * SkinCellField::site_stride + 9];
      core = std::clamp(core, -6.0f, 3.0f);
    }
    float& falloff = parameters[field.cell_stride() - 1];
    falloff = std::clamp(falloff, -2.0f, 3.0f);
  }
}

std::vector<skincells::Pin> pins_from(const SkinWeights& weights, const std::vector<std::uint32_t>& samples,
                                      const SkinCellField& field) {
  std::vector<skincells::Pin> pins;
  for (std::uint32_t s = 0; s < samples.size(); ++s) {
    skincells::Pin pin{s, std::vector<float>(field.cell_count())};
    for (int cell = 0; cell < field.cell_count(); ++cell)
      pin.weights[cell] = weights.weight_of(samples[s], field.joints[cell]);
    pins.push_back(std::move(pin));
  }
  return pins;
}

// Makes the field reproduce given weights at the samples.
void fit_to_weights(SkinCellField& field, const Problem& problem, int steps, double rate, const Progress& progress) {
  Loss loss(problem, field.cell_count(), 1);
  Adam adam(field);
  std::vector<double> gradient(field.parameters.size());
  const LossWeights weights{.smoothness = 0, .location = 0, .sparsity = 0, .pins = 1};
  const float first_relaxation = field.relaxation;
  for (int step = 0; step < steps; ++step) {
    const double done = static_cast<double>(step) / steps;
    field.relaxation = static_cast<float>(first_relaxation * std::max(0.02, 1.0 - 2.0 * done));
    loss.evaluate(field, weights, {}, gradient);
    adam.step(gradient, rate * (1.0 - 0.8 * done), field.parameters);
    clamp_logarithms(field);
    if (step % 10 == 0) progress(done, "fitting the field to bone heat");
  }
}

// Optimises over poses, the relaxation going to zero on the way.
SkinCellsReport optimise_over_poses(SkinCellField& field, const Problem& problem, const SkinCellsOptions& options,
                                    Random& random, const Progress& progress) {
  const int batch = std::min(options.batch, problem.pose_count);
  Loss loss(problem, field.cell_count(), batch);
  Adam adam(field);
  std::vector<double> gradient(field.parameters.size());
  std::vector<int> order(problem.pose_count);
  std::iota(order.begin(), order.end(), 0);
  const LossWeights weights{.location = LossWeights{}.location / options.softness, .pins = 0};
  const float first_relaxation = field.relaxation;
  SkinCellsReport report;
  double recent = 0, before = 0;  // mean loss of this window and of the one before
  constexpr int window = 50;
  std::size_t next = order.size();
  for (int step = 0; step < options.pose_steps; ++step) {
    if (next + batch > order.size()) {
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
      next = 0;
    }
    const double done = static_cast<double>(step) / options.pose_steps;
    field.relaxation = static_cast<float>(first_relaxation * std::max(0.0, 1.0 - 2.0 * done));
    const LossTerms terms = loss.evaluate(field, weights, std::span(order).subspan(next, batch), gradient);
    next += batch;
    adam.step(gradient, options.learning_rate * 0.5 * (1.0 + std::cos(done * 3.14159265)), field.parameters);
    clamp_logarithms(field);
    if (step == 0) report.first_loss = terms.total;
    report.last_loss = terms.total;
    report.steps = step + 1;
    recent += terms.total / window;
    if ((step + 1) % window == 0) {
      progress(done, "optimising over poses, loss " + std::to_string(recent));
      if (field.relaxation == 0 && before > 0 && recent > before * 0.998) {
        report.converged = true;
        break;
      }
      before = field.relaxation == 0 ? recent : 0;
      recent = 0;
    }
  }
  return report;
}

}  // namespace

SkinCellField optimise_skincells(const BindInput& input, const SkinCellsOptions& options, const Progress& progress,
                                 SkinCellsReport* report) {
  Random random(input.seed);
  SkinCellField field = skincells::initial_field(input, options.sites_per_cell, random);
  const std::vector<std::uint32_t> samples = skincells::spread_samples(input, options.samples);
  Problem problem = skincells::make_problem(input, field, samples);
  if (options.fit_steps > 0 && !input.mesh.is_point_cloud()) {
    Warnings ignored;
    const SkinWeights heat = heat_weights(input, {}, progress.part(0.0, 0.1), ignored);
    problem.pins = pins_from(heat, samples, field);
    fit_to_weights(field, problem, options.fit_steps, 1e-2, progress.part(0.1, 0.3));
    problem.pins.clear();
  }
  std::vector<Pose> poses = options.given_poses;
  if (poses.empty()) {
    const JointLimits limits = default_joint_limits(input.skeleton);
    for (int i = 0; i < options.poses; ++i) poses.push_back(random_pose(input.skeleton, limits, random));
  }
  skincells::add_poses(problem, input, field, poses);
  const SkinCellsReport result = optimise_over_poses(field, problem, options, random, progress.part(0.3, 1.0));
  if (report) *report = result;
  field.relaxation = 0;
  return field;
}

SkinWeights skincells_weights(const BindInput& input, const SkinCellsOptions& options, const Progress& progress,
                              Warnings&) {
  SkinCellField field = optimise_skincells(input, options, progress);
  // The input's mesh is in normalised space already.
  field.origin = Vec3d::Zero();
  field.scale = 1.0;
  return evaluate_field(field, input.mesh.positions);
}

WeightMethod skincells_method() {
  WeightMethod method;
  method.name = "skincells";
  method.summary = "a sparse weight field, optimised over random poses; also serves other levels of detail";
  const SkinCellsOptions defaults;
  method.options = {
      {"softness", defaults.softness, "above 1 smoother, below 1 follows the skeleton more closely", 1e-3, 1e3, {}},
      {"sites", defaults.sites_per_cell, "sites per cell", 1, 64, {}},
      {"samples", defaults.samples, "at most this many vertices are optimised over", 16, 1000000, {}},
      {"poses", defaults.poses, "random poses within joint limits", 1, 100000, {}},
      {"fit-steps",
       defaults.fit_steps,
       "steps of fitting the field to bone heat first; 0 starts from the bones",
       0,
       100000,
       {}},
      {"steps", defaults.pose_steps, "steps over poses, fewer when converged", 0, 100000, {}},
  };
  method.solve = [](const BindInput& input, const OptionValues& values, const Progress& progress, Warnings& warnings) {
    SkinCellsOptions options;
    options.softness = option<double>(values, "softness");
    options.sites_per_cell = option<int>(values, "sites");
    options.samples = option<int>(values, "samples");
    options.poses = option<int>(values, "poses");
    options.fit_steps = option<int>(values, "fit-steps");
    options.pose_steps = option<int>(values, "steps");
    return skincells_weights(input, options, progress, warnings);
  };
  return method;
}

}  // namespace sinew
