#include "sinew/learn/feature_views.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/parallel.h"
#include "sinew/mesh/ray_scene.h"

namespace sinew {
namespace {

constexpr double half_width = 0.62;       // of a picture, in heights: an outstretched arm fits
const Vec3d picture_centre(0, 0.5, 0);    // in body space
constexpr double depth_tolerance = 0.03;  // a place this far behind what the picture shows still counts as seen

Mat3d view_axes(int view) {
  const double yaw = view * std::numbers::pi / 4;
  const double pitch = view % 2 == 0 ? 0.0 : (view % 4 == 1 ? 0.35 : -0.35);
  const Vec3d towards(std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch));
  const Vec3d right = Vec3d::UnitY().cross(towards).normalized();
  Mat3d axes;
  axes << right.transpose(), towards.cross(right).transpose(), towards.transpose();
  return axes;
}

void shoot_pixel(const TriangleMesh& body, const RayScene& scene, int size, int pixel, FeatureView& view) {
  const double x = ((pixel % size) + 0.5) / size * 2 - 1, y = 1 - ((pixel / size) + 0.5) / size * 2;
  const Vec3d from = picture_centre + view.axes.transpose() * Vec3d(half_width * x, half_width * y, 2.0);
  RayHit hit;
  if (!scene.intersect(from.cast<float>(), (-view.axes.row(2).transpose()).cast<float>(), hit)) return;
  const Triangle& t = body.triangles[hit.triangle];
  const Vec3f share(1 - hit.barycentric.x() - hit.barycentric.y(), hit.barycentric.x(), hit.barycentric.y());
  Vec3f normal = share[0] * body.normals[t[0]] + share[1] * body.normals[t[1]] + share[2] * body.normals[t[2]];
  Vec3d seen = view.axes * normal.cast<double>();
  if (seen.norm() < 1e-6) seen = Vec3d::UnitZ();
  seen.normalize();
  if (seen.z() < 0) seen = -seen;  // inside-out triangles look the same
  view.triangles[pixel] = hit.triangle;
  view.shares[pixel] = share;
  for (int c = 0; c < 3; ++c) view.picture.values(c, pixel) = static_cast<float>(seen[c]);
  view.picture.values(3, pixel) = 2.0f - hit.distance;
  view.picture.values(4, pixel) = 1.0f;
}

// Adds what one view knows of a point; returns how much it counts.
double look_at(const FeatureView& view, const FeatureMap& map, const Vec3f& point, int certainty_channel,
               Eigen::RowVectorXf& sum) {
  const Vec3d at = view.project(point.cast<double>());
  const int size = view.picture.width;
  const int column = static_cast<int>(std::floor(at.x())), row = static_cast<int>(std::floor(at.y()));
  if (column < 0 || row < 0 || column >= size || row >= size) return 0;
  const int pixel = row * size + column;
  if (view.triangles[pixel] < 0 || view.picture.values(3, pixel) - at.z() > depth_tolerance) return 0;
  const int map_row = std::min(row * map.height / size, map.height - 1);
  const int map_pixel = map_row * map.width + std::min(column * map.width / size, map.width - 1);
  // Places seen at a grazing angle are smeared over many pixels' worth of surface.
  double weight = std::max(0.05f, view.picture.values(2, pixel));
  if (certainty_channel >= 0) weight *= std::exp(-std::clamp(map.values(certainty_channel, map_pixel), -8.0f, 8.0f));
  int out = 0;
  for (int c = 0; c < map.values.rows(); ++c) {
    if (c == certainty_channel) continue;
    sum[out++] += static_cast<float>(weight) * map.values(c, map_pixel);
  }
  return weight;
}

}  // namespace

Vec3d FeatureView::project(const Vec3d& body_point) const {
  const Vec3d at = axes * (body_point - picture_centre);
  return {(at.x() / half_width + 1) / 2 * picture.width, (1 - at.y() / half_width) / 2 * picture.height, at.z()};
}

std::vector<FeatureView> render_feature_views(const TriangleMesh& body, int size) {
  const RayScene scene(body.positions, body.triangles);
  std::vector<FeatureView> views(feature_view_count);
  const int pixels = size * size;
  for (int v = 0; v < feature_view_count; ++v) {
    views[v].axes = view_axes(v);
    views[v].picture = {size, size, NetMatrix::Zero(feature_view_channels, pixels)};
    views[v].triangles.assign(pixels, -1);
    views[v].shares.assign(pixels, Vec3f::Zero());
  }
  parallel_for(static_cast<std::size_t>(feature_view_count) * pixels, 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      shoot_pixel(body, scene, size, static_cast<int>(i) % pixels, views[i / pixels]);
    }
  });
  return views;
}

FeatureMap shaded_picture(const FeatureView& view) {
  FeatureMap picture{view.picture.height, view.picture.width, NetMatrix::Ones(3, view.picture.values.cols())};
  for (Eigen::Index pixel = 0; pixel < picture.values.cols(); ++pixel) {
    if (view.triangles[pixel] < 0) continue;
    picture.values.col(pixel).setConstant(0.15f + 0.7f * view.picture.values(2, pixel));
  }
  return picture;
}

NetMatrix gather_features(const std::vector<FeatureView>& views, const std::vector<FeatureMap>& maps,
                          const std::vector<Vec3f>& points, int certainty_channel) {
  const Eigen::Index channels = maps.front().values.rows() - (certainty_channel >= 0 ? 1 : 0);
  NetMatrix features = NetMatrix::Zero(static_cast<Eigen::Index>(points.size()), channels + 1);
  parallel_for(points.size(), 512, [&](std::size_t begin, std::size_t end) {
    Eigen::RowVectorXf sum(channels);
    for (std::size_t i = begin; i < end; ++i) {
      sum.setZero();
      double weight = 0;
      for (std::size_t v = 0; v < views.size(); ++v) {
        weight += look_at(views[v], maps[v], points[i], certainty_channel, sum);
      }
      if (weight <= 0) continue;
      features.row(static_cast<Eigen::Index>(i)).head(channels) = sum / static_cast<float>(weight);
      features(static_cast<Eigen::Index>(i), channels) = static_cast<float>(weight / (weight + 1.0));
    }
  });
  return features;
}

}  // namespace sinew
