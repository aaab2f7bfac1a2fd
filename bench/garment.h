// A skirt with a rig of its own over the legs of a built-in character, and how far the body comes through it.
#pragma once

#include <algorithm>
#include <vector>

#include "sinew/base/parallel.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/mesh/winding_number.h"
#include "sinew/rig/pose_mesh.h"

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

struct Penetration {
  double share = 0;  // of the skirt's vertices, over all poses
  double depth = 0;  // of those inside, mean distance to the nearest vertex of the body, metres
};

// Vertices of the skirt inside the posed body.
inline Penetration penetration(const Character& dressed, const Part& skirt, const std::vector<Pose>& poses) {
  std::vector<Triangle> body;
  for (std::size_t t = 0; t < dressed.mesh.triangles.size(); ++t) {
    if (t < skirt.first_triangle || t >= skirt.first_triangle + skirt.triangle_count) {
      body.push_back(dressed.mesh.triangles[t]);
    }
  }
  std::vector<double> inside(poses.size(), 0.0), depths(poses.size(), 0.0);
  parallel_for(poses.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t pose = begin; pose < end; ++pose) {
      const std::vector<Vec3f> posed =
          pose_positions(dressed.mesh.positions, dressed.weights, skinning_transforms(dressed.skeleton, poses[pose]));
      const WindingNumber winding(posed, body);
      std::vector<Vec3f> skin(posed.begin(), posed.begin() + static_cast<std::ptrdiff_t>(skirt.first_vertex));
      skin.insert(skin.end(), posed.begin() + static_cast<std::ptrdiff_t>(skirt.first_vertex + skirt.vertex_count),
                  posed.end());
      const NearestPoints tree(skin);
      for (std::size_t v = skirt.first_vertex; v < skirt.first_vertex + skirt.vertex_count; ++v) {
        if (winding(posed[v]) < 0.5f) continue;
        NearPoint near;
        tree.nearest(posed[v], near);
        inside[pose] += 1;
        depths[pose] += static_cast<double>((skin[near.index] - posed[v]).norm());
      }
    }
  });
  Penetration result;
  for (std::size_t pose = 0; pose < poses.size(); ++pose) {
    result.share += inside[pose];
    result.depth += depths[pose];
  }
  result.depth /= std::max(1.0, result.share);
  result.share /= static_cast<double>(skirt.vertex_count * poses.size());
  return result;
}

}  // namespace sinew::bench
