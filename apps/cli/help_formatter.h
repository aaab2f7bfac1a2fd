// How `sinew --help` and `sinew COMMAND --help` look: what to type on the left, what it means on the right, no line
// wider than 80 columns.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "command_table.h"

namespace CLI {  // NOLINT(readability-identifier-naming)
class FormatterBase;
}  // namespace CLI

namespace sinew::cli {

std::string help_text(const CommandEntry& command);

std::shared_ptr<CLI::FormatterBase> make_help_formatter();

}  // namespace sinew::cli
