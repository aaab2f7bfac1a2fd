#include "sinew/weights/tools/topology_mirror.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/skins.h"

namespace sinew {
namespace {

// The vertex nearest to each mirrored place.
std::vector<std::uint32_t> nearest_of(const TriangleMesh& mesh, const SidePlane& plane) {
  std::vector<std::uint32_t> nearest(mesh.vertex_count(), 0);
  for (std::size_t v = 0; v < nearest.size(); ++v) {
    const Vec3f place = plane.image(mesh.positions[v]);
    for (std::uint32_t w = 0; w < nearest.size(); ++w) {
      if ((mesh.positions[w] - place).norm() < (mesh.positions[nearest[v]] - place).norm()) nearest[v] = w;
    }
  }
  return nearest;
}

TEST(TopologyMirror, FindsEveryImageAndIsItsOwnInverse) {
  const TriangleMesh mesh = test::symmetric_skin().mesh;
  const std::vector<std::uint32_t> image = mirror_by_topology(mesh, {}, nearest_of(mesh, {}));
  for (std::uint32_t v = 0; v < image.size(); ++v) {
    ASSERT_NE(image[v], no_image);
    EXPECT_EQ(image[image[v]], v);
    EXPECT_LT((SidePlane{}.image(mesh.positions[v]) - mesh.positions[image[v]]).norm(), 1e-6);
  }
}

TEST(TopologyMirror, PairsWholePieces) {
  TriangleMesh mesh = test::symmetric_skin().mesh;
  const TriangleMesh box = test::tube(0.4, 0.1, 4, 5);
  for (const float side : {1.0f, -1.0f}) {  // a pouch at each hip, wound as its mirror image
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const Vec3f& p : box.positions) mesh.positions.push_back({side * (p.x() + 0.5f), p.y() - 1, p.z()});
    for (const Triangle& t : box.triangles) {
      mesh.triangles.push_back(side > 0 ? Triangle{first + t[0], first + t[1], first + t[2]}
                                        : Triangle{first + t[1], first + t[0], first + t[2]});
    }
  }
  const auto count = static_cast<std::uint32_t>(box.vertex_count());
  const auto first = static_cast<std::uint32_t>(mesh.vertex_count()) - 2 * count;
  const std::vector<std::uint32_t> image = mirror_by_topology(mesh, {}, nearest_of(mesh, {}));
  for (std::uint32_t v = 0; v < count; ++v) {
    EXPECT_EQ(image[first + v], first + count + v);
    EXPECT_EQ(image[first + count + v], first + v);
  }
}

TEST(TopologyMirror, LeavesOtherPiecesAlone) {
  TriangleMesh twisted = test::tube(4, 0.25, 41, 8);  // diagonals that are not mirrored
  for (Vec3f& p : twisted.positions) p.x() -= 2;
  for (const std::uint32_t image : mirror_by_topology(twisted, {}, nearest_of(twisted, {}))) EXPECT_EQ(image, no_image);
  TriangleMesh hole = test::symmetric_skin().mesh;  // a triangle of one side is missing
  hole.triangles.erase(hole.triangles.begin() + 40);
  for (const std::uint32_t image : mirror_by_topology(hole, {}, nearest_of(hole, {}))) EXPECT_EQ(image, no_image);
  TriangleMesh doubled = test::symmetric_skin().mesh;  // not manifold
  doubled.triangles.push_back(doubled.triangles[10]);
  for (const std::uint32_t image : mirror_by_topology(doubled, {}, nearest_of(doubled, {}))) EXPECT_EQ(image, no_image);
}

// Vertex numbers do not matter.
TEST(TopologyMirror, WorksInAnyOrder) {
  const TriangleMesh mesh = test::symmetric_skin().mesh;
  std::vector<std::uint32_t> place(mesh.vertex_count());
  std::iota(place.begin(), place.end(), 0);
  Random random(4);
  for (std::size_t i = place.size(); i > 1; --i) std::swap(place[i - 1], place[random.below(i)]);
  TriangleMesh shuffled = mesh;
  for (std::size_t v = 0; v < place.size(); ++v) shuffled.positions[place[v]] = mesh.positions[v];
  for (Triangle& t : shuffled.triangles) {
    for (std::uint32_t& corner : t) corner = place[corner];
  }
  const std::vector<std::uint32_t> image = mirror_by_topology(mesh, {}, nearest_of(mesh, {}));
  const std::vector<std::uint32_t> other = mirror_by_topology(shuffled, {}, nearest_of(shuffled, {}));
  for (std::size_t v = 0; v < place.size(); ++v) EXPECT_EQ(other[place[v]], place[image[v]]);
}

}  // namespace
}  // namespace sinew
