#include "sinew/runtime/skinning.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "sinew/base/random.h"
#include "sinew/eigen_types.h"
#include "sinew/runtime/skinning_input.h"
#include "tests/runtime/count_allocations.h"
#include "tests/runtime/random_rig.h"

namespace sinew {
namespace {

using test::guard, test::random_rotation, test::random_vector, test::RandomRig, test::rig_methods, test::RigMethod;

// The definitions in double precision, written independently of the kernels.
Affine3d reference_transform(const RandomRig& rig, std::size_t vertex, RigMethod method) {
  Affine3d linear;
  linear.matrix().setZero();
  Vec4d real = Vec4d::Zero(), dual = Vec4d::Zero();
  Mat3d stretch = Mat3d::Zero();
  Quatd strongest = Quatd::Identity();
  for (int slot = 0; slot < rig.influences; ++slot) {
    const double weight = rig.weights.weights[vertex * rig.influences + slot];
    const Affine3d& transform = rig.transforms[rig.weights.joints[vertex * rig.influences + slot]];
    linear.matrix() += weight * transform.matrix();
    Mat3d rotation, scaling;
    transform.computeRotationScaling(&rotation, &scaling);
    Quatd q(rotation);
    if (slot == 0) strongest = q;
    if (strongest.dot(q) < 0) q.coeffs() *= -1;
    const Vec3d t = transform.translation();
    real += weight * q.coeffs();
    dual += weight * 0.5 * (Quatd(0, t.x(), t.y(), t.z()) * q).coeffs();
    stretch += weight * scaling;
  }
  linear.matrix()(3, 3) = 1;
  if (method == RigMethod::lbs) return linear;
  const Quatd rotation(Vec4d(real / real.norm()));
  Affine3d result = Affine3d::Identity();
  result.linear() = rotation.toRotationMatrix() * stretch;
  result.translation() = 2 * (Quatd(Vec4d(dual / real.norm())) * rotation.conjugate()).vec();
  return result;
}

void expect_matches_reference(const RandomRig& rig, RigMethod method, const std::string& what) {
  for (std::size_t vertex = 0; vertex < rig.count; ++vertex) {
    const Vec3d position = rig.vector(rig.positions, vertex, rig.stride);
    const Vec3d normal = rig.vector(rig.normals, vertex, rig.stride);
    const Vec3d tangent = rig.vector(rig.tangents, vertex, rig.tangent_stride);
    const bool stays = rig.weights.weights[vertex * rig.influences] == 0;
    const Affine3d transform = stays ? Affine3d::Identity() : reference_transform(rig, vertex, method);
    const Vec3d posed_normal = (transform.linear().inverse().transpose() * normal).normalized() *
                               (transform.linear().determinant() < 0 ? -1 : 1);
    // Normals and tangents lose digits where the blended matrix nearly collapses.
    const double collapse = transform.linear().jacobiSvd().singularValues()[2];
    ASSERT_LT((rig.vector(rig.posed_positions, vertex, rig.stride) - transform * position).norm(), 2e-5)
        << what << ", vertex " << vertex;
    if (collapse > 0.05) {
      ASSERT_LT((rig.vector(rig.posed_normals, vertex, rig.stride) - posed_normal).norm(), 1e-3) << what;
      ASSERT_LT(
          (rig.vector(rig.posed_tangents, vertex, rig.tangent_stride) - (transform.linear() * tangent).normalized())
              .norm(),
          1e-3)
          << what;
    }
    const std::size_t w = rig.offset + vertex * rig.tangent_stride + 3;
    ASSERT_EQ(rig.posed_tangents[w], rig.tangents[w]);
  }
}

// Nothing before the first vertex, between strided vertices or after the last one was written.
void expect_guards(const std::vector<float>& out, std::size_t offset, std::size_t count, std::size_t stride,
                   std::size_t components) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool inside = i >= offset && (i - offset) / stride < count && (i - offset) % stride < components;
    if (!inside) {
      ASSERT_EQ(out[i], guard) << "wrote outside at " << i;
    }
  }
}

class EveryPath : public testing::TestWithParam<Instructions> {
 protected:
  void SetUp() override {
    if (GetParam() > best_instructions()) GTEST_SKIP() << "this processor does not have these instructions";
  }
  static void skin_here(const SkinningJob& job) { ASSERT_EQ(skin_with(job, GetParam()), RuntimeStatus::ok); }
};

INSTANTIATE_TEST_SUITE_P(Skinning, EveryPath, testing::Values(Instructions::baseline, Instructions::avx2),
                         [](const auto& tested) { return std::string(instructions_name(tested.param)); });

TEST_P(EveryPath, MatchesTheDefinitionForEveryMethodAndInfluenceCount) {
  for (const RigMethod method : rig_methods) {
    for (int influences = 1; influences <= 9; ++influences) {
      RandomRig rig(301, influences, method, 10 * influences + static_cast<int>(method));
      ASSERT_EQ(rig.job.validate(), RuntimeStatus::ok);
      skin_here(rig.job);
      expect_matches_reference(rig, method, "influences " + std::to_string(influences));
    }
  }
}

