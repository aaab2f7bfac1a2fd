#include "sinew/fit/reading_features.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/learn/boosted_trees.h"

namespace sinew {
namespace {

constexpr std::size_t info_count = reading_feature_count, network_end = info_count - reading_kind_features;

struct ReadBone {
  Vec3d head, tail;
  int part = 0;  // 0 legs, 1 arms, 2 trunk, 3 head, 4 tail
  double thickness_head = 0, thickness_tail = 0;
};

// Measures one reading. Values are pushed in the order of `infos`.
class Measurer {
 public:
  Measurer(const BodyShape& reading, const VoxelSolid& solid, const NetworkLook* look, const RecognisedBody* recognised)
      : body_(reading), solid_(solid), look_(look), recognised_(recognised), height_(std::max(reading.height, 1e-12)) {
    values_.reserve(info_count);
  }

  std::vector<float> run() {
    measure_proportions();
    measure_thickness();
    measure_symmetry();
    make_bones();
    measure_inside();
    measure_loose_ends();
    measure_facing();
    measure_networks();
    measure_kind();
    return std::move(values_);
  }

 private:
  void push(double value) { values_.push_back(std::isfinite(value) ? static_cast<float>(value) : unknown_feature); }
  double up(const Vec3d& p) const { return (p - body_.middle).dot(body_.frame.up) / height_; }
  double out(const Vec3d& p) const { return (p - body_.middle).dot(body_.frame.left) / height_; }
  double ahead(const Vec3d& p) const { return (p - body_.middle).dot(body_.frame.forward) / height_; }
  Vec3d leg(int s, double share) const { return body_.legs[s].at(share); }
  Vec3d arm(int s, double share) const { return body_.arms[s].at(share); }

  // Joints of the limbs, four-legged bodies included: hip, knee, ankle; shoulder, elbow, wrist.
  Vec3d leg_joint(int s, int i) const {
    constexpr std::array<double, 3> shares{0, 0.42, 0.8};
    return body_.on_all_fours ? leg(s, shares[i]) : body_.leg_joints[s][i];
  }
  Vec3d arm_joint(int s, int i) const {
    constexpr std::array<double, 3> shares{0, 0.42, 0.8};
    return body_.on_all_fours ? arm(s, shares[i]) : body_.arm_joints[s][i];
  }
  template <class Measure>
  static double of_both(const Measure& measure) {
    return 0.5 * (measure(0) + measure(1));
  }
  double thickness(const Vec3d& place) const {
    const std::int64_t voxel = solid_.near(place, 2);
    return voxel < 0 ? 0.0 : solid_.depth(static_cast<std::uint32_t>(voxel)) / height_;
  }
  static double straightness(const LimbCurve& limb) {
    const double length = limb.length();
    return length > 0 ? (limb.points.back() - limb.points.front()).norm() / length : 0.0;
  }

  void measure_proportions() {
    std::array<double, 4> extent{1e300, -1e300, 1e300, -1e300};
    for (std::uint32_t v = 0; v < solid_.count(); ++v) {
      const double x = out(solid_.position(v)), z = ahead(solid_.position(v));
      extent = {std::min(extent[0], x), std::max(extent[1], x), std::min(extent[2], z), std::max(extent[3], z)};
    }
    width_ = extent[1] - extent[0];
    depth_ = extent[3] - extent[2];
    push(width_);
    push(depth_);
    const double legs = of_both([&](int s) { return body_.legs[s].length() / height_; });
    const double arms = of_both([&](int s) { return body_.arms[s].length() / height_; });
    push(legs);
    push(arms);
    push(arms / std::max(legs, 1e-3));
    push(of_both([&](int s) { return up(leg_joint(s, 0)); }));
    push(of_both([&](int s) { return up(arm_joint(s, 0)); }));
    push((leg_joint(0, 0) - leg_joint(1, 0)).norm() / height_);
    push((arm_joint(0, 0) - arm_joint(1, 0)).norm() / height_);
    push(body_.trunk.length() / height_);
    push(body_.head.length() / height_);
    push(body_.tail.length() / height_);
    push(of_both([&](int s) { return straightness(body_.legs[s]); }));
    push(of_both([&](int s) { return straightness(body_.arms[s]); }));
    push(of_both([&](int s) { return up(arm(s, 1)); }));
    push(of_both([&](int s) { return std::abs(out(arm(s, 1))); }));
    push(of_both([&](int s) { return ahead(arm(s, 1)) - ahead(arm(s, 0)); }));
    push(of_both([&](int s) { return std::abs(out(leg(s, 1))); }));
    push(of_both([&](int s) { return up(leg(s, 1)); }));
    push(ahead(body_.trunk.at(1)) - ahead(body_.trunk.at(0)));
    push(of_both([&](int s) { return ahead(arm(s, 1)) - ahead(leg(s, 1)); }));
    push(ahead(body_.head.at(1)) - ahead(body_.trunk.at(1)));
  }

