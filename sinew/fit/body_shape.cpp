#include "sinew/fit/body_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sinew {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Anatomy of a standing person, as shares of what the mesh shows: means over characters set up by artists.
constexpr double ankle_height = 0.148;        // of the crotch's height
constexpr double hip_above_crotch = 1.12;     // of the crotch's height
constexpr double hip_below_shoulder = 0.635;  // of the shoulders' height
constexpr double knee_share = 0.50;           // from hip to ankle
constexpr double hand_share = 0.265;          // from the tip of the hand, of the arm with its hand
constexpr double elbow_share = 0.535;         // from shoulder to wrist
constexpr double ball_share = 0.62;           // from ankle to the tip of the foot

struct TipPair {
  int a = 0, b = 0;  // indices of tips
  double height = 0, prominence = 0;
};

struct Candidate {
  Vec3d up = Vec3d::Zero(), across = Vec3d::Zero();  // unit length
  Vec3d middle = Vec3d::Zero();                      // a point of the plane
  double symmetry = 0;
};

class ShapeReader {
 public:
  ShapeReader(const VoxelSolid& solid, const BodyShapeOptions& options) : solid_(solid), options_(options) {
    for (std::uint32_t v = 0; v < solid.count(); ++v) centroid_ += solid.position(v);
    centroid_ /= static_cast<double>(solid.count());
    diagonal_ = solid.box().diagonal().norm();
    choose_core();
    from_core_ = solid.distances(core_, false);
    centred_ = solid.distances(core_, true, &came_from_);
    tips_ = solid.tips(from_core_, 0.07 * diagonal_);
    if (tips_.size() > 24) tips_.resize(24);
  }

  BodyShape run() {
    Error last = bad_input("no limbs were found in the mesh", "is it a closed body with arms and legs apart?");
    std::vector<Vec3d> ups{Vec3d::UnitY()};
    if (!options_.up_given)
      ups.insert(ups.end(), {Vec3d::UnitZ(), -Vec3d::UnitZ(), -Vec3d::UnitY(), Vec3d::UnitX(), -Vec3d::UnitX()});
    for (const Vec3d& up : ups) {
      try {
        choose_mirror(up);
        return options_.expect_four_legs ? read_four_legged() : read_two_legged();
      } catch (const Error& error) {
        if (&up == &ups.front()) last = error;
      }
    }
    throw last;
  }

 private:
  Vec3d tip(int i) const { return solid_.position(tips_[i].voxel); }
  double height_of(const Vec3d& p) const { return (p - frame_.middle).dot(frame_.up); }
  double side_of(const Vec3d& p) const { return (p - frame_.middle).dot(frame_.across); }

  // A deep voxel near the centre of mass.
  void choose_core() {
    double best = -infinite;
    for (std::uint32_t v = 0; v < solid_.count(); ++v) {
      const double score = solid_.depth(v) - 0.5 * (solid_.position(v) - centroid_).norm();
      if (score > best) best = score, core_ = v;
    }
  }

