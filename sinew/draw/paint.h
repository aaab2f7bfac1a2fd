// Paints: what colours a surface shows. A Paint keeps its own copy of what it needs.
//
// Numbers are interpolated over a triangle first and coloured then, so that a colour on the picture is exactly the
// colour of the number there.
#pragma once

#include <vector>

#include "sinew/character.h"
#include "sinew/draw/scene.h"
#include "sinew/skin_weights.h"

namespace sinew {

// The grey-brown of unpainted models.
Color clay_color();

// The mesh's own colours, a little darker so that light has room above them; clay when it has none or all are white.
Paint paint_mesh_colors(const TriangleMesh& mesh);

// The base colours and textures of the file (asset/materials.h) times the mesh's own colours; paint_mesh_colors where
// the file says nothing of them. Textures that cannot be read count as absent; `warnings` says which.
Paint paint_materials(const Character& character, Warnings& warnings);

// One number per vertex; `low` gets the map's first colour, `high` its last. Not-a-number is grey.
Paint paint_values(std::vector<float> values, double low, double high, ColorMap map = ColorMap::viridis);

// How much `joint` moves each place: 0…1 on ColorMap::weight. Places without any weight at all are black.
Paint paint_joint_weight(const SkinWeights& weights, int joint);

// The colour of the strongest joint at each place, with sharp borders; `colors` one per joint (joint_palette).
Paint paint_dominant_joint(const SkinWeights& weights, std::vector<Color> colors);

// The joints' colours mixed by weight: smooth borders show how far influences blend.
Paint paint_blended_joints(const SkinWeights& weights, const std::vector<Color>& colors);

// Number of joints with weight above `threshold` at the nearest vertex, in the colours of influence_color.
Paint paint_influence_count(const SkinWeights& weights, double threshold = 1e-4);
// 0 is black, 1 to 8 go along viridis; more is red.
Color influence_color(int count);

// One palette colour per material, or per part where parts name none.
Paint paint_parts(const Character& character);

}  // namespace sinew
