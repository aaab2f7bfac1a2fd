#include "sinew/weights/biharmonic/biharmonic_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "sinew/base/parallel.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/weights/biharmonic/biharmonic_frame.h"

namespace sinew {
namespace {

constexpr int neighbours_3d = 20, neighbours_2d = 12;
// Points are placed once more when their number was asked for and is off by more than this share.
constexpr double count_tolerance = 0.1;

struct HandlePoint {
  Vec3f position;
  int handle;
};

// About one spacing apart and half a spacing from the ends, so that two bones that meet in a joint share it evenly.
std::vector<Vec3f> along_bone(const SpacingField& spacing, const Bone& bone) {
  const Vec3f a = bone.head.cast<float>(), b = bone.tail.cast<float>();
  const double length = (b - a).cast<double>().norm();
  if (length == 0.0) return {a};
  // Narrow spacing anywhere along the bone governs all of it: a few points more do no harm.
  double step = length;
  for (int i = 0; i <= 8; ++i) step = std::min(step, spacing.at(a + static_cast<float>(i / 8.0) * (b - a)));
  const int count = std::max(1, static_cast<int>(std::lround(length / step)));
  std::vector<Vec3f> places;
  for (int i = 0; i < count; ++i) places.push_back(a + static_cast<float>((i + 0.5) / count) * (b - a));
  return places;
}

// Places on handles that keep some distance, from the same handle's more than from others': crowds of them would fill
// the neighbourhoods of the points around and cut off one side of the handle from the other.
class HandlePlaces {
 public:
  explicit HandlePlaces(const BiharmonicShape& shape) : shape_(shape), points_(shape.domains.size()) {}

  bool add(std::size_t domain, const Vec3f& place, int handle) {
    const double spacing = shape_.spacing[domain].at(place);
    for (const HandlePoint& other : points_[domain]) {
      const double distance = (other.position - place).cast<double>().norm();
      if (distance < (other.handle == handle ? 0.7 : 0.35) * spacing) return false;
    }
    points_[domain].push_back({place, handle});
    return true;
  }

  void force(std::size_t domain, const Vec3f& place, int handle) { points_[domain].push_back({place, handle}); }

  const std::vector<std::vector<HandlePoint>>& points() const { return points_; }

