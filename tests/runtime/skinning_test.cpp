#include "sinew/runtime/skinning.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cstring>

#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/eigen_types.h"
#include "sinew/runtime/skinning_input.h"
#include "sinew/skin_weights.h"
#include "tests/runtime/count_allocations.h"

namespace sinew {
namespace {

enum class Method { lbs, dqs, dqs_stretched };
constexpr Method methods[] = {Method::lbs, Method::dqs, Method::dqs_stretched};

constexpr float guard = 12345.5f;

Vec3d random_vector(Random& random) { return {random.normal(), random.normal(), random.normal()}; }

Quatd random_rotation(Random& random) {
  return Quatd(Vec4d(random.normal(), random.normal(), random.normal(), random.normal()).normalized());
}

// A random rig with its own storage, laid out as asked: strides, and an offset that spoils every alignment.
struct Rig {
  std::size_t count;
  int influences;
  std::size_t stride, tangent_stride, offset;
  std::vector<Affine3d> transforms;
  SkinWeights weights;
  std::vector<JointMatrix> matrices, stretches;
  std::vector<JointDualQuaternion> dual_quaternions;
  std::vector<float> positions, normals, tangents, posed_positions, posed_normals, posed_tangents;
  SkinningJob job;

  Rig(std::size_t vertex_count, int influence_count, Method method, std::uint64_t seed, std::size_t vector_stride = 3,
      std::size_t start = 0)
      : count(vertex_count),
        influences(influence_count),
        stride(vector_stride),
        tangent_stride(vector_stride + 1),
        offset(start) {
    Random random(seed);
    for (int joint = 0; joint < 12; ++joint) {
      Affine3d transform = Eigen::Translation3d(random_vector(random)) * random_rotation(random);
      if (method == Method::dqs_stretched || (method == Method::lbs && joint % 2)) {
        transform.scale(Vec3d(random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2)));
      }
      transforms.push_back(transform);
    }
    weights = make_skin_weights(count, influences);
    for (std::size_t vertex = 0; vertex < count; ++vertex) {
      std::vector<Influence> row;
      for (int slot = 0; slot < influences; ++slot) {
        row.push_back({static_cast<std::uint16_t>(random.below(12)), random.uniform(0.05, 1)});
      }
      if (vertex % 7 != 3) set_influences(weights, vertex, row);  // every seventh stays without weight
    }
    fill(positions, stride, 3, random, false);
    fill(normals, stride, 3, random, true);
    fill(tangents, tangent_stride, 4, random, true);
    posed_positions.assign(positions.size() + 8, guard);
    posed_normals.assign(normals.size() + 8, guard);
    posed_tangents.assign(tangents.size() + 8, guard);
    make_job(method);
  }

  void fill(std::vector<float>& vectors, std::size_t step, std::size_t components, Random& random, bool unit) {
    vectors.assign(offset + (count - 1) * step + components, 0.0f);  // ends with the last vertex: no slack to read
    for (std::size_t vertex = 0; vertex < count; ++vertex) {
      Vec3d vector = random_vector(random);
      if (unit) vector.normalize();
      float* to = &vectors[offset + vertex * step];
      for (int axis = 0; axis < 3; ++axis) to[axis] = static_cast<float>(vector[axis]);
      if (components == 4) to[3] = vertex % 2 ? 1.0f : -1.0f;
    }
  }

  void make_job(Method method) {
    job.vertex_count = count;
    job.influences = influences;
    job.joints = weights.joints;
    job.weights = weights.weights;
    job.positions = {std::span<const float>(positions).subspan(offset), stride};
    job.normals = {std::span<const float>(normals).subspan(offset), stride};
    job.tangents = {std::span<const float>(tangents).subspan(offset), tangent_stride};
    job.posed_positions = {std::span(posed_positions).subspan(offset), stride};
    job.posed_normals = {std::span(posed_normals).subspan(offset), stride};
    job.posed_tangents = {std::span(posed_tangents).subspan(offset), tangent_stride};
    for (const Affine3d& transform : transforms) {
      const Eigen::Matrix4f matrix = transform.matrix().cast<float>();
      std::memcpy(&matrices.emplace_back(), matrix.data(), sizeof(JointMatrix));
    }
    if (method == Method::lbs) {
      job.matrices = matrices;
      return;
    }
    dual_quaternions.resize(matrices.size());
    stretches.resize(matrices.size());
    const bool stretched = split_for_dual_quaternions(matrices, dual_quaternions, stretches);
    EXPECT_EQ(stretched, method == Method::dqs_stretched);
    job.dual_quaternions = dual_quaternions;
    if (stretched) job.stretches = stretches;
  }

