#include "bindings/c/pipeline_options.h"

#include <algorithm>
#include <cmath>

namespace sinew::binding {
namespace {

constexpr std::size_t least_fit = SINEW_SIZE_UP_TO(sinew_fit_options, threads);
constexpr std::size_t least_generate = SINEW_SIZE_UP_TO(sinew_generate_options, threads);
constexpr std::size_t least_bind = SINEW_SIZE_UP_TO(sinew_bind_options, save_state_user);
constexpr std::size_t least_retarget = SINEW_SIZE_UP_TO(sinew_retarget_options, threads);
constexpr std::size_t least_lod = SINEW_SIZE_UP_TO(sinew_lod_options, keep_seams);

std::shared_ptr<const FitModel> networks_of(const void* bytes, std::size_t size) {
  return bytes == nullptr ? nullptr : read_fit_model(bytes_of(bytes, size, "networks"));
}

std::vector<HeldJoint> held_joints_of(const sinew_fit_options& taken) {
  const auto joints = array_of(taken.held_joints, taken.held_count, "held_joints");
  const auto positions = array_of(taken.held_positions, 3 * taken.held_count, "held_positions");
  std::vector<HeldJoint> held;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    held.push_back({joints[i], Eigen::Map<const Vec3d>(positions.data() + 3 * i)});
  }
  return held;
}

std::vector<FitMarker> markers_of(const sinew_fit_options& taken) {
  const auto names = array_of(taken.marker_names, taken.marker_count, "marker_names");
  const auto positions = array_of(taken.marker_positions, 3 * taken.marker_count, "marker_positions");
  std::vector<FitMarker> markers;
  for (std::size_t i = 0; i < names.size(); ++i) {
    require(names[i], "a name of marker_names");
    markers.push_back({names[i], Eigen::Map<const Vec3d>(positions.data() + 3 * i),
                       taken.marker_on_skin != nullptr && taken.marker_on_skin[i] != 0});
  }
  return markers;
}

template <typename Taken>
std::vector<std::string> ignored_parts_of(const Taken& taken) {
  std::vector<std::string> parts;
  for (const char* part : array_of(taken.ignore, taken.ignore_count, "ignore")) {
    require(part, "a part of ignore");
    parts.emplace_back(part);
  }
  return parts;
}

Vec3d vector_of(const double (&numbers)[3]) { return {numbers[0], numbers[1], numbers[2]}; }

void give_vector(const Vec3d& vector, double (&numbers)[3]) { std::copy_n(vector.data(), 3, numbers); }

std::optional<BodyKind> body_kind_of(const char* name) {
  if (name == nullptr) return std::nullopt;
  const std::string_view kind = name;
  if (kind == "person") return BodyKind::person;
  if (kind == "four-legs") return BodyKind::four_legs;
  throw Error(ErrorCode::choice_unknown, "there is no kind of body '" + std::string(kind) + "'",
              "there are: person, four-legs")
      .about("kind");
}

std::vector<PartRule> part_rules_of(const sinew_bind_options& taken) {
  std::vector<PartRule> rules;
  for (const sinew_part_rule& rule : array_of(taken.parts, taken.part_count, "parts")) {
    if (rule.kind < SINEW_PART_RIGID || rule.kind > SINEW_PART_KEEP) {
      throw Error(ErrorCode::argument_invalid, "there is no kind " + std::to_string(rule.kind) + " of part rules");
    }
    require(rule.part, "part of a rule");
    rules.push_back({static_cast<PartRuleKind>(rule.kind), rule.part, text_or(rule.joint, "")});
  }
  return rules;
}

// "name=value" each, by the types that the method's options have.
OptionValues values_of(const sinew_bind_options& taken, const MethodInfo& method) {
  OptionValues values;
  for (const char* entry : array_of(taken.values, taken.value_count, "values")) {
    require(entry, "an entry of values");
    const std::string text(entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      throw Error(ErrorCode::option_invalid, "'" + text + "' is not of the form name=value").about("values");
    }
    const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
    values[name] = value;  // checked_options refuses what the method does not have
    for (const MethodOption& option : method.options) {
      if (option.name == name) values[name] = parse_option(option, value);
    }
  }
  return checked_options(method, values);
}

}  // namespace

