// A small ray tracer to images: soft studio light from three sides, ambient occlusion, a floor that catches shadows.
//
// Light moves with the camera, so that every view is lit alike. Same scene, same options: same bytes, at any thread
// count. Triangles and points that are not finite are left out.
#pragma once

#include <cstdint>

#include "sinew/draw/camera.h"
#include "sinew/draw/image.h"
#include "sinew/draw/scene.h"
#include "sinew/progress.h"

namespace sinew {

enum class Lighting {
  studio,  // for looking at shapes
  soft,    // less contrast and no shine: colours that carry numbers stay readable
  none,    // the paint itself, exactly
};

struct RenderOptions {
  int width = 800, height = 800;
  int samples = 16;  // rays per pixel at edges, at least 1; even places take a quarter of them
  Lighting lighting = Lighting::studio;
  bool wireframe = false;                 // edges of the triangles, one pixel wide
  Color background{0.86f, 0.87f, 0.88f};  // linear RGB
  float overlay_opacity = 0.9f;           // of Scene::overlay where the surface lies before it
  std::uint64_t seed = 1;
};

// Throws Error(usage) when the options make no sense and Error(bad_input) when the mesh is not valid (check_mesh).
Image render(const Scene& scene, const Camera& camera, const RenderOptions& options = {},
             const Progress& progress = {});

}  // namespace sinew
