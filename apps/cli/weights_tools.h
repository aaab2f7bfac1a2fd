// What the commands of `sinew weights` share: one character in, one out, and which vertices and joints may change.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "session.h"
#include "sinew/weight_tools.h"

namespace sinew::cli {

// The arguments of one command. Kept by a shared pointer while the command line lives.
struct WeightsArguments {
  std::string input, output;
  std::string parts, locked;  // patterns, as typed
  bool overwrite = false;

  // Adds IN (`what` says what it is), -o and --overwrite; `selects`: also --parts and --locked.
  enum class Selects { no, yes };
  void add_to(Command* command, Session& session, const char* what = "character with skeleton and weights",
              Selects selects = Selects::yes);

  WeightSelection selection(const Character& character) const;
  // The joints that a list of patterns means; none for an empty list. `flag` names the option.
  static std::vector<int> joints(const Character& character, const std::string& patterns, const char* flag);
};

// Loads the input and says what was repaired in it.
Character load_weights(const WeightsArguments& arguments, Session& session);

// Writes the character and reports: what changed, and `text` before it.
void finish_weights(const WeightsArguments& arguments, const Character& character, const WeightChange& change,
                    nlohmann::json result, const std::string& text, Session& session);

// The commands, by file.
void add_weights_edit_commands(Session& session);   // mirror, smooth, prune, limit
void add_weights_other_commands(Session& session);  // transfer, copy, combine, export, import, twist

}  // namespace sinew::cli
