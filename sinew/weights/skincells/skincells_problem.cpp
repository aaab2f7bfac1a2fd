#include "sinew/weights/skincells/skincells_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <unordered_set>

#include "sinew/base/parallel.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/mesh/ray_scene.h"

namespace sinew::skincells {
namespace {

constexpr int cloud_neighbours = 8;
// Of a site across the skin, in limb radii: clusters of a surface are flat, cells must not be.
constexpr double least_thickness = 0.25;
// Skin with at least this weight belongs to a joint's cell when sites are placed.
constexpr double least_share = 0.3;
// A spring goes at least this much through the surface instead of along it (cosine), and is at least this long.
constexpr double least_across = 0.25, least_spring = 0.2;
// Symmetric shapes are full of ties, which round-off must not decide.
constexpr double clearly = 1.0001;

std::vector<int> cell_of_joint(const BindInput& input, const SkinCellField& field) {
  std::vector<int> cell_of(input.joint_count(), -1);
  for (int cell = 0; cell < field.cell_count(); ++cell) cell_of[field.joints[cell]] = cell;
  return cell_of;
}

struct NearestBone {
  std::size_t bone = 0;
  PointOnBone point{Vec3d::Zero(), std::numeric_limits<double>::infinity(), 0};
};

NearestBone nearest_bone(const std::vector<Bone>& bones, const Vec3d& position) {
  NearestBone nearest;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const PointOnBone candidate = closest_point_on_bone(bones[b], position);
    if (candidate.distance < nearest.point.distance) nearest = {b, candidate};
  }
  return nearest;
}

// Median distance from a joint's bones to the skin that is nearest to them;
// the median over all joints where there is none.
std::vector<double> limb_radii(const BindInput& input) {
  std::vector<std::vector<double>> distances(input.joint_count());
  const std::size_t step = std::max<std::size_t>(1, input.vertex_count() / 20000);
  for (std::size_t v = 0; v < input.vertex_count(); v += step) {
    const NearestBone nearest = nearest_bone(input.bones, input.mesh.positions[v].cast<double>());
    distances[input.bones[nearest.bone].joint].push_back(nearest.point.distance);
  }
  const auto median = [](std::vector<double>& values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
  };
  std::vector<double> radii(input.joint_count(), 0.0), all;
  for (int joint = 0; joint < input.joint_count(); ++joint) {
    if (distances[joint].empty()) continue;
    radii[joint] = std::max(median(distances[joint]), 1e-3);
    all.push_back(radii[joint]);
  }
  const double typical = all.empty() ? 0.05 : median(all);
  for (double& radius : radii) radius = radius > 0 ? radius : typical;
  return radii;
}

// Site positions of one joint: along its bone, or spread over the hull of its bones when there are several.
std::vector<Vec3d> site_positions(const std::vector<Bone>& bones, int joint, int count, Random& random) {
  std::vector<const Bone*> own;
  for (const Bone& bone : bones) {
    if (bone.joint == joint) own.push_back(&bone);
  }
  std::vector<Vec3d> positions;
  for (int site = 0; site < count; ++site) {
    if (own.size() == 1) {
      const double t = count > 1 ? static_cast<double>(site) / (count - 1) : 0.5;
      positions.push_back(own[0]->head + t * (own[0]->tail - own[0]->head));
      continue;
    }
    Vec3d sum = Vec3d::Zero();
    double total = 0;
    for (const Bone* bone : own) {
      const double share = -std::log(1.0 - random.uniform());  // uniform on the simplex of tails and head
      const double along = random.uniform();
      sum += share * (bone->head + along * (bone->tail - bone->head));
      total += share;
    }
    positions.push_back(sum / total);
  }
  return positions;
}

// Nearest sample of every vertex along the surface (Dijkstra over edges); samples.size() where none is reached.
std::vector<std::uint32_t> geodesic_clusters(const std::vector<Vec3f>& positions,
                                             const std::vector<std::vector<std::uint32_t>>& adjacent,
                                             const std::vector<std::uint32_t>& samples) {
  std::vector<std::uint32_t> owner(positions.size(), static_cast<std::uint32_t>(samples.size()));
  std::vector<float> distance(positions.size(), std::numeric_limits<float>::infinity());
  using Entry = std::pair<float, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (std::uint32_t s = 0; s < samples.size(); ++s) {
    owner[samples[s]] = s;
    distance[samples[s]] = 0;
    open.push({0.0f, samples[s]});
  }
  while (!open.empty()) {
    const auto [reached, vertex] = open.top();
    open.pop();
    if (reached > distance[vertex]) continue;
    for (std::uint32_t other : adjacent[vertex]) {
      const float next = reached + (positions[other] - positions[vertex]).norm();
      if (next >= distance[other]) continue;
      distance[other] = next;
      owner[other] = owner[vertex];
      open.push({next, other});
    }
  }
  return owner;
}

// Pairs of samples whose parts of the surface touch, both ways.
std::vector<std::vector<std::uint32_t>> surface_neighbours(const BindInput& input,
                                                           const std::vector<std::uint32_t>& samples) {
  std::vector<std::vector<std::uint32_t>> adjacent(input.vertex_count());
  for (const Triangle& t : input.mesh.triangles) {
    for (int corner = 0; corner < 3; ++corner) {
      adjacent[t[corner]].push_back(t[(corner + 1) % 3]);
      adjacent[t[(corner + 1) % 3]].push_back(t[corner]);
    }
  }
  const std::vector<std::uint32_t> owner = geodesic_clusters(input.mesh.positions, adjacent, samples);
  std::vector<std::vector<std::uint32_t>> neighbours(samples.size());
  for (std::uint32_t vertex = 0; vertex < adjacent.size(); ++vertex) {
    for (std::uint32_t other : adjacent[vertex]) {
      if (owner[vertex] != owner[other] && owner[vertex] < samples.size() && owner[other] < samples.size()) {
        neighbours[owner[vertex]].push_back(owner[other]);
      }
    }
  }
  return neighbours;
}

std::vector<std::vector<std::uint32_t>> cloud_neighbour_lists(const std::vector<Vec3f>& points) {
  const NearestPoints tree(points);
  std::vector<std::vector<std::uint32_t>> neighbours(points.size());
  std::vector<NearPoint> found;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    tree.nearest(points[i], cloud_neighbours + 1, found);
    for (const NearPoint& near : found) {
      if (near.index == i) continue;
      neighbours[i].push_back(near.index);
      neighbours[near.index].push_back(i);
    }
  }
  return neighbours;
}

