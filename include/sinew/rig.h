// The main job: from a bare mesh and a motion to a moving character.
//
//   Character hero = load_character("hero.obj");
//   RigResult result = rig_character(hero, load_character("walk.bvh"));
//   save_character(hero, "hero.glb");
#pragma once

#include "sinew/bind.h"
#include "sinew/export.h"
#include "sinew/generate_skeleton.h"
#include "sinew/retarget.h"

namespace sinew {

struct RigOptions {
  const Character* skeleton = nullptr;        // to fit instead of the clip's own
  const GenerateOptions* generate = nullptr;  // make a skeleton from the mesh instead of fitting one
  FitOptions fit{};
  BindOptions bind{};
  RetargetOptions retarget{};
  int threads = 0;  // of all steps; 0: all cores
};

struct RigResult {
  FitResult fit;
  BindReport bind;
  RetargetResult retarget;
  double fit_seconds = 0, bind_seconds = 0, retarget_seconds = 0;
  Warnings warnings;  // of all steps, in their order
};

// Fits the skeleton into the character's mesh (or makes one for it), binds the mesh to it and plays the clip's motions on
// it. A clip without motions gives a bound character at rest; where there is no skeleton either (an empty clip), the mesh
// gets one that suits it, as by fit_suitable_skeleton. Parts that `bind` ignores or attaches are not looked at
// when fitting; a piece ("#N") that it ignores is only that, and then follows one joint. Throws as fit_character,
// bind_character and retarget_motions do; the character is then unchanged.
SINEW_API RigResult rig_character(Character& character, const Character& clip, const RigOptions& options = {},
                                  const Progress& progress = {});

}  // namespace sinew
