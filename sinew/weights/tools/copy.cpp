#include <algorithm>

#include "sinew/base/parallel.h"
#include "sinew/weights/tools/prepare_target.h"
#include "sinew/weights/tools/same_vertices.h"

namespace sinew {

CopyReport copy_weights(const Character& source, Character& target, const CopyOptions& options,
                        const Progress& progress) {
  require_range(options.tolerance, 0, 0.1, "tolerance");
  return with_threads(options.threads, progress, [&] {
    progress(0.0, "matching vertices");
    check_character(source);
    Character result = prepared_target(target, source, std::max(1, source.weights.influences));
    const WeldedSkin skin = weld_skin(result, options.selection);
    const SameVertices same = rows_of_same_vertices(source, result, skin, options.tolerance);
    progress(0.7, "copying weights");
    CopyReport report;
    report.joints = same.joints;
    report.by_order = same.by_order;
    std::vector<WeightRow> rows = skin.rows;
    for (std::size_t v = 0; v < rows.size(); ++v) {
      if (!skin.selected[v]) continue;
      if (same.rows[v].empty()) {
        ++report.unmatched;
        continue;
      }
      ++report.matched;
      rows[v] = skin.rows[v].empty() ? same.rows[v] : with_locked(skin.rows[v], same.rows[v], skin.locked);
      limit_row(rows[v], result.weights.influences, skin.locked);
    }
    report.change = store_rows(result, skin, rows, result.weights.influences);
    warn_about_replaced(report.joints, report.change.warnings);
    if (report.unmatched > 0) {
      report.change.warnings.push_back({"vertices-not-matched", std::to_string(report.unmatched) +
                                                                    " vertices have no counterpart in the source and "
                                                                    "keep the weights that they had"});
    }
    progress(1.0, "copying weights");
    target = std::move(result);
    return report;
  });
}

}  // namespace sinew
