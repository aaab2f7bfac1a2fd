#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>

#include "sinew/base/dense_algebra.h"
#include "sinew/fit/shape_reader.h"

namespace sinew {
namespace {

// Anatomy of a standing person, as shares of what the mesh shows: means over characters set up by artists.
constexpr double ankle_height = 0.148;       // of the crotch's height
constexpr double hip_above_crotch = 1.20;    // of the crotch's height
constexpr double hip_below_shoulder = 0.58;  // of the shoulders' height
constexpr double knee_share = 0.50;          // from hip to ankle
constexpr double hand_share = 0.27;          // from the tip of the hand, of the arm with its hand
constexpr double elbow_share = 0.522;        // from shoulder to wrist
constexpr double chest_share = 0.9;          // where the chest is measured, of the shoulders' height
constexpr double shoulders_of_chest = 1.25;  // how far out a shoulder may stand, of half the chest's width
constexpr double shoulder_reach = 0.455;     // from the middle of the arm to the shoulder, of the arm that is seen
constexpr double ball_share = 0.62;          // from ankle to the tip of the foot

// Two pairs of tips make no body yet: a car has wheels below and mirrors above. Wide limits, in heights, that toys and
// giants keep as well.
void require_proportions(const BodyShape& shape) {
  const auto height = [&](const Vec3d& p) { return (p - shape.middle).dot(shape.frame.up) / shape.height; };
  const double hip = 0.5 * (height(shape.leg_joints[0][0]) + height(shape.leg_joints[1][0]));
  const double shoulder = 0.5 * (height(shape.arm_joints[0][0]) + height(shape.arm_joints[1][0]));
  const double hips_apart = (shape.leg_joints[0][0] - shape.leg_joints[1][0]).norm() / shape.height;
  const double arm = 0.5 * (shape.arms[0].length() + shape.arms[1].length()) / shape.height;
  if (hip > 0.12 && hip < 0.75 && shoulder > hip + 0.05 && hips_apart < 0.45 && arm > 0.1 && arm < 1.2) return;
  throw Error(ErrorCode::kinds_differ, "the mesh has limbs, but not where a person has them",
              "use an animal's skeleton if it goes on four legs");
}

// Where a limb bends, as a share of the way from its first joint to its third: two straight pieces then follow its
// middle much better than one. `usual` when it does not visibly bend. `middle`: of the limb at a share.
double bend_or(double usual, const std::function<Vec3d(double)>& middle) {
  constexpr int count = 35;
  constexpr double first = 0.26, last = 0.94, least_angle = 15, least_gain = 0.35;
  Eigen::MatrixXd places(count, 3);
  Eigen::VectorXd shares(count);
  for (int i = 0; i < count; ++i) {
    shares[i] = first + (last - first) * i / (count - 1);
    places.row(i) = middle(shares[i]).transpose();
  }
  // Least squares of a line, or of two that meet at `bend`.
  const auto fit = [&](double bend, int columns, double& angle) {
    Eigen::MatrixXd terms(count, columns);
    terms.col(0).setOnes();
    terms.col(1) = shares;
    if (columns == 3) terms.col(2) = (shares.array() - bend).max(0.0);
    const Eigen::MatrixXd line = least_squares(terms, places);
    if (columns == 3) {
      const Vec3d before = line.row(1).transpose(), after = before + line.row(2).transpose();
      angle = std::acos(std::clamp(before.normalized().dot(after.normalized()), -1.0, 1.0)) * 180 / std::numbers::pi;
    }
    return (terms * line - places).norm();
  };
  double unused = 0, least = std::numeric_limits<double>::infinity(), best = usual, best_angle = 0;
  const double straight = fit(0, 2, unused);
  for (double bend = 0.37; bend < 0.7; bend += 0.01) {
    double angle = 0;
    const double off = fit(bend, 3, angle);
    if (off < least) least = off, best = bend, best_angle = angle;
  }
  return best_angle > least_angle && least < least_gain * straight ? best : usual;
}

}  // namespace

std::vector<BodyShape> ShapeReader::read_two_legged() {
  constexpr std::size_t most_feet = 2, most_hands = 4;
  // A person who lies is deeper than tall: another axis is up.
  const Vec3d depth_axis = frame_.up.cross(frame_.across);
  double front = -infinite, back = infinite;
  for (std::uint32_t v = 0; v < solid_.count(); ++v) {
    front = std::max(front, solid_.position(v).dot(depth_axis));
    back = std::min(back, solid_.position(v).dot(depth_axis));
  }
  if (front - back > height_) {
    throw Error(ErrorCode::body_not_recognised, "a body that stands upright was not found in the mesh");
  }
  limbs_found_ = 1;
  add_mirrored_tips();
  const std::vector<TipPair> pairs = mirrored_pairs();
  std::vector<TipPair> feet, hands;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(feet),
               [&](const TipPair& pair) { return pair.height < 0.2 * height_; });
  std::stable_sort(feet.begin(), feet.end(),
                   [](const TipPair& a, const TipPair& b) { return a.prominence > b.prominence; });
  if (feet.size() > most_feet) feet.resize(most_feet);
  if (feet.empty()) {
    throw Error(ErrorCode::body_not_recognised, "two legs were not found in the mesh",
                "a robe that joins the legs cannot be fitted");
  }
  limbs_found_ = 2;
  // Long ears stand up from the head; hands that are held as high have no other pair beside them.
  const auto arm_likeness = [&](const TipPair& pair) {
    return pair.height > 0.85 * height_ ? 0.4 * pair.prominence : pair.prominence;
  };
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(hands), [&](const TipPair& pair) {
    const bool ears = std::abs(side_of(tip(pair.a))) < 0.1 * height_;
    return pair.height >= 0.25 * height_ && !ears;
  });
  std::stable_sort(hands.begin(), hands.end(),
                   [&](const TipPair& a, const TipPair& b) { return arm_likeness(a) > arm_likeness(b); });
  BodyShape facing;
  facing.height = height_;
  facing.symmetry = std::min(1.0, frame_.symmetry);
  find_facing(facing);
  std::vector<BodyShape> readings;
  Error last(ErrorCode::body_not_recognised, "two arms were not found in the mesh", "arms must not touch the body");
  for (std::size_t f = 0; f < feet.size(); ++f) {
    std::size_t rank = 0;
    for (const TipPair& pair : hands) {
      if (pair.a == feet[f].a || pair.b == feet[f].b) continue;
      if (rank == most_hands) break;
      try {
        readings.push_back(two_legged_of(feet[f], pair, facing));
        readings.back().evidence.feet_rank = static_cast<int>(f);
        readings.back().evidence.hands_rank = static_cast<int>(rank);
      } catch (const Error& problem) {
        if (problem.kind() == ErrorKind::cancelled) throw;
        if (readings.empty() && f == 0 && rank == 0) last = problem;
      }
      ++rank;
    }
  }
  if (readings.empty()) throw last;
  return readings;
}

