// What `fit` and `rig` share: where the skeleton comes from and which networks are asked.
#pragma once

#include <optional>
#include <string>

#include "session.h"
#include "sinew/fit.h"
#include "sinew/generate_skeleton.h"
#include "sinew/learn/fit_model.h"

namespace sinew::cli {

// The skeleton (and motions) of a file, or for an empty name of a built-in one (builtin_skeleton).
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

// A skeleton made from the mesh instead of a given one.
class GenerateChoice {
 public:
  // `skeleton`: the option that names a skeleton instead.
  void add_options(Command& command, const Option* skeleton);
  // Null unless asked for; what both have in common as in `fit`. Valid as long as this object.
  const GenerateOptions* options(const FitOptions& fit);

 private:
  bool wanted_ = false, no_small_parts_ = false;
  GenerateOptions options_;
};

// An Error(bad_input) of a fit without networks, with the advice to ask them.
Error with_network_advice(const Error& refusal);

// Runs `work`; where it refuses a mesh and the networks were not asked, the user is told of them.
template <typename Work>
auto with_fit_advice(const FitOptions& options, const Work& work) {
  try {
    return work();
  } catch (const Error& refusal) {
    if (refusal.kind() != ErrorKind::bad_input || options.networks) throw;
    throw with_network_advice(refusal);
  }
}

}  // namespace sinew::cli
