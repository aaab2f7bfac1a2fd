// Editing with pins, and surfaces that are not closed meshes.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "sinew/base/random.h"
#include "sinew/mesh/weld.h"
#include "sinew/weights/biharmonic/biharmonic.h"
#include "tests/support/shapes.h"
#include "tests/weights/solids.h"

namespace sinew {
namespace {

using test::bone;
using test::solid_box;

BiharmonicOptions quick(int resolution = 1500) {
  BiharmonicOptions options;
  options.resolution = resolution;
  options.max_iterations = 30;
  return options;
}

const std::vector<BiharmonicHandle> two_bones = {bone({0.3f, 0.5f, 0.5f}, {1.3f, 0.5f, 0.5f}),
                                                 bone({1.6f, 0.5f, 0.5f}, {2.7f, 0.5f, 0.5f})};

// Vertices of the first bone's half, high up, painted to follow the second.
std::vector<BiharmonicPin> paint(const TriangleMesh& mesh) {
  std::vector<BiharmonicPin> pins;
  for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3f& p = mesh.positions[v];
    if (p.z() > 0.99f && p.x() < 0.8f && p.x() > 0.3f) pins.push_back({v, {{1, 3.0}, {0, 1.0}}});
  }
  return pins;
}

TEST(BiharmonicEdit, PinsHoldExactlyAndTheRestFollows) {
  const TriangleMesh mesh = solid_box({0, 0, 0}, {3, 1, 1}, 10);
  BiharmonicSolver solver(mesh, two_bones, quick());
  solver.solve();
  const Eigen::MatrixXd before = solver.vertex_weights();
  const std::vector<BiharmonicPin> pins = paint(mesh);
  ASSERT_GT(pins.size(), 5u);
  solver.solve(pins);
  const Eigen::MatrixXd& after = solver.vertex_weights();
  std::vector<bool> pinned(mesh.vertex_count(), false);
  for (const BiharmonicPin& pin : pins) {
    EXPECT_EQ(after(pin.vertex, 1), 0.75);
    EXPECT_EQ(after(pin.vertex, 0), 0.25);
    pinned[pin.vertex] = true;
  }
  double moved_near = 0.0, moved_far = 0.0;
  for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const double moved = after(v, 1) - before(v, 1);
    const Vec3f& p = mesh.positions[v];
    if (!pinned[v] && p.z() > 0.79f && p.x() < 1.0f) moved_near = std::max(moved_near, moved);
    if (p.x() > 2.5f) moved_far = std::max(moved_far, std::abs(moved));
  }
  EXPECT_GT(moved_near, 0.2);  // not only the painted vertices: their surroundings follow smoothly
  EXPECT_LT(moved_far, 0.02);
}

TEST(BiharmonicEdit, AnswersAsAFreshSolveDoesAndComesBack) {
  const TriangleMesh mesh = solid_box({0, 0, 0}, {3, 1, 1}, 10);
  const std::vector<BiharmonicPin> pins = paint(mesh);
  BiharmonicSolver edited(mesh, two_bones, quick()), fresh(mesh, two_bones, quick());
  edited.solve();
  const Eigen::MatrixXd without = edited.vertex_weights();
  edited.solve(pins);
  fresh.solve(pins);
  EXPECT_LT((edited.vertex_weights() - fresh.vertex_weights()).cwiseAbs().mean(), 0.01);
  EXPECT_GT((edited.vertex_weights() - without).cwiseAbs().mean(), 0.02);
  edited.solve();
  EXPECT_LT((edited.vertex_weights() - without).cwiseAbs().mean(), 0.01);
}

