#include "sinew/learn/skeleton_graph.h"

#include <algorithm>
#include <cmath>

namespace sinew {

SkeletonGraph body_graph(const Skeleton& skeleton, const std::vector<JointIdentity>& joints) {
  std::vector<char> take_part(skeleton.names.size(), 0);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const JointRole role = joints[j].role;
    take_part[j] = skeleton.kinds[j] == JointKind::joint && role != JointRole::root && role != JointRole::control &&
                   role != JointRole::prop;
  }
  return graph_of(skeleton, take_part);
}

SkeletonGraph graph_of(const Skeleton& skeleton, const std::vector<char>& take_part) {
  SkeletonGraph graph;
  std::vector<int> index(skeleton.names.size(), -1);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (!take_part[j]) continue;
    int parent = skeleton.parents[j];
    while (parent >= 0 && index[parent] < 0) parent = skeleton.parents[parent];
    index[j] = graph.count();
    graph.joints.push_back(j);
    graph.parents.push_back(parent >= 0 ? index[parent] : -1);
    graph.positions.push_back(skeleton.position(j));
  }
  return graph;
}

void stand_in_body_space(SkeletonGraph& graph, const Mat3d& axes) {
  AABBd box;
  Vec3d mean = Vec3d::Zero();
  for (Vec3d& p : graph.positions) {
    p = axes * p;
    box.extend(p);
    mean += p / static_cast<double>(graph.count());
  }
  const double height = box.sizes().y();
  const double scale = height > 0 ? 0.88 / height : 1.0;
  for (Vec3d& p : graph.positions) {
    p = scale * (p - Vec3d(mean.x(), box.min().y(), mean.z()));
    p.y() += 0.04;
  }
}

NetMatrix graph_inputs(const SkeletonGraph& graph) {
  const int count = graph.count();
  NetMatrix inputs(count, joint_inputs);
  std::vector<int> below(count, 0), depth(count, 0);
  for (int j = count - 1; j >= 0; --j) {
    if (graph.parents[j] >= 0) below[graph.parents[j]] += below[j] + 1;
  }
  for (int j = 0; j < count; ++j) {
    const int parent = graph.parents[j];
    if (parent >= 0) depth[j] = depth[parent] + 1;
    const Vec3d offset = parent >= 0 ? Vec3d(graph.positions[j] - graph.positions[parent]) : Vec3d(Vec3d::Zero());
    for (int c = 0; c < 3; ++c) {
      inputs(j, c) = static_cast<float>(2 * graph.positions[j][c] - (c == 1 ? 1.0 : 0.0));
      inputs(j, 3 + c) = static_cast<float>(5 * offset[c]);
    }
    inputs(j, 6) = below[j] == 0 ? 1.0f : 0.0f;
    inputs(j, 7) = static_cast<float>(std::log1p(below[j]) / 4);
    inputs(j, 8) = static_cast<float>(depth[j]) / 8;
  }
  return inputs;
}

std::vector<std::uint8_t> hop_relations(const SkeletonGraph& graph) {
  const int count = graph.count();
  std::vector<std::uint8_t> kinds(static_cast<std::size_t>(count) * count, 10);
  const auto at = [&](int a, int b) -> std::uint8_t& { return kinds[static_cast<std::size_t>(a) * count + b]; };
  for (int a = 0; a < count; ++a) {
    at(a, a) = 0;
    int steps = 1;
    for (int up = graph.parents[a]; up >= 0; up = graph.parents[up], ++steps) {
      at(a, up) = static_cast<std::uint8_t>(std::min(steps, 4));
      at(up, a) = static_cast<std::uint8_t>(4 + std::min(steps, 4));
    }
    for (int b = 0; b < a; ++b) {
      if (graph.parents[a] == graph.parents[b]) at(a, b) = at(b, a) = 9;
    }
  }
  return kinds;
}

std::vector<int> mirror_partners(const SkeletonGraph& graph) {
  const int count = graph.count();
  std::vector<int> partners(count, -1);
  const auto nearest = [&](int j) {
    const Vec3d wanted(-graph.positions[j].x(), graph.positions[j].y(), graph.positions[j].z());
    int best = j;
    double least = 0.05;
    for (int other = 0; other < count; ++other) {
      const double away = (graph.positions[other] - wanted).norm();
      if (away < least - 1e-9) {
        least = away;
        best = other;
      }
    }
    return least < 0.05 ? best : -1;
  };
  for (int j = 0; j < count; ++j) {
    const int other = nearest(j);
    if (other >= 0 && nearest(other) == j) partners[j] = other;
  }
  return partners;
}

}  // namespace sinew
