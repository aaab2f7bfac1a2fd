// The protocol of docs/metrics.md, checked against figures that were measured by other programs on real characters:
// weights of the nearest bone, compared with the artist's.
#include <gtest/gtest.h>

#include "sinew/evaluate/evaluation.h"
#include "sinew/io.h"
#include "tests/support/nearest_bone.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

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
  candidate.weights = test::nearest_bone_weights(truth);
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
