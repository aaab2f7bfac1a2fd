#include "sinew/draw/render.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "shading.h"
#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/draw/paint.h"
#include "sinew/mesh/ray_scene.h"

namespace sinew {
namespace {

// The shading normals of a mesh's triangle corners: its own where they are usable, computed ones otherwise.
std::vector<std::array<Vec3f, 3>> corner_normals(const TriangleMesh& mesh) {
  const auto usable = [](const Vec3f& n) { return n.allFinite() && n.squaredNorm() > 0.01f; };
  if (mesh.normals.empty() || !std::any_of(mesh.normals.begin(), mesh.normals.end(), usable)) {
    return crease_normals(mesh);
  }
  std::vector<std::array<Vec3f, 3>> normals(mesh.triangles.size());
  for (std::size_t t = 0; t < normals.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const Vec3f& n = mesh.normals[mesh.triangles[t][k]];
      normals[t][k] = usable(n) ? n : Vec3f(0, 0, 0);
    }
  }
  return normals;
}

// A place that a ray hit, ready for shading.
struct Hit {
  SurfacePoint place;
  Vec3f position, normal, geometric_normal;  // both normals on the side of the eye
  float distance = std::numeric_limits<float>::infinity();
};

// A mesh or cloud that can be hit by rays.
class Geometry {
 public:
  Geometry(const TriangleMesh& mesh, float point_radius)
      : mesh_(mesh),
        cloud_(mesh.is_point_cloud()),
        rays_(cloud_ ? RayScene::of_spheres(mesh.positions, point_radius) : RayScene(mesh.positions, mesh.triangles)) {
    if (!cloud_) normals_ = corner_normals(mesh);
  }

  const RayScene& rays() const { return rays_; }

  bool intersect(const Vec3f& origin, const Vec3f& direction, Hit& hit) const {
    RayHit found;
    if (!rays_.intersect(origin, direction, found)) return false;
    hit.distance = found.distance;
    hit.position = origin + found.distance * direction;
    Vec3f geometric = found.geometric_normal.normalized();
    Vec3f smooth = geometric;
    if (cloud_) {
      hit.place = {{found.triangle, found.triangle, found.triangle}, Vec3f(1, 0, 0)};
      if (!mesh_.normals.empty() && mesh_.normals[found.triangle].squaredNorm() > 0.01f) {
        smooth = mesh_.normals[found.triangle].normalized();
      }
    } else {
      const float u = found.barycentric.x(), v = found.barycentric.y();
      hit.place = {mesh_.triangles[found.triangle], Vec3f(1 - u - v, u, v)};
      const std::array<Vec3f, 3>& n = normals_[found.triangle];
      const Vec3f sum = hit.place.barycentric[0] * n[0] + u * n[1] + v * n[2];
      if (sum.squaredNorm() > 1e-6f) smooth = sum.normalized();
    }
    if (geometric.dot(direction) > 0) geometric = -geometric;
    if (!cloud_) lift_to_smooth_surface(found.triangle, geometric, hit);
    if (smooth.dot(geometric) < 0) smooth = -smooth;
    // A smooth normal may look away from the eye near the outline: bend it back.
    const float away = smooth.dot(direction);
    if (away > -0.02f) smooth = (smooth - (away + 0.02f) * direction).normalized();
    hit.normal = smooth;
    hit.geometric_normal = geometric;
    return true;
  }

  // Distance to the nearest edge of the hit triangle.
  float edge_distance(const Hit& hit) const {
    const Vec3f &a = mesh_.positions[hit.place.corners[0]], &b = mesh_.positions[hit.place.corners[1]],
                &c = mesh_.positions[hit.place.corners[2]];
    const float twice_area = (b - a).cross(c - a).norm();
    float nearest = std::numeric_limits<float>::infinity();
    const std::array<float, 3> opposite = {(c - b).norm(), (a - c).norm(), (b - a).norm()};
    for (int k = 0; k < 3; ++k) nearest = std::min(nearest, hit.place.barycentric[k] * twice_area / opposite[k]);
    return nearest;
  }

