#include "fit_source.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "files.h"
#include "sinew/base/closest_name.h"
#include "sinew/base/file_bytes.h"
#include "sinew/base/name_pattern.h"
#include "sinew/pipeline/explain_fit.h"

namespace sinew::cli {

Character skeleton_source(const std::string& file, const std::string& builtin, Session& session) {
  if (file.empty()) return builtin_skeleton(builtin);
  Character source = load_file(file, session);
  session.warn(source.warnings);
  if (source.skeleton.empty()) throw Error(ErrorCode::skeleton_missing, "'" + file + "' has no skeleton");
  return source;
}

void NetworkChoice::add_options(Command& command) {
  command.add_flag("--networks", shipped_, "use the trained networks as well; people only");
  Option* file = command.add_option("--model", file_, "use the networks of this file instead (.sinewfit)");
  command.add_option("--features", features_, "image network (TorchScript) that the model was trained with")
      ->needs(file);
}

const FitModel* NetworkChoice::model() {
  if (file_.empty()) return shipped_ ? &FitModel::shipped() : nullptr;
  if (!own_) own_.emplace(load_network_file(file_), features_);
  return &*own_;
}

namespace {

// "x", "-z", …: a unit vector; zero for an empty name.
Vec3d axis_of(const std::string& name) {
  Vec3d axis = Vec3d::Zero();
  if (!name.empty()) axis[name.back() - 'x'] = name.front() == '-' ? -1.0 : 1.0;
  return axis;
}

// "wrist.L=0.7,1.4,0".
FitMarker read_marker(const std::string& text) {
  const auto wrong = [&](const std::string& why) {
    return Error(ErrorCode::option_invalid, "'" + text + "' is not a marker: " + why,
                 "write NAME=X,Y,Z, for example wrist.L=0.7,1.4,0")
        .about("marker");
  };
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) throw wrong("there is no name before '='");
  FitMarker marker{text.substr(0, equals), {}, false};
  const std::vector<std::string> numbers = comma_separated(text.substr(equals + 1));
  if (numbers.size() != 3) throw wrong("a place has three numbers");
  for (int axis = 0; axis < 3; ++axis) {
    const std::string& number = numbers[static_cast<std::size_t>(axis)];
    const char* end = number.data() + number.size();
    const auto [stop, error] = std::from_chars(number.data(), end, marker.position[axis]);
    if (error != std::errc() || stop != end || !std::isfinite(marker.position[axis])) {
      throw wrong("'" + number + "' is not a number");
    }
  }
  return marker;
}

}  // namespace

std::string fit_text(const FitResult& fit) {
  const int joints = fit.skeleton.joint_count();
  if (fit.chosen == "generated") return fmt::format("a skeleton of {} joints made", joints);
  const std::string which = fit.chosen.empty() ? "" : fmt::format(" of the built-in {}", fit.chosen);
  return fmt::format("{} joints{} fitted, {:.0f} % likely right", joints, which, 100 * fit.probability);
}

std::string kind_text(const RecognisedBody& body) {
  return fmt::format("{} ({:.0f} % likely)", kind_in_words(body.kind), 100 * body.probability_of(body.kind));
}

std::string kind_text(const FitResult& fit) {
  return fit.recognised ? ", the mesh shows " + kind_text(*fit.recognised) : "";
}

void FitWishes::add_options(Command& command) {
  const std::vector<std::string> axes{"x", "y", "z", "-x", "-y", "-z"};
  command.add_option("--up", up_, "axis that is up in the mesh: x y z -x -y -z")->one_of(axes)->default_is("detected");
  command.add_option("--facing", facing_, "axis the body faces along: x y z -x -y -z")
      ->one_of(axes)
      ->default_is("detected");
  command.add_option("--kind", kind_, "what the mesh is: person or four-legs; then an unsure fit only warns")
      ->one_of({"person", "four-legs"})
      ->default_is("judged");
  command
      .add_reader(
          "--marker", [this](const std::string& text) { markers_.push_back(read_marker(text)); },
          "where a joint is, NAME=X,Y,Z in the mesh's own coordinates: wrist.L=0.7,1.4,0; names: " +
              listed(marker_names()) + " or a joint's; repeatable")
      ->repeated();
  command.add_option("--markers", marker_file_, "markers of a JSON file: {\"wrist.L\": [0.7, 1.4, 0]}");
  command.add_option("--require", require_,
                     "quality gates, for example inside=1,confidence=0.8; exit code 4 and no output when one is not "
                     "met; confidence=0 accepts any fit");
  command.add_option("--explain", explain_, "folder for a picture and a JSON file of how the mesh was read");
}