BodyShape ShapeReader::two_legged_of(const TipPair& feet, const TipPair& hands, const BodyShape& facing) {
  BodyShape shape = facing;
  const bool swap = shape.frame.left.dot(frame_.across) < 0;
  const std::array<int, 2> foot{swap ? feet.b : feet.a, swap ? feet.a : feet.b};
  const std::array<int, 2> hand{swap ? hands.b : hands.a, swap ? hands.a : hands.b};
  shape.evidence.feet = feet.prominence;
  shape.evidence.hands = hands.prominence;
  read_arms(hand, shape);
  const double shoulder = 0.5 * (height_of(shape.arm_joints[0][0]) + height_of(shape.arm_joints[1][0]));
  read_legs(foot, shoulder, shape);
  read_trunk(shoulder, shape);
  limbs_found_ = 3;
  require_proportions(shape);
  return shape;
}

void ShapeReader::find_facing(BodyShape& shape) {
  Vec3d forward = Vec3d::Zero();
  for (const int side : {1, -1}) {
    Vec3d low = Vec3d::Zero(), leg = Vec3d::Zero();
    double lows = 0, legs = 0;
    for (std::uint32_t v = 0; v < solid_.count(); ++v) {
      const Vec3d p = solid_.position(v);
      if (side * side_of(p) < 0) continue;
      const double h = height_of(p) / height_;
      if (h < 0.035) low += p, lows += 1;
      if (h > 0.08 && h < 0.14) leg += p, legs += 1;
    }
    if (lows > 0 && legs > 0) forward += low / lows - leg / legs;
  }
  forward -= forward.dot(frame_.up) * frame_.up;
  forward -= forward.dot(frame_.across) * frame_.across;
  const Vec3d feet_ahead = forward / height_;
  shape.facing_known = forward.norm() > 0.025 * height_;  // of both feet together
  if (options_.forward_given) {
    forward = options_.forward - options_.forward.dot(frame_.up) * frame_.up;
    shape.facing_known = true;
  }
  if (!shape.facing_known) {
    // Told by others, unless they see it look sideways out of its mirror plane.
    const Vec3d depth = frame_.up.cross(frame_.across);
    const double ahead = options_.forward.dot(depth);
    shape.facing_known = std::abs(ahead) > 0.5;
    forward = ahead * depth;
  }
  if (!shape.facing_known) {
    // Most files face +z (y up) or -y (z up).
    const Vec3d custom = std::abs(frame_.up.y()) > 0.5 ? Vec3d::UnitZ() : Vec3d(-Vec3d::UnitY());
    forward = custom - custom.dot(frame_.across) * frame_.across;
    if (forward.norm() < 0.3) forward = frame_.up.cross(frame_.across);  // it looks along x, either way
  }
  shape.frame.up = frame_.up;
  shape.frame.forward = forward.normalized();
  shape.frame.left = shape.frame.up.cross(shape.frame.forward).normalized();
  shape.middle = frame_.middle;
  shape.evidence.feet_ahead = feet_ahead.dot(shape.frame.forward);
}

