#include "sinew/builtin/body_field.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/error.h"

namespace sinew::builtin {
namespace {

constexpr int channels = 5;

double channel(const LoftStation& s, int c) {
  const double values[channels] = {s.half_width, s.front, s.back, s.shift_x, s.shift_z};
  return values[c];
}

// Tangents of monotone cubics (Fritsch and Carlson 1980): no overshoot, so a waist stays where it was put.
std::vector<double> monotone_tangents(const std::vector<LoftStation>& s) {
  const std::size_t n = s.size();
  std::vector<double> tangents(n * channels, 0.0);
  for (int c = 0; c < channels; ++c) {
    const auto slope = [&](std::size_t i) {
      return (channel(s[i + 1], c) - channel(s[i], c)) / (s[i + 1].along - s[i].along);
    };
    // Level at both ends, where the caps take over.
    for (std::size_t i = 1; i + 1 < n; ++i) {
      const double left = slope(i - 1), right = slope(i);
      if (left * right <= 0) continue;  // a local extreme stays level too
      const double h0 = s[i].along - s[i - 1].along, h1 = s[i + 1].along - s[i].along;
      tangents[i * channels + c] = 3 * (h0 + h1) / ((2 * h1 + h0) / left + (h1 + 2 * h0) / right);
    }
  }
  return tangents;
}

double loft_distance(const Loft& loft, const std::vector<double>& tangents, const Vec3d& point) {
  const Vec3d p = loft.frame.linear().transpose() * (point - loft.frame.translation());
  const auto& s = loft.stations;
  const double y = std::clamp(p.y(), s.front().along, s.back().along);
  std::size_t i = 0;
  while (i + 2 < s.size() && y > s[i + 1].along) ++i;
  const double h = s[i + 1].along - s[i].along, t = (y - s[i].along) / h;
  const double t2 = t * t, t3 = t2 * t;
  const double h00 = 2 * t3 - 3 * t2 + 1, h10 = t3 - 2 * t2 + t, h01 = 3 * t2 - 2 * t3, h11 = t3 - t2;
  const double d01 = 6 * (t - t2) / h, d10 = 3 * t2 - 4 * t + 1, d11 = 3 * t2 - 2 * t;
  double value[channels], slope[channels];
  for (int c = 0; c < channels; ++c) {
    const double low = channel(s[i], c), high = channel(s[i + 1], c);
    const double m0 = tangents[i * channels + c], m1 = tangents[(i + 1) * channels + c];
    value[c] = h00 * low + h01 * high + h * (h10 * m0 + h11 * m1);
    slope[c] = y == p.y() ? d01 * (high - low) + d10 * m0 + d11 * m1 : 0.0;
  }
  const double x = p.x() - value[3], z = p.z() - value[4];
  const double depth = z > 0 ? value[1] : value[2];
  const double u = std::abs(x) / value[0], v = std::abs(z) / depth;
  // `relative` is 1 on the surface; divided by its gradient it is a distance, to first order.
  const double n = loft.squareness;
  const double section = n == 2.0 ? std::sqrt(u * u + v * v) : std::pow(std::pow(u, n) + std::pow(v, n), 1 / n);
  const double beyond = p.y() - y, cap_length = beyond > 0 ? loft.end_cap : loft.start_cap;
  const double cap = beyond / cap_length;
  const double relative = std::sqrt(section * section + cap * cap);
  if (relative < 1e-9) return -std::min({value[0], value[1], value[2]});
  if (section < 1e-9) return (relative - 1) * cap_length;
  const auto power = [&](double share) { return n == 2.0 ? share : std::pow(share, n - 1); };
  const double per_x = section / relative * power(u / section) / value[0];
  const double per_z = section / relative * power(v / section) / depth;
  const double widening = per_x * (u / section * slope[0] + (x < 0 ? -slope[3] : slope[3])) +
                          per_z * (v / section * slope[z > 0 ? 1 : 2] + (z < 0 ? -slope[4] : slope[4]));
  const double per_y = cap / (relative * cap_length) - widening;
  return (relative - 1) / std::sqrt(per_x * per_x + per_y * per_y + per_z * per_z);
}

double ellipsoid_distance(const Ellipsoid& ellipsoid, const Vec3d& point) {
  const Vec3d p = ellipsoid.frame.linear().transpose() * (point - ellipsoid.frame.translation());
  const Vec3d scaled = p.cwiseQuotient(ellipsoid.radii);
  const double relative = scaled.norm();
  if (relative < 1e-9) return -ellipsoid.radii.minCoeff();
  return relative * (relative - 1) / scaled.cwiseQuotient(ellipsoid.radii).norm();
}

double cone_distance(const RoundCone& cone, const Vec3d& point) {
  const Vec3d axis = cone.b - cone.a;
  const double t = std::clamp((point - cone.a).dot(axis) / std::max(axis.squaredNorm(), 1e-300), 0.0, 1.0);
  return (point - cone.a - t * axis).norm() - (cone.radius_a + t * (cone.radius_b - cone.radius_a));
}

}  // namespace

double smooth_min(double a, double b, double blend) {
  const double h = std::max(blend - std::abs(a - b), 0.0);
  return std::min(a, b) - (blend > 0 ? h * h / (4 * blend) : 0.0);
}

double smooth_step(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * t * (t * (6 * t - 15) + 10);
}

int BodyField::begin_group(double blend) {
  groups_.push_back({blend, {0, 0, 0}, 0, {}});
  return static_cast<int>(groups_.size()) - 1;
}

void BodyField::add(const Solid& solid, double blend) { add_item(solid, blend, false); }
void BodyField::carve(const Solid& solid, double blend) { add_item(solid, blend, true); }

void BodyField::add_item(const Solid& solid, double blend, bool carve) {
  Item item{solid, {}, blend, carve, {0, 0, 0}, 0};
  if (const auto* loft = std::get_if<Loft>(&solid)) {
    item.tangents = monotone_tangents(loft->stations);
    AABBd box;
    for (const LoftStation& s : loft->stations) {
      const double w = std::max({s.half_width, s.front, s.back});
      box.extend(Vec3d(s.shift_x - w, s.along, s.shift_z - w));
      box.extend(Vec3d(s.shift_x + w, s.along, s.shift_z + w));
    }
    box.extend(Vec3d(box.center().x(), box.min().y() - loft->start_cap, box.center().z()));
    box.extend(Vec3d(box.center().x(), box.max().y() + loft->end_cap, box.center().z()));
    item.centre = loft->frame * box.center();
    item.radius = 0.5 * box.diagonal().norm();
  } else if (const auto* ellipsoid = std::get_if<Ellipsoid>(&solid)) {
    item.centre = ellipsoid->frame.translation();
    item.radius = ellipsoid->radii.maxCoeff();
  } else {
    const auto& cone = std::get<RoundCone>(solid);
    item.centre = 0.5 * (cone.a + cone.b);
    item.radius = 0.5 * (cone.b - cone.a).norm() + std::max(cone.radius_a, cone.radius_b);
  }
  Group& group = groups_.back();
  group.items.push_back(std::move(item));
  group.centre.setZero();
  for (const Item& i : group.items) group.centre += i.centre / static_cast<double>(group.items.size());
  group.radius = 0;
  for (const Item& i : group.items) {
    if (!i.carve) group.radius = std::max(group.radius, (i.centre - group.centre).norm() + i.radius + i.blend / 4);
  }
}

double BodyField::distance(const Item& item, const Vec3d& point) {
  if (const auto* loft = std::get_if<Loft>(&item.solid)) return loft_distance(*loft, item.tangents, point);
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&item.solid)) return ellipsoid_distance(*ellipsoid, point);
  return cone_distance(std::get<RoundCone>(item.solid), point);
}

