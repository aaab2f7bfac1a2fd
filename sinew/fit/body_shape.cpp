#include "sinew/fit/body_shape.h"

#include <algorithm>
#include <cmath>

#include "sinew/fit/shape_reader.h"

namespace sinew {

ShapeReader::ShapeReader(const VoxelSolid& solid, const BodyShapeOptions& options) : solid_(solid), options_(options) {
  for (std::uint32_t v = 0; v < solid.count(); ++v) centroid_ += solid.position(v);
  centroid_ /= static_cast<double>(solid.count());
  diagonal_ = solid.box().diagonal().norm();
  choose_core();
  from_core_ = solid.distances(core_, false);
  centred_ = solid.distances(core_, true, &came_from_);
  tips_ = solid.tips(from_core_, 0.07 * diagonal_);
  if (tips_.size() > 24) tips_.resize(24);
  found_tips_ = tips_.size();
}

std::vector<Vec3d> ShapeReader::possible_ups() const {
  if (options_.up.norm() > 0) return {options_.up};
  return {Vec3d::UnitY(), Vec3d::UnitZ(), -Vec3d::UnitZ(), -Vec3d::UnitY(), Vec3d::UnitX(), -Vec3d::UnitX()};
}

std::vector<BodyShape> ShapeReader::readings_along(const Vec3d& up) {
  limbs_found_ = 0;
  tips_.resize(found_tips_);
  choose_mirror(up);
  std::vector<BodyShape> readings = options_.expect_four_legs ? read_four_legged() : read_two_legged();
  for (BodyShape& reading : readings) reading.evidence.tips = tips();
  return readings;
}

std::vector<BodyTip> ShapeReader::tips() const {
  std::vector<BodyTip> result;
  for (std::size_t i = 0; i < found_tips_; ++i) result.push_back({tip(static_cast<int>(i)), tips_[i].prominence});
  return result;
}

BodyShape ShapeReader::run() {
  Error last = Error(ErrorCode::body_not_recognised, "no limbs were found in the mesh",
                     "is it a closed body with arms and legs apart?");
  int furthest = -1;
  for (const Vec3d& up : possible_ups()) {
    try {
      return readings_along(up).front();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) throw;
      // The axis along which most of a body was found is the one to speak of.
      if (limbs_found_ > furthest) {
        furthest = limbs_found_;
        last = error;
      }
    }
  }
  throw last;
}

void ShapeReader::choose_core() {
  double best = -infinite;
  for (std::uint32_t v = 0; v < solid_.count(); ++v) {
    const double score = solid_.depth(v) - 0.5 * (solid_.position(v) - centroid_).norm();
    if (score > best) best = score, core_ = v;
  }
}

void ShapeReader::choose_mirror(const Vec3d& up) {
  std::vector<Vec3d> directions;
  const Vec3d told = options_.forward_given ? Vec3d(up.cross(options_.forward)) : Vec3d(Vec3d::Zero());
  if (told.norm() > 0.1) directions.push_back(told.normalized());
  for (int a = 0; a < 3; ++a) {
    if (std::abs(up[a]) < 0.5) directions.push_back(Vec3d::Unit(a));
  }
  for (std::size_t i = 0; i < tips_.size(); ++i) {
    for (std::size_t j = i + 1; j < tips_.size(); ++j) {
      Vec3d d = tip(static_cast<int>(i)) - tip(static_cast<int>(j));
      d -= d.dot(up) * up;
      if (d.norm() > 0.1 * diagonal_) directions.push_back(d.normalized());
    }
  }
  frame_ = {};
  for (std::size_t i = 0; i < directions.size(); ++i) {
    MirrorCandidate candidate{up, directions[i], centroid_, 0};
    const double bonus = i < 2 ? 0.03 : 0.0;  // files are nearly always modelled along their axes
    candidate.symmetry = symmetry(candidate) + bonus;
    if (i == 0 || candidate.symmetry > frame_.symmetry) frame_ = candidate;
    if (told.norm() > 0.1) break;
  }
  double ground = infinite, top = -infinite;
  for (std::uint32_t v = 0; v < solid_.count(); ++v) {
    ground = std::min(ground, solid_.position(v).dot(up));
    top = std::max(top, solid_.position(v).dot(up));
  }
  frame_.middle += (ground - frame_.middle.dot(up) - 0.5 * solid_.cell()) * up;
  height_ = top - ground + solid_.cell();
  slices_.assign(static_cast<std::size_t>(height_ / solid_.cell()) + 2, {});
  for (std::uint32_t v = 0; v < solid_.count(); ++v) {
    slices_[static_cast<std::size_t>(std::max(0.0, height_of(solid_.position(v)) / solid_.cell()))].push_back(v);
  }
}

