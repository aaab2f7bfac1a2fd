// The steps from an assimp scene to a Character. Internal to assimp_import.cpp.
#pragma once

#include <assimp/matrix4x4.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "sinew/asset/fbx/assimp_import.h"
#include "sinew/asset/materials.h"
#include "sinew/character.h"
#include "sinew/io.h"

struct aiNode;
struct aiScene;

namespace sinew {

// Where the scene's nodes went.
struct SceneSkeleton {
  Skeleton skeleton;
  std::unordered_map<const aiNode*, int> joint_of;   // nodes that became joints
  std::vector<const aiNode*> nodes;                  // per joint
  std::vector<bool> is_bone;                         // per joint: a skin names it
  std::unordered_map<std::string, int> joint_named;  // first of each name
  // Per joint: the factor by which its space was enlarged so that its rest transform has size 1.
  std::vector<double> space_scale;
  Affine3d scene_to_character = Affine3d::Identity();  // the scene root's axes, and the unit
  double unit = 1.0;                                   // metres per unit of the scene
};

Affine3d to_affine(const aiMatrix4x4t<float>& matrix);
Affine3d to_affine(const aiNode& node);

// Scene space → node space transforms along the tree, without the scene root's own.
Affine3d node_to_scene(const aiNode* node);

SceneSkeleton scene_skeleton(const aiScene& scene, double unit, Warnings& warnings);
// Returns the scene's material of every part, and the shape keys.
struct SceneSurface {
  std::vector<unsigned> material_of_part;
  std::vector<ShapeKey> shape_keys;
};
SceneSurface add_scene_meshes(const aiScene& scene, const SceneSkeleton& skeleton, const LoadOptions& options,
                              Character& character);
// Materials, pictures and shape keys as the character's source (assimp_looks.cpp). A picture beside the file is left
// without bytes, with the name the file gives it: see find_scene_pictures.
void add_scene_looks(const aiScene& scene, SceneFormat format, SceneSurface surface, Character& character);
// Asks options.resolve for those pictures; what is missing is a warning.
void find_scene_pictures(const LoadOptions& options, Character& character);
void add_scene_motions(const aiScene& scene, const SceneSkeleton& skeleton, const LoadOptions& options,
                       Character& character);

}  // namespace sinew