  void choose_mirror(const Vec3d& up) {
    std::vector<Vec3d> directions;
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
      Candidate candidate{up, directions[i], centroid_, 0};
      const double bonus = i < 2 ? 0.03 : 0.0;  // files are nearly always modelled along their axes
      candidate.symmetry = symmetry(candidate) + bonus;
      if (i == 0 || candidate.symmetry > frame_.symmetry) frame_ = candidate;
    }
    double ground = infinite, top = -infinite;
    for (std::uint32_t v = 0; v < solid_.count(); ++v) {
      ground = std::min(ground, solid_.position(v).dot(up));
      top = std::max(top, solid_.position(v).dot(up));
    }
    frame_.middle += (ground - frame_.middle.dot(up) - 0.5 * solid_.cell()) * up;
    height_ = top - ground + solid_.cell();
  }

  double symmetry(const Candidate& candidate) const {
    const std::size_t step = std::max<std::size_t>(1, solid_.count() / 4000);
    std::size_t same = 0, all = 0;
    for (std::size_t v = 0; v < solid_.count(); v += step, ++all) {
      const Vec3d p = solid_.position(static_cast<std::uint32_t>(v));
      const double side = (p - candidate.middle).dot(candidate.across);
      same += solid_.at(p - 2 * side * candidate.across) >= 0;
    }
    return static_cast<double>(same) / static_cast<double>(std::max<std::size_t>(all, 1));
  }

  std::vector<TipPair> mirrored_pairs() const {
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

  LimbCurve way_from(std::uint32_t voxel) const {
    LimbCurve curve;
    for (std::uint32_t v = voxel; v != core_; v = came_from_[v]) curve.points.push_back(solid_.position(v));
    curve.points.push_back(solid_.position(core_));
    // Voxel steps zigzag: smooth, the ends stay.
    for (int round = 0; round < 8; ++round) {
      std::vector<Vec3d> next = curve.points;
      for (std::size_t i = 1; i + 1 < next.size(); ++i) {
        next[i] = 0.5 * curve.points[i] + 0.25 * (curve.points[i - 1] + curve.points[i + 1]);
      }
      curve.points = next;
    }
    return curve;
  }

  // The part of a way between two distances along it, seen from the trunk: root first.
  static LimbCurve outer_part(const LimbCurve& way, double length) {
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

  // How far from its tip a limb ends: where the front of equal distance from the tip suddenly grows. `growth`: factor
  // over the limb's usual cross-section. Returns 0 when it never does.
  double limb_length(std::uint32_t tip_voxel, double growth, double* contrast) const {
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
    for (std::size_t i = bands / 3; i < bands; ++i) {
      const double here = 0.5 * (area[i] + area[i + 1]);
      if (here > growth * usual) {
        // Between two bands, where the threshold is passed.
        const double before = 0.5 * (area[i - 1] + area[i]);
        const double t = here > before ? std::clamp((growth * usual - before) / (here - before), 0.0, 1.0) : 0.0;
        return band * (static_cast<double>(i) + t);
      }
    }
    return 0;
  }

  // Middle of the body's slice at a height, on the mirror plane.
  Vec3d trunk_centre(double height) const {
    Vec3d sum = Vec3d::Zero();
    double weight = 0;
    for (std::uint32_t v = 0; v < solid_.count(); ++v) {
      const Vec3d p = solid_.position(v);
      if (std::abs(height_of(p) - height) > 1.5 * solid_.cell() || std::abs(side_of(p)) > 0.06 * height_) continue;
      const double w = solid_.depth(v) * solid_.depth(v);
      sum += w * p;
      weight += w;
    }
    Vec3d centre = weight > 0 ? Vec3d(sum / weight) : Vec3d(frame_.middle + height * frame_.up);
    centre -= side_of(centre) * frame_.across;
    return centre + (height - height_of(centre)) * frame_.up;
  }

  // ---- Two legs ----

  BodyShape read_two_legged() {
    // A person who lies is deeper than tall: another axis is up.
    const Vec3d depth_axis = frame_.up.cross(frame_.across);
    double front = -infinite, back = infinite;
    for (std::uint32_t v = 0; v < solid_.count(); ++v) {
      front = std::max(front, solid_.position(v).dot(depth_axis));
      back = std::min(back, solid_.position(v).dot(depth_axis));
    }
    if (front - back > height_) throw bad_input("no body that stands upright was found in the mesh");
    const std::vector<TipPair> pairs = mirrored_pairs();
    const TipPair* feet = nullptr;
    for (const TipPair& pair : pairs) {
      if (pair.height < 0.2 * height_ && (!feet || pair.prominence > feet->prominence)) feet = &pair;
    }
    if (!feet)
      throw bad_input("no two legs were found in the mesh", "a body whose legs are one (a robe) cannot be fitted");
    const TipPair* hands = nullptr;
    for (const TipPair& pair : pairs) {
      if (pair.a == feet->a || pair.b == feet->b || pair.height < 0.25 * height_) continue;
      if (std::abs(side_of(tip(pair.a))) < 0.1 * height_) continue;  // ears
      if (!hands || pair.prominence > hands->prominence) hands = &pair;
    }
    if (!hands)
      throw bad_input("no two arms were found in the mesh", "arms that touch the body cannot be told from it");

    BodyShape shape;
    shape.height = height_;
    shape.symmetry = std::min(1.0, frame_.symmetry);
    find_facing(shape);
    const bool swap = shape.frame.left.dot(frame_.across) < 0;
    const std::array<int, 2> foot{swap ? feet->b : feet->a, swap ? feet->a : feet->b};
    const std::array<int, 2> hand{swap ? hands->b : hands->a, swap ? hands->a : hands->b};
    read_arms(hand, shape);
    const double shoulder = 0.5 * (height_of(shape.arm_joints[0][0]) + height_of(shape.arm_joints[1][0]));
    read_legs(foot, shoulder, shape);
    read_trunk(shoulder, shape);
    return shape;
  }

  // Feet point forwards: from the leg just above the ankle to the whole foot.
  void find_facing(BodyShape& shape) {
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
    shape.facing_known = forward.norm() > 0.006 * height_;
    if (!shape.facing_known) {
      // Most files face +z (y up) or -y (z up).
      const Vec3d custom = std::abs(frame_.up.y()) > 0.5 ? Vec3d::UnitZ() : Vec3d(-Vec3d::UnitY());
      forward = custom - custom.dot(frame_.across) * frame_.across;
    }
    shape.frame.up = frame_.up;
    shape.frame.forward = forward.normalized();
    shape.frame.left = shape.frame.up.cross(shape.frame.forward).normalized();
    shape.middle = frame_.middle;
  }

  void read_arms(const std::array<int, 2>& hand, BodyShape& shape) {
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
      Vec3d shoulder = arm.at(0.45) + 0.45 * arm.length() * along;
      // Bent elbows point the upper arm backwards too, but shoulders lie where the way enters the trunk.
      shoulder += (arm.at(0.0) - shoulder).dot(shape.frame.forward) * shape.frame.forward;
      arm.points = straightened(arm, shoulder);
      const double wrist = 1 - hand_share, elbow = elbow_share * wrist;
      const auto joint = [&](double f) {
        return solid_.centre_of_slice(arm.at(f), (arm.at(f + 0.08) - arm.at(f - 0.08)).normalized());
      };
      shape.arm_joints[s] = {shoulder, joint(elbow), joint(wrist), arm.points.back()};
      shape.limb_confidence[2 + s] = std::clamp((contrast[s] - 1.2) / 2.0, 0.2, 1.0);
    }
  }

  // The curve with its first 45 % replaced by the straight way from a shoulder.
  static std::vector<Vec3d> straightened(const LimbCurve& arm, const Vec3d& shoulder) {
    std::vector<Vec3d> points{shoulder};
    for (int i = 0; i <= 40; ++i) points.push_back(arm.at(0.45 + 0.55 * i / 40.0));
    return points;
  }

  // Lowest place where both halves of the body are one; looked for between the voxels, because thighs nearly touch.
  double crotch_height(double shoulder, bool& found) const {
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

  void read_legs(const std::array<int, 2>& foot, double shoulder, BodyShape& shape) {
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
      const double knee_h = height_of(hip) + knee_share * (ankle_h - hip_h);
      const Vec3d knee = centre(knee_h);
      const Vec3d tip = way.points.front();
      Vec3d ball = ankle + ball_share * (tip - ankle);
      ball += (0.25 * ankle_h - height_of(ball)) * frame_.up;
      shape.leg_joints[s] = {hip, knee, ankle, ball, tip};
      shape.legs[s].points = {hip, knee, ankle, ball, tip};
      shape.limb_confidence[s] = found ? 0.9 : 0.4;
    }
  }

  void read_trunk(double shoulder, BodyShape& shape) {
    const double hip = height_of(shape.leg_joints[0][0]);
    // The neck is the thinnest slice between the shoulders and the middle of the head.
    const double cell = solid_.cell(), limit = shoulder + 0.5 * (height_ - shoulder);
    std::vector<double> area(static_cast<std::size_t>(height_ / cell) + 2, 0.0);
    for (std::uint32_t v = 0; v < solid_.count(); ++v) {
      const Vec3d p = solid_.position(v);
      if (std::abs(side_of(p)) < 0.12 * height_)
        area[static_cast<std::size_t>(std::max(0.0, height_of(p) / cell))] += 1;
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

  static void smooth(LimbCurve& curve) {
    for (int round = 0; round < 6; ++round) {
      std::vector<Vec3d> next = curve.points;
      for (std::size_t i = 1; i + 1 < next.size(); ++i) {
        next[i] = 0.5 * curve.points[i] + 0.25 * (curve.points[i - 1] + curve.points[i + 1]);
      }
      curve.points = next;
    }
  }

  // ---- Four legs ----

  BodyShape read_four_legged() {
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

  void read_animal_trunk(int head, int tail, BodyShape& shape) {
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

  const VoxelSolid& solid_;
  BodyShapeOptions options_;
  Vec3d centroid_ = Vec3d::Zero();
  double diagonal_ = 0, height_ = 0;
  std::uint32_t core_ = 0;
  std::vector<double> from_core_, centred_;
  std::vector<std::uint32_t> came_from_;
  std::vector<VoxelSolid::Tip> tips_;
  Candidate frame_;
};

}  // namespace

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

BodyShape read_body_shape(const VoxelSolid& solid, const BodyShapeOptions& options) {
  return ShapeReader(solid, options).run();
}

}  // namespace sinew
