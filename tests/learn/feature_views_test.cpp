#include "sinew/learn/feature_views.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/base/parallel.h"
#include "sinew/builtin/implicit_surface.h"
#include "sinew/learn/body_space.h"
#include "sinew/learn/image_network.h"
#include "tests/learn/networks.h"

namespace sinew {
namespace {

// A ball of radius 0.4 around the middle of the picture, in body space.
TriangleMesh ball() {
  ImplicitOptions options;
  options.box = AABBd(Vec3d(-0.6, -0.1, -0.6), Vec3d(0.6, 1.1, 0.6));
  options.cell_size = [](const Vec3d&) { return 0.04; };
  options.largest_cell = 0.08;
  TriangleMesh mesh = implicit_surface([](const Vec3d& p) { return (p - Vec3d(0, 0.5, 0)).norm() - 0.4; }, options);
  return to_body_space(mesh, BodySpace{});
}

TEST(FeatureViews, ABallLooksTheSameFromAllSides) {
  const std::vector<FeatureView> views = render_feature_views(ball(), 64);
  ASSERT_EQ(views.size(), static_cast<std::size_t>(feature_view_count));
  for (const FeatureView& view : views) {
    const double area = view.picture.values.row(4).sum() / (64.0 * 64.0);
    EXPECT_NEAR(area, std::numbers::pi * 0.4 * 0.4 / (1.24 * 1.24), 0.02);
    const int middle = 32 * 64 + 32;
    EXPECT_GT(view.picture.values(2, middle), 0.97);  // faces the camera
    EXPECT_NEAR(view.picture.values(3, middle), 0.4, 0.02);
    EXPECT_EQ(view.picture.values.col(0).cwiseAbs().maxCoeff(), 0);  // nothing in the corner
    const FeatureMap shaded = shaded_picture(view);
    EXPECT_EQ(shaded.values(0, 0), 1);
    EXPECT_GE(shaded.values.minCoeff(), 0);
    EXPECT_LE(shaded.values.maxCoeff(), 1);
  }
}

// Maps that hold, at every pixel, the place that is seen there: gathered at a vertex they give its position.
TEST(FeatureViews, FeaturesComeBackToTheirPlace) {
  const TriangleMesh mesh = ball();
  const std::vector<FeatureView> views = render_feature_views(mesh, 96);
  std::vector<FeatureMap> maps;
  for (const FeatureView& view : views) {
    FeatureMap map{96, 96, NetMatrix::Zero(3, 96 * 96)};
    for (int i = 0; i < 96 * 96; ++i) {
      if (view.triangles[i] < 0) continue;
      const Triangle& t = mesh.triangles[static_cast<std::size_t>(view.triangles[i])];
      for (int k = 0; k < 3; ++k) map.values.col(i) += view.shares[i][k] * mesh.positions[t[k]];
    }
    maps.push_back(map);
  }
  const NetMatrix features = gather_features(views, maps, mesh.positions, -1);
  double worst = 0;
  int seen = 0;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const auto row = features.row(static_cast<Eigen::Index>(v));
    if (row[3] <= 0) continue;
    ++seen;
    worst = std::max<double>(worst, (row.head<3>().transpose() - mesh.positions[v]).norm());
  }
  EXPECT_GT(seen, 0.85 * static_cast<double>(mesh.positions.size()));  // all but near the poles
  EXPECT_LT(worst, 0.06);
  const NetMatrix hidden = gather_features(views, maps, {Vec3f(0, 0.5f, 0)}, -1);
  EXPECT_EQ(hidden.cwiseAbs().maxCoeff(), 0);  // inside the ball nothing is seen
}

TEST(FeatureViews, SameBitsAtAnyThreadCount) {
  const TriangleMesh mesh = ball();
  const ImageNetwork network(test::random_networks(4));
  const auto run = [&] {
    const std::vector<FeatureView> views = render_feature_views(mesh, 80);
    return gather_features(views, network.run(views), mesh.positions, image_certainty_channel);
  };
  const NetMatrix one = with_threads(1, run), two = with_threads(2, run);
  EXPECT_EQ(one, two);
  EXPECT_EQ(one.cols(), 4);
}

}  // namespace
}  // namespace sinew
