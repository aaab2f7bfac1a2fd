#include "sinew/draw/render.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/base/parallel.h"
#include "sinew/draw/paint.h"
#include "sinew/draw/shading.h"
#include "sinew/draw/smooth_light.h"
#include "sinew/draw/surface.h"
#include "sinew/error.h"

namespace sinew {
namespace {

AABBf finite_box(const TriangleMesh& mesh) {
  AABBf box;
  for (const Vec3f& p : mesh.positions) {
    if (p.allFinite()) box.extend(p);
  }
  return box;
}

// Leaves the middle tones as they are and rolls highlights off softly, so that nothing burns out.
Color develop(const Color& light) {
  Color out;
  for (int c = 0; c < 3; ++c) {
    constexpr float knee = 0.72f;
    const float x = std::max(0.0f, light[c]);
    out[c] = x <= knee ? x : knee + (1 - knee) * (1 - std::exp(-(x - knee) / (1 - knee)));
  }
  return out;
}

Color lit(const Color& paint, const Vec4f& light) {
  return develop(paint.cwiseProduct(light.head<3>()) + Color::Constant(light[3]));
}

// What one ray through a pixel sees.
struct Sample {
  enum class Kind { surface, overlay, floor, nothing } kind = Kind::nothing;
  Color color = Color::Zero();  // of surface and overlay, developed
  Color paint = Color::Zero();  // of the surface, and the light that falls on it; on the floor light[0] only
  Vec4f light = Vec4f::Zero();
  Vec3f position = Vec3f::Zero(), normal = Vec3f::Zero();
  float distance = 0;

  bool is_backdrop() const { return kind == Kind::floor || kind == Kind::nothing; }
};

class Renderer {
 public:
  Renderer(const Scene& scene, const Camera& camera, const RenderOptions& options)
      : scene_(scene),
        camera_(camera),
        options_(options),
        box_(finite_box(scene.mesh)),
        diagonal_(box_.isEmpty() ? 1.0f : std::max(box_.diagonal().norm(), 1e-12f)),
        surface_(scene.mesh, point_radius()),
        overlay_(scene.overlay, 0),
        paint_(scene.paint ? scene.paint : paint_mesh_colors(scene.mesh)),
        overlay_paint_(paint_mesh_colors(scene.overlay)),
        studio_(camera, surface_.rays(), options.lighting, 0.45f * diagonal_, scene.ground.has_value()) {}

  Sample sample(int x, int y, const PixelSampler& random, int index) const {
    const Vec3f origin = camera_.eye.cast<float>();
    const Vec3f direction =
        ray_direction(camera_, x + random(0, index), y + random(1, index), options_.width, options_.height)
            .cast<float>();
    Sample sample;
    SurfaceHit hit, over;
    const bool found = surface_.intersect(origin, direction, hit);
    if (found) shade(hit, direction, random, index, sample);
    if (!scene_.overlay.triangles.empty() && overlay_.intersect(origin, direction, over)) {
      const float opacity = found && hit.distance < over.distance ? options_.overlay_opacity : 1.0f;
      sample.color += opacity * (shade_overlay(over, direction) - sample.color);
      sample.kind = Sample::Kind::overlay;
    } else if (!found) {
      look_at_floor(origin, direction, random, index, sample);
    }
    return sample;
  }

  // Width of a pixel at this distance.
  float footprint(float distance) const { return static_cast<float>(2 * camera_.tangent * distance / options_.height); }

 private:
  float point_radius() const {
    if (!scene_.mesh.is_point_cloud()) return 0;
    return scene_.point_radius > 0 ? scene_.point_radius
                                   : std::max(choose_point_radius(scene_.mesh.positions), 0.002f * diagonal_);
  }

  void shade(const SurfaceHit& hit, const Vec3f& direction, const PixelSampler& random, int index,
             Sample& sample) const {
    sample.kind = Sample::Kind::surface;
    sample.paint = paint_(hit.place);
    if (options_.wireframe && !scene_.mesh.is_point_cloud()) {
      const float slant = std::max(0.15f, -hit.geometric_normal.dot(direction));
      if (surface_.edge_distance(hit) * slant < 0.5f * footprint(hit.distance)) sample.paint *= 0.25f;
    }
    sample.position = hit.position;
    sample.normal = hit.normal;
    sample.distance = hit.distance;
    if (options_.lighting == Lighting::none) {
      sample.color = sample.paint;
      return;
    }
    const Vec3f lifted = hit.position + 2e-4f * diagonal_ * hit.geometric_normal;
    sample.light = studio_.surface(lifted, hit.normal, -direction, random, index);
    sample.color = lit(sample.paint, sample.light);
  }

