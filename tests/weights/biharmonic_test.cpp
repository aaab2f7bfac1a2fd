#include "sinew/weights/biharmonic/biharmonic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "tests/weights/grid_reference.h"
#include "tests/weights/solids.h"

namespace sinew {
namespace {

using test::bone;
using test::solid_box;

std::vector<Vec3f> random_places(const Vec3f& low, const Vec3f& high, int count, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<Vec3f> places;
  for (int i = 0; i < count; ++i) {
    const Vec3d unit(random.uniform(0.001, 0.999), random.uniform(0.001, 0.999), random.uniform(0.001, 0.999));
    places.push_back(low + unit.cast<float>().cwiseProduct(high - low));
  }
  return places;
}

BiharmonicOptions with(int resolution, BiharmonicBoundary boundary = BiharmonicBoundary::neumann) {
  BiharmonicOptions options;
  options.resolution = resolution;
  options.boundary = boundary;
  options.tolerance = 1e-3;
  options.max_iterations = 60;
  return options;
}

// Between two walls held at 1 and 0 the bounded minimiser is flat outside and the clamped cubic in between.
double clamped_cubic(double x, double from, double to) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return 1.0 - t * t * (3.0 - 2.0 * t);
}

struct Difference {
  double mean = 0, largest = 0;
};

Difference difference_from_cubic(const Vec3f& size, int resolution, BiharmonicBoundary boundary) {
  const Vec3f middle = 0.5f * size;
  const float from = 0.25f * size.x(), to = 0.75f * size.x();
  // Close enough to be a wall: between lines further apart than the points the weights would sag.
  const int lines = std::max(3, static_cast<int>(std::ceil(size.z() / (0.02f * size.x()))));
  std::vector<BiharmonicHandle> handles;
  for (const float place : {from, to}) {
    handles.push_back(test::wall_handle(place, middle, 0.499f * size.y(), 0.499f * size.z(), lines));
  }
  BiharmonicSolver solver(solid_box(Vec3f::Zero(), size), handles, with(resolution, boundary));
  solver.solve();
  const std::vector<Vec3f> places = random_places(Vec3f::Zero(), size, 1000);
  const Eigen::MatrixXd weights = solver.weights_at(places);
  Difference difference;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double error = std::abs(weights(i, 0) - clamped_cubic(places[i].x(), from, to));
    difference.mean += error / static_cast<double>(places.size());
    difference.largest = std::max(difference.largest, error);
  }
  return difference;
}

TEST(Biharmonic, RodIsTheClampedCubic) {
  for (const auto boundary : {BiharmonicBoundary::natural, BiharmonicBoundary::neumann}) {
    const Difference difference = difference_from_cubic({4, 0.4f, 0.4f}, 2500, boundary);
    EXPECT_LT(difference.mean, 0.01);
    EXPECT_LT(difference.largest, 0.05);
  }
}

TEST(Biharmonic, SlabIsTheClampedCubicAndConverges) {
  const Vec3f size(2, 1.2f, 0.3f);
  const Difference coarse = difference_from_cubic(size, 600, BiharmonicBoundary::neumann);
  const Difference fine = difference_from_cubic(size, 4800, BiharmonicBoundary::neumann);
  EXPECT_LT(fine.mean, 0.01);
  EXPECT_LT(fine.largest, 0.05);
  EXPECT_LT(fine.mean, coarse.mean);
}