void FitWishes::apply(FitOptions& fit, Session& session) {
  fit.markers = markers_;
  if (!marker_file_.empty()) {
    const std::vector<FitMarker> more =
        parse_input(marker_file_, session, [](auto bytes) { return read_markers(as_text(bytes)); });
    fit.markers.insert(fit.markers.end(), more.begin(), more.end());
  }
  gates_ = require_.empty() ? std::vector<Gate>{} : parse_gates(require_);
  check_gate_names(gates_, {"inside", "confidence", "symmetry"});
  for (const Gate& gate : gates_) {
    if (gate.name == "confidence") fit.least_confidence = 0;
  }
  fit.up = axis_of(up_);
  fit.forward = axis_of(facing_);
  if (!kind_.empty()) fit.kind = kind_ == "four-legs" ? BodyKind::four_legs : BodyKind::person;
  if (!explain_.empty()) fit.readings = &readings_;
}

void FitWishes::require(const FitResult& fit) const { require_gates(check_gates(gates_, metrics_of(fit))); }

void FitWishes::write_explanation(const Character& mesh, const Session& session) const {
  if (explain_.empty()) return;
  const std::filesystem::path folder = explain_;
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) throw Error(ErrorCode::file_unwritable, "cannot make the folder '" + explain_ + "'").about("explain");
  write_file_text(folder / "readings.json", readings_json(readings_).dump(2) + "\n");
  write_file_bytes(folder / "readings.png", readings_picture(mesh, readings_, 6, session.progress()));
}

std::vector<Metric> metrics_of(const FitResult& fit) {
  return {{"inside", fit.share_inside(), Better::higher},
          {"confidence", fit.probability, Better::higher},
          {"symmetry", fit.symmetry, Better::higher}};
}

void GenerateChoice::add_options(Command& command, const Option* skeleton) {
  Option* generate = command.add_flag("--generate", wanted_, "make a skeleton from the mesh alone; any creature");
  generate->excludes(skeleton);
  command.add_option("--density", options_.density, "joints of a generated skeleton over what artists use")
      ->in_range(0.25, 4.0)
      ->show_default()
      ->needs(generate);
  command.add_option("--max-joints", options_.max_joints, "joints of a generated skeleton at most")
      ->in_range(4, 1000)
      ->default_is("no limit")
      ->needs(generate);
  command.add_flag("--no-small-parts", no_small_parts_, "generate no fingers, toes, ears and horns")->needs(generate);
}

const GenerateOptions* GenerateChoice::options(const FitOptions& fit) {
  if (!wanted_) return nullptr;
  if (!fit.markers.empty()) {
    throw Error(ErrorCode::options_conflict, "markers help to fit a skeleton; --generate makes one of the mesh alone")
        .about("marker");
  }
  options_.cells = fit.cells;
  options_.ignore = fit.ignore;
  options_.symmetric = fit.symmetric;
  options_.keep_axes = fit.keep_axes;
  if (fit.up.norm() > 0) options_.up = fit.up;
  options_.forward = fit.forward;
  options_.small_parts = !no_small_parts_;
  return &options_;
}

Error with_network_advice(const Error& refusal) {
  const std::string before = refusal.advice().empty() ? "" : refusal.advice() + "; ";
  const bool not_a_person =
      refusal.code() == ErrorCode::body_not_recognised || refusal.code() == ErrorCode::kinds_differ;
  return Error(refusal.code(), refusal.what(),
               before + "if this is a person, try --networks" +
                   (not_a_person ? "; for any other creature, --generate makes a skeleton" : ""));
}

}  // namespace sinew::cli
