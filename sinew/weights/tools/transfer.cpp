#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/parallel.h"
#include "sinew/weight_transfer.h"
#include "sinew/weights/bind_input.h"
#include "sinew/weights/tools/compatible_surface.h"
#include "sinew/weights/tools/inpaint.h"
#include "sinew/weights/tools/joint_targets.h"
#include "sinew/weights/tools/prepare_target.h"

namespace sinew {
namespace {

std::vector<Vec3f> normals_of(const TriangleMesh& mesh, const std::vector<Vec3f>& cloud_normals) {
  if (mesh.is_point_cloud()) return cloud_normals;
  return outward_normals(mesh, connected_components(mesh.vertex_count(), mesh.triangles));
}

// Normals that a cloud's file has, at the welded points; zero without.
std::vector<Vec3f> welded_cloud_normals(const Character& character, const WeldedSkin& skin) {
  std::vector<Vec3f> normals(skin.vertex_count(), Vec3f::Zero());
  for (std::size_t v = 0; v < character.mesh.normals.size(); ++v) {
    if (skin.welded_of[v] != WeldedSkin::not_skinned) normals[skin.welded_of[v]] = character.mesh.normals[v];
  }
  return normals;
}

class Transfer {
 public:
  Transfer(const Character& source, const Character& target, const WeldedSkin& skin, const TransferOptions& options)
      : source_skin_(weld_skin(source, {})),
        skin_(skin),
        options_(options),
        surface_(source_skin_.mesh, normals_of(source_skin_.mesh, welded_cloud_normals(source, source_skin_))),
        normals_(normals_of(skin.mesh, welded_cloud_normals(target, skin))),
        targets_(joint_targets(source.skeleton, target.skeleton,
                               used_joints(source_skin_.rows, source.skeleton.joint_count()))),
        diagonal_(bounding_diagonal(source_skin_.mesh)) {
    known_.assign(skin.vertex_count(), 0);
    rows_ = skin.rows;
  }

  void match(TransferReport& report, const Progress& progress) {
    std::vector<double> distances(skin_.vertex_count(), 0.0);
    const double reach = options_.max_distance * diagonal_;
    parallel_for(skin_.vertex_count(), 256, progress, "matching surfaces", [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        if (stays(v)) continue;
        SurfacePlace place;
        if (!surface_.find_any(skin_.mesh.positions[v], reach, place) || !faces(v, place)) continue;
        WeightRow row = row_at(place);
        if (row.empty()) continue;
        rows_[v] = std::move(row);
        known_[v] = 1;
        distances[v] = place.distance;
      }
    });
    report.matched = static_cast<std::size_t>(std::count(known_.begin(), known_.end(), 1));
    for (const double distance : distances) report.mean_distance += distance;
    report.mean_distance /= static_cast<double>(std::max<std::size_t>(report.matched, 1)) * diagonal_;
    for (std::size_t v = 0; v < known_.size(); ++v) known_[v] = known_[v] || stays(v);
  }

  // Pieces that nothing matched take the closest points: a button, an eye, a hat.
  void guess(TransferReport& report) {
    const Components pieces = skin_.mesh.is_point_cloud()
                                  ? Components{std::vector<std::uint32_t>(skin_.vertex_count(), 0), 1}
                                  : connected_components(skin_.vertex_count(), skin_.mesh.triangles);
    std::vector<char> matched(pieces.count, 0);
    for (std::size_t v = 0; v < known_.size(); ++v) {
      if (known_[v]) matched[pieces.component_of[v]] = 1;
    }
    for (std::size_t v = 0; v < known_.size(); ++v) {
      stop_if_cancelled(v);
      if (matched[pieces.component_of[v]]) continue;
      SurfacePlace place;
      if (!surface_.find_any(skin_.mesh.positions[v], std::numeric_limits<double>::infinity(), place)) continue;
      WeightRow row = row_at(place);
      if (row.empty()) continue;
      rows_[v] = std::move(row);
      known_[v] = 1;
      ++report.guessed;
    }
  }

  std::vector<WeightRow> finish(TransferReport& report) {
    report.inpainted = static_cast<std::size_t>(std::count(known_.begin(), known_.end(), 0));
    inpaint_rows(skin_.mesh, known_, rows_);
    for (std::size_t v = 0; v < rows_.size(); ++v) {
      if (!skin_.selected[v] || rows_[v].empty()) continue;
      if (!skin_.rows[v].empty()) rows_[v] = with_locked(skin_.rows[v], rows_[v], skin_.locked);
      limit_row(rows_[v], options_.max_influences, skin_.locked);
    }
    report.joints = targets_.report;
    return std::move(rows_);
  }

 private:
  // What is not selected is a boundary with the weights that it has.
  bool stays(std::size_t vertex) const { return !skin_.selected[vertex] && !skin_.rows[vertex].empty(); }

  bool faces(std::size_t vertex, const SurfacePlace& place) const {
    const double cosine = std::cos(options_.max_angle * M_PI / 180);
    return surface_.agrees(place, normals_[vertex], cosine) ||
           (options_.both_sides && surface_.agrees(place, -normals_[vertex], cosine));
  }

  WeightRow row_at(const SurfacePlace& place) const {
    WeightRow row;
    for (int i = 0; i < 3; ++i) {
      if (place.share[i] > 0) add_row(row, source_skin_.rows[place.corners[i]], place.share[i]);
    }
    return translated(row, targets_);
  }

  WeldedSkin source_skin_;
  const WeldedSkin& skin_;
  const TransferOptions& options_;
  CompatibleSurface surface_;
  std::vector<Vec3f> normals_;
  JointTargets targets_;
  double diagonal_;
  std::vector<char> known_;
  std::vector<WeightRow> rows_;
};

}  // namespace

TransferReport transfer_weights(const Character& source, Character& target, const TransferOptions& options,
                                const Progress& progress) {
  require_range(options.max_distance, 0, 10, "max_distance");
  require_range(options.max_angle, 0, 180, "max_angle");
  require_range(options.max_influences, 1, 16, "max_influences");
  return with_threads(options.threads, progress, [&] {
    progress(0.0, "matching surfaces");
    check_character(source);
    Character result = prepared_target(target, source, options.max_influences);
    const WeldedSkin skin = weld_skin(result, options.selection);
    TransferReport report;
    Transfer transfer(source, result, skin, options);
    transfer.match(report, progress.part(0.2, 0.5));
    if (report.matched == 0) {
      throw Error(ErrorCode::characters_differ,
                  "no place of '" + target.name + "' lies at the surface of '" + source.name + "'",
                  "both must stand in the same place, unit and rest pose; a larger distance or angle matches more");
    }
    transfer.guess(report);
    progress(0.5, "continuing weights");
    const std::vector<WeightRow> rows = transfer.finish(report);
    report.change = store_rows(result, skin, rows, result.weights.influences);
    warn_about_replaced(report.joints, report.change.warnings);
    progress(1.0, "continuing weights");
    target = std::move(result);
    return report;
  });
}

}  // namespace sinew
