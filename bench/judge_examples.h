// What the judge of fits learns from: readings of characters, of changed ones and of things, each with how wrong it is.
#pragma once

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "bench/fit_cases.h"
#include "sinew/base/random.h"
#include "sinew/fit/fit_readings.h"
#include "sinew/fit/place_joints.h"

namespace sinew::bench {

// A mesh, and the artist's skeleton where it has one.
struct JudgedBody {
  TriangleMesh mesh;
  Skeleton truth;
  Vec3d up = Vec3d::UnitY(), forward = Vec3d::UnitZ();  // which way it stands and faces
};

inline void append_box(TriangleMesh& mesh, const Vec3d& centre, const Mat3d& half_axes) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3d signs(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
    mesh.positions.push_back((centre + half_axes * signs).cast<float>());
  }
  constexpr std::uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  for (const auto& face : faces) mesh.triangles.push_back({first + face[0], first + face[1], first + face[2]});
}

inline void append_stick(TriangleMesh& mesh, const Vec3d& from, const Vec3d& to, double radius) {
  const Vec3d along = to - from;
  if (!(along.norm() > 0)) return;
  const Vec3d side = along.unitOrthogonal(), other = along.normalized().cross(side);
  Mat3d axes;
  axes << 0.5 * along, radius * side, radius * other;
  append_box(mesh, 0.5 * (from + to), axes);
}

inline void transform(JudgedBody& body, const Mat3d& change) {
  for (Vec3f& p : body.mesh.positions) p = (change * p.cast<double>()).cast<float>();
  for (Affine3d& rest : body.truth.rest) rest.translation() = change * rest.translation();
  body.up = (change * body.up).normalized();
  body.forward = (change * body.forward).normalized();
}

// Something carried or worn: a stick in a hand, a pack on the back, a hat; anywhere on what has no such joints.
inline void give_something(JudgedBody& body, Random& random) {
  const AABBf box = bounding_box(body.mesh);
  const double height = box.sizes().y();
  const std::vector<JointIdentity> roles =
      body.truth.empty() ? std::vector<JointIdentity>{} : identify_joints_anyhow(body.truth);
  const auto wanted = std::array{JointRole::hand, JointRole::chest, JointRole::head}[random.below(3)];
  Vec3d place = body.mesh.positions[random.below(body.mesh.positions.size())].cast<double>();
  for (std::size_t j = 0; j < roles.size(); ++j) {
    if (roles[j].role == wanted) place = body.truth.position(static_cast<int>(j));
  }
  if (wanted == JointRole::hand) {
    const Vec3d direction = Vec3d(random.normal(), random.normal(), random.normal()).normalized();
    append_stick(body.mesh, place - 0.1 * height * direction, place + random.uniform(0.2, 0.6) * height * direction,
                 random.uniform(0.008, 0.03) * height);
  } else {
    const bool hat = wanted == JointRole::head;
    const Vec3d away = hat ? Vec3d(0, 0.12, 0) : Vec3d(0, 0, -0.12);
    Mat3d axes = Mat3d::Identity();
    for (int a = 0; a < 3; ++a) axes(a, a) = random.uniform(0.03, 0.12) * height;
    append_box(body.mesh, place + height * away, axes);
  }
}

// Another one of the same kind: stretched, turned, lying, with something in its hand.
inline JudgedBody changed(JudgedBody body, std::uint64_t seed) {
  Random random(seed);
  if (random.uniform() < 0.4) give_something(body, random);
  Mat3d stretch = Mat3d::Identity();
  for (int a = 0; a < 3; ++a) stretch(a, a) = random.uniform(0.85, 1.15);
  transform(body, stretch);
  const double quarter = std::numbers::pi / 2, how = random.uniform();
  double yaw = 0;
  if (how > 0.5) yaw = quarter * static_cast<double>(random.below(4));
  if (how > 0.8) yaw = random.uniform(0, 4 * quarter);
  Mat3d turn = Eigen::AngleAxisd(yaw, Vec3d::UnitY()).toRotationMatrix();
  if (random.uniform() < 0.15) turn = Eigen::AngleAxisd(quarter, Vec3d::UnitX()).toRotationMatrix() * turn;
  transform(body, turn);
  return body;
}

// Furniture, vehicles, plants, buildings: boxes and sticks, most of them in mirrored pairs.
inline JudgedBody random_thing(std::uint64_t seed) {
  Random random(seed);
  JudgedBody body;
  const auto box = [&](const Vec3d& centre, const Vec3d& half) { append_box(body.mesh, centre, half.asDiagonal()); };
  const Vec3d trunk(random.uniform(0.05, 0.5), random.uniform(0.05, 0.6), random.uniform(0.05, 0.6));
  const double lift = random.uniform(0.0, 0.8);
  box({0, lift + trunk.y(), 0}, trunk);
  const auto pairs = 1 + random.below(4);
  for (std::uint64_t p = 0; p < pairs; ++p) {
    const Vec3d from(random.uniform(0.3, 1.0) * trunk.x(), lift + random.uniform(0.0, 2.0) * trunk.y(),
                     random.uniform(-1, 1) * trunk.z());
    Vec3d to = from + Vec3d(random.uniform(0, 0.8), random.uniform(-0.8, 0.8), random.uniform(-0.4, 0.4));
    if (random.uniform() < 0.5) to = Vec3d(from.x() + random.uniform(-0.05, 0.1), -random.uniform(0, 0.2), from.z());
    const double radius = random.uniform(0.02, 0.12);
    for (const double side : {1.0, -1.0}) {
      append_stick(body.mesh, Vec3d(side * from.x(), from.y(), from.z()), Vec3d(side * to.x(), to.y(), to.z()), radius);
    }
  }
  for (auto extra = random.below(4); extra > 0; --extra) {
    const Vec3d half(random.uniform(0.03, 0.3), random.uniform(0.03, 0.3), random.uniform(0.03, 0.3));
    box({0, lift + random.uniform(0, 2.5) * trunk.y(), random.uniform(-1.2, 1.2) * trunk.z()}, half);
  }
  return body;
}

// Mean distance of limb joints from the artist's, over the bounding diagonal; nothing where the artist has none.
inline std::optional<double> limb_error(const Skeleton& fitted, const FitCase& target, double diagonal) {
  double sum = 0;
  int count = 0;
  for (int j = 0; j < target.truth.joint_count(); ++j) {
    if (!is_limb(target.roles[j].role) || target.roles[j].index != 1) continue;
    sum += (fitted.position(j) - target.truth.position(j)).norm();
    ++count;
  }
  return count >= 8 ? std::optional(sum / count / diagonal) : std::nullopt;
}

}  // namespace sinew::bench
