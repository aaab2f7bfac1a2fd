#include "sinew/pose_mesh.h"

#include <gtest/gtest.h>

#include "sinew/base/random.h"
#include "sinew/error.h"

namespace sinew {
namespace {

Vec3d random_vector(Random& random) { return {random.normal(), random.normal(), random.normal()}; }

Affine3d random_rigid(Random& random) {
  const Vec4d q(random.normal(), random.normal(), random.normal(), random.normal());
  return Eigen::Translation3d(random_vector(random)) * Quatd(q.normalized());
}

TriangleMesh random_cloud(std::size_t count, Random& random) {
  TriangleMesh mesh;
  for (std::size_t i = 0; i < count; ++i) {
    mesh.positions.push_back(random_vector(random).cast<float>());
    mesh.normals.push_back(random_vector(random).normalized().cast<float>());
    mesh.tangents.emplace_back(1, 0, 0, i % 2 ? 1 : -1);
  }
  return mesh;
}

SkinWeights random_weights(std::size_t count, int joints, int influences, Random& random) {
  SkinWeights weights = make_skin_weights(count, influences);
  for (std::size_t vertex = 0; vertex < count; ++vertex) {
    std::vector<Influence> row;
    for (int i = 0; i < influences; ++i) {
      row.push_back({static_cast<std::uint16_t>(random.below(joints)), random.uniform()});
    }
    set_influences(weights, vertex, row);
  }
  return weights;
}

TEST(PoseMesh, OneRigidMotionForAllJointsMovesEverythingRigidly) {
  Random random(1);
  const TriangleMesh mesh = random_cloud(300, random);
  const SkinWeights weights = random_weights(300, 5, 4, random);
  const Affine3d motion = random_rigid(random);
  for (const SkinningMethod method : {SkinningMethod::linear_blend, SkinningMethod::dual_quaternion}) {
    const TriangleMesh posed = pose_mesh(mesh, weights, std::vector<Affine3d>(5, motion), method);
    for (std::size_t v = 0; v < 300; ++v) {
      EXPECT_TRUE(posed.positions[v].isApprox((motion * mesh.positions[v].cast<double>()).cast<float>(), 1e-5f));
      EXPECT_TRUE(posed.normals[v].isApprox((motion.linear() * mesh.normals[v].cast<double>()).cast<float>(), 1e-5f));
      EXPECT_EQ(posed.tangents[v].w(), mesh.tangents[v].w());
    }
  }
}

TEST(PoseMesh, DualQuaternionsTwistWithoutCollapse) {
  TriangleMesh mesh;
  mesh.positions = {Vec3f(1, 0, 0)};
  SkinWeights weights = make_skin_weights(1, 2);
  set_influences(weights, 0, {{0, 0.5}, {1, 0.5}});
  const Affine3d half_turn(Eigen::AngleAxisd(M_PI * 0.999, Vec3d::UnitZ()));
  const std::vector<Affine3d> transforms = {Affine3d::Identity(), half_turn};
  EXPECT_LT(pose_mesh(mesh, weights, transforms).positions[0].norm(), 0.01f);  // the candy wrapper
  const TriangleMesh posed = pose_mesh(mesh, weights, transforms, SkinningMethod::dual_quaternion);
  EXPECT_NEAR(posed.positions[0].norm(), 1.0f, 1e-6f);
}

TEST(PoseMesh, VerticesWithoutWeightStay) {
  Random random(2);
  const TriangleMesh mesh = random_cloud(3, random);
  SkinWeights weights = make_skin_weights(3, 4);
  set_influences(weights, 1, {{0, 1.0}});
  for (const SkinningMethod method : {SkinningMethod::linear_blend, SkinningMethod::dual_quaternion}) {
    const TriangleMesh posed = pose_mesh(mesh, weights, {random_rigid(random)}, method);
    EXPECT_EQ(posed.positions[0], mesh.positions[0]);
    EXPECT_EQ(posed.normals[2], mesh.normals[2]);
    EXPECT_NE(posed.positions[1], mesh.positions[1]);
  }
}

TEST(PoseMesh, RefusesWhatDoesNotFitTogether) {
  Random random(3);
  const TriangleMesh mesh = random_cloud(3, random);
  const SkinWeights weights = random_weights(3, 5, 2, random);
  EXPECT_THROW(pose_mesh(mesh, random_weights(2, 5, 2, random), std::vector<Affine3d>(5)), Error);
  EXPECT_THROW(pose_mesh(mesh, weights, {}), Error);
}

}  // namespace
}  // namespace sinew