void ShapeReader::read_arms(const std::array<int, 2>& hand, BodyShape& shape) {
  std::array<double, 2> length;
  std::array<LimbCurve, 2> way;
  std::array<double, 2> contrast{};
  for (int s = 0; s < 2; ++s) {
    way[s] = way_from(tips_[hand[s]].voxel);
    length[s] = limb_length(tips_[hand[s]].voxel, 1.9, &contrast[s]);
  }
  for (int s = 0; s < 2; ++s) {
    if (length[s] <= 0) length[s] = length[1 - s];
    if (length[s] <= 0) length[s] = 0.8 * from_core_[tips_[hand[s]].voxel];
  }
  for (int s = 0; s < 2; ++s) {
    // Both arms of one body are equally long, unless they plainly are not.
    const double mean = 0.5 * (length[0] + length[1]);
    const double own = std::abs(length[0] - length[1]) < 0.25 * mean ? mean : length[s];
    LimbCurve& arm = shape.arms[s] = outer_part(way[s], own);
    // Inside the trunk the way turns down to its middle, but the upper arm points to the shoulder.
    const Vec3d along = (arm.at(0.32) - arm.at(0.58)).normalized();
    Vec3d shoulder = arm.at(0.45) + shoulder_reach * arm.length() * along;
    // Bent elbows point the upper arm backwards too, but shoulders lie where the way enters the trunk.
    shoulder += (arm.at(0.0) - shoulder).dot(shape.frame.forward) * shape.frame.forward;
    const double hand_length = hand_share * LimbCurve{straightened(arm, shoulder)}.length();
    shoulder = not_beside_the_chest(shoulder, along, 0.2 * arm.length());
    arm.points = straightened(arm, shoulder);
    const double wrist = 1 - hand_length / arm.length();
    const auto joint = [&](double f) {
      return solid_.centre_of_slice(arm.at(f), (arm.at(f + 0.08) - arm.at(f - 0.08)).normalized());
    };
    const double elbow = wrist * bend_or(elbow_share, [&](double share) { return joint(share * wrist); });
    shape.arm_joints[s] = {shoulder, joint(elbow), joint(wrist), arm.points.back()};
    const double sure = shape.limb_confidence[2 + s] = std::clamp((contrast[s] - 1.2) / 2.0, 0.2, 1.0);
    shape.arm_confidence[s] = {sure, sure, 0.8 * sure, 0.8 * sure};
  }
}

Vec3d ShapeReader::not_beside_the_chest(const Vec3d& shoulder, const Vec3d& inwards, double most) const {
  const double lateral = std::abs(side_of(shoulder)), chest = half_width(chest_share * height_of(shoulder));
  const double nearer = std::abs(inwards.dot(frame_.across)), too_far = lateral - shoulders_of_chest * chest;
  if (chest <= 0 || too_far <= 0 || nearer < 0.3) return shoulder;
  return shoulder + std::min(too_far / nearer, most) * inwards;
}

double ShapeReader::half_width(double height) const {
  const Vec3d centre = trunk_centre(height), forward = frame_.up.cross(frame_.across);
  const auto inside = [&](const Vec3d& place) {
    for (const double ahead : {0.0, -0.015, 0.015, -0.03, 0.03}) {
      if (solid_.contains(place + ahead * height_ * forward)) return true;
    }
    return false;
  };
  const double step = 0.004 * height_;
  std::array<double, 2> reach{};
  for (int side = 0; side < 2; ++side) {
    const Vec3d out = side == 0 ? frame_.across : Vec3d(-frame_.across);
    while (reach[side] < 0.5 * height_ && inside(centre + (reach[side] + step) * out)) reach[side] += step;
  }
  return std::min(reach[0], reach[1]);
}

std::vector<Vec3d> ShapeReader::straightened(const LimbCurve& arm, const Vec3d& shoulder) {
  std::vector<Vec3d> points{shoulder};
  for (int i = 0; i <= 40; ++i) points.push_back(arm.at(0.45 + 0.55 * i / 40.0));
  return points;
}

