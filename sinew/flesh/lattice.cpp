#include "sinew/flesh/lattice.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "sinew/base/parallel.h"
#include "sinew/flesh/lattice_pieces.h"
#include "sinew/mesh/solid_domain.h"

namespace sinew {
namespace {

struct Numbered {
  std::vector<std::array<std::uint32_t, 8>> corners;
  std::vector<Vec3d> rest;
};

Vec3d corner_place(const FleshLattice& lattice, const std::array<int, 3>& place, int corner) {
  Vec3d at;
  for (int axis = 0; axis < 3; ++axis) at[axis] = place[axis] + ((corner >> axis) & 1);
  return lattice.origin + lattice.cell_size * at;
}

// Numbers the classes of joined corners slice by slice, so that neighbours in space are neighbours in memory.
void number_nodes(FleshLattice& lattice, DisjointSets& joined, const std::vector<std::uint32_t>& kept) {
  struct Key {
    std::array<int, 3> place;
    std::uint32_t root;
  };
  std::vector<Key> keys;
  std::vector<std::array<std::uint32_t, 8>> roots(kept.size());
  for (std::size_t cell = 0; cell < kept.size(); ++cell) {
    for (int corner = 0; corner < 8; ++corner) {
      const std::uint32_t root = joined.find(kept[cell] * 8 + corner);
      roots[cell][corner] = root;
      Key key{lattice.place[cell], root};
      for (int axis = 0; axis < 3; ++axis) key.place[axis] += (corner >> axis) & 1;
      keys.push_back(key);
    }
  }
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    return std::tie(a.place[2], a.place[1], a.place[0], a.root) < std::tie(b.place[2], b.place[1], b.place[0], b.root);
  });
  std::unordered_map<std::uint32_t, std::uint32_t> number;
  for (const Key& key : keys) {
    if (!number.try_emplace(key.root, static_cast<std::uint32_t>(lattice.rest.size())).second) continue;
    lattice.rest.push_back(corner_place(lattice, key.place, 0));
  }
  lattice.corners.resize(kept.size());
  for (std::size_t cell = 0; cell < kept.size(); ++cell) {
    for (int corner = 0; corner < 8; ++corner) lattice.corners[cell][corner] = number.at(roots[cell][corner]);
  }
}

// Pieces that hang together with a piece that carries skin; the others are crumbs of the inside test.
std::vector<std::uint32_t> pieces_with_skin(const LatticePieces& pieces, DisjointSets& joined) {
  DisjointSets bodies(pieces.place.size() * 8);
  for (std::uint32_t piece = 0; piece < pieces.place.size(); ++piece) {
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
      bodies.join(piece * 8, joined.find(piece * 8 + corner));
    }
  }
  std::vector<char> has_skin(pieces.place.size() * 8, 0);
  for (const std::uint32_t piece : pieces.piece_of_vertex) has_skin[bodies.find(piece * 8)] = 1;
  std::vector<std::uint32_t> kept;
  for (std::uint32_t piece = 0; piece < pieces.place.size(); ++piece) {
    if (has_skin[bodies.find(piece * 8)]) kept.push_back(piece);
  }
  return kept;
}

FleshLattice lattice_of_size(const TriangleMesh& mesh, const SolidDomain& domain, double cell_size,
                             const Progress& progress) {
  const LatticePieces pieces = find_pieces(mesh, domain, cell_size, progress);
  FleshLattice lattice;
  lattice.cell_size = cell_size;
  lattice.origin = pieces.origin;
  DisjointSets joined(pieces.place.size() * 8);
  for (const auto& [a, b] : pieces.links) {
    // Corners of two cells are one node where they are at the same place.
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
      std::uint32_t other = 0;
      bool shared = true;
      for (int axis = 0; axis < 3; ++axis) {
        const int far = pieces.place[a][axis] + static_cast<int>((corner >> axis) & 1) - pieces.place[b][axis];
        shared = shared && (far == 0 || far == 1);
        other |= static_cast<std::uint32_t>(far == 1) << axis;
      }
      if (shared) joined.join(a * 8 + corner, b * 8 + other);
    }
  }
  const std::vector<std::uint32_t> kept = pieces_with_skin(pieces, joined);
  std::vector<std::uint32_t> new_index(pieces.place.size(), 0);
  for (std::size_t cell = 0; cell < kept.size(); ++cell) {
    new_index[kept[cell]] = static_cast<std::uint32_t>(cell);
    lattice.place.push_back(pieces.place[kept[cell]]);
    lattice.filled.push_back(pieces.filled[kept[cell]]);
  }
  number_nodes(lattice, joined, kept);
  lattice.skin.resize(mesh.vertex_count());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const std::uint32_t cell = new_index[pieces.piece_of_vertex[v]];
    const Vec3d low = corner_place(lattice, lattice.place[cell], 0);
    const Vec3d local = (mesh.positions[v].cast<double>() - low) / cell_size;
    lattice.skin[v] = {cell, local.cwiseMax(0.0).cwiseMin(1.0).cast<float>()};
  }
  return lattice;
}

