// Correctives for a character: training shapes by simulation, and networks that learn from them. What they make, a
// .sinewc, is played by sinew/runtime/correctives.h.
//
//   SimulateReport shapes = simulate_shapes(hero, "hero_shapes", {.poses = 200});
//   CorrectiveTraining trained = train_correctives_for("hero_shapes");
//   // trained.runs[0].bytes is the .sinewc; trained.runs[0].levels says how good it is on motions it has not seen
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/export.h"
#include "sinew/lod.h"
#include "sinew/progress.h"

namespace sinew {

struct SimulateOptions {
  int poses = 200;               // along random paths within the joints' limits
  bool own_motions = true;       // simulate the character's motions too
  std::vector<int> motions{};    // of the character, by index; empty: all
  int every = 4;                 // of a motion, take every Nth frame
  int run_length = 20;           // poses that follow one another; what a stop may cost
  double step = 20;              // degrees a joint turns at most between neighbouring random poses
  int cells = 15'000;            // about this many elements, 100 … 1,000,000
  double cell_size = 0;          // edge of an element instead, in the mesh's unit; 0: by `cells`
  double bone_thickness = 0.45;  // radius of a bone over its depth under the skin, 0.05 … 0.9
  double volume_stiffness = 32;  // resistance to change of volume over shear
  bool contact = true;           // the skin does not pass through itself
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores
};

struct FailedPose {
  std::string motion;
  int frame = 0;
  bool converged = false;
  double promise = 0;      // how far from convergence, in tolerances
  double penetration = 0;  // how deep the skin lies inside itself, in the mesh's unit
};

struct SimulateReport {
  std::size_t cells = 0, nodes = 0;
  double cell_size = 0;
  std::size_t runs = 0, poses = 0;  // wanted
  std::size_t known_before = 0;     // poses that an earlier call had left in the folder
  std::vector<int> still_joints;    // random poses do not move these: their limbs are thinner than the cells can bend
  std::size_t made = 0;
  std::vector<FailedPose> failed;
  double deepest_penetration = 0;
  double seconds = 0;
  Warnings warnings;
};

// Poses the character's flesh and writes its skin in every pose to a folder (docs/formats/training-shapes.md). A second
// call with the same options goes on where the first one stopped. `started`, when given, receives the report as it
// stands before the first pose; `failed` every pose that is left out, when it is, one at a time but from any thread.
// Throws Error(bad_input) when the character has no skin or no inside, or the folder holds shapes of another character
// or of other settings.
SINEW_API SimulateReport simulate_shapes(const Character& character, const std::filesystem::path& folder,
                                         const SimulateOptions& options = {}, const Progress& progress = {},
                                         const std::function<void(const SimulateReport&)>& started = {},
                                         const std::function<void(const FailedPose&)>& failed = {});

struct CorrectiveTrainingOptions {
  bool isolate = false;                     // LoadOptions::isolate, for frames in FBX or COLLADA
  LodOptions lod{};                         // levels of detail to train for
  std::size_t regions = 100;                // points of the extra level that regions come from
  std::vector<double> tolerances{5e-4};     // of the bases: RMS per vertex, of the bounding diagonal; one run for each
  bool compare = false;                     // also train every level by itself, for comparison
  std::vector<std::string> test_motions{};  // kept for testing; empty: chosen
  int most_joints = 8;                      // that a network may see
  int hidden = 24;                          // largest size of the hidden layers
  bool worst_frame = false;                 // fill CorrectiveTraining::worst
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores
};

// How good one level of detail is. Errors are root mean square distances to the truth over the test frames and
// vertices, as a fraction of the diagonal.
struct LevelReport {
  std::size_t vertices = 0, points = 0;
  std::size_t regions = 0, culled = 0;  // with networks, and without
  double mean_dimensions = 0;           // over all regions, culled ones as zero
  double mean_joints = 0;               // inputs per network
  std::size_t bytes = 0;                // prolongation, bases, networks
  double lbs = 0, dqs = 0, corrected = 0;
  double train_corrected = 0;  // the same over the training frames, before skinning and rounding
  double seconds = 0;          // training
};

// The finest level on the frames of one test motion, as in LevelReport.
struct MotionReport {
  std::string motion;
  std::size_t frames = 0;
  double lbs = 0, dqs = 0, corrected = 0;
};

struct CorrectiveRun {
  bool hierarchical = true;  // false: every level by itself, for comparison; `bytes` is empty
  double tolerance = 0;
  std::vector<std::byte> bytes;     // the .sinewc
  std::vector<LevelReport> levels;  // finest first
  std::vector<MotionReport> motions;
  double microseconds = 0;           // evaluating all levels once, one core: the median over test frames
  std::size_t corrective_bytes = 0;  // of all levels together
  double seconds = 0;
};

// The test frame that linear blend skinning gets most wrong, on the finest level.
struct WorstFrame {
  std::string motion;
  int frame = 0;
  Pose pose;
  std::vector<Vec3f> truth, lbs, dqs, corrected;  // posed positions
};

struct CorrectiveTraining {
  Character character;  // that the shapes belong to
  std::size_t train_frames = 0, test_frames = 0, failed_frames = 0;
  std::vector<std::string> test_motions;
  std::vector<CorrectiveRun> runs;  // in order of tolerance as given, each before its comparison
  std::optional<WorstFrame> worst;  // of the first run
  Warnings warnings;
};

// Trains correctives from a folder of shapes and measures them on motions that were not trained on. `started`, when
// given, receives the result as it stands before the first run. Throws Error(bad_input) when the folder is not one of
// shapes, or holds too few to train and test.
SINEW_API CorrectiveTraining train_correctives_for(const std::filesystem::path& folder,
                                                   const CorrectiveTrainingOptions& options = {},
                                                   const Progress& progress = {},
                                                   const std::function<void(const CorrectiveTraining&)>& started = {});

}  // namespace sinew
