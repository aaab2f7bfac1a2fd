// A small standing figure for tests: facing +z, left is +x, arms held out.
#pragma once

#include "sinew/skeleton.h"

namespace sinew::test {

inline Affine3d place(double x, double y, double z) { return Affine3d(Eigen::Translation3d(x, y, z)); }

inline Skeleton standing_figure() {
  Skeleton s;
  const int hips = add_joint(s, "Hips", -1, place(0, 1.0, 0));
  const int spine = add_joint(s, "Spine", hips, place(0, 1.15, 0));
  const int chest = add_joint(s, "Chest", spine, place(0, 1.3, 0));
  const int neck = add_joint(s, "Neck", chest, place(0, 1.5, 0));
  const int head = add_joint(s, "Head", neck, place(0, 1.6, 0));
  add_joint(s, "LeftEye", head, place(0.03, 1.68, 0.08));
  add_joint(s, "RightEye", head, place(-0.03, 1.68, 0.08));
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "Left" : "Right";
    const int clavicle = add_joint(s, name + "Shoulder", chest, place(side * 0.05, 1.45, 0));
    const int upper = add_joint(s, name + "Arm", clavicle, place(side * 0.18, 1.45, 0));
    const int lower = add_joint(s, name + "ForeArm", upper, place(side * 0.45, 1.45, 0));
    const int hand = add_joint(s, name + "Hand", lower, place(side * 0.7, 1.45, 0));
    add_joint(s, name + "HandIndex1", hand, place(side * 0.8, 1.45, 0.03));
    add_joint(s, name + "HandMiddle1", hand, place(side * 0.8, 1.45, 0.0));
    add_joint(s, name + "HandPinky1", hand, place(side * 0.78, 1.45, -0.04));
    const int thigh = add_joint(s, name + "UpLeg", hips, place(side * 0.1, 0.95, 0));
    const int shin = add_joint(s, name + "Leg", thigh, place(side * 0.1, 0.5, 0.01));
    const int foot = add_joint(s, name + "Foot", shin, place(side * 0.1, 0.08, 0));
    const int toe = add_joint(s, name + "ToeBase", foot, place(side * 0.1, 0.02, 0.12));
    add_joint(s, name + "Toe_End", toe, place(side * 0.1, 0.02, 0.18), JointKind::end);
  }
  return s;
}

}  // namespace sinew::test
