// What can be said about a moving skin without a truth: stretch, change of volume, new self-intersections.
//
// Measured on the skinned parts, welded (weld.h). Definitions: docs/metrics.md, "Without a truth".
#pragma once

#include <optional>
#include <vector>

#include "sinew/evaluate/skin_pair.h"
#include "sinew/progress.h"

namespace sinew {

// |volume / volume at rest - 1|. Absent when the surface encloses next to nothing at rest (cloth, a plane, a cloud).
struct PoseVolumeChange {
  double mean = 0;  // over poses
  double max = 0;
  std::size_t worst_pose = 0;
};

// Triangles that cross another one in a pose but none at rest. Absent when not counted.
struct PoseIntersections {
  std::size_t poses = 0;    // in which they were counted
  std::size_t at_rest = 0;  // triangles that cross another one at rest
  double mean = 0;          // share of all triangles, over poses
  double max = 0;
  std::size_t worst_pose = 0;
};

struct PoseQualityOptions {
  int intersection_poses = 24;  // count self-intersections in at most so many of the poses, evenly chosen; 0: in none
};

struct PoseQuality {
  std::size_t poses = 0;

  // |ln(length / length at rest)| of an edge: 0 unchanged, 0.69 twice or half as long. At most 7 (a factor of 1,100).
  double stretch_mean = 0;  // over poses and edges
  double stretch_p95 = 0;   // 95 % of all edges in all poses stay at or below this (in steps of 0.002)
  double stretch_max = 0;
  std::size_t worst_stretch_pose = 0;  // the pose of stretch_max

  std::optional<PoseVolumeChange> volume_change;  // absent when the surface encloses next to nothing at rest
  std::size_t holes = 0;                          // closed by fans before measuring volumes

  std::optional<PoseIntersections> self_intersections;  // absent when not counted

  std::vector<double> stretch_per_pose;  // mean over edges
};

// Poses of the character's own skeleton. Throws Error(bad_input) when nothing is skinned, there is no pose, or a pose
// does not fit.
PoseQuality assess_poses(const Character& character, const std::vector<Pose>& poses,
                         const PoseQualityOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