TEST(BiharmonicEdit, AnswersWithinALimitAsAFreshSolveDoes) {
  const TriangleMesh mesh = solid_box({0, 0, 0}, {6, 1, 1}, 12);
  const std::vector<BiharmonicHandle> bones = {
      bone({0.3f, 0.5f, 0.5f}, {1.3f, 0.5f, 0.5f}), bone({1.6f, 0.3f, 0.5f}, {2.7f, 0.3f, 0.5f}),
      bone({1.6f, 0.7f, 0.5f}, {2.7f, 0.7f, 0.5f}), bone({3.0f, 0.5f, 0.5f}, {5.7f, 0.5f, 0.5f})};
  BiharmonicOptions defaults;
  defaults.max_influences = 2;
  defaults.resolution = 3000;
  BiharmonicSolver edited(mesh, bones, defaults);
  edited.solve();
  const Eigen::MatrixXd without = edited.vertex_weights();
  const BiharmonicReport report = edited.solve(paint(mesh));
  BiharmonicOptions patient = defaults;  // many times as long, to a hundredth of the tolerance
  patient.max_iterations = 60;
  patient.tolerance = 5e-5;
  BiharmonicSolver fresh(mesh, bones, patient);
  const BiharmonicReport best = fresh.solve(paint(mesh));
  const Eigen::MatrixXd difference = (edited.vertex_weights() - fresh.vertex_weights()).cwiseAbs();
  EXPECT_LT(difference.mean(), 0.002);
  EXPECT_LT(difference.maxCoeff(), 0.05);
  EXPECT_LT(report.energy, 1.01 * best.energy);
  EXPECT_GT((edited.vertex_weights() - without).cwiseAbs().maxCoeff(), 0.5);
  edited.solve();
  EXPECT_LT((edited.vertex_weights() - without).cwiseAbs().mean(), 0.002);
}

TEST(BiharmonicEdit, SettlingNearAChangeIsCloseToSolvingAndLeavesTheRest) {
  const TriangleMesh mesh = solid_box({0, 0, 0}, {6, 1, 1}, 10);
  const std::vector<BiharmonicHandle> bones = {bone({0.3f, 0.5f, 0.5f}, {1.3f, 0.5f, 0.5f}),
                                               bone({1.6f, 0.5f, 0.5f}, {2.7f, 0.5f, 0.5f}),
                                               bone({3.0f, 0.5f, 0.5f}, {5.7f, 0.5f, 0.5f})};
  for (const int limit : {0, 2}) {
    BiharmonicOptions options = quick(2500);
    options.max_iterations = 12;
    options.max_influences = limit;
    BiharmonicSolver solver(mesh, bones, options);
    solver.solve();
    const Eigen::MatrixXd before = solver.vertex_weights();
    const std::vector<BiharmonicPin> pins = paint(mesh);
    solver.settle_near(pins);
    const Eigen::MatrixXd near = solver.vertex_weights();
    solver.solve(pins);
    const Eigen::MatrixXd& full = solver.vertex_weights();
    for (const BiharmonicPin& pin : pins) EXPECT_EQ(near(pin.vertex, 1), 0.75);
    double unchanged = 0.0;
    for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v) {
      if (mesh.positions[v].x() > 5.0f)
        unchanged = std::max(unchanged, (near.row(v) - before.row(v)).cwiseAbs().maxCoeff());
      EXPECT_NEAR(near.row(v).sum(), 1.0, 1e-12);
      EXPECT_GE(near.row(v).minCoeff(), 0.0);
      EXPECT_LE((near.row(v).array() > 0.0).count(), limit > 0 ? limit : near.cols());
    }
    EXPECT_EQ(unchanged, 0.0) << "limit " << limit;
    const double left = (near - full).cwiseAbs().mean(), change = (before - full).cwiseAbs().mean();
    EXPECT_LT(left, 0.25 * change) << "limit " << limit;
    // And back again: what the full solve has changed far away stays until the next one.
    solver.settle_near({});
    EXPECT_LT((solver.vertex_weights() - before).cwiseAbs().mean(), 0.4 * change) << "limit " << limit;
  }
}

TEST(BiharmonicEdit, KeepsTheLastSolutionWhenASolveIsCancelled) {
  const TriangleMesh mesh = solid_box({0, 0, 0}, {3, 1, 1}, 10);
  BiharmonicSolver solver(mesh, two_bones, quick()), other(mesh, two_bones, quick());
  solver.solve();
  other.solve();
  const Eigen::MatrixXd before = solver.vertex_weights();
  std::atomic<bool> cancel = false;
  const Progress impatient([&](double fraction, std::string_view) { cancel = fraction > 0.0; }, &cancel);
  EXPECT_THROW(solver.solve(paint(mesh), impatient), Error);
  EXPECT_EQ(solver.vertex_weights(), before);
  solver.solve(paint(mesh));
  other.solve(paint(mesh));
  EXPECT_EQ(solver.vertex_weights(), other.vertex_weights());
}

