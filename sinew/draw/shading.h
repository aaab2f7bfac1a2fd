// Inside the renderer: lights, and how much of them reaches a point. Not part of the public manual; use render.h.
#pragma once

#include <array>
#include <cstdint>

#include "sinew/draw/camera.h"
#include "sinew/draw/render.h"
#include "sinew/mesh/ray_scene.h"

namespace sinew {

// Low-discrepancy numbers for the samples of one pixel: an additive recurrence (Roberts' R sequence) per dimension,
// shifted by a random amount per pixel.
class PixelSampler {
 public:
  PixelSampler(std::uint64_t seed, std::uint64_t pixel);
  // Number `dimension` (0 … 5) of sample `index`, in [0, 1).
  float operator()(int dimension, int index) const;

 private:
  std::array<std::uint32_t, 6> shift_;
};

// The studio: a large key light high on one side, a dim fill on the other, a light from behind that draws the outline,
// and a bright room around.
class Studio {
 public:
  // `reach`: how far ambient occlusion looks, in scene units; `ground`: whether light comes back from a floor.
  Studio(const Camera& camera, const RayScene& geometry, Lighting lighting, float reach, bool ground);

  // Light that falls on a surface point, to be multiplied by its paint (red, green, blue), and shine to be added to
  // that (fourth). `normal` on the side of the eye; `origin` is the point lifted off the surface;
  // `towards_eye` unit length.
  Vec4f surface(const Vec3f& origin, const Vec3f& normal, const Vec3f& towards_eye, const PixelSampler& random,
                int sample) const;

  // Share of light, 0…1, that reaches the floor.
  float floor_light(const Vec3f& origin, const PixelSampler& random, int sample) const;

 private:
  Vec3f towards_key(float u, float v) const;
  Color ambient(const Vec3f& origin, const Vec3f& normal, const PixelSampler& random, int sample) const;

  const RayScene& geometry_;
  Lighting lighting_;
  float reach_;
  bool ground_;
  Vec3f key_, fill_, rim_;
};

}  // namespace sinew