  void measure_thickness() {
    constexpr std::array<double, 3> places{0.2, 0.5, 0.8};
    double legs = 0, arms = 0, trunk = 0;
    for (const double at : places) {
      push(of_both([&](int s) { return thickness(leg(s, at)); }));
      legs += values_.back() / 3;
    }
    for (const double at : places) {
      push(of_both([&](int s) { return thickness(arm(s, at)); }));
      arms += values_.back() / 3;
    }
    for (const double at : places) {
      push(thickness(body_.trunk.at(at)));
      trunk += values_.back() / 3;
    }
    push(thickness(body_.head.at(0.5)));
    push(arms / std::max(trunk, 1e-3));
    push(arms / std::max(legs, 1e-3));
    push(of_both([&](int s) { return body_.limb_confidence[s]; }));
    push(of_both([&](int s) { return body_.limb_confidence[2 + s]; }));
  }

  void measure_symmetry() {
    const auto difference = [](double a, double b) { return std::abs(a - b) / std::max(0.5 * (a + b), 1e-6); };
    const std::size_t step = std::max<std::size_t>(1, solid_.count() / 3000);
    std::size_t same = 0, all = 0;
    for (std::size_t v = 0; v < solid_.count(); v += step, ++all) {
      same += solid_.at(mirrored(solid_.position(static_cast<std::uint32_t>(v)))) >= 0;
    }
    push(static_cast<double>(same) / static_cast<double>(std::max<std::size_t>(all, 1)));
    push(difference(body_.legs[0].length(), body_.legs[1].length()));
    push(difference(body_.arms[0].length(), body_.arms[1].length()));
    push(std::abs(up(arm(0, 1)) - up(arm(1, 1))));
    double apart = 0;
    for (int i = 0; i < 3; ++i) {
      apart +=
          (leg_joint(0, i) - mirrored(leg_joint(1, i))).norm() + (arm_joint(0, i) - mirrored(arm_joint(1, i))).norm();
    }
    push(apart / 6 / height_);
  }

  Vec3d mirrored(const Vec3d& p) const { return p - 2 * (p - body_.middle).dot(body_.frame.left) * body_.frame.left; }

  void make_bones() {
    const auto add = [&](const LimbCurve& curve, int part) {
      constexpr int pieces = 6;
      if (curve.points.size() < 2) return;
      for (int i = 0; i < pieces; ++i) {
        ReadBone bone{curve.at(i / static_cast<double>(pieces)), curve.at((i + 1) / static_cast<double>(pieces)), part,
                      0, 0};
        bone.thickness_head = thickness(bone.head) * height_;
        bone.thickness_tail = thickness(bone.tail) * height_;
        bones_.push_back(bone);
      }
    };
    for (int s = 0; s < 2; ++s) {
      add(body_.legs[s], 0);
      add(body_.arms[s], 1);
      // Hips and shoulders belong to the trunk.
      add({{body_.trunk.at(0), leg_joint(s, 0)}}, 2);
      add({{body_.trunk.at(1), arm_joint(s, 0)}}, 2);
    }
    add(body_.trunk, 2);
    add(body_.head, 3);
    add(body_.tail, 4);
  }

  // Distance of a place to the nearest bone, in heights and in thicknesses there.
  void nearest_bone(const Vec3d& place, double& distance, double& thicknesses, int& part) const {
    distance = thicknesses = 1e300;
    for (const ReadBone& bone : bones_) {
      const Vec3d along = bone.tail - bone.head;
      const double length = along.squaredNorm();
      const double t = length > 0 ? std::clamp((place - bone.head).dot(along) / length, 0.0, 1.0) : 0.0;
      const double away = (place - bone.head - t * along).norm();
      const double thick = (1 - t) * bone.thickness_head + t * bone.thickness_tail + 0.5 * solid_.cell();
      if (away / thick < thicknesses) thicknesses = away / thick, distance = away / height_, part = bone.part;
    }
  }