TEST(BiharmonicEdit, RefusesPinsThatMakeNoSense) {
  const TriangleMesh mesh = solid_box({0, 0, 0}, {3, 1, 1}, 4);
  BiharmonicSolver solver(mesh, two_bones, quick(400));
  EXPECT_THROW(solver.solve({{100000, {{0, 1.0}}}}), Error);
  EXPECT_THROW(solver.solve({{0, {{2, 1.0}}}}), Error);
  EXPECT_THROW(solver.solve({{0, {{0, -1.0}}}}), Error);
  EXPECT_THROW(solver.solve({{0, {{0, 0.0}}}}), Error);
  EXPECT_NO_THROW(solver.solve({{0, {{1, 1.0}}}}));
}

TEST(BiharmonicSurfaces, SoupsAndCloudsAreNearToTheClosedMesh) {
  const TriangleMesh closed = test::tube(4, 0.4, 60, 24);
  const std::vector<BiharmonicHandle> bones = {bone({0.2f, 0, 0}, {2, 0, 0}), bone({2, 0, 0}, {3.8f, 0, 0})};
  BiharmonicSolver solver(closed, bones, quick());
  solver.solve();
  const Eigen::MatrixXd reference = solver.vertex_weights();

  TriangleMesh cloud = closed;
  cloud.triangles.clear();
  TriangleMesh with_normals = cloud;
  with_normals.normals = vertex_normals(closed.positions, closed.triangles);
  for (const TriangleMesh& points : {cloud, with_normals}) {
    BiharmonicSolver on_points(points, bones, quick());
    on_points.solve();
    EXPECT_LT((on_points.vertex_weights() - reference).cwiseAbs().mean(), 0.03);
  }

  // Every triangle on its own, a third of them gone, the rest shaken.
  Random random(3);
  TriangleMesh soup;
  std::vector<std::uint32_t> original;
  for (const Triangle& t : closed.triangles) {
    if (random.uniform() < 0.33) continue;
    const auto first = static_cast<std::uint32_t>(soup.positions.size());
    for (std::uint32_t v : t) {
      const Vec3d shake(random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01));
      soup.positions.push_back(closed.positions[v] + shake.cast<float>());
      original.push_back(v);
    }
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  BiharmonicSolver on_soup(soup, bones, quick());
  on_soup.solve();
  double difference = 0.0;
  for (std::size_t v = 0; v < original.size(); ++v) {
    difference += (on_soup.vertex_weights().row(v) - reference.row(original[v])).cwiseAbs().mean();
  }
  EXPECT_LT(difference / static_cast<double>(original.size()), 0.04);
}

TEST(BiharmonicSurfaces, AnIslandFollowsTheNearestBoundPartAndIsSaid) {
  const auto welded = [](const TriangleMesh& mesh) { return welded_mesh(mesh, weld_positions(mesh.positions)); };
  TriangleMesh mesh = welded(solid_box({0, 0, 0}, {3, 1, 1}, 6));
  const std::size_t body = mesh.vertex_count();
  test::append(mesh, welded(solid_box({2.4f, 0.3f, 1.1f}, {2.8f, 0.7f, 1.4f}, 2)));
  for (const int limit : {0, 1}) {
    BiharmonicOptions options = quick();
    options.max_influences = limit;
    BiharmonicSolver solver(mesh, two_bones, options);
    const BiharmonicReport report = solver.solve();
    EXPECT_EQ(report.island_vertices, mesh.vertex_count() - body);
    const Warnings warnings = solver.warnings();
    EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), [](const Warning& w) { return w.code == "islands"; }));
    for (std::size_t v = body; v < mesh.vertex_count(); ++v) EXPECT_GT(solver.vertex_weights()(v, 1), 0.9);
    // A pin binds it for good.
    const auto island = static_cast<std::uint32_t>(body);
    EXPECT_EQ(solver.solve({{island, {{0, 1.0}}}}).island_vertices, 0u);
    for (std::size_t v = body; v < mesh.vertex_count(); ++v) EXPECT_GT(solver.vertex_weights()(v, 0), 0.9);
  }
}

TEST(BiharmonicSurfaces, AnOpenShellThatFacesInwardsHasAnInsideToo) {
  // A trough without its long upper side: too open to be a solid of its own, and inside out.
  TriangleMesh shell = solid_box({0, 0, 0}, {3, 1, 1}, 8);
  std::erase_if(shell.triangles, [&](const Triangle& t) {
    return std::all_of(t.begin(), t.end(), [&](std::uint32_t v) { return shell.positions[v].z() > 0.99f; });
  });
  for (Triangle& t : shell.triangles) std::swap(t[1], t[2]);
  BiharmonicSolver solver(shell, two_bones, quick());
  EXPECT_TRUE(solver.warnings().empty());
  solver.solve();
  const Eigen::MatrixXd weights = solver.weights_at({{0.8f, 0.3f, 0.4f}, {2.2f, 0.7f, 0.4f}});
  EXPECT_GT(weights(0, 0), 0.9);
  EXPECT_GT(weights(1, 1), 0.9);
}

