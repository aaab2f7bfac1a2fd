// How good trained correctives are on test frames, as the runtime evaluates them. Internal to training.
#pragma once

#include "sinew/correctives/train_correctives.h"

namespace sinew {

// Packs the model, evaluates it on the test frames, and fills in what `result` reports: errors per level of linear
// blend skinning, dual quaternions and correctives, sizes, dimensions, time.
void measure_correctives(const TrainingShapes& shapes, const std::vector<std::size_t>& test, std::size_t region_count,
                         TrainedCorrectives& result);

WorstFrame worst_test_frame(const TrainingShapes& shapes, const std::vector<std::size_t>& test,
                            const TrainedCorrectives& trained);

}  // namespace sinew