// A first guess from the volume: cubes of the body's inside, plus the half-filled ones along its surface.
double first_cell_size(const TriangleMesh& mesh, const SolidDomain& domain, int cells) {
  double area = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3d a = mesh.positions[t[0]].cast<double>(), b = mesh.positions[t[1]].cast<double>();
    area += 0.5 * (b - a).cross(mesh.positions[t[2]].cast<double>() - a).norm();
  }
  constexpr int grid = 48;
  const Vec3d low = domain.bounds().min().cast<double>(), size = domain.bounds().sizes().cast<double>();
  const double step = size.maxCoeff() / grid;
  const Eigen::Vector3i counts = (size / step).array().ceil().max(1).cast<int>();
  const auto slices = static_cast<std::size_t>(counts[2]);
  const double inside = parallel_sum(slices, 1, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t z = begin; z < end; ++z) {
      for (int y = 0; y < counts[1]; ++y) {
        for (int x = 0; x < counts[0]; ++x) {
          const Vec3d at = low + step * Vec3d(x + 0.5, y + 0.5, static_cast<double>(z) + 0.5);
          sum += domain.contains(at.cast<float>());
        }
      }
    }
    return sum;
  });
  const double volume = std::max(inside * step * step * step, 1e-4 * size.prod());
  double cell = std::cbrt(volume / cells);
  for (int i = 0; i < 20; ++i) cell = std::cbrt((volume + 0.5 * area * cell) / cells);
  return cell;
}

}  // namespace

double FleshLattice::fill(std::size_t cell) const { return std::popcount(filled[cell]) / 64.0; }

Vec3d FleshLattice::small_cube(std::size_t cell, int index) const {
  const Vec3d within((index & 3) + 0.5, ((index >> 2) & 3) + 0.5, (index >> 4) + 0.5);
  return corner_place(*this, place[cell], 0) + cell_size / cuts * within;
}

std::array<double, 8> corner_weights(const Vec3f& local) {
  std::array<double, 8> weights;
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    for (int axis = 0; axis < 3; ++axis) weight *= (corner >> axis) & 1 ? local[axis] : 1.0 - local[axis];
    weights[corner] = weight;
  }
  return weights;
}

FleshLattice build_lattice(const TriangleMesh& mesh, const LatticeOptions& options, const Progress& progress) {
  if (mesh.is_point_cloud()) {
    throw Error(ErrorCode::surface_missing, "flesh needs a surface and the mesh has no triangles",
                "make a triangle mesh of the cloud first");
  }
  const SolidDomain domain(mesh);
  if (domain.dimension() != 3) throw Error(ErrorCode::mesh_degenerate, "flesh needs a solid body and the mesh is flat");
  double cell_size = options.cell_size;
  if (cell_size > 0) {
    FleshLattice lattice = lattice_of_size(mesh, domain, cell_size, progress);
    lattice.warnings = domain.warnings();
    return lattice;
  }
  // The number of cells follows the size only roughly where copies are many: adjust until it is within a tenth.
  cell_size = first_cell_size(mesh, domain, options.cells);
  FleshLattice lattice;
  for (int attempt = 0; attempt < 3; ++attempt) {
    lattice = lattice_of_size(mesh, domain, cell_size, progress.part(attempt / 3.0, (attempt + 1) / 3.0));
    const double ratio = static_cast<double>(lattice.cell_count()) / options.cells;
    if (ratio > 0.9 && ratio < 1.1) break;
    cell_size *= std::pow(ratio, 1.0 / 2.6);
  }
  progress(1.0, "building the lattice");
  lattice.warnings = domain.warnings();
  return lattice;
}

}  // namespace sinew
