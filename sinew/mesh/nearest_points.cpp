#include "sinew/mesh/nearest_points.h"

#include <algorithm>
#include <cmath>
#include <nanoflann.hpp>
#include <string>

#include "sinew/error.h"

namespace sinew {
namespace {

// What nanoflann wants to know about a set of points.
struct PointSet {
  std::vector<Vec3f> points;

  std::size_t kdtree_get_point_count() const { return points.size(); }
  float kdtree_get_pt(std::size_t index, std::size_t axis) const { return points[index][static_cast<int>(axis)]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

// Distances are sums of double squares, so that points far from the origin keep their order.
using Metric = nanoflann::L2_Simple_Adaptor<float, PointSet, double, std::uint32_t>;
using Tree = nanoflann::KDTreeSingleIndexAdaptor<Metric, PointSet, 3, std::uint32_t>;

// A nanoflann result set that begins with a bound instead of infinity.
class NearestWithin {
 public:
  using DistanceType = double;

  explicit NearestWithin(double squared_radius) : squared_distance_(squared_radius) {}
  bool full() const { return true; }
  std::size_t size() const { return found_ ? 1 : 0; }
  double worstDist() const { return squared_distance_; }
  bool addPoint(double squared_distance, std::uint32_t index) {
    if (squared_distance < squared_distance_) {
      squared_distance_ = squared_distance;
      index_ = index;
      found_ = true;
    }
    return true;
  }
  bool found() const { return found_; }
  NearPoint result() const { return {index_, std::sqrt(squared_distance_)}; }

 private:
  double squared_distance_;
  std::uint32_t index_ = 0;
  bool found_ = false;
};

}  // namespace

struct NearestPoints::Impl {
  PointSet set;
  Tree tree;
  explicit Impl(const std::vector<Vec3f>& points) : set{points}, tree(3, set, {16}) {}
};

NearestPoints::NearestPoints(const std::vector<Vec3f>& points) {
  for (std::size_t index = 0; index < points.size(); ++index) {
    if (!points[index].allFinite()) {
      throw Error(ErrorCode::mesh_invalid, "point " + std::to_string(index) + " has a position that is not finite");
    }
  }
  impl_ = std::make_unique<Impl>(points);
}
NearestPoints::~NearestPoints() = default;
NearestPoints::NearestPoints(NearestPoints&&) noexcept = default;
NearestPoints& NearestPoints::operator=(NearestPoints&&) noexcept = default;

bool NearestPoints::nearest(const Vec3f& query, NearPoint& result, double radius) const {
  if (impl_->set.points.empty()) return false;
  NearestWithin search(radius * radius);
  impl_->tree.findNeighbors(search, query.data(), {});
  if (search.found()) result = search.result();
  return search.found();
}

void NearestPoints::nearest(const Vec3f& query, int count, std::vector<NearPoint>& result) const {
  const std::size_t wanted = std::min(static_cast<std::size_t>(std::max(count, 0)), impl_->set.points.size());
  result.resize(wanted);
  if (wanted == 0) return;
  std::vector<std::uint32_t> indices(wanted);
  std::vector<double> squared(wanted);
  nanoflann::KNNResultSet<double, std::uint32_t> search(wanted);
  search.init(indices.data(), squared.data());
  impl_->tree.findNeighbors(search, query.data(), {});
  for (std::size_t i = 0; i < wanted; ++i) result[i] = {indices[i], std::sqrt(squared[i])};
  std::sort(result.begin(), result.end(), [](const NearPoint& a, const NearPoint& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.index < b.index;
  });
}

void NearestPoints::within(const Vec3f& query, double radius, std::vector<NearPoint>& result) const {
  result.clear();
  if (impl_->set.points.empty()) return;
  std::vector<std::pair<std::uint32_t, double>> found;
  nanoflann::RadiusResultSet<double, std::uint32_t> search(radius * radius, found);
  impl_->tree.findNeighbors(search, query.data(), {});
  std::sort(found.begin(), found.end());
  for (const auto& [index, squared_distance] : found) result.push_back({index, std::sqrt(squared_distance)});
}

}  // namespace sinew