  // A lamp at the eye: form without shadows, a dark rim that sets each bone off from the next.
  Color shade_overlay(const SurfaceHit& hit, const Vec3f& direction) const {
    const Color paint = overlay_paint_(hit.place);
    if (options_.lighting == Lighting::none) return paint;
    const float facing = std::clamp(-hit.normal.dot(direction), 0.0f, 1.0f);
    return paint * (0.45f + 0.55f * facing);
  }

  void look_at_floor(const Vec3f& origin, const Vec3f& direction, const PixelSampler& random, int index,
                     Sample& sample) const {
    sample.light[0] = 1;
    if (!scene_.ground || options_.lighting == Lighting::none || box_.isEmpty()) return;
    const float height = origin.y() - *scene_.ground;
    if (height <= 0 || direction.y() >= 0) return;
    sample.position = origin - height / direction.y() * direction;
    sample.distance = (sample.position - origin).norm();
    // Far from the mesh its shadow is too faint to see; fade it out so that no edge shows.
    const Vec3f centre = box_.center();
    const float away = (Vec3f(sample.position.x(), centre.y(), sample.position.z()) - centre).norm() / diagonal_;
    constexpr float fade_begin = 1.2f, fade_end = 2.4f;
    if (away >= fade_end) return;
    sample.kind = Sample::Kind::floor;
    const float light = studio_.floor_light(sample.position + Vec3f(0, 2e-4f * diagonal_, 0), random, index);
    const float fade = std::clamp((fade_end - away) / (fade_end - fade_begin), 0.0f, 1.0f);
    sample.light[0] = 1 - fade * (1 - light);
  }

  const Scene& scene_;
  const Camera& camera_;
  const RenderOptions& options_;
  AABBf box_;
  float diagonal_;
  Surface surface_, overlay_;
  Paint paint_, overlay_paint_;
  Studio studio_;
};

// What the samples of one pixel add up to.
struct Estimate {
  Color color = Color::Zero();  // sum over surface and overlay
  Color paint = Color::Zero();  // sums over the surface alone
  Vec4f light = Vec4f::Zero();
  float backdrop_light = 0;  // sum over floor and nothing
  Vec3f position = Vec3f::Zero(), normal = Vec3f::Zero(), floor = Vec3f::Zero();
  float distance = 0, floor_distance = 0;
  int count = 0, surface_count = 0, floor_count = 0, backdrop_count = 0;
  bool is_edge = false;  // samples saw different things: light must not be shared with the neighbours

  void add(const Sample& sample) {
    ++count;
    if (sample.is_backdrop()) {
      ++backdrop_count;
      backdrop_light += sample.light[0];
    } else {
      color += sample.color;
    }
    if (sample.kind == Sample::Kind::floor) {
      ++floor_count;
      floor += sample.position;
      floor_distance += sample.distance;
    }
    if (sample.kind == Sample::Kind::surface) {
      ++surface_count;
      paint += sample.paint;
      light += sample.light;
      position += sample.position;
      normal += sample.normal;
      distance += sample.distance;
    }
  }
};

// Largest difference between the channels of two colours, on a scale where equal steps look equal.
float visible_difference(const Color& a, const Color& b) {
  return (a.cwiseMax(0).cwiseSqrt() - b.cwiseMax(0).cwiseSqrt()).cwiseAbs().maxCoeff();
}

// Whether two samples of one pixel see the same smooth, evenly painted piece.
bool alike(const Sample& a, const Sample& b) {
  if (a.is_backdrop() && b.is_backdrop()) return true;
  if (a.kind != b.kind) return false;
  if (a.kind == Sample::Kind::overlay) return visible_difference(a.color, b.color) < 0.012f;
  return visible_difference(a.paint, b.paint) < 0.012f && a.normal.dot(b.normal) > 0.97f;
}

bool alike(const Estimate& a, const Estimate& b) {
  if (a.is_edge || b.is_edge) return a.is_edge == b.is_edge;
  if (a.surface_count != b.surface_count || a.backdrop_count != b.backdrop_count) return false;
  const float count = static_cast<float>(std::max(1, a.surface_count));
  return visible_difference(a.paint / count, b.paint / count) < 0.04f && a.normal.dot(b.normal) > 0.93f * count * count;
}

// First a few samples everywhere, then all of them at edges. What remains is grain in the light, which is smoothed.
std::vector<Estimate> take_samples(const Renderer& renderer, const RenderOptions& options, const Progress& progress) {
  const int width = options.width, height = options.height;
  std::vector<Estimate> estimates(static_cast<std::size_t>(width) * height);
  const int first = std::clamp((options.samples + 3) / 4, std::min(4, options.samples), options.samples);
  constexpr std::size_t rows_per_block = 4;
  parallel_for(height, rows_per_block, progress.part(0.0, 0.5), "drawing", [&](std::size_t begin, std::size_t end) {
    for (std::size_t pixel = begin * width; pixel < end * width; ++pixel) {
      stop_if_cancelled();
      const PixelSampler random(options.seed, pixel);
      Sample reference;
      for (int i = 0; i < first; ++i) {
        const Sample sample =
            renderer.sample(static_cast<int>(pixel % width), static_cast<int>(pixel / width), random, i);
        if (i == 0) reference = sample;
        if (!alike(reference, sample)) estimates[pixel].is_edge = true;
        estimates[pixel].add(sample);
      }
    }
  });
  std::vector<char> is_edge(estimates.size());
  parallel_for(height, rows_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t pixel = begin * width; pixel < end * width; ++pixel) {
      const int x = static_cast<int>(pixel % width), y = static_cast<int>(pixel / width);
      const auto differs = [&](bool exists, std::size_t other) {
        return exists && !alike(estimates[pixel], estimates[other]);
      };
      is_edge[pixel] = estimates[pixel].is_edge || differs(x > 0, pixel - 1) || differs(x + 1 < width, pixel + 1) ||
                       differs(y > 0, pixel - width) || differs(y + 1 < height, pixel + width);
    }
  });
  parallel_for(height, rows_per_block, progress.part(0.5, 0.95), "drawing", [&](std::size_t begin, std::size_t end) {
    for (std::size_t pixel = begin * width; pixel < end * width; ++pixel) {
      stop_if_cancelled();
      if (!is_edge[pixel]) continue;
      estimates[pixel].is_edge = true;
      const PixelSampler random(options.seed, pixel);
      for (int i = first; i < options.samples; ++i) {
        estimates[pixel].add(
            renderer.sample(static_cast<int>(pixel % width), static_cast<int>(pixel / width), random, i));
      }
    }
  });
  progress(0.95, "drawing");
  return estimates;
}

