// Creatures made of capsules: meshes whose limbs and joints are known.
#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "tests/fit/flesh.h"

namespace sinew::test {

// A chain of bones along z that winds a little from side to side; the head is in front.
inline Skeleton snake_joints(int joints = 9) {
  Skeleton s;
  int parent = -1;
  for (int i = 0; i < joints; ++i) {
    const double t = i / static_cast<double>(joints - 1);
    parent = add_joint(s, "bone_" + std::to_string(i), parent, place(0.15 * std::sin(6 * t), 0.2, 2 * t - 1));
  }
  return s;
}

inline TriangleMesh snake() { return flesh(snake_joints(), {}, 0.1); }

// Arms of three joints from one middle, in the plane of x and y; the first points up.
inline Skeleton star_joints(int arms) {
  Skeleton s;
  const int middle = add_joint(s, "middle", -1, place(0, 0, 0));
  for (int arm = 0; arm < arms; ++arm) {
    const double angle = 2 * std::numbers::pi * arm / arms;
    int parent = middle;
    for (int i = 1; i <= 3; ++i) {
      const double reach = 0.35 * i;
      parent = add_joint(s, "arm" + std::to_string(arm) + "_" + std::to_string(i), parent,
                         place(reach * std::sin(angle), reach * std::cos(angle), 0));
    }
  }
  return s;
}

inline TriangleMesh star(int arms) { return flesh(star_joints(arms), {}, 0.08); }

// A body along z, four pairs of bent legs, and a head in front.
inline Skeleton spider_joints() {
  Skeleton s;
  const int body = add_joint(s, "body", -1, place(0, 0.5, 0));
  const int head = add_joint(s, "head", body, place(0, 0.5, 0.35));
  add_joint(s, "face", head, place(0, 0.5, 0.55));
  add_joint(s, "rear", body, place(0, 0.55, -0.4));
  for (int pair = 0; pair < 4; ++pair) {
    for (const double side : {1.0, -1.0}) {
      const std::string name = "leg" + std::to_string(pair) + (side > 0 ? "_left" : "_right");
      const double z = 0.45 - 0.3 * pair;
      const int hip = add_joint(s, name + "_1", body, place(side * 0.18, 0.5, 0.5 * z));
      const int knee = add_joint(s, name + "_2", hip, place(side * 0.6, 0.75, z));
      const int foot = add_joint(s, name + "_3", knee, place(side * 0.95, 0.1, 1.3 * z));
      add_joint(s, name + "_end", foot, place(side * 1.0, 0.0, 1.35 * z), JointKind::end);
    }
  }
  return s;
}

inline TriangleMesh spider() { return flesh(spider_joints(), {{"head", 0.2}, {"face", 0.12}, {"rear", 0.26}}, 0.05); }

// The same joints ten times as large, elsewhere, and with other bone lengths (the same left and right).
inline Skeleton other_proportions(const Skeleton& skeleton) {
  Skeleton result = skeleton;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int parent = skeleton.parents[j];
    if (parent < 0) {
      result.rest[j].translation() = 10 * skeleton.position(j) + Vec3d(3, 7, -4);
      continue;
    }
    const double factor = 10 * (skeleton.names[j].back() == '2' ? 1.2 : skeleton.names[j].back() == '3' ? 0.85 : 1.0);
    result.rest[j].translation() =
        result.position(parent) + factor * (skeleton.position(j) - skeleton.position(parent));
  }
  return result;
}

}  // namespace sinew::test
