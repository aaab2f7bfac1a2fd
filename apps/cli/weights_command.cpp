// sinew weights: tools for weights that a character has already. weights_edit_commands.cpp has those for one character.
#include "commands.h"
#include "weights_tools.h"

namespace sinew::cli {

void add_weights_command(Session& session) {
  session.add_group("weights", "edit skin weights: mirror, smooth, prune, limit");
  add_weights_edit_commands(session);
}

}  // namespace sinew::cli
