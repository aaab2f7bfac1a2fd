#include "sinew/correctives/corrective_measure.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/cancellation.h"
#include "sinew/correctives/corrective_poser.h"
#include "sinew/pose_mesh.h"

namespace sinew {
namespace {

// What the levels are evaluated with: one file for all of them, or, for the method without a hierarchy, one each.
std::vector<CorrectivePoser> make_posers(TrainedCorrectives& result) {
  std::vector<CorrectivePoser> posers;
  if (result.model.hierarchical) {
    result.bytes = pack_correctives(result.model);
    posers.emplace_back(CorrectiveFile(result.bytes));
    return posers;
  }
  for (std::size_t i = 0; i < result.model.chain.levels.size(); ++i) {
    CorrectiveModel alone;
    alone.skeleton = result.model.skeleton;
    alone.chain.levels = {result.model.chain.levels[i]};
    alone.regions = {result.model.regions[i]};
    alone.tolerance = result.model.tolerance;
    posers.emplace_back(CorrectiveFile(pack_correctives(alone)));
  }
  return posers;
}

double squared_distances(const std::vector<Vec3f>& a, const std::vector<Vec3f>& truth,
                         const std::vector<std::uint32_t>& vertices) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += (a[v] - truth[vertices[v]]).cast<double>().squaredNorm();
  return sum;
}

// Where the errors of a frame's motion are summed up.
MotionReport& report_of(std::vector<MotionReport>& motions, const std::string& name) {
  for (MotionReport& motion : motions) {
    if (motion.motion == name) return motion;
  }
  motions.push_back({name, 0, 0, 0, 0});
  return motions.back();
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace

void measure_correctives(const TrainingShapes& shapes, const std::vector<std::size_t>& test, std::size_t region_count,
                         TrainedCorrectives& result) {
  const Character& character = shapes.character();
  const std::vector<LodLevel>& chain = result.model.chain.levels;
  const double diagonal = bounding_diagonal(character.mesh);
  std::vector<CorrectivePoser> posers = make_posers(result);
  std::vector<double> times;
  for (const std::size_t frame : test) {
    stop_if_cancelled();
    const std::vector<Vec3f> truth = shapes.positions(frame);
    const Pose& pose = shapes.pose(frame);
    const std::vector<Affine3d> transforms = skinning_transforms(character.skeleton, pose);
    double time = 0;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      LevelReport& level = result.levels[i];
      TriangleMesh mesh;
      mesh.positions = chain[i].mesh.positions;
      const auto linear = pose_mesh(mesh, chain[i].weights, transforms, SkinningMethod::linear_blend);
      const auto dual = pose_mesh(mesh, chain[i].weights, transforms, SkinningMethod::dual_quaternion);
      const auto ours = result.model.hierarchical ? posers[0].pose(character.skeleton, pose, static_cast<int>(i))
                                                  : posers[i].pose(character.skeleton, pose, 0);
      const double lbs = squared_distances(linear.positions, truth, chain[i].vertices);
      const double dqs = squared_distances(dual.positions, truth, chain[i].vertices);
      const double corrected = squared_distances(ours.positions, truth, chain[i].vertices);
      level.lbs += lbs;
      level.dqs += dqs;
      level.corrected += corrected;
      if (i == 0) {
        MotionReport& motion = report_of(result.motions, shapes.motion(frame));
        ++motion.frames;
        motion.lbs += lbs;
        motion.dqs += dqs;
        motion.corrected += corrected;
      }
      if (i == 0 || !result.model.hierarchical) time += ours.result.microseconds;
    }
    times.push_back(time);
  }
  result.microseconds = median(times);
  for (MotionReport& motion : result.motions) {
    const auto samples = static_cast<double>(motion.frames * chain[0].mesh.vertex_count());
    for (double* error : {&motion.lbs, &motion.dqs, &motion.corrected}) *error = std::sqrt(*error / samples) / diagonal;
  }
  for (std::size_t i = 0; i < chain.size(); ++i) {
    LevelReport& level = result.levels[i];
    const auto samples = static_cast<double>(test.size() * chain[i].mesh.vertex_count());
    for (double* error : {&level.lbs, &level.dqs, &level.corrected}) *error = std::sqrt(*error / samples) / diagonal;
    level.vertices = chain[i].mesh.vertex_count();
    level.points = chain[i].point_count;
    level.regions = result.model.regions[i].size();
    level.culled = region_count - level.regions;
    for (const CorrectiveRegion& region : result.model.regions[i]) {
      level.mean_dimensions += static_cast<double>(region.basis.cols()) / static_cast<double>(region_count);
      level.mean_joints += static_cast<double>(region.network.joints.size()) / static_cast<double>(level.regions);
    }
    const int number = static_cast<int>(i);
    level.bytes = result.model.hierarchical ? posers[0].set().level_bytes(number) : posers[i].set().level_bytes(0);
    result.corrective_bytes += level.bytes;
  }
}

WorstFrame worst_test_frame(const TrainingShapes& shapes, const std::vector<std::size_t>& test,
                            const TrainedCorrectives& trained) {
  const Character& character = shapes.character();
  WorstFrame worst;
  double largest = -1;
  for (const std::size_t frame : test) {
    const std::vector<Vec3f> truth = shapes.positions(frame);
    const auto transforms = skinning_transforms(character.skeleton, shapes.pose(frame));
    const std::vector<Vec3f> linear = pose_positions(character.mesh.positions, character.weights, transforms);
    double error = 0;
    for (std::size_t v = 0; v < truth.size(); ++v) error += (linear[v] - truth[v]).cast<double>().squaredNorm();
    if (error <= largest) continue;
    largest = error;
    worst.motion = shapes.motion(frame);
    worst.frame = shapes.frame(frame);
    worst.pose = shapes.pose(frame);
    worst.truth = truth;
    worst.lbs = linear;
  }
  const auto transforms = skinning_transforms(character.skeleton, worst.pose);
  worst.dqs = pose_mesh(character.mesh, character.weights, transforms, SkinningMethod::dual_quaternion).positions;
  CorrectivePoser poser{CorrectiveFile(trained.bytes)};
  worst.corrected = poser.pose(character.skeleton, worst.pose, 0).positions;
  return worst;
}

}  // namespace sinew