// Springs to the closest bone, for points whose way there is orthogonal to the bone and does not leave the body. They
// keep a limb as thick as it is; a bone that runs in the cloth itself, as in a skirt's rig, says nothing of that kind.
void add_springs(Problem& problem, const BindInput& input, const SkinCellField& field,
                 const std::vector<std::uint32_t>& samples, float to_loss) {
  const std::vector<int> cell_of = cell_of_joint(input, field);
  const RayScene scene(input.mesh.positions, input.mesh.triangles);
  std::vector<Spring> springs(samples.size());
  std::vector<char> valid(samples.size(), 0);
  parallel_for(samples.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const Vec3f position = input.mesh.positions[samples[s]];
      const NearestBone nearest = nearest_bone(input.bones, position.cast<double>());
      const Bone& bone = input.bones[nearest.bone];
      const Vec3d direction = bone.tail - bone.head, offset = position.cast<double>() - nearest.point.position;
      const bool orthogonal = std::abs(direction.dot(offset)) <= 1e-3 * direction.norm() * offset.norm();
      const Vec3f anchor = nearest.point.position.cast<float>();
      const double across = std::abs(offset.dot(input.normals[samples[s]].cast<double>()));
      if (!input.mesh.is_point_cloud() && (across < least_across * offset.norm() || across * to_loss < least_spring)) {
        continue;
      }
      if (!orthogonal || !scene.visible(anchor, position, 1e-3f)) continue;
      springs[s] = {static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(cell_of[bone.joint]), anchor * to_loss};
      valid[s] = 1;
    }
  });
  for (std::size_t s = 0; s < samples.size(); ++s) {
    if (valid[s]) problem.springs.push_back(springs[s]);
  }
}

// Interleaves the bits of a position in the unit box: points near in this order are near in space. The grid is shifted
// off the middle, where symmetric meshes have whole rows of vertices that round-off must not tell apart.
std::uint64_t spatial_order(const Vec3f& position) {
  std::uint64_t code = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto cell = static_cast<std::uint64_t>(std::clamp((position[axis] + 0.5f) * 1024.0f + 0.37f, 0.0f, 1023.0f));
    for (int bit = 0; bit < 10; ++bit) code |= ((cell >> bit) & 1) << (3 * bit + axis);
  }
  return code;
}

