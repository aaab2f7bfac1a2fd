#include <algorithm>
#include <utility>

#include "sinew/base/parallel.h"
#include "sinew/mesh/laplacian.h"
#include "sinew/weights/tools/welded_skin.h"

namespace sinew {
namespace {

// Weights that only rounding could see are not carried on.
constexpr double below_rounding = 1e-6;

struct Smoother {
  const WeldedSkin& skin;
  const std::vector<char>& chosen;  // per joint
  double strength;
  Eigen::SparseMatrix<double> stiffness;

  // Mean around a vertex; empty where nothing around has weight.
  WeightRow mean_around(const std::vector<WeightRow>& rows, std::size_t vertex) const {
    WeightRow mean;
    double total = 0;
    for (Eigen::SparseMatrix<double>::InnerIterator entry(stiffness, static_cast<Eigen::Index>(vertex)); entry;
         ++entry) {
      const auto other = static_cast<std::size_t>(entry.row());
      const double share = -entry.value();
      if (other == vertex || !(share > 0) || rows[other].empty()) continue;
      add_row(mean, rows[other], share);
      total += share;
    }
    if (total > 0) scale_row(mean, 1.0 / total);
    return mean;
  }

  // Chosen joints take their new weights, unlocked others give way in proportion. Where there are none of those, the
  // chosen ones share what they had.
  WeightRow give_way(const WeightRow& before, const WeightRow& wanted) const {
    WeightRow result, others;
    for (const Influence& influence : wanted) {
      if (chosen[influence.joint] && !skin.locked[influence.joint]) result.push_back(influence);
    }
    double fixed = 0;
    for (const Influence& influence : before) {
      if (skin.locked[influence.joint]) {
        fixed += influence.weight;
      } else if (!chosen[influence.joint]) {
        others.push_back(influence);
      }
    }
    const double room = std::max(0.0, 1.0 - fixed), taken = row_sum(result), free = row_sum(others);
    if (taken > 0 && (free <= 0 || taken > room)) scale_row(result, room / taken);
    if (free > 0) add_row(result, others, std::max(0.0, room - taken) / free);
    return result;
  }

  WeightRow smoothed(const std::vector<WeightRow>& rows, std::size_t vertex) const {
    const WeightRow& before = rows[vertex];
    WeightRow wanted = mean_around(rows, vertex);
    if (wanted.empty()) return before;
    if (before.empty()) return wanted;
    scale_row(wanted, strength);
    add_row(wanted, before, 1.0 - strength);
    wanted = with_locked(before, give_way(before, wanted), skin.locked);
    std::erase_if(wanted, [](const Influence& influence) { return influence.weight < below_rounding; });
    return wanted;
  }
};

}  // namespace

WeightChange smooth_weights(Character& character, const SmoothOptions& options, const Progress& progress) {
  require_range(options.strength, 0, 1, "strength");
  require_range(options.iterations, 0, 1000, "iterations");
  require_range(options.max_influences, 0, 16, "max_influences");
  return with_threads(options.threads, progress, [&] {
    progress(0.0, "smoothing weights");
    const WeldedSkin skin = weld_skin(character, options.selection);
    std::vector<char> chosen = joint_flags(character.skeleton, options.joints, "joints");
    if (options.joints.empty()) chosen.assign(chosen.size(), 1);
    Smoother smoother{skin, chosen, options.strength,
                      skin.mesh.is_point_cloud()
                          ? cloud_laplacian(skin.mesh.positions).stiffness
                          : robust_laplacian(skin.mesh.positions, skin.mesh.triangles).stiffness};
    std::vector<WeightRow> rows = skin.rows, next = skin.rows;
    for (int i = 0; i < options.iterations; ++i) {
      progress(0.2 + 0.7 * i / options.iterations, "smoothing weights");
      parallel_for(rows.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
          if (skin.selected[v]) next[v] = smoother.smoothed(rows, v);
        }
      });
      std::swap(rows, next);
    }
    const int limit = options.max_influences > 0 ? options.max_influences : skin.most_influences;
    for (std::size_t v = 0; v < rows.size(); ++v) {
      if (skin.selected[v]) limit_row(rows[v], limit, skin.locked);
    }
    const WeightChange change = store_rows(character, skin, rows, std::max(limit, character.weights.influences));
    progress(1.0, "smoothing weights");
    return change;
  });
}

}  // namespace sinew