  void measure_inside() {
    const std::size_t step = std::max<std::size_t>(1, solid_.count() / 3000);
    double all = 0, mean = 0, mean_thick = 0, far = 0, unexplained = 0, far_unexplained = 0, above = 0;
    std::array<double, 5> volume{};
    const double crown = up(body_.head.at(1)) + 0.03;
    for (std::size_t v = 0; v < solid_.count(); v += step) {
      const Vec3d p = solid_.position(static_cast<std::uint32_t>(v));
      double distance = 0, thicknesses = 0;
      int part = 2;
      nearest_bone(p, distance, thicknesses, part);
      all += 1;
      mean += distance;
      mean_thick += std::min(thicknesses, 6.0);
      far += distance > 0.12;
      unexplained += thicknesses > 1.8;
      far_unexplained += thicknesses > 3;
      above += up(p) > crown;
      volume[static_cast<std::size_t>(part)] += 1;
    }
    all = std::max(all, 1.0);
    for (const double value : {mean, mean_thick, far, unexplained, far_unexplained, above}) push(value / all);
    for (int part = 0; part < 4; ++part) push(volume[static_cast<std::size_t>(part)] / all);
    int joints_inside = 0;
    for (int s = 0; s < 2; ++s) {
      for (int i = 0; i < 3; ++i) {
        joints_inside += (solid_.at(leg_joint(s, i)) >= 0) + (solid_.at(arm_joint(s, i)) >= 0);
      }
    }
    push(joints_inside / 12.0);
    push(static_cast<double>(solid_.count()) * std::pow(solid_.cell() / height_, 3) / std::max(width_ * depth_, 1e-9));
  }

  // Prominent ends that no limb, head or tail of the reading ends at.
  void measure_loose_ends() {
    std::vector<Vec3d> ends{body_.head.at(1)};
    for (int s = 0; s < 2; ++s) ends.insert(ends.end(), {leg(s, 1), arm(s, 1)});
    if (!body_.tail.points.empty()) ends.push_back(body_.tail.at(1));
    int loose = 0;
    double longest = 0, together = 0;
    Vec3d place = body_.middle;
    for (const BodyTip& tip : body_.evidence.tips) {
      bool taken = up(tip.position) > 0.95 * up(body_.head.at(1)) && std::abs(out(tip.position)) < 0.06;
      for (const Vec3d& end : ends) taken |= (tip.position - end).norm() < 0.09 * height_;
      // Fingers and toes: beyond a wrist or an ankle.
      for (int s = 0; s < 2 && !taken; ++s) {
        taken = (tip.position - arm(s, 1)).norm() < 0.45 * body_.arms[s].length() &&
                (tip.position - arm_joint(s, 2)).norm() < 0.35 * body_.arms[s].length() &&
                tip.prominence < 0.3 * body_.arms[s].length();
      }
      if (taken) continue;
      ++loose;
      together += tip.prominence / height_;
      if (tip.prominence / height_ > longest) longest = tip.prominence / height_, place = tip.position;
    }
    const double hands = body_.evidence.hands / height_;
    push(static_cast<double>(body_.evidence.tips.size()));
    push(loose);
    push(longest);
    push(together);
    push(up(place));
    push(loose > 0 ? ahead(place) : 0);
    push(std::abs(out(place)));
    push(hands);
    push(body_.evidence.feet / height_);
    push(longest / std::max(hands, 0.02));
    push(body_.evidence.hands_rank);
    push(body_.evidence.feet_rank);
  }

  // Mean place ahead of the voxels between two heights, near the mirror plane, less that between two others.
  double slice_ahead(double low, double high) const {
    double sum = 0, count = 0;
    for (std::uint32_t v = 0; v < solid_.count(); ++v) {
      const Vec3d& p = solid_.position(v);
      const double h = up(p);
      if (h < low || h > high || std::abs(out(p)) > 0.08) continue;
      sum += ahead(p);
      count += 1;
    }
    return count > 0 ? sum / count : 0.0;
  }

  void measure_facing() {
    push(body_.evidence.feet_ahead);
    push(of_both([&](int s) { return ahead(leg(s, 1)) - ahead(leg_joint(s, 2)); }));
    const auto bulge = [&](const Vec3d& first, const Vec3d& middle, const Vec3d& last) {
      const double whole = (last - first).squaredNorm();
      const double t = whole > 0 ? (middle - first).dot(last - first) / whole : 0.0;
      return (middle - first - t * (last - first)).dot(body_.frame.forward) / height_;
    };
    push(of_both([&](int s) { return bulge(leg_joint(s, 0), leg_joint(s, 1), leg_joint(s, 2)); }));
    push(of_both([&](int s) { return bulge(arm_joint(s, 0), arm_joint(s, 1), arm_joint(s, 2)); }));
    const double shoulder = of_both([&](int s) { return up(arm_joint(s, 0)); });
    const double hip = of_both([&](int s) { return up(leg_joint(s, 0)); });
    const double spine = ahead(body_.trunk.at(0.5));
    push(slice_ahead(shoulder + 0.3 * (1 - shoulder), 1.1) - spine);
    push(slice_ahead(hip, 0.5 * (hip + shoulder)) - slice_ahead(0.5 * (hip + shoulder), shoulder));
    const Vec3d usual = std::abs(body_.frame.up.y()) > 0.5 ? Vec3d(Vec3d::UnitZ()) : Vec3d(-Vec3d::UnitY());
    push(usual.dot(body_.frame.forward));
    push(body_.frame.up.y());
    push(look_ && look_->guess.facing_known ? look_->guess.frame.forward.dot(body_.frame.forward) : unknown_feature);
  }