std::vector<std::uint32_t> first_in_cubes(const BindInput& input, double size) {
  std::unordered_set<std::uint64_t> taken;
  std::vector<std::uint32_t> first;
  for (std::uint32_t v = 0; v < input.vertex_count(); ++v) {
    std::uint64_t key = static_cast<std::uint64_t>(input.components.component_of[v]);
    for (int axis = 0; axis < 3; ++axis) {
      const double cube = std::floor((static_cast<double>(input.mesh.positions[v][axis]) + 1.0) / size);
      key = key * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(std::max(cube, 0.0));
    }
    if (taken.insert(key).second) first.push_back(v);
  }
  return first;
}

// Sites of one cell from the points that its joint drives: weighted clusters, each with its own metric.
struct Cluster {
  Vec3d centre = Vec3d::Zero();
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
};

std::vector<Cluster> clusters_of(const std::vector<Vec3d>& points, const std::vector<double>& mass, int count) {
  std::vector<Cluster> clusters;
  std::vector<double> distance(points.size(), 1.0);
  std::vector<int> owner(points.size(), 0);
  for (int k = 0; k < count; ++k) {  // heaviest first, then always the worst served
    std::size_t worst = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (distance[i] * mass[i] > clearly * distance[worst] * mass[worst]) worst = i;
    }
    clusters.push_back({points[worst], Eigen::Matrix3d::Zero()});
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double d = (points[i] - points[worst]).squaredNorm();
      distance[i] = k == 0 ? d : std::min(distance[i], d);
    }
  }
  for (int round = 0; round < 12; ++round) {
    std::vector<double> total(count, 0.0);
    std::vector<Vec3d> sum(count, Vec3d::Zero());
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (int k = 0; k < count; ++k) {
        if (clearly * (points[i] - clusters[k].centre).squaredNorm() <
            (points[i] - clusters[owner[i]].centre).squaredNorm()) {
          owner[i] = k;
        }
      }
      total[owner[i]] += mass[i];
      sum[owner[i]] += mass[i] * points[i];
    }
    for (int k = 0; k < count; ++k) {
      if (total[k] > 0) clusters[k].centre = sum[k] / total[k];
    }
  }
  std::vector<double> total(count, 1e-12);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3d offset = points[i] - clusters[owner[i]].centre;
    clusters[owner[i]].covariance += mass[i] * offset * offset.transpose();
    total[owner[i]] += mass[i];
  }
  for (int k = 0; k < count; ++k) clusters[k].covariance /= total[k];
  return clusters;
}

}  // namespace

double loss_scale(const BindInput& input) {
  return loss_size / std::max(1e-6f, bounding_box(input.mesh).sizes().maxCoeff());
}

SkinCellField initial_field(const BindInput& input, int sites_per_cell, Random& random) {
  SkinCellField field;
  field.max_influences = input.max_influences;
  field.sites_per_cell = sites_per_cell;
  field.origin = input.centre;
  field.scale = 1.0 / input.scale;
  field.relaxation = 1.0f;
  const std::vector<double> radii = limb_radii(input);
  const auto noise = [&random] { return random.uniform(-0.05, 0.05); };
  for (const Bone& bone : input.bones) {
    if (!field.joints.empty() && field.joints.back() == bone.joint) continue;
    field.joints.push_back(bone.joint);
    field.joint_names.push_back(input.skeleton.names[bone.joint]);
    const double inverse_radius = 1.0 / radii[bone.joint];
    for (const Vec3d& position : site_positions(input.bones, bone.joint, sites_per_cell, random)) {
      for (int axis = 0; axis < 3; ++axis) field.parameters.push_back(static_cast<float>(position[axis]));
      for (double diagonal : {1.0, 0.0, 1.0, 0.0, 0.0, 1.0}) {
        field.parameters.push_back(static_cast<float>((diagonal + noise()) * inverse_radius));
      }
      field.parameters.push_back(static_cast<float>(std::log(0.5) + noise()));
    }
    field.parameters.push_back(static_cast<float>(std::log(0.3) + noise()));
    field.parameters.push_back(static_cast<float>(std::log(2.0) + noise()));
  }
  return field;
}

