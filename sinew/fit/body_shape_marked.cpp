#include <algorithm>
#include <cmath>

#include "sinew/fit/marked_shape.h"

namespace sinew {
namespace {

// Where a standing person has what neither marks nor mesh tell. Lengths of a trunk are from groin to chin.
constexpr double chin_height = 0.87, groin_height = 0.47;  // of the height
constexpr double groin_of_knee = 1.68;                     // height of the groin, of that of the knees
constexpr double hips_above_groin = 1.12;                  // of the groin's height
constexpr double shoulder_share = 0.83;                    // from groin to chin
constexpr double shoulder_out = 0.26, hip_out = 0.125;     // from the middle, of the trunk
constexpr double shoulder_in_chest = 0.85;                 // how far out a shoulder may be, of the body's half width
constexpr double elbow_along = 0.522;                      // from shoulder to wrist
constexpr double hand_length = 0.37;                       // of the arm without it
constexpr double ankle_of_groin = 0.148;                   // height of the ankles, of the groin's
constexpr double foot_length = 0.26;                       // from the ankle to the tip of the foot, of the trunk
constexpr double ball_along = 0.62;                        // of the foot

double sure_of(bool by_marks) { return by_marks ? 0.6 : 0.3; }

std::vector<Vec3d> points_between(const std::vector<Vec3d>& corners) {
  LimbCurve curve{corners};
  std::vector<Vec3d> points;
  for (int i = 0; i <= 40; ++i) points.push_back(curve.at(i / 40.0));
  return points;
}

}  // namespace

BodyShape ShapeReader::two_legged_by_marks(const Vec3d& up, const BodyMarks& given, bool symmetric) {
  limbs_found_ = 0;
  tips_.resize(found_tips_);
  choose_mirror(up);
  centre_mirror_on(given);
  BodyShape shape;
  shape.height = height_;
  shape.symmetry = std::min(1.0, frame_.symmetry);
  find_facing(shape);
  face_as_marked(given, shape);
  if (const auto problem = swapped_side(given, shape.middle, shape.frame, height_)) throw *problem;
  const BodyMarks marks =
      symmetric && shape.symmetry > 0.8 ? with_mirrored_limbs(given, shape.middle, shape.frame.left) : given;

  const double chin = marks.chin ? height_of(*marks.chin) : marks.head ? height_of(*marks.head) : chin_height * height_;
  const double groin = std::clamp(marked_groin(marks), 0.15 * height_, chin - 0.1 * height_);
  read_marked_legs(marks, groin, chin - groin, shape);
  read_marked_arms(marks, groin, chin - groin, shape);
  const double hips = 0.5 * (height_of(shape.leg_joints[0][0]) + height_of(shape.leg_joints[1][0]));
  const double shoulder = 0.5 * (height_of(shape.arm_joints[0][0]) + height_of(shape.arm_joints[1][0]));
  const double base = marks.neck ? height_of(*marks.neck) : 0.5 * (std::clamp(shoulder, hips, chin) + chin);
  for (int i = 0; i <= 16; ++i)
    shape.trunk.points.push_back(trunk_centre(1.03 * hips + (base - 1.03 * hips) * i / 16.0));
  smooth(shape.trunk);
  shape.head.points = {trunk_centre(base), trunk_centre(chin),
                       trunk_centre(chin) + std::max(height_ - chin, 0.05 * height_) * frame_.up};
  put_on_marks(marks, shape);
  shape.trunk_confidence = sure_of(marks.chin || marks.head || marks.groin);
  shape.evidence.tips = tips();
  const auto prominence = [&](const Vec3d& a, const Vec3d& b) {
    const int tip_a = tip_near(a, 0.1 * height_), tip_b = tip_near(b, 0.1 * height_);
    return tip_a < 0 || tip_b < 0 ? 0.0 : std::min(tips_[tip_a].prominence, tips_[tip_b].prominence);
  };
  shape.evidence.hands = prominence(shape.arm_joints[0][3], shape.arm_joints[1][3]);
  shape.evidence.feet = prominence(shape.leg_joints[0][4], shape.leg_joints[1][4]);
  return shape;
}

// The mirror plane of a body that is not its own mirror image goes through what is marked in its middle.
void ShapeReader::centre_mirror_on(const BodyMarks& marks) {
  if (frame_.symmetry > 0.8) return;
  double sum = 0;
  int count = 0;
  const auto add = [&](double side) { sum += side, ++count; };
  for (const auto* place : {&marks.chin, &marks.groin, &marks.head, &marks.neck, &marks.chest, &marks.pelvis}) {
    if (*place) add(side_of(**place));
  }
  for (const auto* limbs : {&marks.arms, &marks.legs}) {
    const std::optional<Vec3d>&left = (*limbs)[0][0], &right = (*limbs)[1][0];
    if (left && right) add(0.5 * (side_of(*left) + side_of(*right)));
  }
  if (count > 0) frame_.middle += sum / count * frame_.across;
}

// Marks of one side tell where left is, unless it is told which way the body faces.
void ShapeReader::face_as_marked(const BodyMarks& marks, BodyShape& shape) const {
  if (options_.forward_given) return;
  double to_left = 0;
  for (std::size_t s = 0; s < 2; ++s) {
    for (const auto* limbs : {&marks.arms, &marks.legs}) {
      for (const std::optional<Vec3d>& mark : (*limbs)[s]) {
        if (mark) to_left += (s == 0 ? 1.0 : -1.0) * (*mark - shape.middle).dot(shape.frame.left);
      }
    }
  }
  if (to_left == 0) return;
  shape.facing_known = true;
  if (to_left > 0) return;
  shape.frame.left = -shape.frame.left;
  shape.frame.forward = -shape.frame.forward;
  shape.evidence.feet_ahead = -shape.evidence.feet_ahead;
}

double ShapeReader::marked_groin(const BodyMarks& marks) const {
  if (marks.groin) return height_of(*marks.groin);
  const auto mean = [&](std::size_t part) {
    double sum = 0;
    int count = 0;
    for (const BodyMarks::Limb& leg : marks.legs) {
      if (leg[part]) sum += height_of(*leg[part]), ++count;
    }
    return count > 0 ? sum / count : 0.0;
  };
  if (mean(0) > 0) return mean(0) / hips_above_groin;
  if (marks.pelvis) return height_of(*marks.pelvis) / hips_above_groin;
  if (mean(1) > 0) return groin_of_knee * mean(1);
  bool found = false;
  const double crotch = crotch_height(0.8 * height_, found);
  return found ? crotch : groin_height * height_;
}

void ShapeReader::read_marked_legs(const BodyMarks& marks, double groin, double trunk, BodyShape& shape) const {
  const double ankle_height = ankle_of_groin * groin;
  for (std::size_t s = 0; s < 2; ++s) {
    const BodyMarks::Limb& leg = marks.legs[s];
    const Vec3d out = s == 0 ? shape.frame.left : Vec3d(-shape.frame.left);
    const auto centre = [&](const Vec3d& p, const Vec3d& along) {
      return solid_.near(p, 4) >= 0 ? solid_.centre_of_slice(p, along) : p;
    };
    const double knee_out = leg[1] ? (*leg[1] - shape.middle).dot(out) : hip_out * trunk;
    const double hip_height = hips_above_groin * groin;
    const Vec3d hip =
        leg[0] ? *leg[0] : Vec3d(trunk_centre(hip_height) + std::clamp(knee_out, 0.06 * trunk, 0.25 * trunk) * out);
    const auto below = [&](double height) { return Vec3d(hip + (height - height_of(hip)) * frame_.up); };
    Vec3d ankle = leg[2].value_or(below(ankle_height));
    if (!leg[2] && leg[1]) {
      // On from the knee, as long as the thigh, between straight on and straight down.
      const Vec3d thigh = *leg[1] - hip;
      ankle = *leg[1] + thigh.norm() * (thigh.normalized() - frame_.up).normalized();
      ankle += std::max(0.0, ankle_height - height_of(ankle)) * frame_.up;
    }
    if (!leg[2]) ankle = centre(ankle, frame_.up);
    const Vec3d knee = leg[1] ? *leg[1] : centre(0.5 * (hip + ankle), (ankle - hip).normalized());
    Vec3d tip = ankle + foot_length * trunk * shape.frame.forward;
    tip += (0.25 * ankle_height - height_of(ankle)) * (height_of(ankle) < 2 * ankle_height ? 1.0 : 0.0) * frame_.up;
    if (const int found = tip_near(tip, 0.5 * foot_length * trunk); found >= 0) tip = this->tip(found);
    const Vec3d ball = leg[3].value_or(ankle + ball_along * (tip - ankle));
    shape.leg_joints[s] = {hip, knee, ankle, ball, tip};
    shape.legs[s].points.assign(shape.leg_joints[s].begin(), shape.leg_joints[s].end());
    const bool marked = leg[1] || leg[2];
    shape.limb_confidence[s] = sure_of(marked);
    shape.leg_confidence[s].fill(sure_of(marked));
  }
}

void ShapeReader::read_marked_arms(const BodyMarks& marks, double groin, double trunk, BodyShape& shape) const {
  for (std::size_t s = 0; s < 2; ++s) {
    const BodyMarks::Limb& arm = marks.arms[s];
    if (!arm[1] && !arm[2]) {
      throw Error(ErrorCode::body_not_recognised,
                  "the arms were not found in the mesh, and neither " + mark_name(false, 1, static_cast<int>(s)) +
                      " nor " + mark_name(false, 2, static_cast<int>(s)) + " is marked",
                  "mark the wrists, and elbows where arms bend; also knees and groin where legs do not show")
          .about("markers");
    }
    const Vec3d out = s == 0 ? shape.frame.left : Vec3d(-shape.frame.left);
    const double height = groin + shoulder_share * trunk, chest = half_width(height);
    const double lateral = chest > 0 ? std::min(shoulder_out * trunk, shoulder_in_chest * chest) : shoulder_out * trunk;
    const Vec3d shoulder = arm[0] ? *arm[0] : Vec3d(trunk_centre(height) + lateral * out);
    const Vec3d wrist = arm[2] ? *arm[2] : Vec3d(*arm[1] + (1 / elbow_along - 1) * (*arm[1] - shoulder));
    const LimbCurve way = way_between(shoulder, wrist);
    const Vec3d elbow = arm[1] ? *arm[1] : way.at(elbow_along);
    const double length = (elbow - shoulder).norm() + (wrist - elbow).norm();
    Vec3d tip = arm[3] ? *arm[3] : Vec3d(wrist + hand_length * length * (wrist - elbow).normalized());
    if (const int found = tip_near(tip, 0.6 * hand_length * length); !arm[3] && found >= 0) tip = this->tip(found);
    shape.arm_joints[s] = {shoulder, elbow, wrist, tip};
    shape.arms[s].points = points_between({shoulder, elbow, wrist, tip});
    shape.limb_confidence[2 + s] = sure_of(true);
    shape.arm_confidence[s].fill(sure_of(true));
  }
}

int ShapeReader::tip_near(const Vec3d& place, double most) const {
  int nearest = -1;
  for (std::size_t i = 0; i < found_tips_; ++i) {
    const double away = (tip(static_cast<int>(i)) - place).norm();
    if (away < most) most = away, nearest = static_cast<int>(i);
  }
  return nearest;
}

LimbCurve ShapeReader::way_between(const Vec3d& from, const Vec3d& to) const {
  const LimbCurve straight{{from, to}};
  const std::int64_t first = solid_.near(from, 4), last = solid_.near(to, 4);
  if (first < 0 || last < 0 || first == last) return straight;
  std::vector<std::uint32_t> came_from;
  const std::vector<double> distance = solid_.distances(static_cast<std::uint32_t>(first), true, &came_from);
  if (!std::isfinite(distance[static_cast<std::size_t>(last)])) return straight;
  LimbCurve way;
  for (auto v = static_cast<std::uint32_t>(last); v != static_cast<std::uint32_t>(first); v = came_from[v]) {
    way.points.push_back(solid_.position(v));
  }
  way.points.push_back(from);
  std::reverse(way.points.begin(), way.points.end());
  way.points.push_back(to);
  way.smooth(8);
  return way;
}

}  // namespace sinew