FitChoice::FitChoice(const sinew_fit_options* given) {
  const auto taken = options_of(given, sinew_fit_options_defaults, least_fit, "sinew_fit_options");
  options.cells = taken.cells;
  options.y_is_up = taken.y_is_up != 0;
  options.keep_axes = taken.keep_axes != 0;
  options.symmetric = taken.symmetric != 0;
  options.networks_alone = taken.networks_alone != 0;
  options.held = held_joints_of(taken);
  options.markers = markers_of(taken);
  options.ignore = ignored_parts_of(taken);
  options.up = vector_of(taken.up);
  options.forward = vector_of(taken.forward);
  options.kind = body_kind_of(taken.kind);
  options.least_confidence = taken.least_confidence;
  if (taken.explain != 0) options.readings = &readings;
  options.threads = taken.threads;
  networks_ = networks_of(taken.networks, taken.networks_size);
  if (taken.use_networks != 0) options.networks = networks_ ? networks_.get() : &shipped_fit_model();
}

GenerateOptions generate_options_of(const sinew_generate_options* given) {
  const auto taken = options_of(given, sinew_generate_options_defaults, least_generate, "sinew_generate_options");
  GenerateOptions options;
  options.cells = taken.cells;
  options.density = taken.density;
  options.max_joints = taken.max_joints;
  options.small_parts = taken.small_parts != 0;
  options.symmetric = taken.symmetric != 0;
  options.up = vector_of(taken.up);
  options.forward = vector_of(taken.forward);
  options.ignore = ignored_parts_of(taken);
  options.threads = taken.threads;
  return options;
}

BindChoice::BindChoice(const sinew_bind_options* given, const Character& character, const char* default_method) {
  const auto taken = options_of(given, sinew_bind_options_defaults, least_bind, "sinew_bind_options");
  if (taken.method != nullptr) options.method = taken.method;
  if (given == nullptr && default_method != nullptr) options.method = default_method;
  options.values = values_of(taken, weight_method_info(options.method));
  options.max_influences = taken.max_influences;
  if (taken.joints != nullptr) options.joints = taken.joints;
  options.parts = part_rules_of(taken);
  options.seed = taken.seed;
  options.threads = taken.threads;
  if (taken.pins != nullptr) options.pins = read_pins(taken.pins, character, warnings);
  if (taken.joint_softness != nullptr) options.joint_softness = read_joint_softness(taken.joint_softness);
  if (taken.body != nullptr) options.body = &*body_.emplace(taken.body, "body");
  if (taken.poses != nullptr) options.poses = &*poses_.emplace(taken.poses, "poses");
  if (taken.reference != nullptr) {
    options.reference = &reference_.emplace(taken.reference, "reference")->weights;
    if (options.reference->empty()) throw Error(ErrorCode::weights_missing, "the reference has no weights");
  }
  if (taken.networks != nullptr) {
    weight_model_ = read_weight_model(bytes_of(taken.networks, taken.networks_size, "networks"));
    options.weight_model = weight_model_.get();
  }
  options.resume = bytes_of(taken.resume, taken.resume_size, "resume");
  if (taken.save_state != nullptr) {
    options.save_state = [save = taken.save_state, user = taken.save_state_user](std::span<const std::byte> state) {
      try {
        save(user, state.data(), state.size());
      } catch (...) {
        throw Error(ErrorCode::argument_invalid, "save_state threw an exception", "let it return instead");
      }
    };
  }
}