// Held at its corners a simplex has weights without any curvature: barycentric coordinates, which keep the bounds. With
// the natural boundary nothing is smoother; weights that meet the surface at right angles must be something else.
TEST(Biharmonic, NaturalWeightsOfASimplexAreBarycentricCoordinates) {
  const std::vector<Vec3f> corners = {{0, 0, 0}, {1.2f, 0.1f, 0}, {0.3f, 1.1f, 0}, {0.4f, 0.3f, 1}};
  for (const std::size_t count : {3u, 4u}) {  // flat, and solid
    TriangleMesh mesh;
    mesh.positions.assign(corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(count));
    mesh.triangles = {{0, 2, 1}};
    if (count == 4) mesh.triangles.insert(mesh.triangles.end(), {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
    Vec3f middle = Vec3f::Zero();
    for (const Vec3f& corner : mesh.positions) middle += corner / static_cast<float>(count);
    std::vector<BiharmonicHandle> handles;
    for (const Vec3f& corner : mesh.positions) {
      const Vec3f inside = corner + 0.02f * (middle - corner);
      handles.push_back(bone(inside, inside));
    }
    Random random(4);
    std::vector<Vec3f> places;
    Eigen::MatrixXd truth(400, static_cast<Eigen::Index>(count));
    for (Eigen::Index i = 0; i < truth.rows(); ++i) {
      for (Eigen::Index k = 0; k < truth.cols(); ++k) truth(i, k) = -std::log(random.uniform(1e-9, 1.0));
      truth.row(i) /= truth.row(i).sum();
      Vec3d place = Vec3d::Zero();
      for (Eigen::Index k = 0; k < truth.cols(); ++k) place += truth(i, k) * mesh.positions[k].cast<double>();
      places.push_back((0.99 * place + 0.01 * middle.cast<double>()).cast<float>());
    }
    const auto difference = [&](BiharmonicBoundary boundary) {
      BiharmonicOptions options;
      options.resolution = count == 3 ? 1500 : 3000;
      options.boundary = boundary;
      BiharmonicSolver solver(mesh, handles, options);
      solver.solve();
      return (solver.weights_at(places) - truth).cwiseAbs().mean();
    };
    EXPECT_LT(difference(BiharmonicBoundary::natural), 0.02) << count;
    EXPECT_GT(difference(BiharmonicBoundary::neumann), 0.03) << count;
  }
}

TEST(Biharmonic, PropertiesHoldExactlyEverywhere) {
  const Vec3f low(0, 0, 0), high(3, 1, 1);
  const std::vector<BiharmonicHandle> handles = {bone({0.2f, 0.5f, 0.5f}, {1.2f, 0.5f, 0.5f}),
                                                 bone({1.2f, 0.5f, 0.5f}, {2.0f, 0.3f, 0.6f}),
                                                 bone({2.7f, 0.8f, 0.2f}, {2.7f, 0.8f, 0.2f})};
  BiharmonicSolver solver(solid_box(low, high), handles, with(1500));
  solver.solve();
  const Eigen::MatrixXd anywhere = solver.weights_at(random_places(low, high, 2000));
  EXPECT_GE(anywhere.minCoeff(), 0.0);
  EXPECT_LT((anywhere.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-12);
  const Eigen::MatrixXd& vertices = solver.vertex_weights();
  EXPECT_GE(vertices.minCoeff(), 0.0);
  EXPECT_LT((vertices.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-12);
  // One on its own handle, zero on the others (away from the joint that two of them share).
  std::vector<Vec3f> on_handles;
  for (int i = 0; i < 10; ++i) {
    const Bone& along = handles[0].bones[0];
    on_handles.push_back((along.head + 0.9 * (0.02 + 0.09 * i) * (along.tail - along.head)).cast<float>());
  }
  on_handles.push_back(handles[2].bones[0].head.cast<float>());
  const Eigen::MatrixXd on = solver.weights_at(on_handles);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(on(i, 0), 1.0, 1e-6) << i;
  EXPECT_NEAR(on(10, 2), 1.0, 1e-6);
}

TEST(Biharmonic, AgreesWithAFineGridOnASolid) {
  const Vec3d size(2, 1, 1);
  const std::vector<BiharmonicHandle> handles = {bone({0.25f, 0.5f, 0.5f}, {0.75f, 0.5f, 0.5f}),
                                                 bone({1.0f, 0.75f, 0.5f}, {1.25f, 0.75f, 0.5f}),
                                                 bone({1.75f, 0.25f, 0.25f}, {1.75f, 0.25f, 0.25f})};
  const test::GridReference reference(size, 12, handles);
  const double step = 0.17;  // two cells of the grid: nearer, its linear pieces would look like creases
  const double grid = test::second_difference_energy(size, step, 4000,
                                                     [&](const auto& places) { return reference.weights_at(places); });
  for (const int resolution : {0, 6000}) {
    BiharmonicSolver solver(solid_box(Vec3f::Zero(), size.cast<float>()), handles, with(resolution));
    solver.solve();
    const Eigen::MatrixXd weights = solver.weights_at(reference.places());
    EXPECT_LT((weights - reference.weights()).cwiseAbs().mean(), 0.02) << resolution;
    const double ours =
        test::second_difference_energy(size, step, 4000, [&](const auto& places) { return solver.weights_at(places); });
    // More points resolve the neighbourhood of the handles better than this grid,
    // whose energy grows with its cells too.
    EXPECT_LT(ours, (resolution == 0 ? 1.0 : 1.05) * grid) << resolution;
  }
}

TEST(Biharmonic, PlanarShapesUseTheSameCode) {
  const Vec3d size(2, 1, 0);
  const std::vector<BiharmonicHandle> handles = {bone({0.25f, 0.5f, 0}, {0.75f, 0.5f, 0}),
                                                 bone({1.5f, 0.25f, 0}, {1.5f, 0.25f, 0}),
                                                 bone({1.25f, 0.75f, 0}, {1.75f, 0.75f, 0})};
  const test::GridReference reference(size, 32, handles);
  for (const int points : {0, 1500, 6000}) {
    BiharmonicOptions defaults;
    defaults.resolution = points;
    BiharmonicSolver solver(test::flat_rectangle(2, 1, 4), handles, defaults);
    solver.solve();
    const Eigen::MatrixXd weights = solver.weights_at(reference.places());
    EXPECT_LT((weights - reference.weights()).cwiseAbs().mean(), 0.02) << points;
  }
}

TEST(Biharmonic, PlacesAsManyPointsAsAskedFor) {
  const std::vector<BiharmonicHandle> handles = {bone({0.3f, 0.5f, 0.3f}, {0.9f, 0.5f, 0.3f})};
  for (const int resolution : {500, 2000, 8000}) {
    const BiharmonicSolver box(solid_box(Vec3f::Zero(), {2, 1, 0.6f}), handles, with(resolution));
    EXPECT_NEAR(static_cast<double>(box.points().size()) / resolution, 1.0, 0.15) << resolution;
  }
}

TEST(Biharmonic, DoesNotDependOnUnitAndPlace) {
  const Vec3f high(2, 1, 0.6f);
  const std::vector<Vec3f> places = random_places(Vec3f::Zero(), high, 500);
  Eigen::MatrixXd reference;
  for (const float unit : {1.0f, 0.001f, 254.0f}) {
    const Vec3f shift = unit == 1.0f ? Vec3f(0, 0, 0) : Vec3f(3 * unit, -2 * unit, unit);
    const auto moved = [&](const Vec3f& p) { return Vec3f(unit * p + shift); };
    TriangleMesh mesh = solid_box(Vec3f::Zero(), high, 5);
    for (Vec3f& p : mesh.positions) p = moved(p);
    std::vector<Vec3f> moved_places;
    for (const Vec3f& p : places) moved_places.push_back(moved(p));
    BiharmonicSolver solver(mesh,
                            {bone(moved({0.3f, 0.5f, 0.3f}), moved({0.9f, 0.5f, 0.3f})),
                             bone(moved({1.2f, 0.5f, 0.3f}), moved({1.7f, 0.5f, 0.3f}))},
                            with(1500));
    solver.solve();
    const Eigen::MatrixXd weights = solver.weights_at(moved_places);
    if (reference.size() == 0) reference = weights;
    EXPECT_LT((weights - reference).cwiseAbs().maxCoeff(), 2e-3) << unit;
  }
}

TEST(Biharmonic, NothingBleedsAcrossANarrowGap) {
  // The prongs are one per cent of their length apart.
  const float length = 2.0f, thickness = 0.25f, gap = 0.02f;
  const float y = (thickness + gap) / 2;
  BiharmonicSolver solver(test::fork(length, thickness, gap),
                          {bone({0.6f, y, 0}, {1.8f, y, 0}), bone({0.6f, -y, 0}, {1.8f, -y, 0})}, with(4000));
  solver.solve();
  std::vector<Vec3f> beside_gap;
  for (int i = 0; i < 20; ++i) beside_gap.emplace_back(0.8f + 0.055f * static_cast<float>(i), gap / 2 + 0.004f, 0.05f);
  const Eigen::MatrixXd weights = solver.weights_at(beside_gap);
  EXPECT_GT(weights.col(0).minCoeff(), 0.995);
}

TEST(Biharmonic, DoesNotDependOnTheTriangulation) {
  const Vec3f high(2, 1, 0.6f);
  const std::vector<BiharmonicHandle> handles = {bone({0.3f, 0.5f, 0.3f}, {0.9f, 0.5f, 0.3f}),
                                                 bone({1.2f, 0.5f, 0.3f}, {1.7f, 0.5f, 0.3f})};
  const std::vector<Vec3f> places = random_places(Vec3f::Zero(), high, 1000);
  std::vector<Eigen::MatrixXd> weights;
  for (const int cuts : {1, 7, 16}) {
    BiharmonicSolver solver(solid_box(Vec3f::Zero(), high, cuts), handles, with(2500));
    solver.solve();
    weights.push_back(solver.weights_at(places));
  }
  for (const int other : {1, 2}) {
    EXPECT_LT((weights[0] - weights[other]).cwiseAbs().mean(), 0.005);
    EXPECT_LT((weights[0] - weights[other]).cwiseAbs().maxCoeff(), 0.04);
  }
}

TEST(Biharmonic, KeepsToTheInfluenceLimit) {
  std::vector<BiharmonicHandle> handles;
  for (int i = 0; i < 6; ++i) {
    const float x = 0.25f + 0.5f * static_cast<float>(i % 3), y = 0.25f + 0.5f * static_cast<float>(i / 3);
    handles.push_back(bone({x, y, 0.3f}, {x, y, 0.3f}));
  }
  BiharmonicOptions options = with(1500);
  options.max_influences = 2;
  BiharmonicSolver solver(solid_box(Vec3f::Zero(), {1.5f, 1, 0.6f}, 6), handles, options);
  solver.solve();
  const Eigen::MatrixXd& weights = solver.vertex_weights();
  for (Eigen::Index i = 0; i < weights.rows(); ++i) EXPECT_LE((weights.row(i).array() > 0.0).count(), 2);
  EXPECT_LT((weights.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-12);
}

TEST(Biharmonic, RefusesWhatItCannotSolve) {
  const TriangleMesh box = solid_box(Vec3f::Zero(), Vec3f::Ones());
  EXPECT_THROW(BiharmonicSolver(box, {}, {}), Error);
  TriangleMesh nothing;
  EXPECT_THROW(BiharmonicSolver(nothing, {bone({0, 0, 0}, {1, 0, 0})}, {}), Error);
  TriangleMesh point;
  point.positions.assign(5, Vec3f::Ones());
  EXPECT_THROW(BiharmonicSolver(point, {bone({0, 0, 0}, {1, 0, 0})}, {}), Error);
}

}  // namespace
}  // namespace sinew
