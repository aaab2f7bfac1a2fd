#include "apps/viewer/fitting.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/viewer/refusal.h"
#include "sinew/retarget.h"

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
    if (!value.is_number() || !(std::abs(value.get<double>()) < 1e12))
      throw refused("the position of a held joint is not a number");
    held.position[axis] = value.get<double>();
  }
  return held;
}

// The skeleton as it was before it was fitted, with its motions.
Character source_of(const OpenedCharacter& opened, FitRequest::Source source) {
  if (source == FitRequest::Source::adult) return builtin_skeleton("adult");
  if (source == FitRequest::Source::quadruped) return builtin_skeleton("quadruped");
  if (opened.fitted) return opened.fitted->source;
  if (opened.character.skeleton.empty()) {
    throw Error(ErrorCode::skeleton_missing, "there is no skeleton to fit",
                "drop a file that holds one, or choose a built-in one");
  }
  Character character;
  character.skeleton = opened.character.skeleton;
  character.motions = opened.character.motions;
  return character;
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
  if (!request.held.empty()) options.least_confidence = 0;  // a person has looked at it
  Character fitted = opened->character;
  fitted.motions.clear();  // they come back on the fitted skeleton
  FitResult fit = fit_character(fitted, from.source, options, progress.part(0, 0.5));
  from.confidence = std::move(fit.confidence);
  if (!from.source.motions.empty()) {
    const RetargetResult retargeted = retarget_motions(from.source, fitted, {}, progress.part(0.5, 1));
    fit.warnings.insert(fit.warnings.end(), retargeted.warnings.begin(), retargeted.warnings.end());
  }
  document.take_fitted(std::move(fitted), std::move(from), std::move(fit.warnings));
}

void retarget_onto(Document& document, const Character& clip, const Progress& progress) {
  Character character;  // the skeleton is all that retargeting looks at
  character.name = document.opened()->character.name;
  character.skeleton = document.opened()->character.skeleton;
  const RetargetResult retargeted = retarget_motions(clip, character, {}, progress);
  Warnings warnings = clip.warnings;
  warnings.insert(warnings.end(), retargeted.warnings.begin(), retargeted.warnings.end());
  document.add_motions(std::move(character.motions), std::move(warnings));
}

}  // namespace sinew::viewer
