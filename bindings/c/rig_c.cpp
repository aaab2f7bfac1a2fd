// Fit, bind, retarget and rig of the C interface.
#include <algorithm>

#include "bindings/c/pipeline_options.h"
#include "sinew/pipeline/explain_fit.h"
#include "sinew/pipeline/report_json.h"
#include "sinew/pipeline_c.h"
#include "sinew/rig.h"
#include "sinew/weights/skincells/skincells_apply.h"
#include "sinew/weights/skincells/skincells_file.h"

namespace sinew::binding {
namespace {

using nlohmann::json;

constexpr std::size_t least_rig = SINEW_SIZE_UP_TO(sinew_rig_options, threads);

const char* input_name(MethodInput input) {
  switch (input) {
    case MethodInput::pins:
      return "pins";
    case MethodInput::body:
      return "body";
    case MethodInput::poses:
      return "poses";
    case MethodInput::reference:
      return "reference";
    case MethodInput::joint_softness:
      return "joint_softness";
    case MethodInput::weight_model:
      return "networks";
    case MethodInput::checkpoint:
      return "resume";
  }
  return "";
}

json option_json(const MethodOption& option) {
  json entry = {{"name", option.name}, {"help", option.help}};
  constexpr const char* types[] = {"bool", "int", "float", "text"};
  entry["type"] = types[option.default_value.index()];
  std::visit([&](const auto& value) { entry["default"] = value; }, option.default_value);
  if (option.minimum > -1e30) entry["minimum"] = option.minimum;
  if (option.maximum < 1e30) entry["maximum"] = option.maximum;
  if (!option.choices.empty()) entry["choices"] = option.choices;
  return entry;
}

json method_json(const MethodInfo& method) {
  json entry = {{"name", method.name},
                {"summary", method.summary},
                {"makes_field", method.makes_field},
                {"options", json::array()},
                {"inputs", json::array()}};
  for (const MethodOption& option : method.options) entry["options"].push_back(option_json(option));
  for (const MethodInput input : method.inputs) entry["inputs"].push_back(input_name(input));
  return entry;
}

void give_bind_report(BindReport& bind, const Character& bound, const BindChoice& choice, ResultObject& result) {
  json report = report_json(bind, bound.skeleton);
  report["method"] = choice.options.method;
  set_report(result, report);
  if (!bind.field.empty()) add_file(result, "field.skincells", std::move(bind.field));
}

// Bones of a mesh that is only read: what fitting does to the character does not matter for their picture.
struct FitExplanation {
  json readings = json::array();
  std::vector<std::byte> picture;
};

FitExplanation explanation_of(const FitChoice& fit, const Character& bare, const Progress& progress) {
  return {readings_json(fit.readings), readings_picture(bare, fit.readings, 6, progress)};
}

void give_explained_report(json report, const std::optional<FitExplanation>& explanation, ResultObject& result) {
  if (explanation) {
    report["readings"] = explanation->readings;
    add_file(result, "readings.png", explanation->picture);
  }
  set_report(result, report);
}

// Runs work(progress) and says how it read the mesh, where the caller asks for that, also when it refuses the mesh.
template <typename Work>
auto explained(const FitChoice& fit, const Character& character, const Progress& progress, ResultObject& result,
               std::optional<FitExplanation>& explanation, const Work& work) {
  if (fit.options.readings == nullptr) return work(progress);
  constexpr double share_of_work = 0.9;
  Character bare;
  bare.name = character.name;
  bare.mesh = character.mesh;
  try {
    auto done = work(progress.part(0, share_of_work));
    explanation = explanation_of(fit, bare, progress.part(share_of_work, 1));
    return done;
  } catch (const Error& refusal) {
    if (refusal.kind() != ErrorKind::bad_input) throw;
    give_explained_report(json::object(), explanation_of(fit, bare, progress.part(share_of_work, 1)), result);
    result.explains_failure = true;
    throw;
  }
}

json rig_json(const RigResult& rigged, const Character& character) {
  json report = report_json(rigged.fit);
  report["bind"] = report_json(rigged.bind, character.skeleton);
  report["retarget"] = report_json(rigged.retarget);
  report["worst_slide"] = rigged.retarget.worst().worst_slide;
  report["seconds"] = {
      {"fit", rigged.fit_seconds}, {"bind", rigged.bind_seconds}, {"retarget", rigged.retarget_seconds}};
  return report;
}

}  // namespace
}  // namespace sinew::binding

using namespace sinew;
using namespace sinew::binding;

extern "C" {

sinew_status sinew_fit(sinew_character* character, const sinew_character* source, const sinew_fit_options* options,
                       const sinew_progress* progress, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    const FitChoice choice(options);
    std::optional<Reading> skeleton;
    if (source) skeleton.emplace(source, "source");
    const Writing written(character, "character");
    std::optional<FitExplanation> explanation;
    const FitResult fit =
        explained(choice, *written, progress_of(progress), report, explanation, [&](const Progress& told) {
          return skeleton ? fit_character(*written, **skeleton, choice.options, told)
                          : fit_suitable_skeleton(*written, choice.options, {}, told);
        });
    written.done();
    add_warnings(report, fit.warnings);
    give_explained_report(report_json(fit), explanation, report);
  });
}

