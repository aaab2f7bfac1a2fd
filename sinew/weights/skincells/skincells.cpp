#include "sinew/weights/skincells/skincells.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <set>

#include "sinew/anatomy/joint_limits.h"
#include "sinew/base/cancellation.h"
#include "sinew/weights/heat/heat.h"
#include "sinew/weights/skincells/skincells_body.h"
#include "sinew/weights/skincells/skincells_file.h"
#include "sinew/weights/skincells/skincells_optimiser.h"
#include "sinew/weights/skincells/skincells_problem.h"

namespace sinew {
namespace {

using skincells::OptimiserPlan;
using skincells::OptimiserState;
using skincells::Problem;
using skincells::TargetLoss;

// Weight of painted weights in the loss: far above that of any prior.
constexpr double pin_strength = 40000.0;

// What the field is fitted to: bone heat, which knows the surface, or for a cloud its neighbourhoods.
SkinWeights first_weights(const BindInput& input, const Progress& progress) {
  Warnings ignored;  // pieces without a bone: the field reaches them anyway
  return heat_weights(input, {}, progress, ignored);
}

TargetLoss target_at(const BindInput& input, const SkinCellField& field, const SkinWeights& weights,
                     const std::vector<std::uint32_t>& vertices) {
  SkinWeights wanted = make_skin_weights(vertices.size(), weights.influences);
  std::vector<Vec3f> points;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    points.push_back(input.mesh.positions[vertices[i]]);
    const std::size_t from = static_cast<std::size_t>(vertices[i]) * weights.influences;
    std::copy_n(weights.joints.begin() + from, weights.influences, wanted.joints.begin() + i * weights.influences);
    std::copy_n(weights.weights.begin() + from, weights.influences, wanted.weights.begin() + i * weights.influences);
  }
  return TargetLoss(field, points, wanted);
}

TargetLoss pinned(const BindInput& input, const SkinCellField& field, const std::vector<WeldedPin>& pins) {
  SkinWeights wanted = make_skin_weights(pins.size(), input.max_influences);
  std::vector<Vec3f> points;
  for (std::size_t i = 0; i < pins.size(); ++i) {
    points.push_back(input.mesh.positions[pins[i].vertex]);
    std::vector<Influence> influences;
    for (const auto& [joint, weight] : pins[i].weights) {
      influences.push_back({static_cast<std::uint16_t>(joint), weight});
    }
    set_influences(wanted, i, influences);
  }
  return TargetLoss(field, points, wanted);
}

// Painted vertices are always fitted to, and get sites of their own where they lie far from the rest of their cell.
void follow_pins(const std::vector<WeldedPin>& pins, SkinWeights& weights, std::vector<std::uint32_t>& vertices) {
  const std::set<std::uint32_t> fitted(vertices.begin(), vertices.end());
  for (const WeldedPin& pin : pins) {
    std::vector<Influence> influences;
    for (const auto& [joint, weight] : pin.weights) influences.push_back({static_cast<std::uint16_t>(joint), weight});
    set_influences(weights, pin.vertex, influences);
    if (!fitted.contains(pin.vertex)) vertices.push_back(pin.vertex);
  }
}

std::vector<Pose> random_poses(const BindInput& input, int count) {
  const JointLimits limits = default_joint_limits(input.skeleton);
  Random random = Random::stream(input.seed, 1);
  std::vector<Pose> poses;
  for (int i = 0; i < count; ++i) {
    stop_if_cancelled();
    poses.push_back(random_pose(input.skeleton, limits, random));
  }
  return poses;
}

// Round cells on the bones, in units of the unit box: distances stay below 1, so a relaxation of 1 always wins.
void make_round(SkinCellField& field) {
  for (int cell = 0; cell < field.cell_count(); ++cell) {
    float* parameters = field.parameters.data() + static_cast<std::size_t>(cell) * field.cell_stride();
    for (int site = 0; site < field.sites_per_cell; ++site) {
      float* p = parameters + site * SkinCellField::site_stride;
      const float metric[] = {1, 0, 1, 0, 0, 1, -6};
      std::copy_n(metric, 7, p + 3);
    }
    parameters[field.cell_stride() - 2] = 0;
    parameters[field.cell_stride() - 1] = std::log(4.0f);
  }
}

OptimiserPlan plan_for(const BindInput& input, const SkinCellsOptions& options) {
  OptimiserPlan plan;
  plan.fit_steps = options.fit_steps;
  plan.pose_steps = options.pose_steps;
  plan.batch = options.batch;
  plan.seed = input.seed;
  plan.only_falloffs = options.model != SkinCellsModel::full;
  plan.keep_relaxation = options.model == SkinCellsModel::falloff;
  plan.weights.location /= options.softness;
  plan.weights.stretch = options.stretch;
  plan.prior = options.prior / options.softness;
  plan.pins = pin_strength;
  return plan;
}

// Tells states of different inputs and options apart (FNV-1a over what decides the result).
std::uint64_t fingerprint(const BindInput& input, const SkinCellsOptions& options, const Problem& problem) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&hash](std::uint64_t value) {
    for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (value >> (8 * byte) & 255)) * 0x100000001b3u;
  };
  for (int value :
       {options.sites_per_cell, options.samples, options.fit_samples, options.batch, options.fit_steps,
        options.pose_steps, input.max_influences, static_cast<int>(options.model), options.body != nullptr ? 1 : 0}) {
    add(static_cast<std::uint64_t>(value));
  }
  for (double value : {options.softness, options.stretch, options.prior}) add(std::bit_cast<std::uint64_t>(value));
  add(input.seed);
  for (const Vec3f& p : input.mesh.positions) {
    for (float x : p) add(std::bit_cast<std::uint32_t>(x));
  }
  for (const skincells::Matrix34f& transform : problem.transforms) {
    for (float x : transform.reshaped()) add(std::bit_cast<std::uint32_t>(x));
  }
  for (const std::uint16_t joint : options.reference.joints) add(joint);
  for (const float weight : options.reference.weights) add(std::bit_cast<std::uint32_t>(weight));
  for (const WeldedPin& pin : options.pins) {
    add(pin.vertex);
    for (const auto& [joint, weight] : pin.weights) {
      add(static_cast<std::uint64_t>(joint));
      add(std::bit_cast<std::uint64_t>(weight));
    }
  }
  return hash;
}

}  // namespace