  void measure_networks() {
    if (!look_ || !look_->guess.facing_known) {
      while (values_.size() < network_end) push(unknown_feature);
      return;
    }
    const NeuralBody& seen = look_->body;
    Mat3d to_reading;  // from the space in which the networks looked
    to_reading << body_.frame.left.transpose(), body_.frame.up.transpose(), body_.frame.forward.transpose();
    to_reading = to_reading * seen.space.axes.transpose();
    std::array<Vec3d, 14> parts;  // in the networks' space
    for (int s = 0; s < 2; ++s) {
      for (int i = 0; i < 3; ++i) {
        parts[static_cast<std::size_t>(6 * s + i)] = seen.space.to_body(arm_joint(s, 2 - i));
        parts[static_cast<std::size_t>(6 * s + 3 + i)] = seen.space.to_body(leg_joint(s, i));
      }
      parts[static_cast<std::size_t>(12 + s)] =
          seen.space.to_body(s == 0 ? body_.head.at(0.9) : 0.5 * (leg(0, 1) + leg(1, 1)));
    }
    std::array<Vec3d, 14> mean;
    std::array<double, 14> weight{};
    mean.fill(Vec3d::Zero());
    double misfit = 0, all = 0;
    for (std::size_t v = 0; v < seen.mesh.positions.size(); ++v) {
      const auto row = seen.features.row(static_cast<Eigen::Index>(v));
      const double sure = row[row.size() - 1];
      if (!(sure > 0)) continue;
      const Vec3d place = seen.mesh.positions[v].cast<double>(), told(row[0], row[1], row[2]);
      misfit += sure * (to_reading * place - told).norm();
      all += sure;
      for (std::size_t k = 0; k < parts.size(); ++k) {
        const double near = (place - parts[k]).squaredNorm() / (0.06 * 0.06);
        if (near > 9) continue;
        const double w = sure * std::exp(-near);
        mean[k] += w * told;
        weight[k] += w;
      }
    }
    for (std::size_t k = 0; k < parts.size(); ++k) {
      mean[k] = weight[k] > 1e-6 ? Vec3d(mean[k] / weight[k]) : Vec3d(Vec3d::Constant(NAN));
    }
    push(look_->guess.misfit);
    push(all > 0 ? misfit / all : 1.0);
    push(all / std::max<double>(1, static_cast<double>(seen.mesh.positions.size())));
    const auto both = [&](std::size_t left, int axis) {
      const double sign = axis == 0 ? -1 : 1;
      return 0.5 * (mean[left][axis] + sign * mean[left + 6][axis]);
    };
    push(both(0, 0));
    push(both(0, 1));
    push(both(1, 0));
    push(both(1, 1));
    push(both(2, 1));
    push(both(3, 1));
    push(both(4, 1));
    push(both(5, 1));
    push(both(5, 0));
    push(mean[13][2]);
    push(mean[12][1]);
    double off = 0, count = 0;
    for (std::size_t k = 0; k < 13; ++k) {
      if (!mean[k].allFinite()) continue;
      off += (to_reading * parts[k] - mean[k]).norm();
      count += 1;
    }
    push(count > 0 ? off / count : 1.0);
  }

  void measure_kind() {
    if (!recognised_) {
      while (values_.size() < info_count) push(unknown_feature);
      return;
    }
    for (const float value : kind_part_of_features(recognised_->probabilities)) push(value);
  }

  const BodyShape& body_;
  const VoxelSolid& solid_;
  const NetworkLook* look_;
  const RecognisedBody* recognised_;
  double height_ = 1, width_ = 0, depth_ = 0;
  std::vector<ReadBone> bones_;
  std::vector<float> values_;
};

}  // namespace

std::vector<float> reading_features(const BodyShape& reading, const VoxelSolid& solid, const NetworkLook* look,
                                    const RecognisedBody* recognised) {
  return Measurer(reading, solid, look, recognised).run();
}

}  // namespace sinew
