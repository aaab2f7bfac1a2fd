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

Error with_network_advice(const Error& refusal) {
  const std::string before = refusal.advice().empty() ? "" : refusal.advice() + "; ";
  return Error(refusal.code(), refusal.what(), before + "if this is a person, try --networks");
}

}  // namespace sinew::cli
