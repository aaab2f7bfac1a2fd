#include "sinew/fit/kind_features.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/cancellation.h"
#include "sinew/fit/curve_paths.h"
#include "sinew/learn/boosted_trees.h"

namespace sinew {
namespace {

constexpr std::size_t measured_limbs = 6;
constexpr int up_slabs = 8, forward_slabs = 5, side_slabs = 4;

// Range of the voxels along a direction, half a cell beyond their centres.
struct Extent {
  double low = 0, high = 0;

  double size() const { return high - low; }
  double share(double value) const { return size() > 0 ? (value - low) / size() : 0.5; }
};

Extent extent_along(const VoxelSolid& solid, const Vec3d& direction) {
  Extent extent{1e300, -1e300};
  for (std::uint32_t v = 0; v < solid.count(); ++v) {
    const double here = solid.position(v).dot(direction);
    extent = {std::min(extent.low, here), std::max(extent.high, here)};
  }
  return {extent.low - 0.5 * solid.cell(), extent.high + 0.5 * solid.cell()};
}

// Into how many pieces the slice of a solid at a share of its height falls; crumbs do not count.
int pieces_of_slice(const VoxelSolid& solid, const Vec3d& up, const Extent& extent, double share) {
  const double middle = extent.low + share * extent.size(), half = 0.9 * solid.cell();
  std::vector<std::uint32_t> slice;
  for (std::uint32_t v = 0; v < solid.count(); ++v) {
    if (std::abs(solid.position(v).dot(up) - middle) <= half) slice.push_back(v);
  }
  std::vector<char> open(slice.size(), 1);
  const auto index_of = [&](std::uint32_t voxel) {
    const auto found = std::lower_bound(slice.begin(), slice.end(), voxel);
    return found != slice.end() && *found == voxel ? found - slice.begin() : std::ptrdiff_t{-1};
  };
  int pieces = 0;
  std::vector<std::uint32_t> stack;
  for (std::size_t first = 0; first < slice.size(); ++first) {
    if (!open[first]) continue;
    open[first] = 0;
    stack.assign(1, slice[first]);
    std::size_t size = 0;
    while (!stack.empty()) {
      const std::uint32_t voxel = stack.back();
      stack.pop_back();
      ++size;
      solid.for_neighbours(voxel, [&](std::uint32_t other, double) {
        const std::ptrdiff_t at = index_of(other);
        if (at < 0 || !open[static_cast<std::size_t>(at)]) return;
        open[static_cast<std::size_t>(at)] = 0;
        stack.push_back(other);
      });
    }
    pieces += size >= 3;
  }
  return pieces;
}

class FeatureRow {
 public:
  explicit FeatureRow(int count) : count_(static_cast<std::size_t>(count)) { values_.reserve(count_); }

  void push(double value) { values_.push_back(std::isfinite(value) ? static_cast<float>(value) : unknown_feature); }
  void fill(std::size_t until) {
    while (values_.size() < until) values_.push_back(unknown_feature);
  }
  std::size_t size() const { return values_.size(); }
  std::vector<float> take() {
    if (values_.size() != count_) throw Error(ErrorCode::internal, "a row of features has another length than told");
    return std::move(values_);
  }

