#include "sinew/mesh/components.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Components, AreNumberedByFirstAppearance) {
  const Components components = connected_components(9, {{5, 6, 7}, {1, 2, 3}, {7, 8, 5}});
  EXPECT_EQ(components.count, 4u);
  EXPECT_EQ(components.component_of, (std::vector<std::uint32_t>{0, 1, 1, 1, 2, 3, 3, 3, 3}));
}

TEST(Components, JoinLongChainsInAnyOrder) {
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 998; i-- > 0;) triangles.push_back({i, i + 1, i + 2});
  EXPECT_EQ(connected_components(1000, triangles).count, 1u);
  EXPECT_EQ(connected_components(0, {}).count, 0u);
}

}  // namespace
}  // namespace sinew