std::vector<std::uint32_t> spread_samples(const BindInput& input, std::size_t count) {
  const auto in_spatial_order = [&](std::vector<std::uint32_t> vertices) {
    std::stable_sort(vertices.begin(), vertices.end(), [&](std::uint32_t a, std::uint32_t b) {
      return spatial_order(input.mesh.positions[a]) < spatial_order(input.mesh.positions[b]);
    });
    return vertices;
  };
  std::vector<std::uint32_t> samples(input.vertex_count());
  for (std::uint32_t v = 0; v < samples.size(); ++v) samples[v] = v;
  if (samples.size() <= count) return in_spatial_order(std::move(samples));
  // The first vertex of each cube of a grid stays, for each piece of the mesh by itself: what touches need not move
  // together. The size of cube that leaves `count` is found by halving.
  double low = 0.0, high = 2.0;
  for (int step = 0; step < 14; ++step) {
    stop_if_cancelled();
    const double size = 0.5 * (low + high);
    (first_in_cubes(input, size).size() <= count ? high : low) = size;
  }
  samples = first_in_cubes(input, high);
  return in_spatial_order(std::move(samples));
}

void place_sites(SkinCellField& field, const BindInput& input, const SkinWeights& weights,
                 const std::vector<std::uint32_t>& samples) {
  const std::vector<double> radii = limb_radii(input);
  std::vector<std::uint32_t> in_order = samples;  // ties between clusters go to the first vertex of the mesh
  std::sort(in_order.begin(), in_order.end());
  for (int cell = 0; cell < field.cell_count(); ++cell) {
    stop_if_cancelled();
    std::vector<Vec3d> points;
    std::vector<double> mass;
    for (std::uint32_t vertex : in_order) {
      const double weight = weights.weight_of(vertex, field.joints[cell]);
      if (weight < least_share) continue;
      points.push_back(input.mesh.positions[vertex].cast<double>());
      mass.push_back(weight * weight);
    }
    if (points.empty()) continue;  // stays on its bone
    const int count = std::min<int>(field.sites_per_cell, static_cast<int>(points.size()));
    const std::vector<Cluster> clusters = clusters_of(points, mass, count);
    const double radius = least_thickness * radii[field.joints[cell]];
    for (int site = 0; site < field.sites_per_cell; ++site) {
      const Cluster& cluster = clusters[site % count];
      const Eigen::Matrix3d covariance = cluster.covariance + radius * radius * Eigen::Matrix3d::Identity();
      const Eigen::Matrix3d metric = Eigen::Matrix3d(covariance.llt().matrixL()).inverse();
      float* parameters = field.parameters.data() + static_cast<std::size_t>(cell) * field.cell_stride() +
                          site * SkinCellField::site_stride;
      for (int axis = 0; axis < 3; ++axis) parameters[axis] = static_cast<float>(cluster.centre[axis]);
      int entry = 3;
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column <= row; ++column) parameters[entry++] = static_cast<float>(metric(row, column));
      }
    }
  }
}

Problem make_problem(const BindInput& input, const SkinCellField& field, const std::vector<std::uint32_t>& samples) {
  Problem problem;
  const auto to_loss = static_cast<float>(loss_scale(input));
  for (std::uint32_t vertex : samples) {
    problem.unit_box.push_back(input.mesh.positions[vertex]);
    problem.rest.push_back(input.mesh.positions[vertex] * to_loss);
  }
  std::vector<std::vector<std::uint32_t>> neighbours =
      input.mesh.is_point_cloud() ? cloud_neighbour_lists(problem.unit_box) : surface_neighbours(input, samples);
  problem.first = {0};
  for (std::vector<std::uint32_t>& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    problem.neighbour.insert(problem.neighbour.end(), list.begin(), list.end());
    problem.first.push_back(static_cast<std::uint32_t>(problem.neighbour.size()));
  }
  add_springs(problem, input, field, samples, to_loss);
  return problem;
}

void add_poses(Problem& problem, const BindInput& input, const SkinCellField& field, const std::vector<Pose>& poses) {
  const double to_loss = loss_scale(input);
  for (const Pose& pose : poses) {
    const std::vector<Affine3d> transforms = skinning_transforms(input.skeleton, pose);
    for (int joint : field.joints) {
      Affine3d scaled = transforms[joint];
      scaled.translation() *= to_loss;
      problem.transforms.push_back(scaled.matrix().topRows<3>().cast<float>());
    }
  }
  problem.pose_count += static_cast<int>(poses.size());
}

}  // namespace sinew::skincells