// The light on surfaces (edges keep their own) or on the floor, without its grain.
std::vector<LightPixel> smoothed(const std::vector<Estimate>& estimates, const Renderer& renderer,
                                 const RenderOptions& options, bool floor) {
  std::vector<LightPixel> pixels(estimates.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const Estimate& e = estimates[i];
    LightPixel& pixel = pixels[i];
    if (floor) {
      pixel.usable = e.floor_count > 0;
      if (e.backdrop_count > 0) pixel.light[0] = e.backdrop_light / static_cast<float>(e.backdrop_count);
      if (!pixel.usable) continue;
      pixel.position = e.floor / static_cast<float>(e.floor_count);
      pixel.normal = Vec3f(0, 1, 0);
      pixel.footprint = renderer.footprint(e.floor_distance / static_cast<float>(e.floor_count));
    } else {
      pixel.usable = e.surface_count == e.count && !e.is_edge;
      if (!pixel.usable) continue;
      const float count = static_cast<float>(e.surface_count);
      pixel.light = e.light / count;
      pixel.position = e.position / count;
      pixel.normal = e.normal.normalized();
      pixel.footprint = renderer.footprint(e.distance / count);
    }
  }
  smooth_light(pixels, options.width, options.height, floor ? 4 : 3);
  return pixels;
}

}  // namespace

Image render(const Scene& scene, const Camera& camera, const RenderOptions& options, const Progress& progress) {
  if (options.samples < 1 || options.samples > 4096) {
    throw Error(ErrorCode::option_out_of_range,
                "a picture cannot take " + std::to_string(options.samples) + " samples per pixel",
                "use 1 to 4096; 16 is good");
  }
  check_mesh(scene.mesh);
  check_mesh(scene.overlay);
  Image image(options.width, options.height);
  const Renderer renderer(scene, camera, options);
  const std::vector<Estimate> estimates = take_samples(renderer, options, progress);
  const bool has_light = options.lighting != Lighting::none;
  const std::vector<LightPixel> surface =
      has_light ? smoothed(estimates, renderer, options, false) : std::vector<LightPixel>(estimates.size());
  const std::vector<LightPixel> floor = smoothed(estimates, renderer, options, true);
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const Estimate& e = estimates[i];
    if (surface[i].usable) {
      image.pixels[i] = to_pixel(lit(e.paint / static_cast<float>(e.count), surface[i].light));
    } else {
      const Color backdrop = static_cast<float>(e.backdrop_count) * floor[i].light[0] * options.background;
      image.pixels[i] = to_pixel((e.color + backdrop) / static_cast<float>(e.count));
    }
  }
  progress(1.0, "drawing");
  return image;
}

}  // namespace sinew
