#include <algorithm>
#include <cmath>

#include "sinew/fit/shape_reader.h"

namespace sinew {

BodyShape ShapeReader::read_four_legged() {
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
  if (feet.size() < 2) throw bad_input("no four legs were found in the mesh");
  // Of the tips on the mirror plane, the thick one is the head and the thin one at the other end the tail.
  const double split = 0.5 * (place(feet[0]) + place(feet[1]));
  const auto thick = [&](std::uint32_t voxel) {
    const LimbCurve way = way_from(voxel);
    double sum = 0;
    for (int i = 1; i <= 10; ++i) {
      const std::int64_t v = solid_.near(way.at(0.04 * i), 2);
      if (v >= 0) sum += solid_.depth(static_cast<std::uint32_t>(v));
    }
    return sum;
  };
  int head = -1, tail = -1;
  for (int i = 0; i < static_cast<int>(tips_.size()); ++i) {
    if (std::abs(side_of(tip(i))) > 0.08 * diagonal_ || height_of(tip(i)) < 0.3 * height_) continue;
    const double end = (tip(i) - frame_.middle).dot(along) - split;
    if (std::abs(end) < 0.1 * diagonal_) continue;
    if (head < 0 || thick(tips_[i].voxel) > thick(tips_[head].voxel)) head = i;
  }
  if (head < 0) throw bad_input("no head was found in the mesh");
  const double forward = (tip(head) - frame_.middle).dot(along) - split > 0 ? 1.0 : -1.0;
  for (int i = 0; i < static_cast<int>(tips_.size()); ++i) {
    const double end = forward * ((tip(i) - frame_.middle).dot(along) - split);
    if (i == head || end > -0.1 * diagonal_ || std::abs(side_of(tip(i))) > 0.08 * diagonal_) continue;
    if (tail < 0 || tips_[i].prominence > tips_[tail].prominence) tail = i;
  }
  BodyShape shape;
  shape.on_all_fours = true;
  shape.height = height_;
  shape.symmetry = std::min(1.0, frame_.symmetry);
  shape.middle = frame_.middle;
  shape.frame.up = frame_.up;
  shape.frame.forward = forward * along;
  shape.frame.left = shape.frame.up.cross(shape.frame.forward).normalized();
  const bool first_is_front = forward * (place(feet[0]) - split) > 0;
  const bool swap = shape.frame.left.dot(frame_.across) < 0;
  for (int pair = 0; pair < 2; ++pair) {
    const bool front = (pair == 0) == first_is_front;
    for (int s = 0; s < 2; ++s) {
      const std::uint32_t voxel = tips_[(s == 0) != swap ? feet[pair].a : feet[pair].b].voxel;
      double contrast = 0, length = limb_length(voxel, 2.2, &contrast);
      const LimbCurve way = way_from(voxel);
      if (length <= 0) length = 0.7 * way.length();
      (front ? shape.arms : shape.legs)[s] = outer_part(way, length);
      shape.limb_confidence[(front ? 2 : 0) + s] = std::clamp((contrast - 1.2) / 2.0, 0.2, 1.0);
    }
  }
  read_animal_trunk(head, tail, shape);
  return shape;
}

void ShapeReader::read_animal_trunk(int head, int tail, BodyShape& shape) {
  const auto root_middle = [&](const std::array<LimbCurve, 2>& limbs) {
    Vec3d p = 0.5 * (limbs[0].points.front() + limbs[1].points.front());
    p -= side_of(p) * frame_.across;
    return solid_.centre_of_slice(p, shape.frame.forward);
  };
  const Vec3d hips = root_middle(shape.legs), chest = root_middle(shape.arms);
  for (int i = 0; i <= 12; ++i) {
    const Vec3d p = hips + (chest - hips) * i / 12.0;
    shape.trunk.points.push_back(solid_.centre_of_slice(p, shape.frame.forward));
  }
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
  shape.head = outside(head, chest);
  if (tail >= 0) shape.tail = outside(tail, hips);
}

}  // namespace sinew