TEST_P(EveryPath, HandlesEverySmallSizeStrideAndAlignmentWithoutLeavingTheSpans) {
  for (const RigMethod method : rig_methods) {
    for (std::size_t count = 1; count <= 18; ++count) {
      for (const std::size_t stride : {3, 4, 7}) {
        for (const std::size_t offset : {0, 1, 3}) {
          RandomRig rig(count, 4, method, count, stride, offset);
          ASSERT_EQ(rig.job.validate(), RuntimeStatus::ok);
          skin_here(rig.job);
          expect_matches_reference(rig, method, std::to_string(count) + " vertices");
          expect_guards(rig.posed_positions, offset, count, stride, 3);
          expect_guards(rig.posed_normals, offset, count, stride, 3);
          expect_guards(rig.posed_tangents, offset, count, stride + 1, 4);
        }
      }
    }
  }
}

// Outputs of this size are streamed past the caches, by another kind of store.
TEST_P(EveryPath, StreamsLargeOutputsWithTheSameBitsAndWithinTheSpans) {
  for (const std::size_t offset : {0, 1, 2}) {
    RandomRig large(110'001, 4, RigMethod::lbs, 5, 3, offset);
    skin_here(large.job);
    expect_guards(large.posed_positions, offset, large.count, 3, 3);
    RandomRig small(110'001, 4, RigMethod::lbs, 5, 3, offset);
    for (std::size_t first = 0; first < small.count; first += 1000) {
      SkinningJob part = small.job;
      part.vertex_count = std::min<std::size_t>(1000, small.count - first);
      part.joints = part.joints.subspan(first * 4);
      part.weights = part.weights.subspan(first * 4);
      part.positions.floats = part.positions.floats.subspan(first * 3);
      part.normals.floats = part.normals.floats.subspan(first * 3);
      part.tangents.floats = part.tangents.floats.subspan(first * 4);
      part.posed_positions.floats = part.posed_positions.floats.subspan(first * 3);
      part.posed_normals.floats = part.posed_normals.floats.subspan(first * 3);
      part.posed_tangents.floats = part.posed_tangents.floats.subspan(first * 4);
      skin_here(part);
    }
    EXPECT_EQ(large.posed_positions, small.posed_positions);
    EXPECT_EQ(large.posed_normals, small.posed_normals);
    EXPECT_EQ(large.posed_tangents, small.posed_tangents);
  }
}

TEST_P(EveryPath, AllocatesNothing) {
  for (const RigMethod method : rig_methods) {
    RandomRig rig(5000, 4, method, 7);
    std::vector<JointDualQuaternion> motions(rig.matrices.size());
    std::vector<JointMatrix> stretches(rig.matrices.size());
    const long before = test::allocation_count();
    EXPECT_EQ(rig.job.validate(), RuntimeStatus::ok);
    EXPECT_EQ(split_for_dual_quaternions(rig.matrices, motions, stretches).status, RuntimeStatus::ok);
    skin_here(rig.job);
    EXPECT_EQ(test::allocation_count(), before);
  }
}

TEST_P(EveryPath, TheIdentityPoseChangesNothing) {
  for (const RigMethod method : {RigMethod::lbs, RigMethod::dqs}) {
    RandomRig rig(500, 4, method, 8);
    const JointMatrix identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    std::fill(rig.matrices.begin(), rig.matrices.end(), identity);
    if (method == RigMethod::dqs) {
      rig.stretches.resize(rig.matrices.size());
      EXPECT_FALSE(split_for_dual_quaternions(rig.matrices, rig.dual_quaternions, rig.stretches).stretched);
    }
    skin_here(rig.job);
    for (std::size_t i = 0; i < rig.positions.size(); ++i) {
      EXPECT_NEAR(rig.posed_positions[i], rig.positions[i], 5e-7f * (1 + std::abs(rig.positions[i])));
      EXPECT_NEAR(rig.posed_normals[i], rig.normals[i], 5e-7f);
    }
  }
}

// The same motion for all joints, half of them given by the opposite quaternion: nothing may bend or shrink.
TEST_P(EveryPath, AntipodalQuaternionsAreTheSameMotion) {
  RandomRig rig(400, 4, RigMethod::dqs, 9);
  for (std::size_t joint = 0; joint < rig.dual_quaternions.size(); ++joint) {
    rig.dual_quaternions[joint] = rig.dual_quaternions[0];
    for (int i = 0; i < 4 && joint % 2; ++i) {
      rig.dual_quaternions[joint].real[i] *= -1;
      rig.dual_quaternions[joint].dual[i] *= -1;
    }
    rig.transforms[joint] = rig.transforms[0];
  }
  skin_here(rig.job);
  expect_matches_reference(rig, RigMethod::lbs, "one rigid motion");
}

// Every part of a mesh may be skinned by itself, wherever it begins and ends.
TEST(SkinRange, GivesTheBitsOfTheWhole) {
  for (const std::size_t count : {std::size_t{301}, std::size_t{120'001}}) {  // the second one is streamed
    RandomRig whole(count, 4, RigMethod::lbs, 21, 3, 1), parts(count, 4, RigMethod::lbs, 21, 3, 1);
    ASSERT_EQ(skin(whole.job), RuntimeStatus::ok);
    Random random(4);
    for (std::size_t first = 0; first < count;) {
      const std::size_t size = std::min<std::size_t>(count - first, random.below(count < 1000 ? 20 : 3000));
      ASSERT_EQ(skin_range(parts.job, first, size), RuntimeStatus::ok);
      first += size;
    }
    EXPECT_EQ(whole.posed_positions, parts.posed_positions);
    EXPECT_EQ(whole.posed_normals, parts.posed_normals);
    EXPECT_EQ(whole.posed_tangents, parts.posed_tangents);
  }
}

TEST(SkinRange, RefusesWhatReachesBeyondTheEnd) {
  RandomRig rig(50, 4, RigMethod::lbs, 22);
  EXPECT_EQ(skin_range(rig.job, 50, 0), RuntimeStatus::ok);
  EXPECT_EQ(skin_range(rig.job, 51, 0), RuntimeStatus::no_such_range);
  EXPECT_EQ(skin_range(rig.job, 40, 11), RuntimeStatus::no_such_range);
  EXPECT_EQ(skin_range(rig.job, 1, SIZE_MAX), RuntimeStatus::no_such_range);
  for (const float value : rig.posed_positions) EXPECT_EQ(value, guard);
}

// Sizes are looked at on every call; joints and weights only by validate().
TEST(SkinningJob, FindsWhatIsWrongAndWritesNothing) {
  const auto expect_refused = [](RuntimeStatus expected, auto change) {
    RandomRig rig(50, 4, RigMethod::lbs, 11);
    EXPECT_EQ(rig.job.validate(), RuntimeStatus::ok);
    change(rig);
    EXPECT_EQ(rig.job.validate(), expected);
    if (expected == RuntimeStatus::joint_out_of_range || expected == RuntimeStatus::bad_weights) return;
    EXPECT_EQ(rig.job.check_sizes(), expected);
    EXPECT_EQ(skin(rig.job), expected);
    for (const float value : rig.posed_positions) EXPECT_EQ(value, guard);
  };
  using enum RuntimeStatus;
  expect_refused(bad_influences, [](RandomRig& rig) { rig.job.influences = 0; });
  expect_refused(input_too_short, [](RandomRig& rig) { rig.job.influences = 5; });
  expect_refused(bad_influences, [](RandomRig& rig) { rig.job.influences = max_skinning_influences + 1; });
  expect_refused(input_too_short, [](RandomRig& rig) { rig.job.vertex_count = 51; });
  expect_refused(input_too_short, [](RandomRig& rig) { rig.job.vertex_count = SIZE_MAX / 2; });
  expect_refused(no_method, [](RandomRig& rig) { rig.job.matrices = {}; });
  expect_refused(joint_out_of_range, [](RandomRig& rig) { rig.job.matrices = rig.job.matrices.first(3); });
  expect_refused(joint_out_of_range, [](RandomRig& rig) { rig.weights.joints[17] = 12; });
  expect_refused(bad_weights, [](RandomRig& rig) { rig.weights.weights[0] = std::nanf(""); });
  expect_refused(bad_weights, [](RandomRig& rig) { rig.weights.weights[0] = -0.5f; });
  expect_refused(bad_weights, [](RandomRig& rig) { std::swap(rig.weights.weights[0], rig.weights.weights[3]); });
  expect_refused(unpaired_vectors, [](RandomRig& rig) { rig.job.posed_normals = {}; });
  expect_refused(unpaired_vectors, [](RandomRig& rig) { rig.job.normals = {}; });
  expect_refused(bad_stride, [](RandomRig& rig) { rig.job.tangents.stride = 3; });
  expect_refused(bad_stride, [](RandomRig& rig) { rig.job.posed_positions.stride = 2; });
  expect_refused(input_too_short,
                 [](RandomRig& rig) { rig.job.positions.floats = rig.job.positions.floats.first(149); });
  expect_refused(output_too_short,
                 [](RandomRig& rig) { rig.job.posed_positions.floats = rig.job.posed_positions.floats.first(149); });
  expect_refused(two_methods, [](RandomRig& rig) { rig.job.stretches = rig.matrices; });
  SkinningJob empty;
  const JointMatrix matrix{};
  empty.matrices = {&matrix, 1};
  EXPECT_EQ(empty.validate(), ok);
  EXPECT_EQ(skin(empty), ok);
}

}  // namespace
}  // namespace sinew