double ShapeReader::symmetry(const MirrorCandidate& candidate) const {
  const std::size_t step = std::max<std::size_t>(1, solid_.count() / 4000);
  std::size_t same = 0, all = 0;
  for (std::size_t v = 0; v < solid_.count(); v += step, ++all) {
    const Vec3d p = solid_.position(static_cast<std::uint32_t>(v));
    const double side = (p - candidate.middle).dot(candidate.across);
    same += solid_.at(p - 2 * side * candidate.across) >= 0;
  }
  return static_cast<double>(same) / static_cast<double>(std::max<std::size_t>(all, 1));
}

void ShapeReader::add_mirrored_tips() {
  tips_.resize(found_tips_);
  for (std::size_t i = 0; i < found_tips_; ++i) {
    const Vec3d own = tip(static_cast<int>(i));
    const double side = side_of(own);
    if (std::abs(side) < 2 * solid_.cell()) continue;
    const Vec3d mirrored = own - 2 * side * frame_.across;
    bool paired = false;
    for (std::size_t j = 0; j < found_tips_ && !paired; ++j) {
      paired = j != i && (tip(static_cast<int>(j)) - mirrored).norm() < 0.09 * diagonal_;
    }
    const std::int64_t other = paired ? -1 : solid_.near(mirrored, 6);
    if (other < 0) continue;
    const auto voxel = static_cast<std::uint32_t>(other);
    const double distance = from_core_[tips_[i].voxel];
    if (std::abs(from_core_[voxel] - distance) > 0.08 * distance) continue;
    // Two limbs run apart; what has one way to the core is one limb, for example a thick tail.
    const double apart = (way_from(voxel).at(0.4) - way_from(tips_[i].voxel).at(0.4)).norm();
    if (apart > 0.5 * (own - solid_.position(voxel)).norm()) tips_.push_back({voxel, tips_[i].prominence});
  }
}

std::vector<TipPair> ShapeReader::mirrored_pairs() const {
  std::vector<TipPair> pairs;
  for (int i = 0; i < static_cast<int>(tips_.size()); ++i) {
    for (int j = 0; j < static_cast<int>(tips_.size()); ++j) {
      const double side = side_of(tip(i));
      if (side < 2 * solid_.cell()) continue;
      const Vec3d mirrored = tip(i) - 2 * side * frame_.across;
      if (i == j || (mirrored - tip(j)).norm() > 0.09 * diagonal_) continue;
      pairs.push_back(
          {i, j, 0.5 * (height_of(tip(i)) + height_of(tip(j))), std::min(tips_[i].prominence, tips_[j].prominence)});
    }
  }
  return pairs;
}

LimbCurve ShapeReader::way_from(std::uint32_t voxel) const {
  LimbCurve curve;
  for (std::uint32_t v = voxel; v != core_; v = came_from_[v]) curve.points.push_back(solid_.position(v));
  curve.points.push_back(solid_.position(core_));
  curve.smooth(8);
  return curve;
}

LimbCurve ShapeReader::outer_part(const LimbCurve& way, double length) {
  LimbCurve part;
  double walked = 0;
  part.points.push_back(way.points.front());
  for (std::size_t i = 1; i < way.points.size(); ++i) {
    const double step = (way.points[i] - way.points[i - 1]).norm();
    if (walked + step >= length && step > 0) {
      part.points.push_back(way.points[i - 1] + (length - walked) / step * (way.points[i] - way.points[i - 1]));
      break;
    }
    walked += step;
    part.points.push_back(way.points[i]);
  }
  std::reverse(part.points.begin(), part.points.end());
  return part;
}

double ShapeReader::limb_length(std::uint32_t tip_voxel, double growth, double* contrast) {
  const auto [found, is_new] = measured_.try_emplace({tip_voxel, growth});
  if (is_new) found->second.length = measure_limb(tip_voxel, growth, &found->second.contrast);
  if (contrast) *contrast = found->second.contrast;
  return found->second.length;
}