SkinCellField optimise_skincells(const BindInput& input, const SkinCellsOptions& options, const Progress& progress,
                                 SkinCellsReport* report) {
  Random random(input.seed);
  const std::vector<Pose> poses = options.poses.empty() ? random_poses(input, options.random_poses) : options.poses;
  OptimiserState state;
  state.field = skincells::initial_field(input, options.sites_per_cell, random);
  if (options.model != SkinCellsModel::full) make_round(state.field);
  TargetLoss target(state.field, {}, {});
  if (options.fit_steps > 0) {
    SkinWeights weights =
        options.reference.empty() ? first_weights(input, progress.part(0.0, 0.05)) : options.reference;
    if (options.body != nullptr) {
      weights = skincells::follow_body(*options.body, input, poses, skincells::loss_scale(input), weights);
    }
    auto vertices = skincells::spread_samples(input, static_cast<std::size_t>(options.fit_samples));
    follow_pins(options.pins, weights, vertices);
    skincells::place_sites(state.field, input, weights, vertices);
    target = target_at(input, state.field, weights, vertices);
  }
  const TargetLoss pins = pinned(input, state.field, options.pins);
  Problem problem = skincells::make_problem(
      input, state.field, skincells::spread_samples(input, static_cast<std::size_t>(options.samples)));
  skincells::add_poses(problem, input, state.field, poses);
  std::unique_ptr<skincells::PosedBody> body;
  if (options.body != nullptr) {
    body =
        std::make_unique<skincells::PosedBody>(*options.body, input, poses, problem.rest, skincells::loss_scale(input));
    problem.body = body.get();
    problem.springs.clear();  // cloth has no thickness of its own to keep; the body has
  }

  OptimiserPlan plan = plan_for(input, options);
  if (!options.resume.empty() || options.save_state) {
    const std::uint64_t belongs_to = fingerprint(input, options, problem);
    if (!options.resume.empty()) skincells::read_checkpoint(options.resume, belongs_to, state);
    if (options.save_state) {
      plan.save = [&options, belongs_to](const OptimiserState& now) {
        options.save_state(skincells::write_checkpoint(now, belongs_to));
      };
    }
  }
  skincells::optimise(state, {target, pins, problem}, plan, progress.part(0.08, 1.0));
  if (report) *report = {state.step, state.converged, state.first_loss, state.last_loss};
  if (options.model == SkinCellsModel::falloff) {
    state.field.relaxation = 1;  // no file holds such a field
  } else {
    round_field(state.field);
  }
  return std::move(state.field);
}

SkinWeights skincells_weights(const BindInput& input, const SkinCellField& field) {
  // The input's mesh is in normalised space already.
  SkinCellField normalised = field;
  normalised.origin = Vec3d::Zero();
  normalised.scale = 1.0;
  return evaluate_field(normalised, input.mesh.positions);
}

