// The objects of an FBX file while it is being written: what the steps of fbx_writer.cpp share.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/asset/fbx/fbx_node.h"
#include "sinew/asset/materials.h"
#include "sinew/character.h"

namespace sinew {

// An object of the scene that has a place: mesh, joint or group.
struct FbxModel {
  std::int64_t id = 0;
  Affine3d global = Affine3d::Identity();  // in the bind pose
};

struct FbxScene {
  explicit FbxScene(const Character& shown) : character(shown) {}
  FbxScene(const FbxScene&) = delete;

  const Character& character;
  std::string file = "FBX";  // what warnings call it
  SkinWeights weights;       // as they are written
  FbxNode objects{"Objects"}, connections{"Connections"}, takes{"Takes"};
  Warnings warnings;

  // Joints. FBX joint spaces have size 1 in the rest pose, as modelling programs want bones: rest = character's rest
  // scaled by 1/space_scale.
  std::vector<FbxModel> joints;
  std::vector<double> space_scale;
  std::vector<Vec3d> nudge;          // added to the joint's place relative to its parent (fbx_joints.cpp)
  std::int64_t skeleton_parent = 0;  // of joints without parent: the scene, or a root made for several of them

  std::vector<FbxModel> models;         // all that the bind pose lists
  std::vector<std::int64_t> materials;  // per material of `looks`
  Materials looks;
  ShapeKeys shapes;

  std::int64_t new_id() { return next_id_++; }
  // A name that no other model has yet.
  std::string unique_name(const std::string& wanted);
  std::size_t renamed = 0;

  FbxNode& add_object(const char* record, std::int64_t id, std::string_view name, std::string_view object_class,
                      std::string_view kind);
  void connect(std::int64_t child, std::int64_t parent);
  void connect(std::int64_t child, std::int64_t parent, const char* property);
  // A model with this transform relative to its parent; `parent` 0 is the scene. Rest rotations go to PreRotation, so
  // that a joint's own rotation is zero in the bind pose.
  std::int64_t add_model(const std::string& name, const char* kind, std::int64_t parent, const Transform& local);

 private:
  std::int64_t next_id_ = 1'000'000;
  std::set<std::string> names_;
};

// Radians to the degrees of FBX's order XYZ: R = Rz · Ry · Rx. Of the two ways to say it, the one closer to `near`.
Vec3d fbx_degrees(const Quatd& rotation, const Vec3d& near = Vec3d::Zero());

// --- The steps, each in its own file.

void add_fbx_joints(FbxScene& scene);     // fbx_joints.cpp
void add_fbx_materials(FbxScene& scene);  // fbx_materials.cpp
void add_fbx_meshes(FbxScene& scene);     // fbx_meshes.cpp; needs joints and materials
void add_fbx_bind_pose(FbxScene& scene);  // fbx_joints.cpp; needs all models
void add_fbx_motions(FbxScene& scene);    // fbx_motions.cpp; needs joints

}  // namespace sinew