 private:
  const BiharmonicShape& shape_;
  std::vector<std::vector<HandlePoint>> points_;
};

// A place inside a domain under the surface place nearest to `outside`; false when there is none. Straight on from the
// outside leads inside even at sharp edges and tips, where the normal of one face leads out through the next.
bool place_within(const SolidDomain& domain, double spacing, const Vec3f& outside, Vec3f& result) {
  const auto anywhere = static_cast<float>(1e3 * domain.diagonal());
  ClosestPoint closest;
  if (!domain.closest_point(outside, closest, anywhere)) return false;
  const Vec3f onwards = (closest.position - outside).stableNormalized();
  // From well inside to hardly under the surface: a thin part must not lose its bone to a thick one further away.
  for (const double share : {0.2, 0.05, 0.01}) {
    const auto depth = static_cast<float>(share * spacing);
    if (domain.point_under_surface(outside, anywhere, depth, result)) return true;
    result = closest.position + depth * onwards;
    ClosestPoint wall;
    if (domain.contains(result) && !domain.closest_wall(result, wall, 0.1f * depth)) return true;
  }
  return false;
}

// For a handle that lies in no domain: the place under any surface that is nearest to it.
void place_under_surface(const BiharmonicShape& shape, const BiharmonicHandle& handle, int index,
                         HandlePlaces& places) {
  double nearest = std::numeric_limits<double>::infinity();
  std::size_t chosen = 0;
  Vec3f chosen_place = Vec3f::Zero();
  for (std::size_t d = 0; d < shape.domains.size(); ++d) {
    for (const Bone& bone : handle.bones) {
      for (const Vec3f& place : along_bone(shape.spacing[d], bone)) {
        Vec3f under;
        if (!place_within(shape.domains[d], shape.spacing[d].widest(), place, under)) continue;
        const double distance = (under - place).cast<double>().norm();
        if (distance >= nearest) continue;
        nearest = distance;
        chosen = d;
        chosen_place = under;
      }
    }
  }
  if (std::isfinite(nearest)) places.force(chosen, chosen_place, index);
}

// Places a handle in every domain it passes through; false when there is none.
bool place_inside(const BiharmonicShape& shape, const BiharmonicHandle& handle, int index, HandlePlaces& places) {
  bool inside = false;
  for (std::size_t d = 0; d < shape.domains.size(); ++d) {
    bool placed = false;
    Vec3f refused = Vec3f::Zero();
    bool has_refused = false;
    for (const Bone& bone : handle.bones) {
      for (const Vec3f& place : along_bone(shape.spacing[d], bone)) {
        if (!shape.domains[d].contains(place)) continue;
        inside = true;
        if (places.add(d, place, index)) {
          placed = true;
        } else if (!has_refused) {
          refused = place;
          has_refused = true;
        }
      }
    }
    // Too near to others everywhere, but it must be somewhere.
    if (!placed && has_refused) places.force(d, refused, index);
  }
  return inside;
}

std::vector<std::vector<HandlePoint>> handle_points(const BiharmonicShape& shape,
                                                    const std::vector<BiharmonicHandle>& handles, Warnings& warnings) {
  HandlePlaces places(shape);
  int outside = 0;
  for (std::size_t h = 0; h < handles.size(); ++h) {
    const auto index = static_cast<int>(h);
    if (place_inside(shape, handles[h], index, places)) continue;
    place_under_surface(shape, handles[h], index, places);
    ++outside;
  }
  if (outside > 0) {
    warnings.push_back({"handles-outside", std::to_string(outside) + " of " + std::to_string(handles.size()) +
                                               " handles lie outside the shape and were bound to the nearest surface"});
  }
  return places.points();
}

// Interleaves the bits of a point's place in the box: sorts along a space-filling (Morton) curve.
std::uint64_t morton_code(const Vec3f& p, const AABBf& box) {
  const float extent = std::max(box.sizes().maxCoeff(), 1e-30f);
  std::uint64_t code = 0;
  for (int axis = 0; axis < 3; ++axis) {
    // Off the middle of the box: bones like to lie there, and rounding would decide on which side.
    const double unit = std::clamp<double>((p[axis] - box.min()[axis]) / extent * 0.8 + 0.137, 0.0, 1.0);
    const auto cell = static_cast<std::uint64_t>(unit * ((1 << 20) - 1));
    for (int bit = 0; bit < 20; ++bit) code |= (cell >> bit & 1) << (3 * bit + axis);
  }
  return code;
}

void append_domain(const SolidDomain& domain, int index, const VolumeSamples& samples,
                   const std::vector<HandlePoint>& on_handles, BiharmonicPoints& points) {
  const std::size_t count = samples.positions.size();
  std::vector<std::uint64_t> codes(count);
  for (std::size_t i = 0; i < count; ++i) codes[i] = morton_code(samples.positions[i], domain.bounds());
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return codes[a] != codes[b] ? codes[a] < codes[b] : a < b; });
  for (std::uint32_t i : order) {
    points.positions.push_back(samples.positions[i]);
    points.spacing.push_back(samples.spacing[i]);
    points.volume.push_back(samples.volume[i]);
    points.domain.push_back(index);
    points.handle.push_back(i < on_handles.size() ? on_handles[i].handle : -1);
  }
}

}  // namespace

BiharmonicShape make_biharmonic_shape(const TriangleMesh& mesh, Warnings& warnings) {
  BiharmonicShape shape;
  check_mesh(mesh);
  shape.pieces = split_into_solids(mesh);
  AABBf box;
  for (const TriangleMesh& piece : shape.pieces.meshes) {
    const AABBf piece_box = bounding_box(piece);
    const bool has_extent = !piece.positions.empty() && piece_box.sizes().maxCoeff() > 0.0f;
    shape.domain_of_piece.push_back(has_extent ? static_cast<int>(shape.domains.size()) : -1);
    if (!has_extent) continue;
    shape.domains.emplace_back(piece);
    box.extend(shape.domains.back().bounds());
    const Warnings& found = shape.domains.back().warnings();
    warnings.insert(warnings.end(), found.begin(), found.end());
  }
  if (shape.domains.empty()) throw Error(ErrorCode::mesh_degenerate, "all vertices of the mesh lie at one point");
  shape.diagonal = box.diagonal().cast<double>().norm();
  return shape;
}

struct VisibleNeighbours::Impl {
  const SolidDomain& domain;
  std::size_t first;
  std::vector<Vec3f> positions;
  NearestPoints tree;
};

