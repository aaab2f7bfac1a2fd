#include "sinew/mesh/cloud_normals.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

#include "sinew/base/parallel.h"
#include "sinew/mesh/nearest_points.h"

namespace sinew {
namespace {

Vec3f flattest_direction(const std::vector<Vec3f>& points, const std::vector<NearPoint>& near) {
  Vec3d mean = Vec3d::Zero();
  for (const NearPoint& n : near) mean += points[n.index].cast<double>();
  mean /= static_cast<double>(near.size());
  Mat3d covariance = Mat3d::Zero();
  for (const NearPoint& n : near) {
    const Vec3d d = points[n.index].cast<double>() - mean;
    covariance += d * d.transpose();
  }
  return Eigen::SelfAdjointEigenSolver<Mat3d>(covariance).eigenvectors().col(0).cast<float>();
}

// The point of a part that lies furthest from its centre: the surface there faces away from it.
void turn_outwards(const std::vector<Vec3f>& points, const std::vector<std::uint32_t>& part,
                   std::vector<Vec3f>& normals) {
  Vec3d centre = Vec3d::Zero();
  for (std::uint32_t i : part) centre += points[i].cast<double>();
  centre /= static_cast<double>(part.size());
  const std::uint32_t furthest = *std::max_element(part.begin(), part.end(), [&](std::uint32_t a, std::uint32_t b) {
    return (points[a].cast<double>() - centre).squaredNorm() < (points[b].cast<double>() - centre).squaredNorm();
  });
  if (normals[furthest].cast<double>().dot(points[furthest].cast<double>() - centre) >= 0.0) return;
  for (std::uint32_t i : part) normals[i] = -normals[i];
}

}  // namespace

std::vector<Vec3f> estimate_cloud_normals(const std::vector<Vec3f>& points, int neighbours) {
  std::vector<Vec3f> normals(points.size(), Vec3f(0, 0, 1));
  if (points.size() < 3) return normals;
  const NearestPoints tree(points);
  std::vector<std::vector<std::uint32_t>> graph(points.size());
  parallel_for(points.size(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<NearPoint> near;
    for (std::size_t i = begin; i < end; ++i) {
      tree.nearest(points[i], neighbours + 1, near);
      normals[i] = flattest_direction(points, near);
      for (const NearPoint& n : near) {
        if (n.index != i) graph[i].push_back(n.index);
      }
    }
  });
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    for (std::size_t k = 0; k < graph[i].size() && k < static_cast<std::size_t>(neighbours); ++k) {
      graph[graph[i][k]].push_back(i);
    }
  }

  // Prim's algorithm: orientation travels first where neighbouring normals are most parallel.
  std::vector<bool> done(points.size(), false);
  using Step = std::tuple<float, std::uint32_t, std::uint32_t>;  // how far from parallel, to, from
  for (std::uint32_t seed = 0; seed < points.size(); ++seed) {
    if (done[seed]) continue;
    std::vector<std::uint32_t> part;
    std::priority_queue<Step, std::vector<Step>, std::greater<>> queue;
    queue.emplace(0.0f, seed, seed);
    while (!queue.empty()) {
      const auto [cost, to, from] = queue.top();
      queue.pop();
      if (done[to]) continue;
      done[to] = true;
      part.push_back(to);
      if (normals[to].dot(normals[from]) < 0.0f) normals[to] = -normals[to];
      for (std::uint32_t next : graph[to]) {
        if (!done[next]) queue.emplace(1.0f - std::abs(normals[to].dot(normals[next])), next, to);
      }
    }
    turn_outwards(points, part, normals);
  }
  return normals;
}

}  // namespace sinew
