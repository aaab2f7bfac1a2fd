// sinew weights: tools for weights that a character has already. weights_edit_commands.cpp
// has those for one character, weights_other_commands.cpp those with others.
#include "commands.h"
#include "weights_tools.h"

namespace sinew::cli {

void add_weights_command(Session& session) {
  session.add_group("weights",
                    "edit skin weights: mirror, smooth, prune, limit, transfer, copy, combine, export, import, twist");
  add_weights_edit_commands(session);
  add_weights_other_commands(session);
}

}  // namespace sinew::cli