 private:
  // Moves the hit onto the curved surface that the smooth normals suggest, so that flat facets of a coarse mesh do not
  // shadow themselves (Hanika, "Hacking the shadow terminator", Ray Tracing Gems II, 2021).
  void lift_to_smooth_surface(std::uint32_t triangle, const Vec3f& outwards, Hit& hit) const {
    Vec3f offset = Vec3f::Zero();
    for (int k = 0; k < 3; ++k) {
      const Vec3f& stored = normals_[triangle][k];
      const Vec3f n = stored.dot(outwards) < 0 ? Vec3f(-stored) : stored;
      const float below = std::min(0.0f, (hit.position - mesh_.positions[hit.place.corners[k]]).dot(n));
      offset -= hit.place.barycentric[k] * below * n;
    }
    hit.position += offset;
  }

  const TriangleMesh& mesh_;
  bool cloud_;
  RayScene rays_;
  std::vector<std::array<Vec3f, 3>> normals_;
};

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

// What one ray through a pixel sees.
struct Sample {
  Color color = Color::Zero();  // of the surface, developed; unused on the backdrop
  bool is_backdrop = false;
  float floor_light = 1;
};

class Renderer {
 public:
  Renderer(const Scene& scene, const Camera& camera, const RenderOptions& options)
      : scene_(scene),
        camera_(camera),
        options_(options),
        box_(finite_box(scene.mesh)),
        diagonal_(box_.isEmpty() ? 1.0f : std::max(box_.diagonal().norm(), 1e-12f)),
        surface_(scene.mesh,
                 scene.point_radius > 0 ? scene.point_radius : std::max(choose_radius(scene.mesh), 0.002f * diagonal_)),
        overlay_(scene.overlay, 0),
        paint_(scene.paint ? scene.paint : paint_mesh_colors(scene.mesh)),
        overlay_paint_(paint_mesh_colors(scene.overlay)),
        studio_(camera, surface_.rays(), options.lighting, 0.45f * diagonal_, scene.ground.has_value()) {}

  Sample sample(int x, int y, const PixelSampler& random, int index) const {
    const Vec3f origin = camera_.eye.cast<float>();
    const Vec3f direction =
        ray_direction(camera_, x + random(0, index), y + random(1, index), options_.width, options_.height)
            .cast<float>();
    Hit hit;
    const bool found = surface_.intersect(origin, direction, hit);
    Sample sample;
    if (found) sample.color = shade(hit, direction, random, index);
    Hit over;
    if (!scene_.overlay.triangles.empty() && overlay_.intersect(origin, direction, over)) {
      const float opacity = found && hit.distance < over.distance ? options_.overlay_opacity : 1.0f;
      sample.color += opacity * (shade_overlay(over, direction) - sample.color);
    } else if (!found) {
      sample.is_backdrop = true;
      sample.floor_light = floor_light(origin, direction, random, index);
    }
    return sample;
  }

 private:
  static float choose_radius(const TriangleMesh& mesh) {
    return mesh.is_point_cloud() ? choose_point_radius(mesh.positions) : 0;
  }

  Color shade(const Hit& hit, const Vec3f& direction, const PixelSampler& random, int index) const {
    Color paint = paint_(hit.place);
    if (options_.wireframe && !scene_.mesh.is_point_cloud()) {
      const double pixel = 2 * camera_.tangent * hit.distance / options_.height;
      const float slant = std::max(0.15f, -hit.geometric_normal.dot(direction));
      if (surface_.edge_distance(hit) * slant < 0.5 * pixel) paint *= 0.25f;
    }
    if (options_.lighting == Lighting::none) return paint;
    const Vec3f lifted = hit.position + 2e-4f * diagonal_ * hit.geometric_normal;
    return develop(studio_.surface(paint, lifted, hit.normal, -direction, random, index));
  }

