// The protocol of docs/metrics.md, checked against figures that were measured by other programs on real characters:
// weights of the nearest bone, compared with the artist's.
#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/asset/file.h"
#include "sinew/evaluate/evaluation.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

struct Bone {
  int joint;
  Vec3d from, to;
};

// Only joints with weight count. A bone ends at the mean of its joint's children; a leaf's goes on as its parent's.
std::vector<Bone> bones_with_weight(const Character& character) {
  const Skeleton& skeleton = character.skeleton;
  std::vector<char> used(skeleton.names.size(), 0);
  for (std::size_t slot = 0; slot < character.weights.weights.size(); ++slot) {
    if (character.weights.weights[slot] > 1e-3) used[character.weights.joints[slot]] = 1;
  }
  const std::vector<std::vector<int>> children = children_of(skeleton);
  std::vector<Bone> bones;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (!used[joint]) continue;
    const Vec3d from = skeleton.position(joint);
    Vec3d sum = Vec3d::Zero();
    int count = 0;
    for (const int child : children[joint]) {
      if (!used[child]) continue;
      sum += skeleton.position(child);
      ++count;
    }
    const int parent = skeleton.parents[joint];
    const Vec3d leaf_end = parent < 0 ? from : Vec3d(2 * from - skeleton.position(parent));
    bones.push_back({joint, from, count > 0 ? Vec3d(sum / count) : leaf_end});
  }
  return bones;
}

SkinWeights nearest_bone_weights(const Character& character) {
  const std::vector<Bone> bones = bones_with_weight(character);
  SkinWeights weights = make_skin_weights(character.mesh.vertex_count(), 4);
  for (std::size_t vertex = 0; vertex < character.mesh.vertex_count(); ++vertex) {
    const Vec3d point = character.mesh.positions[vertex].cast<double>();
    const auto distance = [&](const Bone& bone) {
      const Vec3d along = bone.to - bone.from;
      const double squared = along.squaredNorm();
      const double t = squared > 0 ? std::clamp(along.dot(point - bone.from) / squared, 0.0, 1.0) : 0.0;
      return (point - bone.from - t * along).norm();
    };
    const auto nearest = std::min_element(bones.begin(), bones.end(),
                                          [&](const Bone& a, const Bone& b) { return distance(a) < distance(b); });
    set_influences(weights, vertex, {{static_cast<std::uint16_t>(nearest->joint), 1.0}});
  }
  return weights;
}

struct Published {
  const char* file;
  double l1, l1_per_entry, precision, recall, dominant;
  double ade, mde, els;  // over the file's motions; 0: it has none
};

class PublishedFigures : public ::testing::TestWithParam<Published> {};

TEST_P(PublishedFigures, AreReproduced) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  const Published& published = GetParam();
  const Character truth = load_character(test::data_folder() / "characters" / published.file);
  Character candidate = truth;
  candidate.weights = nearest_bone_weights(truth);
  EvaluationOptions options;
  options.random_poses = 0;
  options.intersection_poses = 0;
  const Evaluation evaluation = evaluate(candidate, &truth, options);
  EXPECT_NEAR(evaluation.weights->l1, published.l1, 1e-6);
  EXPECT_NEAR(evaluation.weights->l1_per_entry, published.l1_per_entry, 1e-6);
  EXPECT_NEAR(evaluation.weights->precision, published.precision, 1e-6);
  EXPECT_NEAR(evaluation.weights->recall, published.recall, 1e-6);
  EXPECT_NEAR(evaluation.weights->dominant, published.dominant, 1e-6);
  if (published.ade == 0) return;
  ASSERT_TRUE(evaluation.headline_deformation());
  EXPECT_NEAR(evaluation.headline_deformation()->scores.ade, published.ade, 3e-6);
  EXPECT_NEAR(evaluation.headline_deformation()->scores.mde, published.mde, 2e-6);
  EXPECT_NEAR(evaluation.headline_deformation()->scores.els, published.els, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(NearestBone, PublishedFigures,
                         ::testing::Values(Published{"Fox.glb", 0.614799, 0.025617, 0.903356, 0.631076, 0.725116,
                                                     0.005952, 0.191581, 0.916123},
                                           Published{"aframe_hand_right.glb", 0.381001, 0.023813, 0.970526, 0.560409,
                                                     0.903860, 0.003347, 0.251432, 0.943945},
                                           Published{"pm_003_Hexabear.glb", 0.589305, 0.020321, 0.872739, 0.546619,
                                                     0.743863, 0, 0, 0}),
                         [](const auto& test) {
                           const std::string file = test.param.file;
                           return file.substr(0, file.find('.'));
                         });

}  // namespace
}  // namespace sinew
