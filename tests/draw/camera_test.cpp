#include "sinew/draw/camera.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/base/random.h"

namespace sinew {
namespace {

TEST(Camera, FramesEveryPointAndTouchesTheMargin) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Vec3f> points;
    const float stretch_x = static_cast<float>(random.uniform(0.1, 8)),
                offset = static_cast<float>(random.normal() * 50);
    for (int i = 0; i < 50; ++i) {
      points.emplace_back(offset + stretch_x * static_cast<float>(random.normal()), static_cast<float>(random.normal()),
                          static_cast<float>(2 * random.normal()));
    }
    const View view{random.uniform(-180, 180), random.uniform(-90, 90)};
    const int width = 200 + static_cast<int>(random.below(800)), height = 200 + static_cast<int>(random.below(800));
    const Camera camera = frame_points(points, view, {.width = width, .height = height, .margin = 0.1});
    double extent_x = 0, extent_y = 0;
    for (const Vec3f& point : points) {
      const Vec3d place = project(camera, point.cast<double>(), width, height);
      EXPECT_GT(place.z(), 0);
      extent_x = std::max(extent_x, std::abs(place.x() - width / 2.0) / (width / 2.0));
      extent_y = std::max(extent_y, std::abs(place.y() - height / 2.0) / (height / 2.0));
    }
    EXPECT_LE(std::max(extent_x, extent_y), 0.9 + 1e-4);
    EXPECT_NEAR(std::max(extent_x, extent_y), 0.9, 1e-3) << "as large as it goes";
  }
}

TEST(Camera, ViewsLookFromTheirSide) {
  const std::vector<Vec3f> cube = {{-1, -1, -1}, {1, 1, 1}, {-1, 1, 1}, {1, -1, -1}};
  EXPECT_GT(frame_points(cube, front_view).eye.z(), 2);
  EXPECT_LT(frame_points(cube, back_view).eye.z(), -2);
  EXPECT_GT(frame_points(cube, side_view).eye.x(), 2);
  EXPECT_GT(frame_points(cube, top_view).eye.y(), 2);
  for (const View& view : {front_view, side_view, back_view, three_quarter_view, top_view}) {
    const Camera camera = frame_points(cube, view);
    EXPECT_NEAR(camera.right.norm(), 1, 1e-12);
    EXPECT_NEAR(camera.up.norm(), 1, 1e-12);
    EXPECT_NEAR(camera.right.dot(camera.up), 0, 1e-12);
    EXPECT_NEAR((camera.right.cross(camera.up) + camera.forward).norm(), 0, 1e-12);
  }
}

TEST(Camera, RaysGoWhereProjectionSays) {
  const Camera camera = frame_points({{0, 0, 0}, {1, 2, 3}}, three_quarter_view, {.width = 640, .height = 480});
  for (double x : {0.0, 100.5, 640.0}) {
    for (double y : {0.0, 333.25, 480.0}) {
      const Vec3d place = project(camera, camera.eye + 3.7 * ray_direction(camera, x, y, 640, 480), 640, 480);
      EXPECT_NEAR(place.x(), x, 1e-9);
      EXPECT_NEAR(place.y(), y, 1e-9);
    }
  }
}

TEST(Camera, OddInputStillGivesACamera) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::vector<Vec3f>& points : {std::vector<Vec3f>{}, std::vector<Vec3f>{{5, 5, 5}},
                                           std::vector<Vec3f>{{nan, 0, 0}}, std::vector<Vec3f>{{0, 0, 0}, {0, 0, 1}}}) {
    const Camera camera = frame_points(points, front_view);
    EXPECT_TRUE(camera.eye.allFinite());
    for (const Vec3f& point : points) {
      if (!point.allFinite()) continue;
      EXPECT_GT(project(camera, point.cast<double>(), 100, 100).z(), 0);
    }
  }
}

TEST(Camera, ViewsByName) {
  EXPECT_EQ(parse_view("side")->turn_degrees, 90);
  EXPECT_EQ(parse_view("-30.5:15")->turn_degrees, -30.5);
  EXPECT_EQ(parse_view("-30.5:15")->height_degrees, 15);
  for (const char* wrong : {"", "sideways", "30", "30:", ":3", "1:91", "nan:0", "1:2:3", "30:15x"}) {
    EXPECT_FALSE(parse_view(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace sinew
