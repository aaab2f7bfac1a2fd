#include <algorithm>
#include <cmath>

#include "sinew/fit/shape_reader.h"

namespace sinew {

std::vector<BodyShape> ShapeReader::read_four_legged() {
  std::vector<TipPair> feet;
  for (const TipPair& pair : mirrored_pairs()) {
    if (pair.height < 0.25 * height_) feet.push_back(pair);
  }
  std::sort(feet.begin(), feet.end(), [](const TipPair& a, const TipPair& b) { return a.prominence > b.prominence; });
  const Vec3d along = frame_.up.cross(frame_.across).normalized();
  const auto place = [&](const TipPair& pair) { return (tip(pair.a) - frame_.middle).dot(along); };
  std::erase_if(feet, [&](const TipPair& pair) {
    return &pair != &feet.front() && std::abs(place(pair) - place(feet.front())) < 0.1 * diagonal_;
  });
  if (feet.size() < 2) throw Error(ErrorCode::body_not_recognised, "four legs were not found in the mesh");
  limbs_found_ = 2;
  // Of the tips on the mirror plane, the thick one is the head and the thin one at the other end the tail.
  const double split = 0.5 * (place(feet[0]) + place(feet[1]));
  std::vector<int> heads;
  for (int i = 0; i < static_cast<int>(tips_.size()); ++i) {
    if (std::abs(side_of(tip(i))) > 0.08 * diagonal_ || height_of(tip(i)) < 0.3 * height_) continue;
    const double end = (tip(i) - frame_.middle).dot(along) - split;
    const bool behind = options_.forward_given && end * options_.forward.dot(along) < 0;
    if (std::abs(end) >= 0.1 * diagonal_ && !behind) heads.push_back(i);
  }
  if (heads.empty()) throw Error(ErrorCode::body_not_recognised, "a head was not found in the mesh");
  limbs_found_ = 3;
  const auto thickness = [&](int i) { return thickness_at(tips_[static_cast<std::size_t>(i)].voxel); };
  std::stable_sort(heads.begin(), heads.end(), [&](int a, int b) { return thickness(a) > thickness(b); });
  std::vector<BodyShape> readings;
  for (const int head : heads) {
    if (readings.size() == 3) break;
    const double forward = (tip(head) - frame_.middle).dot(along) - split > 0 ? 1.0 : -1.0;
    const bool first_is_front = forward * (place(feet[0]) - split) > 0;
    readings.push_back(four_legged_of(feet[first_is_front ? 0 : 1], feet[first_is_front ? 1 : 0], head, forward * along,
                                      forward * split));
    readings.back().evidence.hands_rank = static_cast<int>(readings.size()) - 1;
  }
  return readings;
}

double ShapeReader::thickness_at(std::uint32_t voxel) const {
  const LimbCurve way = way_from(voxel);
  double sum = 0;
  for (int i = 1; i <= 10; ++i) {
    const std::int64_t v = solid_.near(way.at(0.04 * i), 2);
    if (v >= 0) sum += solid_.depth(static_cast<std::uint32_t>(v));
  }
  return sum;
}

int ShapeReader::find_tail(int head, const Vec3d& forward, double split) const {
  int tail = -1;
  for (int i = 0; i < static_cast<int>(tips_.size()); ++i) {
    const double end = (tip(i) - frame_.middle).dot(forward) - split;
    if (i == head || end > -0.1 * diagonal_ || std::abs(side_of(tip(i))) > 0.08 * diagonal_) continue;
    if (height_of(tip(i)) < 0.15 * height_) continue;  // a foot that steps back
    if (tail < 0 || tips_[i].prominence > tips_[tail].prominence) tail = i;
  }
  return tail;
}

BodyShape ShapeReader::four_legged_of(const TipPair& front, const TipPair& back, int head, const Vec3d& forward,
                                      double split) {
  BodyShape shape;
  shape.on_all_fours = true;
  shape.height = height_;
  shape.symmetry = std::min(1.0, frame_.symmetry);
  shape.middle = frame_.middle;
  shape.frame.up = frame_.up;
  shape.frame.forward = forward;
  shape.frame.left = shape.frame.up.cross(shape.frame.forward).normalized();
  shape.evidence.hands = front.prominence;
  shape.evidence.feet = back.prominence;
  const bool swap = shape.frame.left.dot(frame_.across) < 0;
  for (const bool is_front : {false, true}) {
    const TipPair& pair = is_front ? front : back;
    for (int s = 0; s < 2; ++s) {
      const std::uint32_t voxel = tips_[(s == 0) != swap ? pair.a : pair.b].voxel;
      double contrast = 0, length = limb_length(voxel, 2.2, &contrast);
      const LimbCurve way = way_from(voxel);
      if (length <= 0) length = 0.7 * way.length();
      (is_front ? shape.arms : shape.legs)[s] = outer_part(way, length);
      shape.limb_confidence[(is_front ? 2 : 0) + s] = std::clamp((contrast - 1.2) / 2.0, 0.2, 1.0);
    }
  }
  read_animal_trunk(head, find_tail(head, forward, split), shape);
  return shape;
}

// The run of inside voxels above and below a place on the mirror plane: heights of belly and back.
std::array<double, 2> ShapeReader::belly_and_back(Vec3d place) const {
  place -= side_of(place) * frame_.across;
  place -= height_of(place) * frame_.up;
  const double step = 0.5 * solid_.cell();
  std::array<double, 2> best{0, 0};
  double begin = -1;
  for (double h = 0; h <= height_ + step; h += step) {
    const bool inside = h <= height_ && solid_.at(place + h * frame_.up) >= 0;
    if (inside && begin < 0) begin = h;
    if (!inside && begin >= 0) {
      if (h - begin > best[1] - best[0]) best = {begin, h};
      begin = -1;
    }
  }
  return best;
}

// The spine of an animal runs under its back, and thighs and upper arms begin inside the trunk, well above the place
// where legs leave it.
void ShapeReader::read_animal_trunk(int head, int tail, BodyShape& shape) {
  constexpr double spine_share = 0.72, hip_share = 0.62, shoulder_share = 0.5;  // of the way from belly to back
  const auto on_plane = [&](Vec3d p) { return Vec3d(p - side_of(p) * frame_.across - height_of(p) * frame_.up); };
  const auto below = [&](const std::array<LimbCurve, 2>& limbs, double to_tip) {
    Vec3d p = Vec3d::Zero();
    for (const LimbCurve& limb : limbs) {
      p += 0.5 * ((1 - to_tip) * limb.points.front() + to_tip * limb.points.back());
    }
    return on_plane(p);
  };
  const Vec3d hips = below(shape.legs, 0.5), chest = below(shape.arms, 0.2);
  const std::array<double, 2> middle = belly_and_back(0.5 * (hips + chest));
  const double thick = middle[1] - middle[0];
  // A neck that rises over the chest is no back, and legs between belly and ground are no belly.
  const auto height_at = [&](const Vec3d& place, double share) {
    std::array<double, 2> own = belly_and_back(place);
    own[1] = std::clamp(own[1], middle[1] - 0.25 * thick, middle[1] + 0.25 * thick);
    own[0] = std::clamp(own[0], middle[0] - 0.25 * thick, middle[0] + 0.25 * thick);
    return own[0] + share * (own[1] - own[0]);
  };
  for (int i = 0; i <= 12; ++i) {
    const Vec3d place = hips + (chest - hips) * i / 12.0;
    shape.trunk.points.push_back(place + height_at(place, spine_share) * frame_.up);
  }
  const auto begin_inside = [&](std::array<LimbCurve, 2>& limbs, const Vec3d& under, double share) {
    for (LimbCurve& limb : limbs) {
      const Vec3d root = under + height_at(under, share) * frame_.up + side_of(limb.points.front()) * frame_.across;
      // From the root on straight to the part of the leg that is below the belly.
      std::erase_if(limb.points, [&](const Vec3d& p) { return height_of(p) > middle[0] + 0.2 * thick; });
      limb.points.insert(limb.points.begin(), root);
    }
  };
  const Vec3d spine_end = shape.trunk.points.back(), spine_begin = shape.trunk.points.front();
  begin_inside(shape.legs, hips, hip_share);
  begin_inside(shape.arms, chest, shoulder_share);
  smooth(shape.trunk);
  const auto outside = [&](int i, const Vec3d& root) {
    const LimbCurve way = way_from(tips_[i].voxel);
    // From the tip up to the place nearest to the root.
    std::size_t nearest = 0;
    for (std::size_t k = 0; k < way.points.size(); ++k) {
      if ((way.points[k] - root).norm() < (way.points[nearest] - root).norm()) nearest = k;
    }
    LimbCurve part;
    part.points.assign(way.points.begin(), way.points.begin() + static_cast<std::ptrdiff_t>(nearest) + 1);
    std::reverse(part.points.begin(), part.points.end());
    for (Vec3d& p : part.points) p -= side_of(p) * frame_.across;
    return part;
  };
  shape.head = outside(head, spine_end);
  if (tail >= 0) shape.tail = outside(tail, spine_begin);
}

}  // namespace sinew