double ShapeReader::measure_limb(std::uint32_t tip_voxel, double growth, double* contrast) const {
  const std::vector<double> distance = solid_.distances(tip_voxel, false);
  const double reach = distance[core_];
  const double band = 1.5 * solid_.cell();
  std::vector<double> area(static_cast<std::size_t>(reach / band) + 2, 0.0);
  for (std::uint32_t v = 0; v < solid_.count(); ++v) {
    if (distance[v] < reach) area[static_cast<std::size_t>(distance[v] / band)] += 1;
  }
  const std::size_t bands = area.size() - 2;
  if (bands < 8) return 0;
  std::vector<double> middle(area.begin() + static_cast<std::ptrdiff_t>(bands / 4),
                             area.begin() + static_cast<std::ptrdiff_t>(bands / 2 + 1));
  std::nth_element(middle.begin(), middle.begin() + static_cast<std::ptrdiff_t>(middle.size() / 2), middle.end());
  const double usual = std::max(middle[middle.size() / 2], 1.0);
  if (contrast)
    *contrast = *std::max_element(area.begin() + static_cast<std::ptrdiff_t>(bands / 2), area.end()) / usual;
  // A forearm thicker than the upper arm (a robot's, a gauntlet) hides where the trunk begins: three times the thinnest
  // place on the way counts as well.
  double thinnest = infinite;
  for (std::size_t i = bands / 3; i < bands; ++i) {
    const double here = 0.5 * (area[i] + area[i + 1]);
    thinnest = std::min(thinnest, here);
    const double trunk = std::min(growth * usual, std::max(3 * thinnest, 0.6 * usual));
    if (here > trunk) {
      // Between two bands, where the threshold is passed.
      const double before = 0.5 * (area[i - 1] + area[i]);
      const double t = here > before ? std::clamp((trunk - before) / (here - before), 0.0, 1.0) : 0.0;
      return band * (static_cast<double>(i) + t);
    }
  }
  return 0;
}

Vec3d ShapeReader::trunk_centre(double height) const {
  Vec3d sum = Vec3d::Zero();
  double weight = 0;
  const auto slice = static_cast<std::ptrdiff_t>(std::floor(height / solid_.cell()));
  const std::ptrdiff_t first = std::max<std::ptrdiff_t>(0, slice - 2),
                       last = std::min(static_cast<std::ptrdiff_t>(slices_.size()) - 1, slice + 2);
  for (std::ptrdiff_t s = first; s <= last; ++s) {
    for (const std::uint32_t v : slices_[static_cast<std::size_t>(s)]) {
      const Vec3d p = solid_.position(v);
      if (std::abs(height_of(p) - height) > 1.5 * solid_.cell() || std::abs(side_of(p)) > 0.06 * height_) continue;
      const double w = solid_.depth(v) * solid_.depth(v);
      sum += w * p;
      weight += w;
    }
  }
  Vec3d centre = weight > 0 ? Vec3d(sum / weight) : Vec3d(frame_.middle + height * frame_.up);
  centre -= side_of(centre) * frame_.across;
  return centre + (height - height_of(centre)) * frame_.up;
}

void ShapeReader::smooth(LimbCurve& curve) {
  for (int round = 0; round < 6; ++round) {
    std::vector<Vec3d> next = curve.points;
    for (std::size_t i = 1; i + 1 < next.size(); ++i) {
      next[i] = 0.5 * curve.points[i] + 0.25 * (curve.points[i - 1] + curve.points[i + 1]);
    }
    curve.points = next;
  }
}

void LimbCurve::smooth(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    std::vector<Vec3d> next = points;
    for (std::size_t i = 1; i + 1 < next.size(); ++i) {
      next[i] = 0.5 * points[i] + 0.25 * (points[i - 1] + points[i + 1]);
    }
    points = next;
  }
}

double LimbCurve::length() const {
  double sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i) sum += (points[i] - points[i - 1]).norm();
  return sum;
}

Vec3d LimbCurve::at(double fraction) const {
  double left = std::clamp(fraction, 0.0, 1.0) * length();
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double step = (points[i] - points[i - 1]).norm();
    if (left <= step && step > 0) return points[i - 1] + left / step * (points[i] - points[i - 1]);
    left -= step;
  }
  return points.empty() ? Vec3d(Vec3d::Zero()) : points.back();
}

BodyShape facing_the_other_way(BodyShape shape) {
  shape.frame.left = -shape.frame.left;
  shape.frame.forward = -shape.frame.forward;
  shape.evidence.feet_ahead = -shape.evidence.feet_ahead;
  std::swap(shape.legs[0], shape.legs[1]);
  std::swap(shape.arms[0], shape.arms[1]);
  std::swap(shape.limb_confidence[0], shape.limb_confidence[1]);
  std::swap(shape.limb_confidence[2], shape.limb_confidence[3]);
  std::swap(shape.leg_joints[0], shape.leg_joints[1]);
  std::swap(shape.arm_joints[0], shape.arm_joints[1]);
  std::swap(shape.leg_confidence[0], shape.leg_confidence[1]);
  std::swap(shape.arm_confidence[0], shape.arm_confidence[1]);
  return shape;
}

BodyShape read_body_shape(const VoxelSolid& solid, const BodyShapeOptions& options) {
  return ShapeReader(solid, options).run();
}

}  // namespace sinew