 private:
  std::size_t count_;
  std::vector<float> values_;
};

// Mass between two shares of the height: how much there is and how wide it spreads, in diagonals.
void push_slab(const VoxelSolid& solid, const Vec3d& up, const Extent& extent, double low, double high,
               FeatureRow& row) {
  AABBd box;
  double count = 0;
  for (std::uint32_t v = 0; v < solid.count(); ++v) {
    const double share = extent.share(solid.position(v).dot(up));
    if (share < low || share > high) continue;
    count += 1;
    box.extend(solid.position(v));
  }
  row.push(count / static_cast<double>(solid.count()));
  row.push(count > 0 ? box.diagonal().norm() / solid.box().diagonal().norm() : 0.0);
}

}  // namespace

SeenBody::SeenBody(MeshViews& views, int cells)
    : views_(views), solid_(views.solid(cells)), curve_(views.curve(cells)) {
  for (std::uint32_t v = 0; v < solid_->count(); ++v) centroid_ += solid_->position(v);
  centroid_ /= static_cast<double>(solid_->count());
}

std::vector<float> up_features(const SeenBody& body, const Vec3d& up) {
  const VoxelSolid& solid = body.solid();
  const double diagonal = body.curve().diagonal;
  const Extent extent = extent_along(solid, up);
  FeatureRow row(up_feature_count);
  std::vector<double> across;
  for (int a = 0; a < 3; ++a) {
    if (std::abs(up[a]) < 0.5) across.push_back(solid.box().sizes()[a] / diagonal);
  }
  std::sort(across.begin(), across.end());
  row.push(extent.size() / diagonal);
  row.push(across.front());
  row.push(across.back());
  row.push(extent.share(body.centroid().dot(up)));
  row.push(extent.share(body.curve().nodes.front().position.dot(up)));
  row.push(std::abs(body.curve().plane.normal.dot(up)));
  row.push(body.curve().plane.symmetry);
  double low_tips = 0, high_tips = 0, mean = 0, all = 0;
  for (const int tip : body.curve().tips()) {
    const double share = extent.share(body.curve().nodes[static_cast<std::size_t>(tip)].position.dot(up));
    low_tips += share < 0.12;
    high_tips += share > 0.88;
    mean += share;
    all += 1;
  }
  row.push(all);
  row.push(low_tips);
  row.push(high_tips);
  row.push(all > 0 ? mean / all : 0.5);
  push_slab(solid, up, extent, 0.0, 0.06, row);
  push_slab(solid, up, extent, 0.94, 1.0, row);
  push_slab(solid, up, extent, 0.0, 0.33, row);
  push_slab(solid, up, extent, 0.67, 1.0, row);
  for (const double share : {0.04, 0.12, 0.25, 0.75, 0.9}) row.push(pieces_of_slice(solid, up, extent, share));
  for (int a = 0; a < 3; ++a) row.push(up[a]);
  return row.take();
}

MirrorPlane level_mirror_plane(const SeenBody& body, const Vec3d& up) {
  std::vector<Vec3d> directions;
  for (int a = 0; a < 3; ++a) {
    const Vec3d level = Vec3d::Unit(a) - up[a] * up;
    if (level.norm() > 0.7) directions.push_back(level.normalized());
  }
  std::vector<int> tips = body.curve().tips();
  std::stable_sort(tips.begin(), tips.end(), [&](int a, int b) {
    return body.curve().from_core[static_cast<std::size_t>(a)] > body.curve().from_core[static_cast<std::size_t>(b)];
  });
  if (tips.size() > 8) tips.resize(8);
  for (std::size_t i = 0; i < tips.size(); ++i) {
    for (std::size_t j = i + 1; j < tips.size(); ++j) {
      const auto place = [&](std::size_t k) { return body.curve().nodes[static_cast<std::size_t>(tips[k])].position; };
      Vec3d apart = place(i) - place(j);
      apart -= apart.dot(up) * up;
      if (apart.norm() > 0.1 * body.curve().diagonal) directions.push_back(apart.normalized());
    }
  }
  return find_mirror_plane(body.solid(), directions);
}

std::vector<float> forward_features(const SeenBody& body, const BodyFrame& frame) {
  const VoxelSolid& solid = body.solid();
  const CurveSkeleton& curve = body.curve();
  const Extent tall = extent_along(solid, frame.up), deep = extent_along(solid, frame.forward);
  const double core = curve.nodes.front().position.dot(frame.forward);
  const auto ahead = [&](const Vec3d& p) { return (p.dot(frame.forward) - core) / curve.diagonal; };
  FeatureRow row(forward_feature_count);
  const NetworkLook* look = body.look(frame.up);
  const bool seen = look && look->guess.facing_known;
  row.push(seen ? look->guess.frame.forward.dot(frame.forward) : NAN);
  row.push(seen ? look->guess.misfit : NAN);
  const Vec3d usual = std::abs(frame.up.y()) > 0.5 ? Vec3d(Vec3d::UnitZ()) : Vec3d(-Vec3d::UnitY());
  row.push(usual.dot(frame.forward));
  row.push(deep.size() / curve.diagonal);
  row.push(tall.size() / curve.diagonal);
  row.push(deep.share(body.centroid().dot(frame.forward)));
  row.push(deep.share(core));

  // Slabs of the height, the lowest first: feet, shins, …, head.
  constexpr std::array<double, 7> limits{0, 0.06, 0.14, 0.35, 0.6, 0.85, 1.001};
  std::array<double, 6> sum{}, count{};
  double front = 0, back = 0, front_depth = 0, back_depth = 0, front_height = 0, back_height = 0;
  for (std::uint32_t v = 0; v < solid.count(); ++v) {
    const Vec3d& p = solid.position(v);
    const double height = tall.share(p.dot(frame.up)), at = deep.share(p.dot(frame.forward));
    for (std::size_t s = 0; s < sum.size(); ++s) {
      if (height < limits[s] || height >= limits[s + 1]) continue;
      sum[s] += ahead(p);
      count[s] += 1;
    }
    if (at > 0.7) front += 1, front_depth += solid.depth(v), front_height += height;
    if (at < 0.3) back += 1, back_depth += solid.depth(v), back_height += height;
  }
  const auto mean = [&](std::size_t s) { return count[s] > 0 ? sum[s] / count[s] : NAN; };
  for (std::size_t s = 0; s < sum.size(); ++s) row.push(mean(s));
  row.push(mean(0) - mean(1));
  row.push(front / static_cast<double>(solid.count()) - back / static_cast<double>(solid.count()));
  row.push(front > 0 && back > 0 ? (front_depth / front - back_depth / back) / curve.diagonal : NAN);
  row.push(front > 0 && back > 0 ? front_height / front - back_height / back : NAN);

  double furthest_front = 0, furthest_back = 0, tip_front = 0, tip_back = 0;
  for (const int tip : curve.tips()) {
    const CurveNode& node = curve.nodes[static_cast<std::size_t>(tip)];
    const double at = ahead(node.position);
    if (at > furthest_front) furthest_front = at, tip_front = node.radius / curve.diagonal;
    if (-at > furthest_back) furthest_back = -at, tip_back = node.radius / curve.diagonal;
  }
  row.push(furthest_front - furthest_back);
  row.push(tip_front - tip_back);
  BodyFrame by_spine = frame;
  take_apart(curve, by_spine, false);
  row.push(by_spine.forward.dot(frame.forward));
  row.push(furthest_back);
  row.push(furthest_front);
  return row.take();
}

namespace {

// Measures a body in its frame.
class KindMeasurer {
 public:
  KindMeasurer(const SeenBody& body, const BodyFrame& frame, double symmetry)
      : body_(body), solid_(body.solid()), curve_(body.curve()), frame_(frame), symmetry_(symmetry) {
    tall_ = extent_along(solid_, frame.up);
    wide_ = extent_along(solid_, frame.left);
    deep_ = extent_along(solid_, frame.forward);
  }

