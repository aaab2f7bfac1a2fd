// An arm, its true shapes and correctives trained on them, small and quick, for the test of the page.
//   corrective_sample FOLDER: writes character.glb, shapes.sinewt, arm.sinewc
#include <cstdio>

#include "sinew/base/file_bytes.h"
#include "sinew/base/random.h"
#include "sinew/correctives/train_correctives.h"
#include "tests/correctives/synthetic_arm.h"

int main(int argc, char** argv) {
  using namespace sinew;
  if (argc != 2) return 2;
  try {
    const std::filesystem::path folder = argv[1];
    const Character arm = test::synthetic_arm(40, 16);
    TrainingShapesWriter writer(folder, arm);
    if (writer.frame_count() == 0) {
      Random random(3);
      for (int i = 0; i < 60; ++i)
        test::append_arm_shape(writer, arm, "random", i, random.uniform(0, 2.2), random.uniform(-1.2, 1.2));
      for (int i = 0; i < 12; ++i) test::append_arm_shape(writer, arm, "curl", i, 2.0 * i / 11, 0);
    }
    TrainOptions options;
    options.lod.levels = 2;
    options.lod.ratio = 0.35;
    options.regions = 12;
    options.network.adam_epochs = 20;
    options.network.lbfgs_iterations = 20;
    const TrainingShapes shapes(folder);
    write_file_bytes(folder / "arm.sinewc", CorrectiveTrainer(shapes, options).train(5e-4, true).bytes);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
