// Runs a step of work and tells everything that it did to the process beside it; and shows that it would tell.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace sinew::test {

using Step = std::function<void()>;

struct Watch {
  bool other_thread = true;          // watch another thread; otherwise the number of threads
  std::set<std::string> asked = {};  // functions that this step is meant to call
};

// Everything that a step did beside its work, a line each.
std::vector<std::string> misdeeds(const Step& step, const Watch& watch = {});

// Lets the C++ locale of the process have a comma in numbers, and this word for true.
void use_locale(const char* truth);

// Does what a guest must not do, each deed in a process of its own, and says which of them misdeeds() did not notice.
// Returns how many there are, or 0 when one was missed.
std::size_t noticed_rude_deeds();

}  // namespace sinew::test
