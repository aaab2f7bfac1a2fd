// Training shapes as matrices: poses, displacements before skinning, and which frames are for testing. Internal.
#pragma once

#include <string>
#include <vector>

#include "sinew/correctives/train_correctives.h"
#include "sinew/lod.h"
#include "sinew/progress.h"

namespace sinew {

struct TrainingData {
  std::vector<std::size_t> train, test;  // frames of the shapes
  std::vector<std::string> test_motions;
  Warnings warnings;
  Eigen::MatrixXf features;       // of the training frames: pose_features, one column each
  Eigen::MatrixXf displacements;  // of the training frames: three rows per point of the finest level
};

// Whole motions for testing where there are several; otherwise the end of the only one, with a warning.
void split_frames(const TrainingShapes& shapes, const TrainOptions& options, TrainingData& data);

// Reads the training frames and undoes their skinning: the displacement d of each vertex for which the blended matrix M
// takes rest + d to the shape, by (MᵀM + λ) d = Mᵀ (shape - skinned rest) with λ = 10⁻³.
void undo_skinning(const TrainingShapes& shapes, const LodLevel& finest, TrainingData& data, const Progress& progress);

}  // namespace sinew
