#include "sinew/draw/shading.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/base/random.h"

namespace sinew {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

struct LightSet {
  float key, fill, rim, room, shine;
};

LightSet light_set(Lighting lighting) {
  return lighting == Lighting::studio ? LightSet{1.12f, 0.08f, 0.35f, 0.46f, 0.15f}
                                      : LightSet{0.62f, 0.14f, 0.08f, 0.80f, 0.0f};
}

// A frame with `normal` as its third axis (Duff et al., "Building an orthonormal basis, revisited", 2017).
void tangents_of(const Vec3f& normal, Vec3f& tangent, Vec3f& bitangent) {
  const float sign = std::copysign(1.0f, normal.z());
  const float a = -1.0f / (sign + normal.z());
  const float b = normal.x() * normal.y() * a;
  tangent = Vec3f(1.0f + sign * normal.x() * normal.x() * a, sign * b, -sign * normal.x());
  bitangent = Vec3f(b, sign + normal.y() * normal.y() * a, -normal.y());
}

// Cosine-weighted direction around `normal`.
Vec3f cosine_direction(const Vec3f& normal, float u, float v) {
  Vec3f tangent, bitangent;
  tangents_of(normal, tangent, bitangent);
  const float radius = std::sqrt(u), angle = 2 * std::numbers::pi_v<float> * v;
  return radius * std::cos(angle) * tangent + radius * std::sin(angle) * bitangent +
         std::sqrt(std::max(0.0f, 1 - u)) * normal;
}

// Light from the room: bright above, a little warm from below where a floor sends it back.
Color room_light(const Vec3f& direction, bool ground) {
  const float t = 0.5f + 0.5f * direction.y();
  const Color above(0.98f, 1.0f, 1.04f);
  const Color below = ground ? Color(0.62f, 0.59f, 0.56f) : Color(0.5f, 0.5f, 0.52f);
  return below + (above - below) * t;
}

}  // namespace

PixelSampler::PixelSampler(std::uint64_t seed, std::uint64_t pixel) {
  Random random = Random::stream(seed, pixel);
  for (std::uint32_t& shift : shift_) shift = static_cast<std::uint32_t>(random.bits() >> 32);
}

float PixelSampler::operator()(int dimension, int index) const {
  // Fractions of 2^32, where wrapping around is free. Dimensions go in pairs; each pair is the two-dimensional sequence
  // (powers of the inverse plastic number), and later pairs walk it from another place so that they do not correlate.
  constexpr std::array<std::uint32_t, 2> step = {3242174889u, 2447445414u};
  const std::uint32_t walked = static_cast<std::uint32_t>(index + 1 + 37 * (dimension / 2)) * step[dimension % 2];
  return static_cast<float>((walked + shift_[dimension]) >> 8) * 0x1p-24f;
}

Studio::Studio(const Camera& camera, const RayScene& geometry, Lighting lighting, float reach, bool ground)
    : geometry_(geometry), lighting_(lighting), reach_(reach), ground_(ground) {
  // Lights turn with the camera around the vertical axis but keep their height, or the floor would see them move.
  Vec3d sideways = camera.right;
  sideways.y() = 0;
  sideways = sideways.norm() > 1e-6 ? sideways.normalized() : Vec3d::UnitX();
  const Vec3d towards_viewer = sideways.cross(Vec3d::UnitY());
  const auto from = [&](double right, double up, double viewer) {
    return Vec3f((right * sideways + up * Vec3d::UnitY() + viewer * towards_viewer).normalized().cast<float>());
  };
  key_ = from(-0.62, 1.05, 0.85);
  fill_ = from(0.9, 0.25, 0.7);
  rim_ = from(0.55, 0.6, -1.0);
}

Vec3f Studio::towards_key(float u, float v) const {
  constexpr float size = 0.22f;  // tangent of the light's half angle
  Vec3f tangent, bitangent;
  tangents_of(key_, tangent, bitangent);
  const float radius = size * std::sqrt(u), angle = 2 * std::numbers::pi_v<float> * v;
  return (key_ + radius * std::cos(angle) * tangent + radius * std::sin(angle) * bitangent).normalized();
}

Color Studio::ambient(const Vec3f& origin, const Vec3f& normal, const PixelSampler& random, int sample) const {
  Color sum = Color::Zero();
  constexpr int rays = 2;
  for (int ray = 0; ray < rays; ++ray) {
    const Vec3f direction = cosine_direction(normal, random(4, rays * sample + ray), random(5, rays * sample + ray));
    if (!geometry_.occluded(origin, direction, 0, reach_)) sum += room_light(direction, ground_);
  }
  // What is occluded is not black: the surfaces around send light on.
  const Color bounced = 0.22f * room_light(normal, ground_);
  return bounced + (1 - 0.22f) * sum / rays;
}

Vec4f Studio::surface(const Vec3f& origin, const Vec3f& normal, const Vec3f& towards_eye, const PixelSampler& random,
                      int sample) const {
  const LightSet lights = light_set(lighting_);
  const Color room = ambient(origin, normal, random, sample);
  const float openness = room.sum() / 3;
  Color received = lights.room * room;
  received.array() += lights.fill * openness * std::max(0.0f, normal.dot(fill_));
  received.array() += lights.rim * openness * std::max(0.0f, normal.dot(rim_));

  float shine = 0;
  const Vec3f direction = towards_key(random(2, sample), random(3, sample));
  const float facing = normal.dot(direction);
  if (facing > 0 && !geometry_.occluded(origin, direction, 0, infinity)) {
    received += lights.key * facing * Color(1.0f, 0.985f, 0.96f);
    const Vec3f half = (direction + towards_eye).normalized();
    shine += std::pow(std::max(0.0f, normal.dot(half)), 28.0f) * facing;
  }
  // The outline catches the bright room at grazing angles.
  const float grazing = std::pow(1 - std::clamp(normal.dot(towards_eye), 0.0f, 1.0f), 5.0f);
  shine += 0.55f * grazing * openness;
  return {received[0], received[1], received[2], lights.shine * shine};
}

float Studio::floor_light(const Vec3f& origin, const PixelSampler& random, int sample) const {
  constexpr float key_share = 0.30f;
  const bool lit = !geometry_.occluded(origin, towards_key(random(2, sample), random(3, sample)), 0, infinity);
  const Vec3f up = cosine_direction(Vec3f(0, 1, 0), random(4, sample), random(5, sample));
  const bool open = !geometry_.occluded(origin, up, 0, infinity);
  return (lit ? key_share : 0.0f) + (open ? 1 - key_share : 0.0f);
}

}  // namespace sinew
