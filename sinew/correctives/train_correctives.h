// Training correctives from shapes: levels, regions, bases and networks,
// and how good they are on motions not trained on.
//
//   const TrainingShapes shapes("arm_shapes");
//   CorrectiveTrainer trainer(shapes, options);       // reads the shapes once, undoes the skinning
//   const TrainedCorrectives trained = trainer.train(0.0005, true);
//   write_file_bytes("arm.sinewc", trained.bytes);
//
// Zheng and Barbič 2024, sections 4 and 5. What we do otherwise: the tolerance is a root mean square per vertex and
// frame inside each region (theirs divides by all vertices); the networks see half-angle vectors, not Euler angles;
// they are smaller and trained by mini-batches and L-BFGS within seconds; inverse skinning is damped where a blended
// matrix almost loses a dimension, as at the core of a twisted joint.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/correctives.h"
#include "sinew/correctives/corrective_model.h"
#include "sinew/correctives/network_training.h"
#include "sinew/correctives/training_shapes.h"
#include "sinew/progress.h"

namespace sinew {

struct TrainOptions {
  LodOptions lod;
  std::size_t regions = 100;              // points of M₀
  std::vector<std::string> test_motions;  // kept for testing; empty: whole motions, about `test_share` of the frames
  double test_share = 0.15;
  int most_dimensions = 40;  // per region
  int most_joints = 8;       // that a network may see
  NetworkTraining network;   // `hidden` is the largest size; smaller where inputs and outputs are few
  std::uint64_t seed = 1;
};

struct TrainedCorrectives {
  CorrectiveModel model;
  std::vector<std::byte> bytes;     // the .sinewc
  std::vector<LevelReport> levels;  // finest first
  std::vector<MotionReport> motions;
  double tolerance = 0;              // a fraction of the diagonal
  double microseconds = 0;           // evaluating all levels once, one core: the median over test frames
  std::size_t corrective_bytes = 0;  // of all levels together
  double seconds = 0;
};

class CorrectiveTrainer {
 public:
  // Throws Error(bad_input) when there are too few frames to train and test.
  CorrectiveTrainer(const TrainingShapes& shapes, const TrainOptions& options, const Progress& progress = {});
  ~CorrectiveTrainer();

  std::size_t train_frames() const;
  std::size_t test_frames() const;
  const std::vector<std::string>& test_motions() const;
  const Warnings& warnings() const;
  const LodChain& chain() const;

  // `tolerance`: of the PCA, as a fraction of the bounding diagonal, > 0. `hierarchical` false: the method that this
  // one is compared to, every level by itself from scratch; `bytes` stays empty,
  // but sizes, times and errors are measured.
  TrainedCorrectives train(double tolerance, bool hierarchical, const Progress& progress = {}) const;

  // The test frame that linear blend skinning gets most wrong, on the finest level.
  WorstFrame worst_frame(const TrainedCorrectives& trained) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew
