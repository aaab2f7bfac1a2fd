#include "sinew/flesh/flesh_solver.h"

#include <gtest/gtest.h>

#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/flesh/simulate.h"
#include "sinew/mesh/volume.h"
#include "tests/flesh/arm.h"

namespace sinew {
namespace {

FleshOptions coarse() {
  FleshOptions options;
  options.lattice.cell_size = 0.02;
  return options;
}

double largest_difference(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max<double>(largest, (a[i] - b[i]).norm());
  return largest;
}

// How deep vertices of one leg (x < 0 at rest) lie inside the other one.
double depth_inside_each_other(const TriangleMesh& rest, const std::vector<Vec3f>& posed) {
  TriangleMesh other;
  other.positions = posed;
  for (const Triangle& t : rest.triangles) {
    if (rest.positions[t[0]].x() > 0) other.triangles.push_back(t);
  }
  const SolidDomain domain(other);
  double deepest = 0;
  for (std::size_t v = 0; v < posed.size(); ++v) {
    ClosestPoint closest;
    if (rest.positions[v].x() > 0 || !domain.contains(posed[v])) continue;
    if (domain.closest_point(posed[v], closest, 1.0f)) deepest = std::max<double>(deepest, closest.distance);
  }
  return deepest;
}

TEST(FleshSolver, RestPoseIsRest) {
  const Character arm = test::arm();
  const FleshModel model(arm, coarse());
  FleshSolver solver(model, {});
  const SolveReport report = solver.solve(rest_pose(arm.skeleton));
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.contacts, 0u);
  EXPECT_LT(largest_difference(solver.skin(), arm.mesh.positions), 1e-6);
}

TEST(FleshSolver, RigidMotionGivesRigidMotion) {
  const Character arm = test::arm();
  const FleshModel model(arm, coarse());
  FleshSolver solver(model, {});
  Pose pose = rest_pose(arm.skeleton);
  pose[0].rotation = Quatd(Eigen::AngleAxisd(2.0, Vec3d(1, 2, -1).normalized()));
  pose[0].translation += Vec3d(1, 2, 3);
  EXPECT_TRUE(solver.solve(pose).ok());
  const Affine3d moved = skinning_transforms(arm.skeleton, pose)[0];
  std::vector<Vec3f> expected;
  for (const Vec3f& p : arm.mesh.positions) expected.push_back((moved * p.cast<double>()).cast<float>());
  EXPECT_LT(largest_difference(solver.skin(), expected), 1e-5);
}

TEST(FleshModel, GradientAndSystemAreDerivativesOfTheEnergy) {
  const Character arm = test::arm();
  FleshOptions options = coarse();
  options.material.bulk = 4;
  const FleshModel model(arm, options);
  Random random(7);
  // Slightly swollen, so that no eigenvalue is raised.
  std::vector<Vec3d> nodes = model.lattice().rest, direction(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i] = 1.0772 * nodes[i];
    for (int k = 0; k < 3; ++k) {
      nodes[i][k] += random.uniform(-2e-4, 2e-4);
      direction[i][k] = random.uniform(-1, 1);
    }
  }
  const auto pulls = model.pulls(bone_transforms(arm.skeleton, skinning_transforms(arm.skeleton, test::bent(arm, 20))));
  std::vector<Contact> contacts = {{{3.0, Vec3d(0, 1, 0), {0, 5, 9}, {1.0, -0.4, -0.6}}, 0.5, 0.0, 10.0}};
  const auto moved = [&](double h) {
    std::vector<Vec3d> result = nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) result[i] += h * direction[i];
    return result;
  };
  std::vector<Vec3d> gradient, plus, minus;
  const double h = 1e-6;
  model.energy(nodes, pulls, contacts, &gradient);
  const double slope =
      (model.energy(moved(h), pulls, contacts, &plus) - model.energy(moved(-h), pulls, contacts, &minus)) / (2 * h);
  double along = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) along += gradient[i].dot(direction[i]);
  EXPECT_NEAR(along, slope, 1e-5 * std::abs(slope));

  BlockSystem system = model.make_system();
  model.fill_system(nodes, 0.0, system);
  const std::vector<RankOneTerm> extra = {contacts[0].row};
  system.factorise(extra);
  const std::vector<Vec3d> product = system.multiply(direction);
  double error = 0, size = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Vec3d difference = (plus[i] - minus[i]) / (2 * h);
    error += (product[i] - difference).squaredNorm();
    size += difference.squaredNorm();
  }
  EXPECT_LT(std::sqrt(error / size), 1e-3);
  std::vector<Vec3d> x;
  system.solve(product, 1e-5, 2000, x);
  double wrong = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) wrong = std::max(wrong, (x[i] - direction[i]).norm());
  EXPECT_LT(wrong, 1e-2);
}

TEST(FleshSolver, ABentArmKeepsItsVolumeAndDoesNotEnterItself) {
  const Character arm = test::arm();
  const FleshModel model(arm, coarse());
  FleshSolver solver(model, {});
  const EnclosedVolume volume(arm.mesh.vertex_count(), arm.mesh.triangles);
  for (const double degrees : {45.0, 90.0, 120.0}) {
    const SolveReport report = solver.solve(test::bent(arm, degrees));
    EXPECT_TRUE(report.ok()) << degrees << ": promise " << report.promise << ", penetration " << report.penetration;
    EXPECT_NEAR(volume(solver.skin()) / volume(arm.mesh.positions), 1.0, 0.03);
  }
}

TEST(FleshSolver, TwoLegsPressTogetherWithoutPassingThrough) {
  // Two bars side by side under one root, turned against each other.
  Character legs;
  legs.name = "legs";
  test::add_bar(legs.mesh, {-0.06, 0, 0}, -Vec3d::UnitY(), 0.4, 0.05, 20, 30);
  test::add_bar(legs.mesh, {0.06, 0, 0}, -Vec3d::UnitY(), 0.4, 0.05, 20, 30);
  add_joint(legs.skeleton, "Root", -1, Affine3d(Eigen::Translation3d(0, 0, 0)));
  for (const double side : {-1.0, 1.0}) {
    const int joint =
        add_joint(legs.skeleton, side < 0 ? "A" : "B", 0, Affine3d(Eigen::Translation3d(side * 0.06, -0.01, 0)));
    add_joint(legs.skeleton, "End", joint, Affine3d(Eigen::Translation3d(side * 0.06, -0.39, 0)), JointKind::end);
  }
  legs.weights = make_skin_weights(legs.mesh.vertex_count(), 1);
  for (std::size_t v = 0; v < legs.mesh.vertex_count(); ++v) {
    set_influences(legs.weights, v, {{static_cast<std::uint16_t>(legs.mesh.positions[v].x() < 0 ? 1 : 3), 1.0}});
  }
  const FleshModel model(legs, coarse());
  FleshSolver solver(model, {});
  Pose pose = rest_pose(legs.skeleton);
  pose[1].rotation = Quatd(Eigen::AngleAxisd(0.07, Vec3d::UnitZ()));
  pose[3].rotation = Quatd(Eigen::AngleAxisd(-0.07, Vec3d::UnitZ()));
  const SolveReport report = solver.solve(pose);
  EXPECT_TRUE(report.ok()) << report.promise << " " << report.penetration;
  EXPECT_GT(report.contacts, 0u);
  EXPECT_LT(depth_inside_each_other(legs.mesh, solver.skin()), 0.25 * model.lattice().cell_size);
  // Skinning alone lets them pass through by more than that.
  const Affine3d leg = skinning_transforms(legs.skeleton, pose)[1];
  EXPECT_GT((leg * Vec3d(-0.01, -0.4, 0)).x(), 0.5 * model.lattice().cell_size);
}

TEST(Simulate, SameBitsAtOneAndTwoThreadsAndWhenResumed) {
  const Character arm = test::arm(12, 20);
  const FleshModel model(arm, coarse());
  const auto runs = random_runs(model.skeleton(), model.bones(), {.poses = 6, .run_length = 3});
  ASSERT_EQ(runs.size(), 2u);
  std::vector<std::vector<std::vector<Vec3f>>> results;
  for (const int threads : {1, 2}) {
    std::vector<std::vector<Vec3f>> shapes(6);
    with_threads(threads, [&] {
      simulate(
          model, runs, {}, [](const PoseRun&, std::size_t) { return false; },
          [&](const SimulatedFrame& frame) { shapes[(frame.run - runs.data()) * 3 + frame.index] = frame.positions; });
    });
    results.push_back(shapes);
  }
  EXPECT_EQ(results[0], results[1]);
  int delivered = 0;
  simulate(
      model, runs, {}, [&](const PoseRun& run, std::size_t i) { return &run == runs.data() || i < 2; },
      [&](const SimulatedFrame& frame) {
        ++delivered;
        EXPECT_EQ(frame.positions, results[0][5]);
      });
  EXPECT_EQ(delivered, 1);
}

TEST(FleshModel, RefusesACharacterWithoutSkin) {
  Character arm = test::arm();
  arm.weights = {};
  EXPECT_THROW(FleshModel(arm, coarse()), Error);
}

}  // namespace
}  // namespace sinew
