// A small made-up character for tests: a bent tube on a chain of joints, a box held by the last joint, a fixed disc.
#pragma once

#include <cmath>
#include <string>

#include "sinew/base/random.h"
#include "sinew/character.h"

namespace sinew::test {

inline void add_grid(Character& character, const std::string& name, int rings, int sides, double radius, double length,
                     const Vec3d& offset, PartBinding binding) {
  TriangleMesh& mesh = character.mesh;
  Part part;
  part.name = name;
  part.material = name + " paint";
  part.binding = binding;
  part.first_vertex = mesh.positions.size();
  part.first_triangle = mesh.triangles.size();
  for (int ring = 0; ring <= rings; ++ring) {
    for (int side = 0; side < sides; ++side) {
      const double angle = 2 * M_PI * side / sides;
      const Vec3d normal(std::cos(angle), 0, std::sin(angle));
      mesh.positions.push_back((offset + radius * normal + Vec3d(0, length * ring / rings, 0)).cast<float>());
      mesh.normals.push_back(normal.cast<float>());
      mesh.uvs.emplace_back(static_cast<float>(side) / static_cast<float>(sides),
                            static_cast<float>(ring) / static_cast<float>(rings));
      mesh.colors.emplace_back(0.25f, 0.5f, static_cast<float>(ring) / static_cast<float>(rings), 1.0f);
    }
  }
  for (int ring = 0; ring < rings; ++ring) {
    for (int side = 0; side < sides; ++side) {
      const auto at = [&](int r, int s) {
        return static_cast<std::uint32_t>(part.first_vertex + static_cast<std::size_t>(r * sides + s % sides));
      };
      mesh.triangles.push_back({at(ring, side), at(ring + 1, side), at(ring, side + 1)});
      mesh.triangles.push_back({at(ring, side + 1), at(ring + 1, side), at(ring + 1, side + 1)});
    }
  }
  part.vertex_count = mesh.positions.size() - part.first_vertex;
  part.triangle_count = mesh.triangles.size() - part.first_triangle;
  character.parts.push_back(part);
}

// The same joints below a new root and with new names: another skeleton, whatever the file had. Motions go.
inline Character with_other_skeleton(const Character& character) {
  Character other = character;
  other.motions.clear();
  other.skeleton = {};
  add_joint(other.skeleton, "new root", -1, Affine3d::Identity());
  for (int joint = 0; joint < character.skeleton.joint_count(); ++joint) {
    const auto at = static_cast<std::size_t>(joint);
    add_joint(other.skeleton, "new " + character.skeleton.names[at], character.skeleton.parents[at] + 1,
              character.skeleton.rest[at], character.skeleton.kinds[at]);
  }
  for (std::size_t slot = 0; slot < other.weights.joints.size(); ++slot) {
    if (other.weights.weights[slot] > 0) ++other.weights.joints[slot];
  }
  return other;
}

// `influences`: weights per vertex of the tube. `joints`: length of the chain.
inline Character sample_character(int influences = 4, int joints = 6, std::uint64_t seed = 1) {
  Character character;
  character.name = "sample";
  add_grid(character, "tube", 12, 10, 0.3, 2.0, Vec3d(0.1, 0, 0), PartBinding::skinned);
  add_grid(character, "box", 1, 4, 0.1, 0.5, Vec3d(0, 2.1, 0), PartBinding::attached);
  add_grid(character, "disc", 1, 8, 1.0, 0.05, Vec3d(0, -0.2, 0), PartBinding::fixed);

  Random random(seed);
  const auto turn = [&] {
    return Quatd(random.normal() * 0.2 + 1, random.normal() * 0.2, random.normal() * 0.2, random.normal() * 0.2)
        .normalized();
  };
  Affine3d global = Affine3d(Eigen::Translation3d(0.05, 0.02, -0.03) * turn());
  add_joint(character.skeleton, "armature", -1, global, JointKind::helper);
  for (int joint = 0; joint < joints; ++joint) {
    global.translation() = Vec3d(0.1, 2.0 * joint / joints, 0);
    global.linear() = turn().toRotationMatrix() * 1.5;
    add_joint(character.skeleton, "joint " + std::to_string(joint), joint, global);
  }
  character.weights = make_skin_weights(character.mesh.vertex_count(), influences);
  for (const Part& part : character.parts) {
    for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      std::vector<Influence> row;
      if (part.binding == PartBinding::attached) row.push_back({static_cast<std::uint16_t>(joints), 1.0});
      if (part.binding == PartBinding::skinned) {
        for (int joint = 1; joint <= joints; ++joint) {
          const double distance = character.mesh.positions[v].y() - 2.0 * (joint - 1) / joints;
          row.push_back(
              {static_cast<std::uint16_t>(joint), std::exp(-4 * distance * distance) + 0.01 * random.uniform()});
        }
      }
      set_influences(character.weights, v, row);
    }
  }
  Motion motion;
  motion.name = "wave";
  motion.frames_per_second = 25;
  motion.joint_count = character.skeleton.joint_count();
  const Pose rest = rest_pose(character.skeleton);
  for (int frame = 0; frame < 20; ++frame) {
    for (int joint = 0; joint < motion.joint_count; ++joint) {
      Transform key = rest[static_cast<std::size_t>(joint)];
      if (joint > 0)
        key.rotation = key.rotation * Quatd(Eigen::AngleAxisd(0.3 * std::sin(0.5 * frame + joint), Vec3d::UnitX()));
      if (joint == 1) key.translation += Vec3d(0, 0.01 * frame, 0);
      motion.transforms.push_back(key);
    }
  }
  character.motions.push_back(motion);
  return character;
}

// Straightforward linear blend skinning in double precision.
inline std::vector<Vec3d> posed_positions(const Character& character, const Pose& pose) {
  const std::vector<Affine3d> transforms = skinning_transforms(character.skeleton, pose);
  std::vector<Vec3d> result;
  const auto slots = static_cast<std::size_t>(character.weights.influences);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const Vec3d position = character.mesh.positions[v].cast<double>();
    Vec3d blended = Vec3d::Zero();
    double sum = 0;
    for (std::size_t s = v * slots; s < (v + 1) * slots; ++s) {
      blended += character.weights.weights[s] * (transforms[character.weights.joints[s]] * position);
      sum += character.weights.weights[s];
    }
    result.push_back(sum > 0 ? Vec3d(blended / sum) : position);
  }
  return result;
}

}  // namespace sinew::test
