// Pictures of a body from all around, and what an image network sees in them brought back to the surface.
//
// Eight orthographic views: front, left, back, right, and between them alternately a little from above and from below.
// After Dutt, Muralikrishnan, Mitra, "Diffusion 3D Features" (CVPR 2024), section 3: features of pictures are averaged
// over the views in which a place is visible.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/learn/dense_layers.h"
#include "sinew/mesh.h"

namespace sinew {

inline constexpr int feature_view_count = 8;
inline constexpr int feature_view_channels = 5;

struct FeatureView {
  // Channels: normal (to the right, up, towards the camera), place towards the camera, 1 where there is a surface.
  // Everything is 0 where there is none.
  FeatureMap picture;
  Mat3d axes = Mat3d::Identity();       // rows: right, up, towards the camera
  std::vector<std::int64_t> triangles;  // per pixel; -1: nothing
  std::vector<Vec3f> shares;            // per pixel: of the triangle's corners

  // Pixel coordinates (column, row) and place towards the camera.
  Vec3d project(const Vec3d& body_point) const;
};

// `body`: a mesh in body space (body_space.h). `size`: pixels along each side.
std::vector<FeatureView> render_feature_views(const TriangleMesh& body, int size = 80);

// Grey pictures as an image network trained on photographs wants them: 3 × size × size in 0 … 1,
// lit from the camera, white behind.
FeatureMap shaded_picture(const FeatureView& view);

// What the views' feature maps (same number of channels, any resolution) say about points of the surface: one row per
// point, the mean over the views that see it, and last how much was seen (0: hidden everywhere, features 0).
// `certainty_channel`: channel that weighs a view at a place and is not a feature itself; -1: all views count the same.
NetMatrix gather_features(const std::vector<FeatureView>& views, const std::vector<FeatureMap>& maps,
                          const std::vector<Vec3f>& points, int certainty_channel);

}  // namespace sinew
