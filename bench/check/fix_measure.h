// How well sinew fix repairs damage, and whether it makes anything worse.
//
// The artist's own weights have no error to come back to, so damage is done twice: to the artist's weights, where it
// counts as undone when a fifth of it or less is left; and to weights of a method of bind, where it counts as repaired
// when the error against the artist is at most 1.2 times what it was before the damage. The method should not be bone
// heat, which repairs use themselves. Damage that is within that limit from the
// beginning does not count. Errors are means, over what was damaged and what the repair changed with it, of the distance
// between two skins in the worst pose of each vertex.
//
// A region is what hangs together of the vertices that a repair changed. It is worse when its error against the artist
// is larger than in the damaged file and than before the damage. Where damage happened to bring weights of a method nearer
// to the artist, undoing it is no harm: such regions are counted apart, as brought back.
#pragma once

#include <map>
#include <string>

#include "sinew/character.h"

namespace sinew::bench {

struct FixTally {
  int undone = 0, undone_of = 0;      // on the artist's weights
  int repaired = 0, repaired_of = 0;  // on weights of the method
  int within = 0;                     // of these again: within the limit from the beginning, not counted
  int regions = 0, brought_back = 0, worse = 0;
};

struct FixTotals {
  std::map<std::string, FixTally> damages;  // by name
  std::string method;                       // of bind
  int files = 0, files_with_worse = 0;      // damaged files
};

// Damages, repairs and compares one character in all ways that it can be damaged in. `show` prints what failed.
void measure_fixes(const Character& artist, const std::string& method, std::uint64_t seed, bool show,
                   FixTotals& totals);

void print_fixes(const FixTotals& totals);

}  // namespace sinew::bench