  Vec3d vector(const std::vector<float>& vectors, std::size_t vertex, std::size_t step) const {
    const float* from = &vectors[offset + vertex * step];
    return {from[0], from[1], from[2]};
  }
};

// The definitions in double precision, written independently of the kernels.
Affine3d reference_transform(const Rig& rig, std::size_t vertex, Method method) {
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
  if (method == Method::lbs) return linear;
  const Quatd rotation(Vec4d(real / real.norm()));
  Affine3d result = Affine3d::Identity();
  result.linear() = rotation.toRotationMatrix() * stretch;
  result.translation() = 2 * (Quatd(Vec4d(dual / real.norm())) * rotation.conjugate()).vec();
  return result;
}

void expect_matches_reference(const Rig& rig, Method method, const std::string& what) {
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

class EveryPath : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    std::size_t count = 0;
    const SkinningPath* paths = skinning_paths(count);
    if (static_cast<std::size_t>(GetParam()) >= count) GTEST_SKIP() << "this processor has no further instructions";
    force_skinning_path(paths[GetParam()]);
  }
  void TearDown() override {
    std::size_t count = 0;
    force_skinning_path(skinning_paths(count)[0]);
  }
};

INSTANTIATE_TEST_SUITE_P(Skinning, EveryPath, testing::Values(0, 1));

TEST_P(EveryPath, MatchesTheDefinitionForEveryMethodAndInfluenceCount) {
  for (const Method method : methods) {
    for (int influences = 1; influences <= 9; ++influences) {
      Rig rig(301, influences, method, 10 * influences + static_cast<int>(method));
      ASSERT_TRUE(rig.job.validate());
      skin(rig.job);
      expect_matches_reference(rig, method,
                               skinning_instructions() + std::string(", influences ") + std::to_string(influences));
    }
  }
}