  std::vector<float> run() {
    measure_box();
    measure_slabs();
    measure_slices();
    measure_curves();
    measure_networks();
    return row_.take();
  }

 private:
  double height(const Vec3d& p) const { return tall_.share(p.dot(frame_.up)); }
  double ahead(const Vec3d& p) const { return deep_.share(p.dot(frame_.forward)); }
  double out(const Vec3d& p) const { return std::abs(2 * wide_.share(p.dot(frame_.left)) - 1); }

  void measure_box() {
    const double diagonal = curve_.diagonal;
    row_.push(wide_.size() / tall_.size());
    row_.push(deep_.size() / tall_.size());
    row_.push(wide_.size() / deep_.size());
    row_.push(tall_.size() / diagonal);
    double mean = 0, most = 0;
    for (std::uint32_t v = 0; v < solid_.count(); ++v) {
      mean += solid_.depth(v);
      most = std::max(most, solid_.depth(v));
    }
    mean /= static_cast<double>(solid_.count());
    const double cube = solid_.cell() * solid_.cell() * solid_.cell();
    row_.push(static_cast<double>(solid_.count()) * cube / (wide_.size() * tall_.size() * deep_.size()));
    row_.push(mean / diagonal);
    row_.push(most / diagonal);
    row_.push(mean / most);
    row_.push(symmetry_);
    row_.push(height(body_.centroid()));
    row_.push(ahead(body_.centroid()));
    row_.push(height(curve_.nodes.front().position));
  }

