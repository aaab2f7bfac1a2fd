#include "fit_source.h"

#include <nlohmann/json.hpp>

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

nlohmann::json fit_to_json(const FitResult& fit) {
  nlohmann::json joints = nlohmann::json::array();
  for (int joint = 0; joint < fit.skeleton.joint_count(); ++joint) {
    const Vec3d p = fit.skeleton.position(joint);
    joints.push_back({{"name", fit.skeleton.names[joint]},
                      {"position", {p.x(), p.y(), p.z()}},
                      {"confidence", fit.confidence[joint]},
                      {"inside", fit.inside[joint] != 0}});
  }
  const auto vector = [](const Vec3d& v) { return nlohmann::json{v.x(), v.y(), v.z()}; };
  return {{"joints", joints},
          {"up", vector(fit.frame.up)},
          {"forward", vector(fit.frame.forward)},
          {"symmetry", fit.symmetry},
          {"four_legs", fit.on_all_fours},
          {"confidence", fit.mean_confidence()},
          {"by_networks", fit.by_networks},
          {"network_seconds", fit.network_seconds}};
}

}  // namespace sinew::cli
