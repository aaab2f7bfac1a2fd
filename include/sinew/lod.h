// A chain of levels of detail of a skinned character.
//
//   const LodChain chain = make_lod_chain(character, {.levels = 4});
//   save_character(level_character(character, chain.levels[2]), "hero_lod2.glb");
//
// Every level keeps a subset of the vertices of the finer one (mesh/simplify.h), so positions, UVs, normals and weights
// are restricted by copying: exact, valid, and the same on both sides of a seam. Levels count from 0, the finest, as
// in MSFT_lod and in game engines; the correctives' source counts the other way.
#pragma once

#include <vector>

#include "sinew/character.h"
#include "sinew/export.h"
#include "sinew/progress.h"
#include "sinew/simplify.h"

namespace sinew {

struct LodOptions {
  int levels = 4;       // with the finest; ≥ 1
  double ratio = 0.25;  // points of the surface (triangles, in effect) over the finer level's, in (0, 1)
  std::vector<std::size_t> vertex_counts{};  // of the coarser levels, descending; replaces `levels` and `ratio`

  // The chain ends before the first level whose error or deviation is larger than this share of the bounding diagonal; the
  // last level may be finer than asked for. 0: no limit.
  double max_error = 0;
  // Connected pieces (a bolt, an eye, a plate) keep their shape or go as a whole, the smallest first, so that no level is
  // made of shards. False: everything is collapsed as far as it goes.
  bool whole_pieces = true;

  // What an error in them is worth, as a length: the bounding diagonal times this for a whole weight; the length a
  // texture slides on the surface times this for UVs.
  double weight_importance = 0.05;
  double uv_importance = 0.25;
  SimplifyOptions simplify{};
};

struct LodLevel {
  TriangleMesh mesh;
  SkinWeights weights;                  // empty when the character has none
  std::vector<Part> parts;              // as in Character
  std::vector<std::uint32_t> vertices;  // per vertex: its index in the character
  std::vector<std::uint32_t> point_of;  // per vertex: its point of the surface; isolated vertices: no_point
  std::size_t point_count = 0;
  Prolongation to_finer;  // for every point of the finer level its place on this one; empty for level 0
  double error = 0;       // largest root mean quadric error so far, a length
  // How far the surface of the finest level is from this one, a length: 99 of 100 of its points are nearer, at rest and in
  // poses of the motions.
  double deviation = 0;
  std::size_t dropped_pieces = 0;  // of the finest level, that are not here
};

inline constexpr std::uint32_t no_point = 0xffffffffu;

struct LodChain {
  std::vector<LodLevel> levels;  // finest first
  Warnings warnings;             // a level that could not become as small as asked for, or was not made
};

// Throws Error(bad_input) for point clouds and empty meshes, Error(usage) for impossible options.
SINEW_API LodChain make_lod_chain(const Character& character, const LodOptions& options, const Progress& progress = {});

// The character with this level's mesh, weights and parts.
SINEW_API Character level_character(const Character& character, const LodLevel& level);

// Values at the points of a level (one row each) carried to the finer level, and back: restrict_to undoes prolong_to.
SINEW_API Eigen::MatrixXf prolong(const Prolongation& prolongation, const Eigen::MatrixXf& coarse);
SINEW_API Eigen::MatrixXf restrict_to_coarse(const Prolongation& prolongation, const Eigen::MatrixXf& fine);

}  // namespace sinew
