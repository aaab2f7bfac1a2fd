// Playing the motions of one character on another.
//
//   const Character clip = load_character("walk.bvh");
//   RetargetResult result = retarget_motions(clip, hero);     // hero.motions now holds the walk
//
// Rotations carry over relative to the rest poses, in character space, so that joint axes do not matter; up axis and
// facing direction are turned into each other. Where the rest poses differ (T pose against A pose) the bones of the
// limbs are aligned first. The hips' path is scaled by the ratio of leg lengths. Feet that stand in the source stand in
// the result: each contact gets one place on the ground, and the leg reaches it by inverse kinematics, the hips sinking
// where it would be too short.
#pragma once

#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/export.h"
#include "sinew/progress.h"

namespace sinew {

struct ContactOptions {
  double speed = 0.3;          // leg lengths per second: slower is standing
  double height = 0.06;        // leg lengths above where this point usually is at its lowest
  double shortest = 0.06;      // seconds
  double ground_share = 0.05;  // of the frames: those that are taken to be on the ground
};

struct RetargetOptions {
  bool keep_contacts = true;
  bool in_place = false;  // leave out the path over the ground
  double scale = 0;       // of the hips' path; 0: by the lengths of the legs
  ContactOptions contacts{};

  std::vector<int> motions{};      // of the clip, by index; empty: all
  double frames_per_second = 0;    // resample to this rate; 0: the clip's own
  bool keep_motions = false;       // that the character has; otherwise they go
  const Skeleton* rest = nullptr;  // whose rest rotations the clip's rest pose has; null: found out
  std::string joint_map{};         // JSON with corrections to the automatic map (docs/retarget.md); empty: none
  int threads = 0;                 // 0: all cores
};

// Of one motion.
struct RetargetReport {
  std::string motion;
  int frames = 0;
  double scale = 1;        // of the hips' path
  int contacts = 0;        // of feet and toes
  double worst_slide = 0;  // of the result over all contacts, divided by the target's height
  double mean_slide = 0;
  double worst_slide_before = 0;  // the same without inverse kinematics
  Warnings warnings;
};

// Which joint follows which.
struct RetargetMap {
  int linked_joints = 0;      // of the character
  std::vector<int> unlinked;  // joints of the character that may deform the skin and follow nothing
  std::string json;           // the whole map, for people to read and edit
  Warnings warnings;
};

struct SINEW_API RetargetResult {
  RetargetMap map;
  std::vector<RetargetReport> motions;
  Warnings warnings;  // of the map and of every motion

  // The motion whose feet slide most; an empty report when there is none.
  RetargetReport worst() const;
};

// Which joints of the character would follow which of the clip. Throws Error(bad_input) when none would.
SINEW_API RetargetMap map_retargeting(const Character& clip, const Character& character,
                                      const RetargetOptions& options = {});

// Adds the clip's motions to the character, played on its skeleton. Throws Error(bad_input) when one of the two has no
// skeleton, the clip has no motion, or no joint of one corresponds to a joint of the other; the character is then
// unchanged.
SINEW_API RetargetResult retarget_motions(const Character& clip, Character& character,
                                          const RetargetOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
