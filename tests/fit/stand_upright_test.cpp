#include "sinew/fit/stand_upright.h"

#include <gtest/gtest.h>

#include "tests/support/figure.h"

namespace sinew {
namespace {

// A body that stands along `up` and faces `forward`, and the frame in which it was found.
struct Lying {
  TriangleMesh mesh;
  FitResult fit;
};

Lying lying(const Vec3d& up, const Vec3d& forward) {
  Lying body;
  body.fit.skeleton = test::standing_figure();
  Mat3d turn;
  turn << up.cross(forward), up, forward;
  body.fit.frame = {turn.col(0), turn.col(1), turn.col(2)};
  for (Affine3d& rest : body.fit.skeleton.rest) rest = Affine3d(turn) * rest;
  for (const Affine3d& rest : body.fit.skeleton.rest) {
    body.mesh.positions.push_back(rest.translation().cast<float>());
    body.mesh.normals.push_back(up.cast<float>());
    const Vec3f along = forward.cast<float>();
    body.mesh.tangents.push_back({along.x(), along.y(), along.z(), -1.0f});
  }
  return body;
}

TEST(StandUpright, EveryAxisBecomesY) {
  for (const Vec3d& axis : {Vec3d(Vec3d::UnitX()), Vec3d(Vec3d::UnitY()), Vec3d(Vec3d::UnitZ())}) {
    for (const double sign : {1.0, -1.0}) {
      const Vec3d up = sign * axis, forward = Vec3d(axis.y(), axis.z(), axis.x());
      Lying body = lying(up, forward);
      const std::vector<Vec3f> before = body.mesh.positions;
      const UpAxis was = stand_upright(body.mesh, body.fit);
      EXPECT_EQ(was.axis, axis.x() > 0 ? 0 : axis.y() > 0 ? 1 : 2);
      EXPECT_EQ(was.negative, sign < 0);
      EXPECT_EQ(body.mesh.positions == before, was.is_y());
      EXPECT_EQ(body.fit.frame.up, Vec3d::UnitY());
      const int head = find_joint(body.fit.skeleton, "Head"), foot = find_joint(body.fit.skeleton, "LeftFoot");
      EXPECT_GT(body.fit.skeleton.position(head).y(), body.fit.skeleton.position(foot).y());
      // Left stays left of forward: turned, not mirrored.
      EXPECT_LT((body.fit.frame.up.cross(body.fit.frame.forward) - body.fit.frame.left).norm(), 1e-12);
      for (std::size_t i = 0; i < body.mesh.positions.size(); ++i) {
        EXPECT_EQ(body.mesh.positions[i], body.fit.skeleton.rest[i].translation().cast<float>());
        EXPECT_EQ(body.mesh.normals[i], Vec3f::UnitY());
        EXPECT_EQ(Vec3f(body.mesh.tangents[i].head<3>()), Vec3f(body.fit.frame.forward.cast<float>()));
        EXPECT_EQ(body.mesh.tangents[i].w(), -1.0f);
      }
    }
  }
}

TEST(StandUpright, WhatFacedMinusYFacesZ) {
  Lying body = lying(Vec3d::UnitZ(), -Vec3d::UnitY());
  stand_upright(body.mesh, body.fit);
  EXPECT_EQ(body.fit.frame.forward, Vec3d::UnitZ());
}

}  // namespace
}  // namespace sinew
