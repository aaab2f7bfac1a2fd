#include "sinew/flesh/lattice.h"

#include <gtest/gtest.h>

#include <set>

#include "sinew/flesh/lattice_pieces.h"
#include "tests/flesh/arm.h"

namespace sinew {
namespace {

Vec3d embedded(const FleshLattice& lattice, std::size_t v) {
  const auto weights = corner_weights(lattice.skin[v].local);
  Vec3d sum = Vec3d::Zero();
  for (int c = 0; c < 8; ++c) sum += weights[c] * lattice.rest[lattice.corners[lattice.skin[v].cell][c]];
  return sum;
}

std::size_t body_count(const FleshLattice& lattice) {
  DisjointSets sets(lattice.node_count());
  for (const auto& corners : lattice.corners) {
    for (std::uint32_t node : corners) sets.join(corners[0], node);
  }
  std::set<std::uint32_t> roots;
  for (std::uint32_t node = 0; node < lattice.node_count(); ++node) roots.insert(sets.find(node));
  return roots.size();
}

TEST(FleshLattice, HoldsTheSkinAndTheVolume) {
  const Character arm = test::arm();
  const FleshLattice lattice = build_lattice(arm.mesh, {.cell_size = 0.02});
  for (std::size_t v = 0; v < arm.mesh.vertex_count(); ++v) {
    EXPECT_LT((embedded(lattice, v) - arm.mesh.positions[v].cast<double>()).norm(), 1e-6);
  }
  double volume = 0;
  for (std::size_t cell = 0; cell < lattice.cell_count(); ++cell) volume += lattice.fill(cell) * std::pow(0.02, 3);
  EXPECT_NEAR(volume, std::numbers::pi * 0.05 * 0.05 * 0.6, 0.05 * volume);
  EXPECT_EQ(body_count(lattice), 1u);
}

TEST(FleshLattice, NearlyTheWishedNumberOfCells) {
  const FleshLattice lattice = build_lattice(test::arm().mesh, {.cells = 1500});
  EXPECT_NEAR(static_cast<double>(lattice.cell_count()), 1500.0, 300.0);
}

TEST(FleshLattice, PartsCloserThanACellAreNotGlued) {
  // Two fingers with a gap of a tenth of a cell between them.
  TriangleMesh mesh;
  test::add_bar(mesh, {0, 0, 0}, Vec3d::UnitX(), 0.3, 0.02, 16, 20);
  test::add_bar(mesh, {0, 0.042, 0}, Vec3d::UnitX(), 0.3, 0.02, 16, 20);
  EXPECT_EQ(body_count(build_lattice(mesh, {.cell_size = 0.02})), 2u);
  EXPECT_EQ(body_count(build_lattice(mesh, {.cell_size = 0.05})), 2u);
}

TEST(FleshLattice, AnOpenMeshHasAnInsideToo) {
  TriangleMesh mesh = test::arm().mesh;
  mesh.triangles.resize(mesh.triangles.size() - 20);  // without one of its lids
  const FleshLattice lattice = build_lattice(mesh, {.cell_size = 0.02});
  EXPECT_EQ(body_count(lattice), 1u);
  double volume = 0;
  for (std::size_t cell = 0; cell < lattice.cell_count(); ++cell) volume += lattice.fill(cell) * std::pow(0.02, 3);
  EXPECT_NEAR(volume, std::numbers::pi * 0.05 * 0.05 * 0.6, 0.1 * volume);
}

TEST(FleshLattice, RefusesWhatHasNoInside) {
  TriangleMesh cloud = test::arm().mesh;
  cloud.triangles.clear();
  EXPECT_THROW(build_lattice(cloud, {}), Error);
  TriangleMesh flat;
  flat.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  flat.triangles = {{0, 1, 2}};
  EXPECT_THROW(build_lattice(flat, {}), Error);
  EXPECT_THROW(build_lattice(test::arm().mesh, {.cell_size = 1e-5}), Error);
}

}  // namespace
}  // namespace sinew
