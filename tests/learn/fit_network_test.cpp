#include "sinew/learn/fit_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/base/parallel.h"
#include "sinew/error.h"
#include "tests/learn/networks.h"
#include "tests/support/figure.h"

namespace sinew {
namespace {

MeshInputs random_places(int count, int features) {
  Random random(11);
  MeshInputs inputs(count, 6 + features);
  for (Eigen::Index i = 0; i < inputs.size(); ++i) inputs.data()[i] = static_cast<float>(random.uniform());
  return inputs;
}

SkeletonGraph figure_graph() {
  const Skeleton figure = test::standing_figure();
  SkeletonGraph graph = body_graph(figure, identify_joints_anyhow(figure));
  stand_in_body_space(graph, Mat3d::Identity());
  return graph;
}

TEST(SkeletonGraphTest, StandsUprightAndKnowsItsFamily) {
  const SkeletonGraph graph = figure_graph();
  double low = 1, high = 0;
  for (const Vec3d& p : graph.positions) {
    low = std::min(low, p.y());
    high = std::max(high, p.y());
  }
  EXPECT_NEAR(low, 0.04, 1e-9);
  EXPECT_NEAR(high, 0.92, 1e-9);
  const std::vector<std::uint8_t> hops = hop_relations(graph);
  const int n = graph.count();
  for (int a = 0; a < n; ++a) {
    EXPECT_EQ(hops[a * n + a], 0);
    const int parent = graph.parents[a];
    if (parent < 0) continue;
    EXPECT_EQ(hops[a * n + parent], 1);
    EXPECT_EQ(hops[parent * n + a], 5);
  }
  const std::vector<int> partners = mirror_partners(graph);
  int pairs = 0;
  for (int a = 0; a < n; ++a) {
    ASSERT_GE(partners[a], 0);
    EXPECT_EQ(partners[partners[a]], a);
    pairs += partners[a] != a;
  }
  EXPECT_GT(pairs, 10);
}

// A set of places has no order, and joints stand between the places they look at.
TEST(FitNetworkTest, OrderOfPlacesDoesNotMatter) {
  const FitNetwork network(test::random_networks(4));
  const MeshInputs inputs = random_places(200, 4);
  MeshInputs shuffled(inputs.rows(), inputs.cols());
  for (Eigen::Index i = 0; i < inputs.rows(); ++i) shuffled.row(i) = inputs.row((7 * i + 3) % inputs.rows());
  const SkeletonGraph graph = figure_graph();
  const std::vector<Vec3d> a = network.place_joints(network.encode(inputs), graph);
  const std::vector<Vec3d> b = network.place_joints(network.encode(shuffled), graph);
  ASSERT_EQ(a.size(), graph.positions.size());
  for (std::size_t j = 0; j < a.size(); ++j) {
    EXPECT_LT((a[j] - b[j]).norm(), 1e-4);
    EXPECT_LT((a[j] - Vec3d::Constant(0.5)).norm(), 2.0);
  }
}

TEST(FitNetworkTest, IsTheSameAtAnyThreadCount) {
  const FitNetwork network(test::random_networks(4));
  const MeshInputs inputs = random_places(300, 4);
  const auto run = [&] { return network.place_joints(network.encode(inputs), figure_graph()); };
  EXPECT_EQ(with_threads(1, run), with_threads(2, run));
}

TEST(FitNetworkTest, IncompleteFilesAreRefused) {
  NetworkFile file = test::random_networks(4);
  EXPECT_THROW(FitNetwork(NetworkFile{}), Error);
  file.arrays.erase("fit.decoder1.mix.w");
  EXPECT_THROW(FitNetwork{file}, Error);
  const FitNetwork network(test::random_networks(4));
  EXPECT_THROW(network.encode(random_places(10, 2)), Error);
}

}  // namespace
}  // namespace sinew
