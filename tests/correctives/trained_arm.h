// Correctives trained for the synthetic arm in seconds: three levels, 24 regions.
#pragma once

#include <cmath>
#include <memory>

#include "sinew/base/random.h"
#include "sinew/correctives/train_correctives.h"
#include "tests/correctives/synthetic_arm.h"
#include "tests/support/test_files.h"

namespace sinew::test {

inline TrainOptions small_training() {
  TrainOptions options;
  options.lod.levels = 3;
  options.lod.ratio = 0.35;
  options.regions = 24;
  options.network.adam_epochs = 30;
  options.network.lbfgs_iterations = 30;
  return options;
}

// Shapes and what was trained from them; made once.
struct TrainedArm {
  TemporaryFolder folder;
  Character arm = synthetic_arm(60, 20);
  std::unique_ptr<TrainingShapes> shapes;
  TrainedCorrectives result;

  TrainedArm() {
    TrainingShapesWriter writer(folder.path(), arm);
    Random random(3);
    for (int i = 0; i < 160; ++i)
      append_arm_shape(writer, arm, "random", i, random.uniform(0, 2.2), random.uniform(-1.2, 1.2));
    for (int i = 0; i < 30; ++i) append_arm_shape(writer, arm, "curl", i, 2.0 * i / 29, 0.8 * std::sin(0.3 * i));
    shapes = std::make_unique<TrainingShapes>(folder.path());
    result = CorrectiveTrainer(*shapes, small_training()).train(3e-4, true);
  }
};

inline TrainedArm& trained_arm() {
  static TrainedArm it;
  return it;
}

// x y z w of every joint, as the runtime wants them.
inline std::vector<float> joint_rotations(const Pose& pose) {
  std::vector<float> rotations;
  for (const Transform& joint : pose) {
    for (int i = 0; i < 4; ++i) rotations.push_back(static_cast<float>(joint.rotation.coeffs()[i]));
  }
  return rotations;
}

}  // namespace sinew::test
