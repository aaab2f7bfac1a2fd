// What `fit` and `rig` share: where the skeleton comes from and which networks are asked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session.h"
#include "sinew/fit.h"
#include "sinew/gates.h"
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

// What a user knows of the body and how sure a fit must be: options that `fit` and `rig` share.
class FitWishes {
 public:
  void add_options(Command& command);
  // Reads --markers. Throws Error(usage) for what cannot be. A gate for the confidence takes the place of the library's own.
  void apply(FitOptions& fit, Session& session);
  // Runs `work`; --explain is written whether it succeeds or refuses.
  template <typename Work>
  auto explained(const Character& mesh, const Session& session, const Work& work) {
    try {
      const auto result = work();
      write_explanation(mesh, session);
      return result;
    } catch (const Error& refusal) {
      if (refusal.kind() == ErrorKind::bad_input) write_explanation(mesh, session);
      throw;
    }
  }
  // Throws Error(gate) when one of --require is not met.
  void require(const FitResult& fit) const;

 private:
  void write_explanation(const Character& mesh, const Session& session) const;

  std::string up_, facing_, kind_, require_, explain_, marker_file_;
  std::vector<FitMarker> markers_;
  std::vector<Gate> gates_;
  std::vector<FitReadingSummary> readings_;
};

// "65 joints fitted, 97 % likely right".
std::string fit_text(const FitResult& fit);
// "a person (97 % likely)".
std::string kind_text(const RecognisedBody& body);
// What the mesh of a fit shows, for the end of a sentence: ", the mesh shows a person (97 % likely)"; empty where nobody
// looked.
std::string kind_text(const FitResult& fit);

// What gates and reports say of a fit.
std::vector<Metric> metrics_of(const FitResult& fit);

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
    const bool unsure = refusal.option() == "least_confidence";  // the networks have been asked
    if (refusal.kind() != ErrorKind::bad_input || options.networks || unsure) throw;
    throw with_network_advice(refusal);
  }
}

}  // namespace sinew::cli