std::vector<Pose> poses_from_motions(const Character& source, const BindInput& input, int most) {
  std::vector<int> from(input.joint_count());
  bool any = false;
  for (int joint = 0; joint < input.joint_count(); ++joint) {
    from[joint] = find_joint(source.skeleton, input.skeleton.names[joint]);
    any = any || from[joint] >= 0;
  }
  std::vector<std::pair<const Motion*, int>> frames;
  for (const Motion& motion : source.motions) {
    for (int frame = 0; frame < motion.frame_count(); ++frame) frames.push_back({&motion, frame});
  }
  if (frames.empty()) {
    throw Error(ErrorCode::motion_missing, "'" + source.name + "' holds no motion to take poses from");
  }
  if (!any) {
    throw Error(ErrorCode::skeletons_differ,
                "the motions of '" + source.name + "' have no joint in common with the skeleton");
  }

  const Pose own_rest = rest_pose(input.skeleton), their_rest = rest_pose(source.skeleton);
  const auto count = std::min<std::size_t>(frames.size(), static_cast<std::size_t>(most));
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [motion, frame] = frames[i * frames.size() / count];
    const Pose theirs = frame_pose(*motion, frame);
    Pose pose = own_rest;
    for (int joint = 0; joint < input.joint_count(); ++joint) {
      if (from[joint] < 0) continue;
      // The turn away from rest, carried over in character space: rest frames may differ between the two rigs.
      const Quatd turn = their_rest[from[joint]].rotation.conjugate() * theirs[from[joint]].rotation;
      const Quatd their_frame(source.skeleton.rest[from[joint]].rotation());
      const Quatd own_frame(input.skeleton.rest[joint].rotation());
      const Quatd to_own = own_frame.conjugate() * their_frame;
      pose[joint].rotation = (own_rest[joint].rotation * to_own * turn * to_own.conjugate()).normalized();
    }
    poses.push_back(std::move(pose));
  }
  return poses;
}

WeightMethod skincells_method() {
  WeightMethod method;
  method.name = "skincells";
  method.summary = "a sparse weight field, optimised over poses; also serves other levels of detail, garments, clouds";
  const SkinCellsOptions defaults;
  method.options = {
      {"softness", defaults.softness, "above 1 smoother, below 1 follows the skeleton more closely", 1e-3, 1e3, {}},
      {"prior", defaults.prior, "how firmly it keeps to bone heat while optimising over poses", 0, 1e9, {}},
      {"stretch", defaults.stretch, "how much the stretch of edges counts beside the surface's smoothness", 0, 1e6, {}},
      {"sites", defaults.sites_per_cell, "sites per cell; 12 keep the file under 0.3 KB per joint", 1, 64, {}},
      {"samples", defaults.samples, "at most this many vertices are posed", 16, 1000000, {}},
      {"fit-samples", defaults.fit_samples, "at most this many vertices are fitted to", 16, 1000000, {}},
      {"random-poses", defaults.random_poses, "poses drawn within joint limits", 1, 100000, {}},
      {"fit-steps", defaults.fit_steps, "steps of fitting to bone heat; 0 starts from the bones", 0, 100000, {}},
      {"steps", defaults.pose_steps, "steps over poses, fewer when converged", 0, 100000, {}},
  };
  method.inputs = {MethodInput::pins, MethodInput::body, MethodInput::poses, MethodInput::reference,
                   MethodInput::checkpoint};
  method.makes_field = true;
  method.solve = [](const BindInput& input, const MethodInputs& inputs, const OptionValues& values,
                    const Progress& progress) {
    SkinCellsOptions options;
    options.softness = option<double>(values, "softness");
    options.prior = option<double>(values, "prior");
    options.stretch = option<double>(values, "stretch");
    options.sites_per_cell = option<int>(values, "sites");
    options.samples = option<int>(values, "samples");
    options.fit_samples = option<int>(values, "fit-samples");
    options.random_poses = option<int>(values, "random-poses");
    options.fit_steps = option<int>(values, "fit-steps");
    options.pose_steps = option<int>(values, "steps");
    options.pins = inputs.pins;
    options.reference = inputs.reference;
    options.body = inputs.body;
    options.resume = inputs.resume;
    options.save_state = inputs.save_state;
    if (inputs.poses) options.poses = poses_from_motions(*inputs.poses, input, options.random_poses);
    const SkinCellField field = optimise_skincells(input, options, progress);
    return MethodResult{skincells_weights(input, field), write_field(field), {}};
  };
  return method;
}

}  // namespace sinew