VisibleNeighbours::VisibleNeighbours(const SolidDomain& domain, const BiharmonicPoints& points, int index) {
  const std::vector<Vec3f> positions(points.positions.begin() + static_cast<std::ptrdiff_t>(points.first[index]),
                                     points.positions.begin() + static_cast<std::ptrdiff_t>(points.first[index + 1]));
  impl_ = std::make_unique<Impl>(Impl{domain, points.first[index], positions, NearestPoints(positions)});
}
VisibleNeighbours::~VisibleNeighbours() = default;
VisibleNeighbours::VisibleNeighbours(VisibleNeighbours&&) noexcept = default;

void VisibleNeighbours::find(const Vec3f& from, int wanted, std::int64_t exclude,
                             std::vector<std::uint32_t>& result) const {
  std::vector<NearPoint> near;
  // Behind a wall many near points may be hidden: look further until enough are seen.
  for (int looked_at = 2 * wanted; looked_at <= 32 * wanted; looked_at *= 4) {
    result.clear();
    impl_->tree.nearest(from + off_symmetry, looked_at, near);
    for (const NearPoint& n : near) {
      const std::size_t index = impl_->first + n.index;
      if (static_cast<std::int64_t>(index) == exclude || !impl_->domain.sees(from, impl_->positions[n.index])) continue;
      result.push_back(static_cast<std::uint32_t>(index));
      if (static_cast<int>(result.size()) == wanted) return;
    }
    if (2 * static_cast<int>(result.size()) >= wanted) return;
  }
}

std::vector<VisibleNeighbours> make_visible_neighbours(const BiharmonicShape& shape, const BiharmonicPoints& points) {
  std::vector<VisibleNeighbours> visible;
  for (std::size_t d = 0; d < shape.domains.size(); ++d) {
    visible.emplace_back(shape.domains[d], points, static_cast<int>(d));
  }
  return visible;
}

namespace {

struct PlacedPoints {
  std::vector<std::vector<HandlePoint>> on_handles;  // per domain
  std::vector<VolumeSamples> samples;                // per domain, those on handles first
  std::size_t count = 0;
};

PlacedPoints place_points(const BiharmonicShape& shape, const std::vector<BiharmonicHandle>& handles,
                          std::uint64_t seed, Warnings& warnings) {
  PlacedPoints placed;
  placed.on_handles = handle_points(shape, handles, warnings);
  for (std::size_t d = 0; d < shape.domains.size(); ++d) {
    std::vector<Vec3f> fixed;
    for (const HandlePoint& p : placed.on_handles[d]) fixed.push_back(p.position);
    placed.samples.push_back(sample_volume(shape.domains[d], shape.spacing[d], fixed, seed));
    placed.count += placed.samples.back().positions.size();
  }
  return placed;
}

}  // namespace

BiharmonicPoints make_biharmonic_points(BiharmonicShape& shape, const std::vector<BiharmonicHandle>& handles,
                                        const VolumeSampleOptions& options, bool count_matters, Warnings& warnings) {
  shape.spacing = make_spacing_fields(shape.domains, options);
  PlacedPoints placed;
  for (bool again = count_matters;; again = false) {
    Warnings found;
    placed = place_points(shape, handles, options.seed, found);
    const double factor = options.target / std::max(1.0, static_cast<double>(placed.count));
    if (!again || std::abs(factor - 1.0) < count_tolerance) {
      warnings.insert(warnings.end(), found.begin(), found.end());
      break;
    }
    shape.spacing = rescaled_spacing_fields(shape.domains, options, shape.spacing, std::clamp(factor, 0.2, 5.0));
  }
  BiharmonicPoints points;
  points.first.push_back(0);
  for (std::size_t d = 0; d < shape.domains.size(); ++d) {
    append_domain(shape.domains[d], static_cast<int>(d), placed.samples[d], placed.on_handles[d], points);
    points.first.push_back(points.count());
  }
  const std::vector<VisibleNeighbours> visible = make_visible_neighbours(shape, points);
  std::vector<std::vector<std::uint32_t>> lists(points.count());
  points.insideness.resize(points.count());
  parallel_for(points.count(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const SolidDomain& domain = shape.domains[points.domain[i]];
      points.insideness[i] = std::max(static_cast<float>(domain.insideness(points.positions[i])), 0.01f);
      const int wanted = domain.dimension() == 2 ? neighbours_2d : neighbours_3d;
      visible[points.domain[i]].find(points.positions[i], wanted, static_cast<std::int64_t>(i), lists[i]);
    }
  });
  points.neighbours = to_index_rows(lists);
  return points;
}

}  // namespace sinew
