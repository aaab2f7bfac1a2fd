#include <algorithm>

#include "sinew/base/parallel.h"
#include "sinew/base/stopwatch.h"
#include "sinew/bind.h"
#include "sinew/runtime/hash_words.h"
#include "sinew/weights/method.h"
#include "sinew/weights/part_rules.h"

namespace sinew {
namespace {

void count_influences(const Character& character, const BindInput& input, BindReport& report) {
  const SkinWeights& weights = character.weights;
  std::size_t total = 0;
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    if (input.welded_of[v] == BindInput::not_bound) continue;
    int used = 0;
    for (int slot = 0; slot < weights.influences; ++slot) used += weights.weights[v * weights.influences + slot] > 0;
    ++report.vertices;
    report.unweighted += used == 0;
    report.max_influences = std::max(report.max_influences, used);
    total += static_cast<std::size_t>(used);
  }
  report.mean_influences = static_cast<double>(total) / static_cast<double>(std::max<std::size_t>(report.vertices, 1));
}

// The one joint that an attached part follows, as its weights say.
int attached_joint(const Character& character, const Part& part) {
  if (!character.has_skin() || part.vertex_count == 0) return -1;
  return character.weights.joints[part.first_vertex * static_cast<std::size_t>(character.weights.influences)];
}

// Weights per vertex of the character at the welded vertices: of copies along a seam, the first.
SkinWeights welded_reference(const SkinWeights& reference, const BindInput& input) {
  if (reference.vertex_count() != input.welded_of.size()) {
    throw Error(ErrorCode::weights_invalid, "the reference weights have " + std::to_string(reference.vertex_count()) +
                                                " vertices, the mesh " + std::to_string(input.welded_of.size()));
  }
  check_skin_weights(reference, reference.vertex_count(), input.joint_count(), true);
  SkinWeights welded = make_skin_weights(input.vertex_count(), reference.influences);
  std::vector<char> done(input.vertex_count(), 0);
  for (std::size_t v = 0; v < input.welded_of.size(); ++v) {
    const std::uint32_t to = input.welded_of[v];
    if (to == BindInput::not_bound || done[to]) continue;
    done[to] = 1;
    for (int slot = 0; slot < reference.influences; ++slot) {
      const std::size_t from = v * reference.influences + slot;
      const std::uint16_t joint = reference.joints[from];
      if (reference.weights[from] > 0 && !input.takes_weight[joint]) {
        throw Error(ErrorCode::weights_invalid,
                    "the reference weights use joint '" + input.skeleton.names[joint] + "', which takes no weight");
      }
      welded.joints[to * reference.influences + slot] = joint;
      welded.weights[to * reference.influences + slot] = reference.weights[from];
    }
  }
  return welded;
}

// What the options hold beside numbers, for the welded input. Throws Error(usage) for what the method does not take.
MethodInputs method_inputs(const WeightMethod& method, const BindOptions& options, const BindInput& input) {
  const auto take = [&](MethodInput kind, bool given, const char* name) {
    if (given && !method.takes(kind)) {
      throw Error(ErrorCode::options_conflict, "method '" + method.name + "' does not take " + name);
    }
    return given;
  };
  MethodInputs inputs;
  if (take(MethodInput::pins, !options.pins.empty(), "pins")) inputs.pins = welded_pins(options.pins, input);
  if (take(MethodInput::body, options.body != nullptr, "a body")) inputs.body = options.body;
  if (take(MethodInput::poses, options.poses != nullptr, "poses")) inputs.poses = options.poses;
  if (take(MethodInput::reference, options.reference != nullptr, "reference weights")) {
    inputs.reference = welded_reference(*options.reference, input);
  }
  if (take(MethodInput::joint_softness, !options.joint_softness.empty(), "a softness per joint")) {
    inputs.joint_softness = options.joint_softness;
  }
  if (take(MethodInput::weight_model, options.weight_model != nullptr, "a weight model")) {
    inputs.weight_model = options.weight_model;
  }
  if (take(MethodInput::checkpoint, !options.resume.empty() || options.save_state, "a saved state")) {
    inputs.resume = options.resume;
    inputs.save_state = options.save_state;
  }
  return inputs;
}

void describe(const Character& bound, const BindInput& input, BindReport& report) {
  report.welded_vertices = input.vertex_count();
  report.pieces = input.components.count;
  for (int j = 0; j < input.joint_count(); ++j) {
    if (input.takes_weight[j]) report.joints.push_back(j);
  }
  count_influences(bound, input, report);
}

// Tells bind inputs apart.
std::uint64_t fingerprint_of(const BindInput& input) {
  std::uint64_t hash = hash_words(std::as_bytes(std::span(input.mesh.positions)));
  hash = hash_words(std::as_bytes(std::span(input.mesh.triangles)), hash);
  hash = hash_words(std::as_bytes(std::span(input.normals)), hash);
  for (const Affine3d& rest : input.skeleton.rest) {
    hash = hash_words(std::as_bytes(std::span(rest.matrix().data(), 16)), hash);
  }
  for (const Bone& bone : input.bones) {
    for (const Vec3d& end : {bone.head, bone.tail}) hash = hash_words(std::as_bytes(std::span(end.data(), 3)), hash);
    hash = (hash ^ static_cast<std::uint64_t>(bone.joint)) * 0x100000001b3ull;
  }
  return (hash ^ static_cast<std::uint64_t>(input.max_influences)) * 0x100000001b3ull ^ input.seed;
}

}  // namespace

