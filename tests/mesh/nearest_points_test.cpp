#include "sinew/mesh/nearest_points.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/random.h"
#include "sinew/error.h"

namespace sinew {
namespace {

std::vector<Vec3f> random_points(int count, Random& random) {
  std::vector<Vec3f> points;
  for (int i = 0; i < count; ++i) {
    points.emplace_back(random.normal(), random.normal() * 0.01, std::round(2 * random.normal()));
  }
  return points;
}

TEST(NearestPoints, AgreesWithTryingThemAll) {
  Random random(4);
  const std::vector<Vec3f> points = random_points(700, random), queries = random_points(200, random);
  const NearestPoints tree(points);
  for (const Vec3f& query : queries) {
    double best = std::numeric_limits<double>::infinity();
    std::size_t inside = 0;
    for (const Vec3f& point : points) {
      const double distance = (point - query).cast<double>().norm();
      best = std::min(best, distance);
      inside += distance < 0.3;
    }
    NearPoint near;
    ASSERT_TRUE(tree.nearest(query, near));
    EXPECT_NEAR(near.distance, best, 1e-6);
    EXPECT_NEAR((points[near.index] - query).norm(), best, 1e-6);
    EXPECT_FALSE(tree.nearest(query, near, best * 0.999));
    ASSERT_TRUE(tree.nearest(query, near, best * 1.001 + 1e-9));
    std::vector<NearPoint> within;
    tree.within(query, 0.3, within);
    EXPECT_EQ(within.size(), inside);
    EXPECT_TRUE(std::is_sorted(within.begin(), within.end(), [](auto& a, auto& b) { return a.index < b.index; }));
  }
}

TEST(NearestPoints, EmptyEqualAndBadPoints) {
  NearPoint near;
  EXPECT_FALSE(NearestPoints({}).nearest(Vec3f::Zero(), near));
  const NearestPoints same(std::vector<Vec3f>(1000, Vec3f::Ones()));
  ASSERT_TRUE(same.nearest(Vec3f::Zero(), near));
  EXPECT_NEAR(near.distance, std::sqrt(3.0), 1e-6);
  EXPECT_THROW(NearestPoints({Vec3f(0, std::nanf(""), 0)}), Error);
}

}  // namespace
}  // namespace sinew
