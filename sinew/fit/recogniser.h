// Tells what kind of body a mesh shows, and which way it stands and faces: small trained models over kind_features.h.
//
// Four sets of boosted trees: which axis is up (one row per axis), which way it faces (one row per direction), the kind,
// and the pose of a person. bench/recognise.cpp makes the examples and trains.
#pragma once

#include "sinew/fit/kind_features.h"
#include "sinew/learn/boosted_trees.h"
#include "sinew/recognise.h"

namespace sinew {

inline constexpr int rest_pose_count = 4;

class Recogniser {
 public:
  // The one that comes with the library. Made on first use; safe from any thread.
  static const Recogniser& shipped();
  // Throws Error(bad_input) for a file that was not trained on these features.
  explicit Recogniser(const NetworkFile& file);

  // `up`, `forward`: unit length, or zero where they are to be found.
  RecognisedBody recognise(const SeenBody& body, const Vec3d& up, const Vec3d& forward) const;

 private:
  void find_up(const SeenBody& body, RecognisedBody& result) const;
  void find_forward(const SeenBody& body, const MirrorPlane& plane, RecognisedBody& result) const;

  BoostedTrees up_, forward_, kind_, pose_;
};

}  // namespace sinew