void use_skeleton_of(const Character& source, Character& character, Warnings& warnings) {
  if (source.skeleton.empty()) throw Error(ErrorCode::skeleton_missing, "'" + source.name + "' holds no skeleton");
  if (!character.motions.empty()) {
    warnings.push_back({"motions-dropped", "the motions of the mesh's own skeleton do not fit the new one; left out"});
  }
  SkinWeights weights = make_skin_weights(character.mesh.vertex_count(), 1);
  bool keeps_weights = false;
  for (Part& part : character.parts) {
    if (part.binding == PartBinding::skinned) part.binding = PartBinding::fixed;
    if (part.binding != PartBinding::attached) continue;
    const int old_joint = attached_joint(character, part);
    const int joint = old_joint >= 0 ? find_joint(source.skeleton, character.skeleton.names[old_joint]) : -1;
    if (joint < 0) {
      part.binding = PartBinding::fixed;
      warnings.push_back({"part-not-attached", "the new skeleton has no joint for attached part '" + part.name +
                                                   "': it is bound like the rest"});
      continue;
    }
    keeps_weights = true;
    for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      set_influences(weights, v, {{static_cast<std::uint16_t>(joint), 1.0}});
    }
  }
  character.weights = keeps_weights ? weights : SkinWeights{};
  character.skeleton = source.skeleton;
  character.motions = source.motions;
}

// The slow part of the last method with live options.
struct Binder::Memory {
  std::string key;
  WeightMethod::Answer answer;

  BindReport bind(Character& character, const BindOptions& options, const Progress& progress);
  MethodResult solve(const WeightMethod& method, const BindInput& input, const MethodInputs& inputs,
                     const OptionValues& values, const Progress& progress) {
    if (!method.prepare) return method.solve(input, inputs, values, progress);
    std::string now = method.name + ' ' + std::to_string(fingerprint_of(input));
    for (const auto& [name, value] : values) {
      const bool live = std::any_of(method.live_options.begin(), method.live_options.end(),
                                    [&, &wanted = name](const LiveOption& o) { return o.name == wanted; });
      if (!live) now += '\n' + name + '=' + format_option(value);
    }
    for (const auto& [joint, k] : inputs.joint_softness) now += '\n' + joint + '=' + format_option(k);
    stop_if_cancelled();
    const bool ready = now == key;
    if (!ready) {
      answer = nullptr;
      key.clear();
      answer = method.prepare(input, inputs, values, progress.part(0, 0.9));
      key = now;
    }
    return answer(values, ready ? progress : progress.part(0.9, 1));
  }
};

Binder::Binder() : memory_(std::make_unique<Memory>()) {}
Binder::~Binder() = default;
Binder::Binder(Binder&&) noexcept = default;
Binder& Binder::operator=(Binder&&) noexcept = default;

BindReport Binder::bind(Character& character, const BindOptions& options, const Progress& progress) {
  return with_threads(options.threads, progress, [&] { return memory_->bind(character, options, progress); });
}

BindReport Binder::Memory::bind(Character& character, const BindOptions& options, const Progress& progress) {
  const WeightMethod& method = find_weight_method(options.method);
  const OptionValues values = checked_options(method, options.values);
  BindReport report;
  Character bound = character;
  const Stopwatch preparing;
  match_units(bound, report.warnings);
  const std::vector<PartDecision> parts = decide_parts(bound, options.parts);
  leave_parts_out(parts, bound);
  progress(0.0, "preparing");
  const BindInput input = make_bind_input(bound, options, report.warnings);
  progress(0.05, "preparing");
  const MethodInputs inputs = method_inputs(method, options, input);
  report.prepare_seconds = preparing.seconds();

  const Stopwatch solving;
  MethodResult solved = solve(method, input, inputs, values, progress.part(0.05, 1.0));
  bound.weights = to_character_weights(bound, input, solved.weights);
  report.solve_seconds = solving.seconds();
  report.warnings.insert(report.warnings.end(), solved.warnings.begin(), solved.warnings.end());
  report.field = std::move(solved.field);

  for (Part& part : bound.parts) {
    if (part.vertex_count > 0 && input.welded_of[part.first_vertex] != BindInput::not_bound) {
      part.binding = PartBinding::skinned;
    }
  }
  hold_parts(parts, character, input, bound);
  describe(bound, input, report);
  progress(1.0, "done");
  character = std::move(bound);
  return report;
}

BindReport bind_character(Character& character, const BindOptions& options, const Progress& progress) {
  return Binder().bind(character, options, progress);
}

}  // namespace sinew
