// Biharmonic weights beside published ones: files of the data folder, solved there with tetrahedra.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "sinew/io.h"
#include "sinew/mesh/laplacian.h"
#include "sinew/mesh/weld.h"
#include "sinew/weights/biharmonic/biharmonic.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

// Bones of a .tgf file: places, a line with '#', pairs of places.
std::vector<BiharmonicHandle> read_bones(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<Vec3d> places;
  std::vector<BiharmonicHandle> bones;
  bool edges = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) {
      if (edges) break;
      edges = true;
      continue;
    }
    std::istringstream words(line);
    int a = 0, b = 0;
    Vec3d p;
    if (edges && words >> a >> b) bones.push_back({{{0, places[a - 1], places[b - 1]}}});
    if (!edges && words >> a >> p.x() >> p.y() >> p.z()) places.push_back(p);
  }
  return bones;
}

// libigl's .dmat: "columns rows", then the numbers column by column; after "0 0" the same once more, in binary.
Eigen::MatrixXd read_matrix(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  Eigen::Index columns = 0, rows = 0;
  file >> columns >> rows;
  const bool binary = columns == 0;
  if (binary) file >> columns >> rows;
  Eigen::MatrixXd matrix(rows, columns);
  if (binary) {
    file.ignore(1);
    file.read(reinterpret_cast<char*>(matrix.data()), static_cast<std::streamsize>(matrix.size() * sizeof(double)));
  } else {
    for (Eigen::Index i = 0; i < matrix.size(); ++i) file >> matrix.data()[i];
  }
  return matrix;
}

// Biharmonic energy over the surface, summed over handles: an estimator that serves whatever gives one row per vertex.
double surface_energy(const Laplacian& laplacian, const Eigen::MatrixXd& weights) {
  const Eigen::MatrixXd second = laplacian.stiffness * weights;
  double energy = 0.0;
  for (Eigen::Index v = 0; v < second.rows(); ++v) {
    if (laplacian.mass[v] > 0.0) energy += second.row(v).squaredNorm() / laplacian.mass[v];
  }
  return energy;
}

TEST(BiharmonicReference, AgreesWithPublishedWeights) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  const auto folder = test::data_folder() / "reference_weights";
  struct Reference {
    const char *mesh, *bones, *weights;
  };
  for (const Reference& reference : {Reference{"arm.obj", "arm.tgf", "arm-weights.dmat"},
                                     Reference{"elephant.obj", "elephant.tgf", "elephant-weights.dmat"},
                                     Reference{"cgk_knight.ply", "cgk_knight.tgf", "cgk_knight.dmat"}}) {
    const TriangleMesh mesh = load_character(folder / reference.mesh).mesh;
    const Weld weld = weld_positions(mesh.positions);
    const Eigen::MatrixXd published = read_matrix(folder / reference.weights);
    ASSERT_EQ(published.rows(), static_cast<Eigen::Index>(mesh.vertex_count())) << reference.mesh;
    const TriangleMesh welded = welded_mesh(mesh, weld);
    BiharmonicSolver solver(welded, read_bones(folder / reference.bones), {});
    solver.solve();
    const Eigen::MatrixXd& weights = solver.vertex_weights();
    double difference = 0.0;
    Eigen::MatrixXd welded_truth(weights.rows(), weights.cols());
    for (Eigen::Index v = 0; v < published.rows(); ++v) {
      const Eigen::RowVectorXd truth = published.row(v) / published.row(v).sum();
      welded_truth.row(weld.welded_of[v]) = truth;
      difference += (weights.row(weld.welded_of[v]) - truth).cwiseAbs().mean() / static_cast<double>(published.rows());
    }
    const Laplacian laplacian = robust_laplacian(welded.positions, welded.triangles);
    const double energy = surface_energy(laplacian, weights) / surface_energy(laplacian, welded_truth);
    EXPECT_LT(difference, 0.02) << reference.mesh;
    EXPECT_LT(energy, 1.0) << reference.mesh;
    std::printf("%s: mean difference %.4f, energy %.3f of the published\n", reference.mesh, difference, energy);
  }
}

}  // namespace
}  // namespace sinew
