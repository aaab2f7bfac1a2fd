#include "tests/support/shapes.h"

#include <cmath>

#include "sinew/builtin/builtin_character.h"

namespace sinew::test {

TriangleMesh tube(double length, double radius, int rings, int sides) {
  TriangleMesh mesh;
  for (int r = 0; r < rings; ++r) {
    for (int s = 0; s < sides; ++s) {
      const double angle = 2 * M_PI * s / sides;
      mesh.positions.push_back(
          Vec3d(length * r / (rings - 1), radius * std::cos(angle), radius * std::sin(angle)).cast<float>());
    }
  }
  const auto at = [&](int r, int s) { return static_cast<std::uint32_t>(r * sides + s % sides); };
  for (int r = 0; r + 1 < rings; ++r) {
    for (int s = 0; s < sides; ++s) {
      mesh.triangles.push_back({at(r, s), at(r, s + 1), at(r + 1, s)});
      mesh.triangles.push_back({at(r + 1, s), at(r, s + 1), at(r + 1, s + 1)});
    }
  }
  const auto start = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.push_back(Vec3f(0, 0, 0));
  mesh.positions.push_back(Vec3f(static_cast<float>(length), 0, 0));
  for (int s = 0; s < sides; ++s) {
    mesh.triangles.push_back({start, at(0, s + 1), at(0, s)});
    mesh.triangles.push_back({start + 1, at(rings - 1, s), at(rings - 1, s + 1)});
  }
  return mesh;
}

Skeleton chain(const std::vector<double>& places) {
  Skeleton skeleton;
  for (std::size_t i = 0; i < places.size(); ++i) {
    Affine3d rest = Affine3d::Identity();
    rest.translation() = Vec3d(places[i], 0, 0);
    const bool last = i + 1 == places.size();
    add_joint(skeleton, last ? "Tip_End" : "Bone" + std::to_string(i), static_cast<int>(i) - 1, rest,
              last ? JointKind::end : JointKind::joint);
  }
  return skeleton;
}

Character bar(double length, double radius, int rings, int sides, int bones) {
  Character character;
  character.name = "bar";
  character.mesh = tube(length, radius, rings, sides);
  std::vector<double> places;
  for (int b = 0; b <= bones; ++b) places.push_back(length * (0.01 + 0.98 * b / bones));
  character.skeleton = chain(places);
  return character;
}

Character with_seams(const Character& character) {
  Character result = character;
  result.mesh = {};
  std::vector<std::uint32_t> corners;
  for (const Triangle& t : character.mesh.triangles) corners.insert(corners.end(), t.begin(), t.end());
  if (character.has_skin()) result.weights = scatter(character.weights, corners);
  for (const Triangle& t : character.mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(result.mesh.positions.size());
    for (std::uint32_t corner : t) result.mesh.positions.push_back(character.mesh.positions[corner]);
    result.mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return result;
}

void append(TriangleMesh& mesh, const TriangleMesh& other, const Vec3f& offset) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (const Vec3f& p : other.positions) mesh.positions.push_back(p + offset);
  for (const Triangle& t : other.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

void scale(Character& character, double factor) {
  for (Vec3f& p : character.mesh.positions) p = (p.cast<double>() * factor).cast<float>();
  for (Affine3d& rest : character.skeleton.rest) rest.translation() *= factor;
}

Character person(std::size_t vertices) {
  BuiltinOptions options;
  options.vertex_budget = vertices;
  return make_builtin_character(options);
}

Character bare(const Character& character) {
  Character mesh;
  mesh.name = "bare";
  mesh.mesh.positions = character.mesh.positions;
  mesh.mesh.triangles = character.mesh.triangles;
  return mesh;
}

Character clip_of(const Character& character) {
  Character clip;
  clip.name = "clip";
  clip.skeleton = character.skeleton;
  clip.motions = {character.motions.front()};
  return clip;
}

std::set<std::string> codes(const Warnings& warnings) {
  std::set<std::string> result;
  for (const Warning& warning : warnings) result.insert(warning.code);
  return result;
}

}  // namespace sinew::test
