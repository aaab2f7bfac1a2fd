// A skirt with a rig of its own over the legs of a built-in character, and how far the body comes through it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sinew/base/parallel.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/mesh/winding_number.h"
#include "sinew/pose_mesh.h"

namespace sinew::bench {

struct DressedCharacter {
  Character whole;  // all parts but the skirt are attached, so that binding it binds the skirt alone
  Character body;   // the same without weights on the skirt
  Part skirt;
};

inline DressedCharacter dressed_character(std::size_t vertices) {
  BuiltinOptions options;
  options.vertex_budget = vertices;
  options.garment = BuiltinGarment::skirt;
  DressedCharacter result{make_builtin_character(options), {}, {}};
  result.body = result.whole;
  for (Part& part : result.whole.parts) {
    if (part.name == "Skirt") {
      result.skirt = part;
    } else {
      part.binding = PartBinding::attached;
    }
  }
  const auto influences = static_cast<std::size_t>(result.body.weights.influences);
  std::fill_n(result.body.weights.weights.begin() + static_cast<std::ptrdiff_t>(result.skirt.first_vertex * influences),
              result.skirt.vertex_count * influences, 0.0f);
  return result;
}

inline void still_skirt(const Skeleton& skeleton, Pose& pose) {
  const Pose rest = rest_pose(skeleton);
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.names[joint].find("Skirt") != std::string::npos) pose[joint] = rest[joint];
  }
}

// The same poses with the skirt's own joints at rest: what a clip made for the body alone gives.
inline std::vector<Pose> with_still_skirt(const Skeleton& skeleton, std::vector<Pose> poses) {
  for (Pose& pose : poses) still_skirt(skeleton, pose);
  return poses;
}

inline Motion with_still_skirt(const Skeleton& skeleton, Motion motion) {
  for (int frame = 0; frame < motion.frame_count(); ++frame) {
    Pose pose = frame_pose(motion, frame);
    still_skirt(skeleton, pose);
    std::copy(pose.begin(), pose.end(),
              motion.transforms.begin() + static_cast<std::ptrdiff_t>(frame) * motion.joint_count);
  }
  return motion;
}

struct Penetration {
  double share = 0;  // of the skirt's vertices that are outside at rest, over all poses
  double depth = 0;  // of those that came in, mean distance to the nearest vertex of the body, metres
  double worst = 0;  // the largest share in a single pose
};

// The body around the skirt in one pose.
struct DressedPose {
  std::vector<Vec3f> posed, skin;
  WindingNumber winding;
  NearestPoints tree;
};

inline DressedPose dressed_pose(const Character& dressed, const Part& skirt, const std::vector<Triangle>& body,
                                const Pose& pose) {
  std::vector<Vec3f> posed =
      pose_positions(dressed.mesh.positions, dressed.weights, skinning_transforms(dressed.skeleton, pose));
  std::vector<Vec3f> skin(posed.begin(), posed.begin() + static_cast<std::ptrdiff_t>(skirt.first_vertex));
  skin.insert(skin.end(), posed.begin() + static_cast<std::ptrdiff_t>(skirt.first_vertex + skirt.vertex_count),
              posed.end());
  WindingNumber winding(posed, body);
  NearestPoints tree(skin);
  return {std::move(posed), std::move(skin), std::move(winding), std::move(tree)};
}

// Vertices of the skirt that are outside the body at rest and inside it in a pose. What is inside at rest already, the
// band under the shirt's hem, no weights can change.
inline Penetration penetration(const Character& dressed, const Part& skirt, const std::vector<Pose>& poses) {
  std::vector<Triangle> body;
  for (std::size_t t = 0; t < dressed.mesh.triangles.size(); ++t) {
    if (t < skirt.first_triangle || t >= skirt.first_triangle + skirt.triangle_count) {
      body.push_back(dressed.mesh.triangles[t]);
    }
  }
  const DressedPose rest = dressed_pose(dressed, skirt, body, rest_pose(dressed.skeleton));
  std::vector<std::size_t> outside;
  for (std::size_t v = skirt.first_vertex; v < skirt.first_vertex + skirt.vertex_count; ++v) {
    if (rest.winding(rest.posed[v]) < 0.5f) outside.push_back(v);
  }
  std::vector<double> inside(poses.size(), 0.0), depths(poses.size(), 0.0);
  parallel_for(poses.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t pose = begin; pose < end; ++pose) {
      const DressedPose now = dressed_pose(dressed, skirt, body, poses[pose]);
      for (std::size_t v : outside) {
        if (now.winding(now.posed[v]) < 0.5f) continue;
        NearPoint near;
        now.tree.nearest(now.posed[v], near);
        inside[pose] += 1;
        depths[pose] += static_cast<double>((now.skin[near.index] - now.posed[v]).norm());
      }
    }
  });
  Penetration result;
  for (std::size_t pose = 0; pose < poses.size(); ++pose) {
    result.share += inside[pose];
    result.depth += depths[pose];
    result.worst = std::max(result.worst, inside[pose] / static_cast<double>(outside.size()));
  }
  result.depth /= std::max(1.0, result.share);
  result.share /= static_cast<double>(outside.size() * poses.size());
  return result;
}

}  // namespace sinew::bench
