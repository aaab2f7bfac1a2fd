#include "sinew/base/parallel.h"
#include "sinew/bind.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/fit.h"
#include "sinew/fit/fit_mesh.h"
#include "sinew/learn/fit_model.h"
#include "sinew/pipeline/turn_upright.h"

namespace sinew {

const FitModel& shipped_fit_model() { return FitModel::shipped(); }

std::shared_ptr<const FitModel> read_fit_model(std::span<const std::byte> bytes) {
  return std::make_shared<const FitModel>(parse_network_file(bytes));
}

FitResult fit_character(Character& character, const Character& source, const FitOptions& options,
                        const Progress& progress) {
  if (character.mesh.positions.empty()) throw Error(ErrorCode::mesh_missing, "there is no mesh to fit a skeleton into");
  if (source.skeleton.empty()) throw Error(ErrorCode::skeleton_missing, "there is no skeleton to fit");
  FitResult fit = with_threads(options.threads, progress, [&] {
    return fit_skeleton(mesh_to_fit(character, options.ignore), source.skeleton, options, progress);
  });
  Character fitted = character;
  if (!options.keep_axes) turn_upright(fitted, fit);
  Character placed;
  placed.name = source.name;
  placed.skeleton = fit.skeleton;
  use_skeleton_of(placed, fitted, fit.warnings);
  character = std::move(fitted);
  return fit;
}

Character builtin_skeleton(std::string_view name) {
  BuiltinOptions options;
  if (name == "quadruped") {
    options.kind = BuiltinKind::quadruped;
  } else if (name == "adult" || name == "mitten") {
    options.kind = BuiltinKind::adult;
    if (name == "mitten") options.vertex_budget = 1000;
  } else {
    throw Error(ErrorCode::choice_unknown, "no built-in skeleton is called '" + std::string(name) + "'",
                "there are: adult, mitten, quadruped");
  }
  return make_builtin_rig(options);
}

}  // namespace sinew
