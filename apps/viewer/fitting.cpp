#include "apps/viewer/fitting.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/viewer/refusal.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/fit/fit_mesh.h"
#include "sinew/retarget/clip_rest_pose.h"
#include "sinew/retarget/retarget.h"

namespace sinew::viewer {
namespace {

using nlohmann::json;

FitRequest::Source source_of(const json& name) {
  if (name == "present") return FitRequest::Source::present;
  if (name == "adult") return FitRequest::Source::adult;
  if (name == "quadruped") return FitRequest::Source::quadruped;
  throw refused("'skeleton' must be present, adult or quadruped");
}

HeldJoint parse_held(const json& entry) {
  HeldJoint held;
  if (!entry.is_object() || !entry.contains("joint") || !entry["joint"].is_number_unsigned() ||
      entry["joint"].get<double>() > 1e6 || !entry.contains("position") || !entry["position"].is_array() ||
      entry["position"].size() != 3) {
    throw refused("a held joint needs \"joint\", a number, and \"position\", three numbers");
  }
  held.joint = entry["joint"].get<int>();
  for (int axis = 0; axis < 3; ++axis) {
    const json& value = entry["position"][static_cast<std::size_t>(axis)];
    if (!value.is_number() || !(std::abs(value.get<double>()) < 1e12)) throw refused("a held joint has no place");
    held.position[axis] = value.get<double>();
  }
  return held;
}

// The skeleton as it was before it was fitted, with its motions.
Character source_of(const OpenedCharacter& opened, FitRequest::Source source) {
  if (source != FitRequest::Source::present) {
    BuiltinOptions options;
    options.kind = source == FitRequest::Source::quadruped ? BuiltinKind::quadruped : BuiltinKind::adult;
    return make_builtin_rig(options);
  }
  if (opened.fitted) return opened.fitted->source;
  if (opened.character.skeleton.empty()) {
    throw bad_input("there is no skeleton to fit", "drop a file that holds one, or choose a built-in one");
  }
  Character character;
  character.skeleton = opened.character.skeleton;
  character.motions = opened.character.motions;
  return character;
}

std::vector<Motion> retarget_all(const Skeleton& source, const std::vector<Motion>& motions, const Skeleton& target,
                                 Warnings& warnings, const Progress& progress) {
  std::vector<Motion> result;
  if (motions.empty()) return result;
  const JointMap map = map_joints(source, target);
  check_joint_map(map, source, target);
  for (std::size_t m = 0; m < motions.size(); ++m) {
    progress(static_cast<double>(m) / static_cast<double>(motions.size()), "retargeting");
    RetargetReport report;
    result.push_back(retarget_motion(source, motions[m], target, map, {}, report));
    warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
  }
  return result;
}

}  // namespace

FitRequest parse_fit_request(const std::string& body) {
  const json object = json::parse(body, nullptr, false);
  if (!object.is_object()) throw refused("the body is not a JSON object");
  FitRequest request;
  for (const auto& [name, value] : object.items()) {
    if (name == "skeleton") {
      request.source = source_of(value);
    } else if (name == "symmetric" && value.is_boolean()) {
      request.symmetric = value.get<bool>();
    } else if (name == "held" && value.is_array()) {
      for (const json& entry : value) request.held.push_back(parse_held(entry));
    } else {
      throw refused("'" + name + "' is not understood");
    }
  }
  return request;
}

void run_fit(Document& document, const FitRequest& request, const Progress& progress) {
  const std::shared_ptr<const OpenedCharacter> opened = document.opened();
  FittedFrom from;
  from.source = source_of(*opened, request.source);
  from.held = request.held;
  FitOptions options;
  options.symmetric = request.symmetric;
  options.held = request.held;
  progress(0, "fitting the skeleton");
  FitResult fit = fit_skeleton(mesh_to_fit(opened->character), from.source.skeleton, options);
  from.confidence = std::move(fit.confidence);
  std::vector<Motion> motions =
      retarget_all(from.source.skeleton, from.source.motions, fit.skeleton, fit.warnings, progress.part(0.5, 1));
  document.take_fitted(std::move(fit.skeleton), std::move(motions), std::move(from), std::move(fit.warnings));
}

void retarget_onto(Document& document, Character clip, const Progress& progress) {
  const std::shared_ptr<const OpenedCharacter> opened = document.opened();
  const Skeleton& target = opened->character.skeleton;
  Warnings warnings = clip.warnings;
  clip.skeleton = usable_rest_pose(clip.skeleton, target, warnings);
  document.add_motions(retarget_all(clip.skeleton, clip.motions, target, warnings, progress), std::move(warnings));
}

}  // namespace sinew::viewer
