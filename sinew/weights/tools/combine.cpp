#include <algorithm>
#include <cmath>

#include "sinew/base/closest_name.h"
#include "sinew/base/parallel.h"
#include "sinew/weights/tools/prepare_target.h"
#include "sinew/weights/tools/same_vertices.h"

namespace sinew {
namespace {

void check_layer(const WeightLayer& layer, const Character& target) {
  if (!layer.source) throw Error(ErrorCode::argument_invalid, "a layer of weights has no character");
  if (layer.mask.empty()) return;
  if (layer.mask.size() != target.mesh.vertex_count()) {
    throw Error(ErrorCode::settings_invalid, "the mask has " + std::to_string(layer.mask.size()) +
                                                 " values, the mesh " + std::to_string(target.mesh.vertex_count()) +
                                                 " vertices");
  }
  for (const float value : layer.mask) {
    if (value >= 0 && value <= 1) continue;
    throw Error(ErrorCode::settings_invalid, "a value of the mask is not between 0 and 1");
  }
}

// Per welded vertex: how much of the layer, the mean over copies.
std::vector<double> shares_of(const WeightLayer& layer, const Character& target, const WeldedSkin& skin) {
  std::vector<char> inside(target.mesh.vertex_count(), layer.parts.empty());
  if (!layer.parts.empty()) {
    for (const std::uint32_t v : vertices_of_parts(target, layer.parts)) inside[v] = 1;
  }
  std::vector<double> sum(skin.vertex_count(), 0.0), copies(skin.vertex_count(), 0.0);
  for (std::size_t v = 0; v < skin.welded_of.size(); ++v) {
    if (skin.welded_of[v] == WeldedSkin::not_skinned) continue;
    const double own = layer.mask.empty() ? 1.0 : static_cast<double>(layer.mask[v]);
    sum[skin.welded_of[v]] += inside[v] ? own : 0.0;
    copies[skin.welded_of[v]] += 1;
  }
  for (std::size_t v = 0; v < sum.size(); ++v) sum[v] /= std::max(1.0, copies[v]);
  return sum;
}

}  // namespace

WeightChange combine_weights(Character& target, const std::vector<WeightLayer>& layers, const CombineOptions& options,
                             const Progress& progress) {
  require_range(options.max_influences, 0, 16, "max_influences");
  require_range(options.tolerance, 0, 0.1, "tolerance");
  for (const WeightLayer& layer : layers) check_layer(layer, target);
  return with_threads(options.threads, progress, [&] {
    Character result = target;
    const WeldedSkin skin = weld_skin(result, options.selection);
    std::vector<WeightRow> rows = skin.rows;
    int most = skin.most_influences;
    std::size_t missing = 0;
    Warnings warnings;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      progress(static_cast<double>(i) / static_cast<double>(layers.size()), "combining weights");
      const SameVertices same = rows_of_same_vertices(*layers[i].source, result, skin, options.tolerance);
      const std::vector<double> shares = shares_of(layers[i], result, skin);
      most = std::max(most, same.most_influences);
      warn_about_replaced(same.joints, warnings);
      for (std::size_t v = 0; v < rows.size(); ++v) {
        if (!skin.selected[v] || !(shares[v] > 0)) continue;
        if (same.rows[v].empty()) {
          ++missing;
          continue;
        }
        WeightRow mixed = same.rows[v];
        scale_row(mixed, rows[v].empty() ? 1.0 : shares[v]);
        add_row(mixed, rows[v], 1.0 - shares[v]);
        std::erase_if(mixed, [](const Influence& influence) { return !(influence.weight > 0); });
        rows[v] = rows[v].empty() ? mixed : with_locked(rows[v], mixed, skin.locked);
      }
    }
    const int limit = options.max_influences > 0 ? options.max_influences : most;
    for (std::size_t v = 0; v < rows.size(); ++v) {
      if (skin.selected[v]) limit_row(rows[v], limit, skin.locked);
    }
    WeightChange change = store_rows(result, skin, rows, std::max(limit, result.weights.influences));
    if (missing > 0) {
      warnings.push_back({"vertices-not-matched",
                          std::to_string(missing) + " vertices of layers have no counterpart and were left out"});
    }
    change.warnings = std::move(warnings);
    progress(1.0, "combining weights");
    target = std::move(result);
    return change;
  });
}

std::vector<float> mask_from_colors(const TriangleMesh& mesh, const std::string& channel) {
  const std::vector<std::string> channels{"red", "green", "blue", "alpha", "grey"};
  const auto found = std::find(channels.begin(), channels.end(), channel);
  if (found == channels.end()) {
    throw Error(ErrorCode::choice_unknown, "'" + channel + "' is not a colour channel", choices_for(channel, channels));
  }
  if (mesh.colors.empty()) {
    throw Error(ErrorCode::mesh_invalid, "the mesh has no vertex colours",
                "paint them, or give the mask as one value per vertex");
  }
  const auto index = found - channels.begin();
  std::vector<float> mask;
  mask.reserve(mesh.colors.size());
  for (const Vec4f& color : mesh.colors) {
    const float value = index < 4 ? color[index] : (color[0] + color[1] + color[2]) / 3;
    mask.push_back(std::isfinite(value) ? std::clamp(value, 0.0f, 1.0f) : 0.0f);
  }
  return mask;
}

}  // namespace sinew
