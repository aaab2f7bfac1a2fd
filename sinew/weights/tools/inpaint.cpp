#include "sinew/weights/tools/inpaint.h"

#include <algorithm>
#include <map>

#include "sinew/base/parallel.h"
#include "sinew/base/sparse_cholesky.h"
#include "sinew/error.h"
#include "sinew/mesh/components.h"
#include "sinew/mesh/laplacian.h"

namespace sinew {
namespace {

constexpr double negligible = 1e-4;  // weights that a smooth solve leaves everywhere and nobody wants

// S + S M⁻¹ S of the mesh with bounding diagonal 1.
Eigen::SparseMatrix<double> inpainting_energy(const TriangleMesh& mesh) {
  const Laplacian laplacian =
      mesh.is_point_cloud() ? cloud_laplacian(mesh.positions) : robust_laplacian(mesh.positions, mesh.triangles);
  const double diagonal = bounding_diagonal(mesh);
  Eigen::VectorXd inverse_mass = laplacian.mass / (diagonal * diagonal);
  const double least = 1e-6 * std::max(inverse_mass.mean(), 1e-12);
  inverse_mass = inverse_mass.cwiseMax(least).cwiseInverse();
  const Eigen::SparseMatrix<double> bent = laplacian.stiffness * inverse_mass.asDiagonal() * laplacian.stiffness;
  return laplacian.stiffness + bent;
}

// Unknown vertices of pieces that have a known one, numbered.
std::vector<int> number_unknowns(const TriangleMesh& mesh, const std::vector<char>& known, int& count) {
  const std::size_t vertices = mesh.vertex_count();
  std::vector<char> reachable(1, 1);
  Components components{std::vector<std::uint32_t>(vertices, 0), 1};
  if (!mesh.is_point_cloud()) {
    components = connected_components(vertices, mesh.triangles);
    reachable.assign(components.count, 0);
    for (std::size_t v = 0; v < vertices; ++v) {
      if (known[v]) reachable[components.component_of[v]] = 1;
    }
  }
  std::vector<int> number(vertices, -1);
  count = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    if (!known[v] && reachable[components.component_of[v]]) number[v] = count++;
  }
  return number;
}

}  // namespace

void inpaint_rows(const TriangleMesh& mesh, const std::vector<char>& known, std::vector<WeightRow>& rows) {
  int unknowns = 0;
  const std::vector<int> number = number_unknowns(mesh, known, unknowns);
  if (unknowns == 0) return;
  const Eigen::SparseMatrix<double> energy = inpainting_energy(mesh);
  std::vector<Eigen::Triplet<double>> entries;
  std::map<int, Eigen::VectorXd> right;  // per joint: what the known rows pull with
  for (Eigen::Index column = 0; column < energy.outerSize(); ++column) {
    stop_if_cancelled(static_cast<std::size_t>(column));
    for (Eigen::SparseMatrix<double>::InnerIterator entry(energy, column); entry; ++entry) {
      const int row = number[entry.row()];
      if (row < 0) continue;
      if (number[column] >= 0) {
        entries.emplace_back(row, number[column], entry.value());
      } else if (known[column]) {
        for (const Influence& influence : rows[column]) {
          auto found = right.try_emplace(influence.joint, Eigen::VectorXd::Zero(unknowns)).first;
          found->second[row] -= entry.value() * influence.weight;
        }
      }
    }
  }
  Eigen::SparseMatrix<double> inner(unknowns, unknowns);
  inner.setFromTriplets(entries.begin(), entries.end());
  const SparseCholesky factor(inner);
  if (!factor.succeeded())
    throw Error(ErrorCode::no_convergence, "the weights could not be continued over the surface");
  std::vector<std::pair<int, Eigen::VectorXd>> joints(right.begin(), right.end());
  parallel_for(joints.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) joints[i].second = factor.solve(joints[i].second);
  });
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (number[v] < 0) continue;
    rows[v].clear();
    for (const auto& [joint, solution] : joints) {
      const double weight = solution[number[v]];
      if (weight > negligible) rows[v].push_back({static_cast<std::uint16_t>(joint), weight});
    }
    if (!rows[v].empty()) scale_row(rows[v], 1.0 / row_sum(rows[v]));
  }
}

}  // namespace sinew
