// What `fit` and `rig` share: where the skeleton comes from, what of the mesh is fitted,
// and how the result is reported.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "session.h"
#include "sinew/character.h"
#include "sinew/fit/fit.h"
#include "sinew/learn/fit_model.h"

namespace sinew::cli {

// The skeleton (and motions) of a file, or of the built-in "adult",
// the same with a "mitten" for fingers, or "quadruped".
Character skeleton_source(const std::string& file, const std::string& builtin, Session& session);

// Which trained networks a fit asks: none unless told, the shipped ones, or a file's.
class NetworkChoice {
 public:
  void add_options(Command& command);
  // Null for none. Valid as long as this object.
  const FitModel* model();

 private:
  std::string file_, features_;
  bool shipped_ = false;
  std::optional<FitModel> own_;
};

// Fits `skeleton` into the character's mesh, without what hangs on single joints (weapons).
FitResult fit_into(const Character& character, const Skeleton& skeleton, const FitOptions& options, Session& session);

// What Sinew writes has y up: a body that was found to stand along another axis of a file without an up axis (OBJ, PLY,
// STL, OFF, PCD) is turned, with its skeleton, and the user is told.
void stand_upright(const std::string& file, Character& character, FitResult& fit, Session& session);

// Mean confidence over the joints that may deform the skin.
double mean_confidence(const FitResult& fit);

nlohmann::json fit_to_json(const FitResult& fit);

}  // namespace sinew::cli