TEST(BiharmonicSurfaces, ABoneCloseToTheSurfaceDoesNotReachThroughIt) {
  // Its own prong's inner face is 0.004 away, the other prong 0.024: nearer than the points are to each other.
  const float length = 2.0f, thickness = 0.25f, gap = 0.02f;
  const float near = gap / 2 + 0.004f, middle = (thickness + gap) / 2;
  const TriangleMesh mesh = test::fork(length, thickness, gap);
  BiharmonicSolver solver(mesh, {bone({0.6f, near, 0}, {1.8f, near, 0}), bone({0.6f, -middle, 0}, {1.8f, -middle, 0})},
                          quick(2500));
  solver.solve();
  std::vector<Vec3f> other_side, own_side;
  for (int i = 0; i < 20; ++i) {
    const float x = 0.8f + 0.045f * static_cast<float>(i);
    other_side.emplace_back(x, -gap / 2 - 0.004f, 0.0f);
    own_side.emplace_back(x, gap / 2 + 0.2f, 0.0f);
  }
  EXPECT_LT(solver.weights_at(other_side).col(0).maxCoeff(), 0.01);
  EXPECT_GT(solver.weights_at(own_side).col(0).minCoeff(), 0.99);
}

TEST(BiharmonicSurfaces, ABoneJustOutsideAThinPartIsNotGivenToAThickOneFarAway) {
  // A thumb whose coarse skin has shrunk off its last bone, and a head of hair.
  TriangleMesh mesh = solid_box({0, 0, 0}, {2, 0.01f, 0.01f}, 8);
  const std::size_t rod = mesh.vertex_count();
  test::append(mesh, solid_box({0, 1, 0}, {1, 2, 1}, 4));
  const float middle = 0.005f;
  for (const Vec3f& beside : {Vec3f(0, 0, 0.008f), Vec3f(0, 0.008f, 0.008f)}) {  // off a face, off an edge
    BiharmonicSolver solver(mesh,
                            {bone({0.1f, middle, middle}, {0.9f, middle, middle}),
                             bone(Vec3f(1.1f, middle, middle) + beside, Vec3f(1.9f, middle, middle) + beside),
                             bone({0.5f, 1.2f, 0.5f}, {0.5f, 1.8f, 0.5f})},
                            quick(1500));
    solver.solve();
    const Eigen::MatrixXd& weights = solver.vertex_weights();
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
      if (v >= rod) {
        EXPECT_LT(weights(v, 1), 0.01);
      } else if (mesh.positions[v].x() > 1.7f) {
        EXPECT_GT(weights(v, 1), 0.9);
      }
    }
  }
}

TEST(BiharmonicSurfaces, AFingerOnALargeBodyIsNotStarved) {
  // A finger of one two-thousandth of the body's volume.
  TriangleMesh mesh = solid_box({0, 0, 0}, {2, 2, 2}, 4);
  test::append(mesh, solid_box({1.99f, 0.95f, 0.95f}, {2.6f, 1.03f, 1.03f}, 6));
  const std::vector<BiharmonicHandle> bones = {bone({1, 1, 0.3f}, {1, 1, 1.7f}),
                                               bone({2.05f, 0.99f, 0.99f}, {2.3f, 0.99f, 0.99f}),
                                               bone({2.3f, 0.99f, 0.99f}, {2.55f, 0.99f, 0.99f})};
  BiharmonicSolver solver(mesh, bones, quick(3000));
  solver.solve();
  const auto in_finger =
      std::count_if(solver.points().begin(), solver.points().end(), [](const Vec3f& p) { return p.x() > 2.05f; });
  EXPECT_GT(in_finger, 60);
  const Eigen::MatrixXd tip = solver.weights_at({{2.58f, 1.0f, 1.0f}, {2.42f, 0.96f, 1.02f}, {2.18f, 1.02f, 0.96f}});
  EXPECT_GT(tip(0, 2), 0.99);
  EXPECT_GT(tip(1, 2), 0.9);
  EXPECT_GT(tip(2, 1), 0.9);
}

}  // namespace
}  // namespace sinew
