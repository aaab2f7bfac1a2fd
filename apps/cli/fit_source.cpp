#include "fit_source.h"

#include "files.h"

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
  options_.cells = fit.cells;
  options_.symmetric = fit.symmetric;
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