double ShapeReader::crotch_height(double shoulder, bool& found) const {
  const Vec3d forward = frame_.up.cross(frame_.across);
  const double step = 0.25 * solid_.cell(), low = 0.3 * shoulder, high = 0.75 * shoulder;
  int solid_steps = 0;
  for (double h = low; h < high; h += step) {
    const Vec3d centre = frame_.middle + h * frame_.up;
    const double depth = (trunk_centre(h) - centre).dot(forward);
    bool inside = false;
    for (double t = -0.1 * height_; t <= 0.1 * height_ && !inside; t += 0.5 * solid_.cell()) {
      inside = solid_.contains(centre + (depth + t) * forward);
    }
    solid_steps = inside ? solid_steps + 1 : 0;
    if (solid_steps < 5) continue;
    const double crotch = h - 4 * step;
    found = crotch > low + step;
    return found ? crotch : 0.56 * shoulder;
  }
  found = false;
  return 0.56 * shoulder;
}

void ShapeReader::read_legs(const std::array<int, 2>& foot, double shoulder, BodyShape& shape) {
  bool found = false;
  const double crotch = crotch_height(shoulder, found);
  const double ankle_h = ankle_height * crotch;
  const double hip_h = 0.5 * (hip_above_crotch * crotch + hip_below_shoulder * shoulder);
  for (int s = 0; s < 2; ++s) {
    const LimbCurve way = way_from(tips_[foot[s]].voxel);
    const auto at_height = [&](double h) {
      // The highest crossing counts: toes may be turned up.
      for (std::size_t i = way.points.size() - 1; i > 0; --i) {
        const double a = height_of(way.points[i]), b = height_of(way.points[i - 1]);
        if ((a - h) * (b - h) <= 0 && a != b) {
          return Vec3d(way.points[i] + (h - a) / (b - a) * (way.points[i - 1] - way.points[i]));
        }
      }
      return Vec3d(way.points.front() + (h - height_of(way.points.front())) * frame_.up);
    };
    const auto centre = [&](double h) { return solid_.centre_of_slice(at_height(h), frame_.up); };
    const Vec3d thigh = centre(0.85 * crotch), ankle = centre(ankle_h);
    Vec3d hip = trunk_centre(hip_h);
    hip += 1.05 * side_of(thigh) * frame_.across;
    const auto between = [&](double share) { return centre(height_of(hip) + share * (ankle_h - hip_h)); };
    const Vec3d knee = between(bend_or(knee_share, between));
    const Vec3d tip = way.points.front();
    Vec3d ball = ankle + ball_share * (tip - ankle);
    ball += (0.25 * ankle_h - height_of(ball)) * frame_.up;
    shape.leg_joints[s] = {hip, knee, ankle, ball, tip};
    shape.legs[s].points = {hip, knee, ankle, ball, tip};
    const double sure = shape.limb_confidence[s] = found ? 0.9 : 0.4;
    shape.leg_confidence[s] = {sure, sure, sure, 0.8 * sure, 0.8 * sure};
  }
}

void ShapeReader::read_trunk(double shoulder, BodyShape& shape) {
  const double hip = height_of(shape.leg_joints[0][0]);
  // The neck is the thinnest slice between the shoulders and the middle of the head.
  const double cell = solid_.cell(), limit = shoulder + 0.5 * (height_ - shoulder);
  std::vector<double> area(static_cast<std::size_t>(height_ / cell) + 2, 0.0);
  for (std::uint32_t v = 0; v < solid_.count(); ++v) {
    const Vec3d p = solid_.position(v);
    if (std::abs(side_of(p)) < 0.12 * height_) area[static_cast<std::size_t>(std::max(0.0, height_of(p) / cell))] += 1;
  }
  double thinnest = infinite, neck = shoulder + 0.25 * (height_ - shoulder);
  for (std::size_t i = static_cast<std::size_t>((shoulder + 0.05 * (height_ - shoulder)) / cell); i * cell < limit;
       ++i) {
    if (area[i] > 0 && area[i] < thinnest) thinnest = area[i], neck = (static_cast<double>(i) + 0.5) * cell;
  }
  const double base = 0.55 * shoulder + 0.45 * neck;
  const double hips = hip + 0.06 * (base - hip);
  for (int i = 0; i <= 16; ++i) shape.trunk.points.push_back(trunk_centre(hips + (base - hips) * i / 16.0));
  smooth(shape.trunk);
  const double skull = neck + 0.12 * (height_ - neck);
  shape.head.points = {trunk_centre(base), trunk_centre(skull), trunk_centre(skull) + (height_ - skull) * frame_.up};
}

}  // namespace sinew