double BodyField::group_value(int group, const Vec3d& point) const {
  double result = std::numeric_limits<double>::max();
  for (const Item& item : groups_[group].items) {
    // Far solids cannot change the result: skip them unseen.
    const double at_least = (point - item.centre).norm() - item.radius;
    if (item.carve) {
      if (at_least > item.blend - result) continue;
      result = smooth_max(result, -std::max(distance(item, point), at_least), item.blend);
    } else {
      if (at_least > result + item.blend) continue;
      result = smooth_min(result, std::max(distance(item, point), at_least), item.blend);
    }
  }
  return result;
}

double BodyField::value(const Vec3d& point, std::uint32_t groups) const {
  double result = std::numeric_limits<double>::max();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    if (!(groups >> g & 1u)) continue;
    if ((point - group.centre).norm() - group.radius > result + group.blend) continue;
    result = smooth_min(result, group_value(static_cast<int>(g), point), group.blend);
  }
  return result;
}

Vec3d project_to_surface(const std::function<double(const Vec3d&)>& field, Vec3d point, bool stay_in_plane, int steps) {
  constexpr double step = 2e-5, longest = 0.02;
  for (int i = 0; i < steps; ++i) {
    const double off = field(point);
    if (std::abs(off) < 1e-7) break;
    Vec3d gradient = Vec3d::Zero();
    for (int axis = stay_in_plane ? 1 : 0; axis < 3; ++axis) {
      const Vec3d offset = step * Vec3d::Unit(axis);
      gradient[axis] = (field(point + offset) - field(point - offset)) / (2 * step);
    }
    const double squared = gradient.squaredNorm();
    if (squared < 1e-6) break;
    Vec3d move = off / squared * gradient;
    if (move.norm() > longest) move *= longest / move.norm();
    point -= move;
  }
  return point;
}

AABBd BodyField::bounds() const {
  AABBd box;
  for (const Group& group : groups_) {
    for (const Item& item : group.items) {
      if (item.carve) continue;
      box.extend(item.centre - Vec3d::Constant(item.radius));
      box.extend(item.centre + Vec3d::Constant(item.radius));
    }
  }
  return box;
}

}  // namespace sinew::builtin