  // A lamp at the eye: form without shadows, a dark rim that sets each bone off from the next.
  Color shade_overlay(const Hit& hit, const Vec3f& direction) const {
    const Color paint = overlay_paint_(hit.place);
    if (options_.lighting == Lighting::none) return paint;
    const float facing = std::clamp(-hit.normal.dot(direction), 0.0f, 1.0f);
    return paint * (0.35f + 0.65f * facing);
  }

  // Share of light on the floor where the ray meets it; 1 where there is no floor.
  float floor_light(const Vec3f& origin, const Vec3f& direction, const PixelSampler& random, int index) const {
    if (!scene_.ground || options_.lighting == Lighting::none || box_.isEmpty()) return 1;
    const float height = origin.y() - *scene_.ground;
    if (height <= 0 || direction.y() >= 0) return 1;
    const Vec3f place = origin - height / direction.y() * direction;
    // Far from the mesh its shadow is too faint to see; fade it out so that no edge shows.
    const Vec3f centre = box_.center();
    const float away = (Vec3f(place.x(), centre.y(), place.z()) - centre).norm() / diagonal_;
    constexpr float fade_begin = 1.2f, fade_end = 2.4f;
    if (away >= fade_end) return 1;
    const Vec3f lifted = place + Vec3f(0, 2e-4f * diagonal_, 0);
    const float light = studio_.floor_light(lifted, random, index);
    const float fade = std::clamp((fade_end - away) / (fade_end - fade_begin), 0.0f, 1.0f);
    return 1 - fade * (1 - light);
  }

  const Scene& scene_;
  const Camera& camera_;
  const RenderOptions& options_;
  AABBf box_;
  float diagonal_;
  Geometry surface_, overlay_;
  Paint paint_, overlay_paint_;
  Studio studio_;
};

// What the samples of one pixel add up to.
struct Estimate {
  Color surface = Color::Zero();  // sum over the samples that hit something
  int surface_count = 0, backdrop_count = 0;
  float floor_light = 0;  // sum over the others
  float spread = 0;       // largest visible difference among the first samples

  void add(const Sample& sample) {
    if (sample.is_backdrop) {
      ++backdrop_count;
      floor_light += sample.floor_light;
    } else {
      ++surface_count;
      surface += sample.color;
    }
  }
};

// Largest difference between the channels of two colours, on a scale where equal steps look equal.
float visible_difference(const Color& a, const Color& b) {
  return (a.cwiseMax(0).cwiseSqrt() - b.cwiseMax(0).cwiseSqrt()).cwiseAbs().maxCoeff();
}

// Evens out the grain of the floor's light: an à-trous filter (Dammertz et al., "Edge-avoiding à-trous wavelet
// transform", 2010) among pixels that show floor, holding back where the light really changes.
std::vector<float> smooth_floor(std::vector<float> light, int width, int height) {
  constexpr std::array<float, 3> kernel = {0.375f, 0.25f, 0.0625f};
  for (int level = 0; level < 4; ++level) {
    const int step = 1 << level;
    const float tolerance = 0.30f / static_cast<float>(1 << level);
    const std::vector<float> before = light;
    parallel_for(height, 16, [&](std::size_t begin, std::size_t end) {
      for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y) {
        for (int x = 0; x < width; ++x) {
          const float centre = before[static_cast<std::size_t>(y) * width + x];
          if (centre < 0) continue;
          float sum = 0, weights = 0;
          for (int dy = -2; dy <= 2; ++dy) {
            for (int dx = -2; dx <= 2; ++dx) {
              const int px = x + dx * step, py = y + dy * step;
              if (px < 0 || py < 0 || px >= width || py >= height) continue;
              const float other = before[static_cast<std::size_t>(py) * width + px];
              if (other < 0) continue;
              const float difference = (other - centre) / tolerance;
              const float weight = kernel[std::abs(dx)] * kernel[std::abs(dy)] * std::exp(-difference * difference);
              sum += weight * other;
              weights += weight;
            }
          }
          light[static_cast<std::size_t>(y) * width + x] = sum / weights;
        }
      }
    });
  }
  return light;
}