  // Of every slab: its share of the mass and how far it spreads along the two other directions (of the box).
  void measure_slabs() {
    struct Slab {
      double count = 0, height = 0;
      Extent first{1e300, -1e300}, second{1e300, -1e300};
    };
    std::array<Slab, up_slabs> layers;
    std::array<Slab, forward_slabs> slices;
    std::array<Slab, side_slabs> sides;
    const auto add = [](Slab& slab, double h, double a, double b) {
      slab.count += 1;
      slab.height += h;
      slab.first = {std::min(slab.first.low, a), std::max(slab.first.high, a)};
      slab.second = {std::min(slab.second.low, b), std::max(slab.second.high, b)};
    };
    const auto slab_of = [](double share, int count) {
      return static_cast<std::size_t>(std::clamp(static_cast<int>(share * count), 0, count - 1));
    };
    for (std::uint32_t v = 0; v < solid_.count(); ++v) {
      const Vec3d& p = solid_.position(v);
      const double h = height(p), z = ahead(p), x = wide_.share(p.dot(frame_.left));
      add(layers[slab_of(h, up_slabs)], h, x, z);
      add(slices[slab_of(z, forward_slabs)], h, x, h);
      add(sides[slab_of(std::abs(2 * x - 1), side_slabs)], h, z, h);
    }
    const auto push = [&](const auto& slabs, bool heights) {
      for (const Slab& slab : slabs) {
        row_.push(slab.count / static_cast<double>(solid_.count()));
        row_.push(slab.count > 0 ? slab.first.size() : 0.0);
        row_.push(slab.count > 0 ? slab.second.size() : 0.0);
        if (heights) row_.push(slab.count > 0 ? slab.height / slab.count : NAN);
      }
    };
    push(layers, false);
    push(slices, true);
    push(sides, true);
  }

  void measure_slices() {
    for (const double share : {0.04, 0.1, 0.18, 0.3, 0.45, 0.6, 0.8, 0.93}) {
      row_.push(pieces_of_slice(solid_, frame_.up, tall_, share));
    }
  }