TEST_P(EveryPath, HandlesEverySmallSizeStrideAndAlignmentWithoutLeavingTheSpans) {
  for (const Method method : methods) {
    for (std::size_t count = 1; count <= 18; ++count) {
      for (const std::size_t stride : {3, 4, 7}) {
        for (const std::size_t offset : {0, 1, 3}) {
          Rig rig(count, 4, method, count, stride, offset);
          ASSERT_TRUE(rig.job.validate());
          skin(rig.job);
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
    Rig large(110'001, 4, Method::lbs, 5, 3, offset);
    skin(large.job);
    expect_guards(large.posed_positions, offset, large.count, 3, 3);
    Rig small(110'001, 4, Method::lbs, 5, 3, offset);
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
      skin(part);
    }
    EXPECT_EQ(large.posed_positions, small.posed_positions);
    EXPECT_EQ(large.posed_normals, small.posed_normals);
    EXPECT_EQ(large.posed_tangents, small.posed_tangents);
  }
}

TEST_P(EveryPath, SameBitsAtAnyThreadCount) {
  Rig one(50'003, 4, Method::dqs_stretched, 6), two(50'003, 4, Method::dqs_stretched, 6);
  skin(one.job);
  set_thread_count(2);
  skin_parallel(two.job);
  set_thread_count(0);
  EXPECT_EQ(one.posed_positions, two.posed_positions);
  EXPECT_EQ(one.posed_normals, two.posed_normals);
}

TEST_P(EveryPath, AllocatesNothing) {
  for (const Method method : methods) {
    Rig rig(5000, 4, method, 7);
    std::vector<JointDualQuaternion> motions(rig.matrices.size());
    std::vector<JointMatrix> stretches(rig.matrices.size());
    const long before = test::allocation_count();
    rig.job.validate();
    split_for_dual_quaternions(rig.matrices, motions, stretches);
    skin(rig.job);
    EXPECT_EQ(test::allocation_count(), before);
  }
}

TEST_P(EveryPath, TheIdentityPoseChangesNothing) {
  for (const Method method : {Method::lbs, Method::dqs}) {
    Rig rig(500, 4, method, 8);
    const JointMatrix identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    std::fill(rig.matrices.begin(), rig.matrices.end(), identity);
    if (method == Method::dqs) {
      rig.stretches.resize(rig.matrices.size());
      EXPECT_FALSE(split_for_dual_quaternions(rig.matrices, rig.dual_quaternions, rig.stretches));
    }
    skin(rig.job);
    for (std::size_t i = 0; i < rig.positions.size(); ++i) {
      EXPECT_NEAR(rig.posed_positions[i], rig.positions[i], 5e-7f * (1 + std::abs(rig.positions[i])));
      EXPECT_NEAR(rig.posed_normals[i], rig.normals[i], 5e-7f);
    }
  }
}

// The same motion for all joints, half of them given by the opposite quaternion: nothing may bend or shrink.
TEST_P(EveryPath, AntipodalQuaternionsAreTheSameMotion) {
  Rig rig(400, 4, Method::dqs, 9);
  for (std::size_t joint = 0; joint < rig.dual_quaternions.size(); ++joint) {
    rig.dual_quaternions[joint] = rig.dual_quaternions[0];
    for (int i = 0; i < 4 && joint % 2; ++i) {
      rig.dual_quaternions[joint].real[i] *= -1;
      rig.dual_quaternions[joint].dual[i] *= -1;
    }
    rig.transforms[joint] = rig.transforms[0];
  }
  skin(rig.job);
  expect_matches_reference(rig, Method::lbs, "one rigid motion");
}

TEST(SkinningJob, ValidateFindsWhatIsWrong) {
  const auto broken = [](auto change) {
    Rig rig(50, 4, Method::lbs, 11);
    EXPECT_TRUE(rig.job.validate());
    change(rig);
    return !rig.job.validate();
  };
  EXPECT_TRUE(broken([](Rig& rig) { rig.job.influences = 0; }));
  EXPECT_TRUE(broken([](Rig& rig) { rig.job.influences = 5; }));
  EXPECT_TRUE(broken([](Rig& rig) { rig.job.influences = max_skinning_influences + 1; }));
  EXPECT_TRUE(broken([](Rig& rig) { rig.job.vertex_count = 51; }));
  EXPECT_TRUE(broken([](Rig& rig) { rig.job.vertex_count = SIZE_MAX / 2; }));
  EXPECT_TRUE(broken([](Rig& rig) { rig.job.matrices = {}; }));
  EXPECT_TRUE(broken([](Rig& rig) { rig.job.matrices = rig.job.matrices.first(3); }));
  EXPECT_TRUE(broken([](Rig& rig) { rig.weights.joints[17] = 12; }));
  EXPECT_TRUE(broken([](Rig& rig) { rig.weights.weights[0] = std::nanf(""); }));
  EXPECT_TRUE(broken([](Rig& rig) { std::swap(rig.weights.weights[0], rig.weights.weights[3]); }));
  EXPECT_TRUE(broken([](Rig& rig) { rig.job.posed_normals = {}; }));
  EXPECT_TRUE(broken([](Rig& rig) { rig.job.normals = {}; }));
  EXPECT_TRUE(broken([](Rig& rig) { rig.job.tangents.stride = 3; }));
  EXPECT_TRUE(broken([](Rig& rig) { rig.job.positions.floats = rig.job.positions.floats.first(149); }));
  EXPECT_TRUE(broken([](Rig& rig) { rig.job.stretches = rig.matrices; }));
  SkinningJob empty;
  const JointMatrix matrix{};
  empty.matrices = {&matrix, 1};
  EXPECT_TRUE(empty.validate());
  skin(empty);
}

TEST(SplitForDualQuaternions, PutsMirrorsAndCollapsesIntoTheStretch) {
  Random random(12);
  for (int i = 0; i < 100; ++i) {
    Affine3d transform = Eigen::Translation3d(random_vector(random)) * random_rotation(random);
    transform.scale(Vec3d(random.uniform(-2, 2), random.uniform(0.2, 2), i % 10 ? 1.0 : 0.0));
    JointMatrix matrix, stretch;
    JointDualQuaternion motion;
    const Eigen::Matrix4f floats = transform.matrix().cast<float>();
    std::memcpy(&matrix, floats.data(), sizeof(matrix));
    EXPECT_TRUE(split_for_dual_quaternions({&matrix, 1}, {&motion, 1}, {&stretch, 1}));
    const Quatd rotation(motion.real[3], motion.real[0], motion.real[1], motion.real[2]);
    EXPECT_NEAR(rotation.norm(), 1.0, 1e-6);
    const Mat3d stretching =
        Eigen::Map<const Eigen::Matrix4f>(&stretch.columns[0][0]).topLeftCorner<3, 3>().cast<double>();
    EXPECT_LT((rotation.normalized() * stretching - transform.linear()).norm(), 1e-5);
    EXPECT_LT((stretching - stretching.transpose()).norm(), 1e-6);
  }
}

}  // namespace
}  // namespace sinew