sinew_status sinew_middle_of_limb(const sinew_character* character, const double* on_surface, double* middle,
                                  sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    require(on_surface, "on_surface");
    require(middle, "middle");
    const Reading read(character, "character");
    const Vec3d found = middle_of_limb(read->mesh, Vec3d(on_surface[0], on_surface[1], on_surface[2]));
    std::copy_n(found.data(), 3, middle);
  });
}

sinew_status sinew_list_markers(sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    json markers = json::array();
    for (const std::string& name : marker_names()) {
      if (!marker_has_sides(name)) markers.push_back(name);
      for (const char* side : {".L", ".R"}) {
        if (marker_has_sides(name)) markers.push_back(name + side);
      }
    }
    set_report(report, {{"markers", markers}});
  });
}

sinew_status sinew_generate_skeleton(sinew_character* character, const sinew_generate_options* options,
                                     const sinew_progress* progress, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    const GenerateOptions choice = generate_options_of(options);
    const Writing written(character, "character");
    const FitResult made = generate_character_skeleton(*written, choice, progress_of(progress));
    written.done();
    add_warnings(report, made.warnings);
    set_report(report, report_json(made));
  });
}

sinew_status sinew_list_methods(sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    json methods = json::array();
    for (const MethodInfo& method : weight_method_list()) methods.push_back(method_json(method));
    set_report(report, {{"methods", methods}});
  });
}

sinew_status sinew_bind(sinew_character* character, const sinew_bind_options* options, const sinew_progress* progress,
                        sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    const Writing written(character, "character");
    const BindChoice choice(options, *written);
    BindReport bind = bind_character(*written, choice.options, progress_of(progress));
    written.done();
    add_warnings(report, choice.warnings);
    add_warnings(report, bind.warnings);
    give_bind_report(bind, *written, choice, report);
  });
}

sinew_status sinew_apply_field(sinew_character* character, const void* field, size_t size, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    const Writing written(character, "character");
    const SkinCellField read = read_field(bytes_of(field, size, "field"));
    const FieldReport applied = apply_field(read, *written);
    written.done();
    add_warnings(report, applied.warnings);
    set_report(report, {{"vertices", applied.vertices},
                        {"cells", read.cell_count()},
                        {"mean_influences", applied.mean_influences},
                        {"seconds", applied.seconds}});
  });
}

sinew_status sinew_retarget(sinew_character* character, const sinew_character* clip,
                            const sinew_retarget_options* options, const sinew_progress* progress,
                            sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    const RetargetChoice choice(options);
    const Reading source(clip, "clip");
    const Writing written(character, "character");
    const RetargetResult retargeted = retarget_motions(*source, *written, choice.options, progress_of(progress));
    written.done();
    add_warnings(report, retargeted.warnings);
    json full = report_json(retargeted);
    full["worst_slide"] = retargeted.worst().worst_slide;
    set_report(report, full);
  });
}

sinew_status sinew_map_retargeting(const sinew_character* character, const sinew_character* clip,
                                   const sinew_retarget_options* options, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    const RetargetChoice choice(options);
    const Reading source(clip, "clip");
    const Reading target(character, "character");
    const RetargetMap map = map_retargeting(*source, *target, choice.options);
    add_warnings(report, map.warnings);
    set_report(report, report_json(map, target->skeleton));
    add_file(report, "joint_map.json", map.json);
  });
}

void sinew_rig_options_defaults(sinew_rig_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_rig_options*) {});
}

sinew_status sinew_rig(sinew_character* character, const sinew_character* clip, const sinew_rig_options* options,
                       const sinew_progress* progress, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    const auto taken = options_of(options, sinew_rig_options_defaults, least_rig, "sinew_rig_options");
    std::optional<Reading> source, skeleton;
    if (clip) source.emplace(clip, "clip");
    const Writing written(character, "character");
    const FitChoice fit(taken.fit);
    const BindChoice bind(taken.bind, *written);
    const RetargetChoice retarget(taken.retarget);
    RigOptions rig{.fit = fit.options, .bind = bind.options, .retarget = retarget.options, .threads = taken.threads};
    if (taken.skeleton != nullptr) rig.skeleton = &*skeleton.emplace(taken.skeleton, "skeleton");
    GenerateOptions generate;
    if (taken.generate != nullptr) rig.generate = &(generate = generate_options_of(taken.generate));
    const Character at_rest;
    const Character& motions = source ? **source : at_rest;
    std::optional<FitExplanation> explanation;
    const RigResult rigged =
        explained(fit, *written, progress_of(progress), report, explanation,
                  [&](const Progress& told) { return rig_character(*written, motions, rig, told); });
    written.done();
    add_warnings(report, bind.warnings);
    add_warnings(report, rigged.warnings);
    give_explained_report(rig_json(rigged, *written), explanation, report);
  });
}

}  // extern "C"