// First a few samples everywhere, then the rest where those samples or the neighbours disagree about the surface.
std::vector<Estimate> take_samples(const Renderer& renderer, const RenderOptions& options, const Progress& progress) {
  const int width = options.width, height = options.height;
  std::vector<Estimate> estimates(static_cast<std::size_t>(width) * height);
  const int first = std::clamp(options.samples / 4, std::min(4, options.samples), options.samples);
  constexpr std::size_t rows_per_block = 4;
  progress(0.0, "drawing");
  parallel_for(height, rows_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t pixel = begin * width; pixel < end * width; ++pixel) {
      const PixelSampler random(options.seed, pixel);
      Sample reference;
      for (int i = 0; i < first; ++i) {
        const Sample sample =
            renderer.sample(static_cast<int>(pixel % width), static_cast<int>(pixel / width), random, i);
        if (i == 0) reference = sample;
        const float difference =
            sample.is_backdrop != reference.is_backdrop ? 1.0f : visible_difference(reference.color, sample.color);
        estimates[pixel].spread = std::max(estimates[pixel].spread, difference);
        estimates[pixel].add(sample);
      }
    }
  });
  progress(0.3, "drawing");
  const std::vector<Estimate> rough = estimates;
  constexpr float tolerance = 0.012f;
  parallel_for(height, rows_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t pixel = begin * width; pixel < end * width; ++pixel) {
      const int x = static_cast<int>(pixel % width), y = static_cast<int>(pixel / width);
      const Estimate& own = rough[pixel];
      const auto differs = [&](int nx, int ny) {
        if (nx < 0 || ny < 0 || nx >= width || ny >= height) return false;
        const Estimate& other = rough[static_cast<std::size_t>(ny) * width + nx];
        return other.surface_count != own.surface_count ||
               visible_difference(own.surface / first, other.surface / first) > 3 * tolerance;
      };
      if (own.spread <= tolerance && !differs(x - 1, y) && !differs(x + 1, y) && !differs(x, y - 1) &&
          !differs(x, y + 1)) {
        continue;
      }
      const PixelSampler random(options.seed, pixel);
      for (int i = first; i < options.samples; ++i) estimates[pixel].add(renderer.sample(x, y, random, i));
    }
  });
  progress(1.0, "drawing");
  return estimates;
}

}  // namespace

Image render(const Scene& scene, const Camera& camera, const RenderOptions& options, const Progress& progress) {
  if (options.samples < 1 || options.samples > 4096) {
    throw Error(ErrorKind::usage, "a picture cannot take " + std::to_string(options.samples) + " samples per pixel",
                "use 1 to 4096; 16 is good");
  }
  check_mesh(scene.mesh);
  check_mesh(scene.overlay);
  Image image(options.width, options.height);
  const Renderer renderer(scene, camera, options);
  const std::vector<Estimate> estimates = take_samples(renderer, options, progress);
  std::vector<float> floor_light(estimates.size(), -1.0f);  // -1: no floor in this pixel
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    if (estimates[i].backdrop_count > 0) floor_light[i] = estimates[i].floor_light / estimates[i].backdrop_count;
  }
  if (scene.ground) floor_light = smooth_floor(std::move(floor_light), options.width, options.height);
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const Estimate& e = estimates[i];
    const Color backdrop = static_cast<float>(e.backdrop_count) * floor_light[i] * options.background;
    image.pixels[i] = to_pixel((e.surface + backdrop) / static_cast<float>(e.surface_count + e.backdrop_count));
  }
  return image;
}

}  // namespace sinew
