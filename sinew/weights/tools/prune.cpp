#include <algorithm>

#include "sinew/base/parallel.h"
#include "sinew/weights/tools/welded_skin.h"

namespace sinew {

WeightChange prune_weights(Character& character, const PruneOptions& options, const Progress& progress) {
  require_range(options.threshold, 0, 1, "threshold");
  return with_threads(options.threads, progress, [&] {
    progress(0.0, "pruning weights");
    const WeldedSkin skin = weld_skin(character, options.selection);
    std::vector<char> chosen = joint_flags(character.skeleton, options.joints, "joints");
    if (options.joints.empty()) chosen.assign(chosen.size(), 1);
    std::vector<WeightRow> rows = skin.rows;
    for (WeightRow& row : rows) {
      const auto strongest = std::max_element(
          row.begin(), row.end(), [](const Influence& a, const Influence& b) { return a.weight < b.weight; });
      const int kept = strongest == row.end() ? -1 : strongest->joint;
      WeightRow wanted = row;
      std::erase_if(wanted, [&](const Influence& influence) {
        return influence.weight < options.threshold && influence.joint != kept && chosen[influence.joint] &&
               !skin.locked[influence.joint];
      });
      if (wanted.size() < row.size()) row = with_locked(row, wanted, skin.locked);
    }
    const WeightChange change = store_rows(character, skin, rows, character.weights.influences);
    progress(1.0, "pruning weights");
    return change;
  });
}

}  // namespace sinew
