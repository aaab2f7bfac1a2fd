#include "fit_source.h"

#include <nlohmann/json.hpp>

#include "sinew/asset/file_format.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/fit/fit_mesh.h"
#include "sinew/fit/stand_upright.h"
#include "sinew/io.h"

namespace sinew::cli {

Character skeleton_source(const std::string& file, const std::string& builtin, Session& session) {
  if (file.empty()) {
    BuiltinOptions options;
    options.kind = builtin == "quadruped" ? BuiltinKind::quadruped : BuiltinKind::adult;
    if (builtin == "mitten") options.vertex_budget = 1000;
    return make_builtin_rig(options);
  }
  Character source = load_character(file);
  session.warn(source.warnings);
  if (source.skeleton.empty()) throw bad_input("'" + file + "' has no skeleton");
  return source;
}

void NetworkChoice::add_options(Command& command) {
  command.add_flag("--networks", shipped_, "ask the trained networks too: people only, see docs/neural.md");
  Option* file = command.add_option("--model", file_, "ask the networks of this file (.sinewfit) instead");
  command.add_option("--features", features_, "TorchScript image network that the model was trained with")->needs(file);
}

const FitModel* NetworkChoice::model() {
  if (file_.empty()) return shipped_ ? &FitModel::shipped() : nullptr;
  if (!own_) own_.emplace(load_network_file(file_), features_);
  return &*own_;
}

FitResult fit_into(const Character& character, const Skeleton& skeleton, const FitOptions& options, Session& session) {
  if (character.mesh.positions.empty()) throw bad_input("there is no mesh to fit a skeleton into");
  try {
    FitResult fit = fit_skeleton(mesh_to_fit(character), skeleton, options);
    session.warn(fit.warnings);
    return fit;
  } catch (const Error& refusal) {
    if (refusal.kind() != ErrorKind::bad_input || options.networks || character.mesh.is_point_cloud()) throw;
    const std::string before = refusal.advice().empty() ? "" : refusal.advice() + "; ";
    throw bad_input(refusal.what(), before + "if this is a person, try --networks");
  }
}

void stand_upright(const std::string& file, Character& character, FitResult& fit, Session& session) {
  const std::optional<FileFormat> format = recognise_file(file);
  if (format == FileFormat::gltf || format == FileFormat::fbx || format == FileFormat::collada) return;
  const UpAxis up = sinew::stand_upright(character.mesh, fit);
  if (up.is_y()) return;
  session.warn({{"turned-upright", std::string(up.negative ? "-" : "") + "xyz"[up.axis] + " is up in '" + file +
                                       "': the character was turned so that y is (--keep-axes leaves it)"}});
}

double mean_confidence(const FitResult& fit) {
  double sum = 0;
  int count = 0;
  for (int joint = 0; joint < fit.skeleton.joint_count(); ++joint) {
    if (fit.skeleton.kinds[joint] != JointKind::joint) continue;
    sum += fit.confidence[joint];
    ++count;
  }
  return count > 0 ? sum / count : 0.0;
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
          {"confidence", mean_confidence(fit)},
          {"by_networks", fit.by_networks},
          {"network_seconds", fit.network_seconds}};
}

}  // namespace sinew::cli
