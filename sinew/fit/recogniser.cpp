#include "sinew/fit/recogniser.h"

#include <algorithm>

#include "sinew/base/cancellation.h"

namespace sinew {

Recogniser::Recogniser(const NetworkFile& file) {
  const auto read = [&](const char* name, int features, int answers) {
    BoostedTrees trees = BoostedTrees::read(file, name);
    if (trees.features() != features || trees.answers() != answers) {
      throw Error(ErrorCode::network_invalid, "the recogniser of bodies was trained on other features");
    }
    return trees;
  };
  up_ = read("up", up_feature_count, 2);
  forward_ = read("forward", forward_feature_count, 2);
  kind_ = read("kind", kind_feature_count, creature_kind_count);
  pose_ = read("pose", kind_feature_count, rest_pose_count);
}

void Recogniser::find_up(const SeenBody& body, RecognisedBody& result) const {
  double best = -1, sum = 0;
  for (const Vec3d& up : {Vec3d(Vec3d::UnitY()), Vec3d(Vec3d::UnitZ()), Vec3d(-Vec3d::UnitZ()), Vec3d(-Vec3d::UnitY()),
                          Vec3d(Vec3d::UnitX()), Vec3d(-Vec3d::UnitX())}) {
    const double likely = up_.probabilities(up_features(body, up))[1];
    sum += likely;
    if (likely > best) best = likely, result.frame.up = up;
  }
  result.up_probability = sum > 0 ? best / sum : 0.0;
}

void Recogniser::find_forward(const SeenBody& body, const MirrorPlane& plane, RecognisedBody& result) const {
  const Vec3d& up = result.frame.up;
  double best = -1, sum = 0;
  for (const double side : {1.0, -1.0}) {
    BodyFrame frame{side * plane.normal, up, side * plane.normal.cross(up)};
    const double likely = forward_.probabilities(forward_features(body, frame))[1];
    sum += likely;
    if (likely > best) best = likely, result.frame = frame;
  }
  result.forward_probability = sum > 0 ? best / sum : 0.0;
}

RecognisedBody Recogniser::recognise(const SeenBody& body, const Vec3d& up, const Vec3d& forward) const {
  RecognisedBody result;
  if (up.norm() > 0) {
    result.frame.up = up;
    result.up_probability = 1;
  } else {
    find_up(body, result);
  }
  stop_if_cancelled();
  const Vec3d level = forward - forward.dot(result.frame.up) * result.frame.up;
  MirrorPlane plane;
  if (level.norm() > 0.05) {
    const Vec3d left = result.frame.up.cross(level).normalized();
    plane = find_mirror_plane(body.solid(), {left});
    result.frame = {left, result.frame.up, level.normalized()};
    result.forward_probability = 1;
  } else {
    plane = level_mirror_plane(body, result.frame.up);
    find_forward(body, plane, result);
  }
  stop_if_cancelled();
  result.mirror_point = plane.point;
  result.symmetry = plane.symmetry;
  const std::vector<float> features = kind_features(body, result.frame, plane.symmetry);
  const std::vector<double> likely = kind_.probabilities(features);
  std::copy(likely.begin(), likely.end(), result.probabilities.begin());
  result.kind = static_cast<CreatureKind>(std::max_element(likely.begin(), likely.end()) - likely.begin());
  if (result.kind == CreatureKind::person) {
    const std::vector<double> poses = pose_.probabilities(features);
    const auto best = std::max_element(poses.begin(), poses.end());
    result.pose = static_cast<RestPose>(best - poses.begin());
    result.pose_probability = *best;
  }
  return result;
}

}  // namespace sinew