  void measure_curves() {
    BodyFrame frame = frame_;
    const CurvePaths paths = take_apart(curve_, frame, true);
    const CurvePath& spine = paths.paths.front();
    const auto place = [&](int node) { return curve_.nodes[static_cast<std::size_t>(node)].position; };
    const auto radius = [&](int node) { return curve_.nodes[static_cast<std::size_t>(node)].radius / curve_.diagonal; };
    const Vec3d reach = place(spine.nodes.back()) - place(spine.nodes.front());
    double thick = 0, most = 0;
    for (const int node : spine.nodes) thick += radius(node), most = std::max(most, radius(node));
    row_.push(spine.length() / curve_.diagonal);
    row_.push(spine.length() > 0 ? reach.norm() / spine.length() : 1.0);
    row_.push(reach.norm() > 0 ? reach.dot(frame_.up) / reach.norm() : 0.0);
    row_.push(thick / static_cast<double>(spine.nodes.size()));
    row_.push(most);
    row_.push(paths.radius_at(curve_, 0, 0.1 * spine.length()) / curve_.diagonal);
    row_.push(paths.radius_at(curve_, 0, 0.9 * spine.length()) / curve_.diagonal);

    std::vector<const CurvePath*> limbs;
    double low = 0, high = 0, paired = 0, total = 0;
    for (std::size_t p = 1; p < paths.paths.size(); ++p) {
      const CurvePath& limb = paths.paths[p];
      limbs.push_back(&limb);
      const double tip = height(place(limb.nodes.back()));
      low += tip < 0.12;
      high += tip > 0.85;
      paired += limb.mirror >= 0 && limb.mirror != static_cast<int>(p);
      total += limb.free_length() / curve_.diagonal;
    }
    row_.push(static_cast<double>(limbs.size()));
    row_.push(low);
    row_.push(high);
    row_.push(paired);
    row_.push(total);
    std::stable_sort(limbs.begin(), limbs.end(),
                     [](const CurvePath* a, const CurvePath* b) { return a->free_length() > b->free_length(); });
    const std::size_t end = row_.size() + 8 * measured_limbs;
    for (std::size_t i = 0; i < std::min(limbs.size(), measured_limbs); ++i) push_limb(*limbs[i]);
    row_.fill(end);
  }

  void push_limb(const CurvePath& limb) {
    const auto node = [&](int n) -> const CurveNode& { return curve_.nodes[static_cast<std::size_t>(n)]; };
    const Vec3d root = node(limb.nodes.front()).position, tip = node(limb.nodes.back()).position;
    double thick = 0;
    for (const int n : limb.nodes) thick += node(n).radius;
    row_.push(limb.free_length() / curve_.diagonal);
    row_.push(height(root));
    row_.push(height(tip));
    row_.push(out(tip));
    row_.push(ahead(root));
    row_.push(ahead(tip));
    row_.push(thick / static_cast<double>(limb.nodes.size()) / curve_.diagonal);
    row_.push((tip - root).norm() > 0 ? (tip - root).dot(frame_.up) / (tip - root).norm() : 0.0);
  }

  // How well the surface agrees with where on a person the networks see it.
  void measure_networks() {
    const NetworkLook* look = body_.look(frame_.up);
    if (!look || !look->guess.facing_known) {
      row_.fill(kind_feature_count);
      return;
    }
    const NeuralBody& seen = look->body;
    double weight = 0, y = 0, told = 0, yy = 0, both = 0, toldtold = 0, wide = 0;
    for (std::size_t v = 0; v < seen.mesh.positions.size(); ++v) {
      const auto features = seen.features.row(static_cast<Eigen::Index>(v));
      const double sure = features[features.size() - 1], here = seen.mesh.positions[v].y(), there = features[1];
      weight += sure;
      y += sure * here;
      told += sure * there;
      yy += sure * here * here;
      both += sure * here * there;
      toldtold += sure * there * there;
      wide += sure * std::abs(static_cast<double>(features[0]));
    }
    row_.push(look->guess.misfit);
    row_.push(look->guess.frame.forward.dot(frame_.forward));
    row_.push(weight / static_cast<double>(std::max<std::size_t>(1, seen.mesh.positions.size())));
    const double spread = (yy * weight - y * y) * (toldtold * weight - told * told);
    row_.push(spread > 0 ? (both * weight - y * told) / std::sqrt(spread) : NAN);
    row_.push(told / weight);
    row_.push(wide / weight);
  }

  const SeenBody& body_;
  const VoxelSolid& solid_;
  const CurveSkeleton& curve_;
  BodyFrame frame_;
  double symmetry_;
  Extent tall_, wide_, deep_;
  FeatureRow row_{kind_feature_count};
};

}  // namespace

std::vector<float> kind_features(const SeenBody& body, const BodyFrame& frame, double symmetry) {
  return KindMeasurer(body, frame, symmetry).run();
}

}  // namespace sinew