RetargetChoice::RetargetChoice(const sinew_retarget_options* given) {
  const auto taken = options_of(given, sinew_retarget_options_defaults, least_retarget, "sinew_retarget_options");
  options.keep_contacts = taken.keep_contacts != 0;
  options.in_place = taken.in_place != 0;
  options.scale = taken.scale;
  options.contacts = {taken.contact_speed, taken.contact_height, taken.contact_shortest, taken.contact_ground_share};
  const auto motions = array_of(taken.motions, taken.motion_count, "motions");
  options.motions.assign(motions.begin(), motions.end());
  options.frames_per_second = taken.frames_per_second;
  options.keep_motions = taken.keep_motions != 0;
  if (taken.rest != nullptr) options.rest = &rest_.emplace(taken.rest, "rest")->skeleton;
  options.joint_map = text_or(taken.joint_map, "");
  options.threads = taken.threads;
}

LodOptions lod_options_of(const sinew_lod_options* given) {
  const auto taken = options_of(given, sinew_lod_options_defaults, least_lod, "sinew_lod_options");
  LodOptions options;
  options.levels = taken.levels;
  options.ratio = taken.ratio;
  for (const std::uint64_t count : array_of(taken.coarse_vertex_counts, taken.coarse_count, "coarse_vertex_counts")) {
    options.vertex_counts.push_back(count);
  }
  options.weight_importance = taken.weight_importance;
  options.uv_importance = taken.uv_importance;
  options.simplify.may_move_seams = taken.keep_seams == 0;
  options.max_error = taken.max_error;
  options.whole_pieces = taken.whole_pieces != 0;
  return options;
}

}  // namespace sinew::binding

using namespace sinew;
using sinew::binding::give_defaults;

extern "C" {

void sinew_fit_options_defaults(sinew_fit_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_fit_options* options) {
    const FitOptions defaults;
    options->cells = defaults.cells;
    options->y_is_up = defaults.y_is_up;
    options->keep_axes = defaults.keep_axes;
    options->symmetric = defaults.symmetric;
    options->use_networks = defaults.networks != nullptr;
    options->networks_alone = defaults.networks_alone;
    options->threads = defaults.threads;
    options->least_confidence = defaults.least_confidence;
  });
}

void sinew_generate_options_defaults(sinew_generate_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_generate_options* options) {
    const GenerateOptions defaults;
    options->cells = defaults.cells;
    options->density = defaults.density;
    options->max_joints = defaults.max_joints;
    options->small_parts = defaults.small_parts;
    options->symmetric = defaults.symmetric;
    sinew::binding::give_vector(defaults.up, options->up);
    sinew::binding::give_vector(defaults.forward, options->forward);
    options->threads = defaults.threads;
  });
}

void sinew_bind_options_defaults(sinew_bind_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_bind_options* options) {
    const BindOptions defaults;
    options->method = "auto";
    options->max_influences = defaults.max_influences;
    options->joints = "auto";
    options->seed = defaults.seed;
    options->threads = defaults.threads;
  });
}

void sinew_retarget_options_defaults(sinew_retarget_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_retarget_options* options) {
    const RetargetOptions defaults;
    options->keep_contacts = defaults.keep_contacts;
    options->in_place = defaults.in_place;
    options->scale = defaults.scale;
    options->contact_speed = defaults.contacts.speed;
    options->contact_height = defaults.contacts.height;
    options->contact_shortest = defaults.contacts.shortest;
    options->contact_ground_share = defaults.contacts.ground_share;
    options->frames_per_second = defaults.frames_per_second;
    options->keep_motions = defaults.keep_motions;
    options->threads = defaults.threads;
  });
}

void sinew_lod_options_defaults(sinew_lod_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_lod_options* options) {
    const LodOptions defaults;
    options->levels = defaults.levels;
    options->ratio = defaults.ratio;
    options->weight_importance = defaults.weight_importance;
    options->uv_importance = defaults.uv_importance;
    options->keep_seams = !defaults.simplify.may_move_seams;
    options->max_error = defaults.max_error;
    options->whole_pieces = defaults.whole_pieces;
  });
}

}  // extern "C"
