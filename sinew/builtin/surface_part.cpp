#include "sinew/builtin/surface_part.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/builtin/body_field.h"
#include "sinew/builtin/implicit_surface.h"
#include "sinew/builtin/remesh.h"
#include "sinew/error.h"

namespace sinew::builtin {
namespace {

TriangleMesh extract_with_cells(const SurfacePart& part, double finer) {
  ImplicitOptions options;
  options.box = part.box;
  options.largest_cell = 2 * part.cell;
  options.cell_size = [&](const Vec3d& p) {
    const double wished = part.cell * part.edge_length(p);
    return part.largest_cell_at ? std::min(wished, finer * part.largest_cell_at(p)) : wished;
  };
  // Where solids meet, the field may be steeper than a distance by a factor nobody knows beforehand.
  for (options.reach = 1.6;; options.reach *= 2) {
    try {
      return implicit_surface(part.field, options);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) throw;
      if (options.reach > 15) throw error.within("making '" + part.name + "'");
    }
  }
}

// Euler characteristic of a half that meets its mirror image at x = 0: 2 for one piece without handles.
int mirrored_euler_characteristic(const TriangleMesh& half) {
  int in_plane = 0;
  for (const Vec3f& p : half.positions) in_plane += p.x() == 0;
  return 2 * static_cast<int>(half.positions.size()) - in_plane - static_cast<int>(half.triangles.size());
}

TriangleMesh extract(const SurfacePart& part, Warnings& warnings) {
  if (part.sheet) return part.sheet(2000);
  TriangleMesh mesh;
  for (const double finer : {1.0, 0.5}) {
    mesh = extract_with_cells(part, finer);
    if (!part.simple || mirrored_euler_characteristic(mesh) == 2) return mesh;
  }
  warnings.push_back({"touches-itself", "limbs of '" + part.name + "' touch: the surface has a handle there"});
  return mesh;
}

// How many vertices this half asks for, up to a factor common to all parts.
double demand(const TriangleMesh& half, const SurfacePart& part) {
  return parallel_sum(half.triangles.size(), 1024, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t t = begin; t < end; ++t) {
      const auto at = [&](int k) { return half.positions[half.triangles[t][k]].cast<double>().eval(); };
      const double size = part.edge_length((at(0) + at(1) + at(2)) / 3);
      sum += (at(1) - at(0)).cross(at(2) - at(0)).norm() / (size * size);
    }
    return sum;
  });
}

TriangleMesh refine(const TriangleMesh& raw, const SurfacePart& part, std::size_t vertices, const Progress& progress) {
  if (part.sheet) return part.sheet(vertices);
  RemeshOptions options;
  options.vertex_count = vertices;
  options.boundary_cost = 0.5;
  options.edge_length = part.edge_length;
  options.project = [&](const Vec3d& p, bool in_plane) { return project_to_surface(part.field, p, in_plane, 2); };
  return remesh(raw, options, progress);
}

std::vector<std::uint16_t> mirrored_joints(const Skeleton& skeleton) {
  std::vector<std::uint16_t> other(skeleton.joint_count());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    std::string name = skeleton.names[j];
    if (name.starts_with("Left")) {
      name = "Right" + name.substr(4);
    } else if (name.starts_with("Right")) {
      name = "Left" + name.substr(5);
    }
    other[j] = static_cast<std::uint16_t>(find_joint(skeleton, name));
  }
  return other;
}

// Appends a half and its mirror image as one part.
void append(const TriangleMesh& half, const SurfacePart& source, Character& character) {
  TriangleMesh& mesh = character.mesh;
  Part part{source.name, source.material, mesh.positions.size(), 0, mesh.triangles.size(), 0, PartBinding::skinned};
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  const auto count = static_cast<std::uint32_t>(half.positions.size());
  std::vector<std::uint32_t> twin(count), original;
  mesh.positions.insert(mesh.positions.end(), half.positions.begin(), half.positions.end());
  for (std::uint32_t v = 0; v < count; ++v) {
    const Vec3f& p = half.positions[v];
    if (p.x() == 0) {
      twin[v] = first + v;
      continue;
    }
    twin[v] = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.emplace_back(-p.x(), p.y(), p.z());
    original.push_back(v);
  }
  for (const Triangle& t : half.triangles) mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  for (const Triangle& t : half.triangles) mesh.triangles.push_back({twin[t[0]], twin[t[2]], twin[t[1]]});
  part.vertex_count = mesh.positions.size() - part.first_vertex;
  part.triangle_count = mesh.triangles.size() - part.first_triangle;

  mesh.colors.resize(mesh.positions.size());
  mesh.uvs.resize(mesh.positions.size());
  SkinWeights weights = make_skin_weights(mesh.positions.size(), 4);
  std::copy(character.weights.joints.begin(), character.weights.joints.end(), weights.joints.begin());
  std::copy(character.weights.weights.begin(), character.weights.weights.end(), weights.weights.begin());
  const std::vector<std::uint16_t> other = mirrored_joints(character.skeleton);
  parallel_for(count, 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Vec3d p = half.positions[v].cast<double>();
      std::vector<Influence> influences = source.weights(p);
      set_influences(weights, first + v, influences);
      mesh.colors[first + v] = source.colour(p);
      mesh.uvs[first + v] = source.uv(p);
      if (twin[v] == first + v) continue;
      for (Influence& influence : influences) influence.joint = other[influence.joint];
      set_influences(weights, twin[v], influences);
      mesh.colors[twin[v]] = mesh.colors[first + v];
      mesh.uvs[twin[v]] = mesh.uvs[first + v];
    }
  });
  character.weights = std::move(weights);
  character.parts.push_back(part);
}

}  // namespace

void mesh_parts(const std::vector<SurfacePart>& parts, std::size_t vertex_budget, Character& character,
                const Progress& progress) {
  std::vector<TriangleMesh> halves;
  std::vector<double> demands;
  double total = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    progress(0.3 * static_cast<double>(i) / static_cast<double>(parts.size()), "sculpting " + parts[i].name);
    halves.push_back(extract(parts[i], character.warnings));
    demands.push_back(demand(halves[i], parts[i]));
    total += demands[i];
  }
  const auto count_both_halves = [](const TriangleMesh& half) {
    std::size_t count = 0;
    for (const Vec3f& p : half.positions) count += p.x() == 0 ? 1 : 2;
    return count;
  };
  double done = 0;
  std::size_t used = 0;
  for (std::size_t i = parts.size(); i-- > 0;) {
    const double share = demands[i] / total;
    const double wanted = i > 0 ? std::max(24.0, share * static_cast<double>(vertex_budget))
                                : static_cast<double>(vertex_budget) - static_cast<double>(used);
    halves[i] = refine(halves[i], parts[i], static_cast<std::size_t>(std::max(48.0, wanted) / 2),
                       progress.part(0.3 + 0.6 * done, 0.3 + 0.6 * (done + share)));
    used += count_both_halves(halves[i]);
    done += share;
  }
  progress(0.9, "weights");
  for (std::size_t i = 0; i < parts.size(); ++i) append(halves[i], parts[i], character);
  character.mesh.normals = vertex_normals(character.mesh.positions, character.mesh.triangles);
}

}  // namespace sinew::builtin
