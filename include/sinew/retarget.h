// Playing the motions of one character on another.
//
//   const Character clip = load_character("walk.bvh");
//   RetargetResult result = retarget_motions(clip, hero);     // hero.motions now holds the walk
//
// Rotations carry over relative to the rest poses, in character space, so that joint axes do not matter; up axis and
// facing direction are turned into each other. Where the rest poses differ (T pose against A pose) the bones of the
// limbs are aligned first. The hips' path is scaled by the ratio of leg lengths. Feet that stand in the source stand in
// the result: each contact gets one place on the ground, and the leg reaches it by inverse kinematics, the hips sinking
// where it would be too short. Hands on the own body stay there, whatever its build: on the hip, at the head, together.
#pragma once

#include <cstdint>
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

// Which pose the rotations of a clip are measured from.
enum class RestChoice : std::uint8_t {
  automatic,  // the clip's own, or, where that cannot be a rest pose, what the motion shows
  stored,     // the clip's own, whatever it is
  frame,      // a frame of the motion
};

struct RetargetOptions {
  bool keep_contacts = true;  // feet and hands that stand, hands on the own body
  bool in_place = false;      // leave out the path over the ground
  double scale = 0;           // of the hips' path; 0: by the lengths of the legs
  ContactOptions contacts{};

  std::vector<int> motions{};                      // of the clip, by index; empty: all
  double frames_per_second = 0;                    // resample to this rate; 0: the clip's own
  double begin = 0, end = 0;                       // seconds of the clip to take; an end of 0 is its end
  double speed = 1;                                // times as fast
  bool mirror = false;                             // left and right exchanged
  bool keep_motions = false;                       // that the character has; otherwise they go
  const Skeleton* rest = nullptr;                  // whose rest rotations the clip's rest pose has; null: found out
  RestChoice rest_choice = RestChoice::automatic;  // where `rest` is null
  int rest_frame = 0;                              // of the first motion, from 0, for RestChoice::frame
  bool loop = false;                               // the end eases into the first pose, so that the motion repeats
  bool root_motion = false;                        // path and heading on the first joint or node above the hips
  std::string joint_map{};  // JSON with corrections to the automatic map (docs/retarget.md); empty: none
  int threads = 0;          // 0: all cores
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
  double floor_deepest = 0;       // lowest point of the feet above their height at rest, divided by the target's height
  double floor_median = 0;        // the same in the middle of the frames in which a foot stands
  double direction_error = 0;     // degrees between the bones of arms and legs and those of the source, mean
  double limits_broken = 0;       // share of turns, over joints and frames, that go 10° beyond what bodies can do
  double self_penetration = 0;    // how deep hands and forearms are inside the own body, mean of the frames, divided by
                                  // the height; only what is more than in the source
  double twist = 0;               // degrees that a limb's joint turns about its bone, in the worst hundredth of frames
  Warnings warnings;
};

// A part of the character's body and what it follows.
struct RetargetPart {
  std::string name;         // "left thigh"
  int joint = -1;           // of the character: the first of this part, or the first that follows something
  int source = -1;          // joint of the motion; -1: follows nothing
  std::string reason;       // why: "name", "role" (the same body part), "structure", "given", "none"
  std::string source_name;  // of the joint of the motion
};

// Which joint follows which.
struct RetargetMap {
  int linked_joints = 0;      // of the character
  std::vector<int> unlinked;  // joints of the character that may deform the skin and follow nothing
  double share = 0;           // of the body's parts, or of its joints where its parts are not known, that follow
  std::vector<RetargetPart> parts{};
  std::string json;  // the whole map, for people to read and edit
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
// skeleton, the clip has no motion, less than half of the body would move, the motion is of arms and legs and the
// character has wings or no whole legs, or one of the two goes on four legs and the other on two; a joint map of the
// caller's is obeyed whatever it says. The character is then unchanged.
SINEW_API RetargetResult retarget_motions(const Character& clip, Character& character,
                                          const RetargetOptions& options = {}, const Progress& progress = {});

// How good a motion is, measured on itself.
struct MotionQuality {
  std::string motion;
  int frames = 0;
  double seconds = 0;
  int contacts = 0;        // of feet, toes, and hands on the ground
  double worst_slide = 0;  // over all contacts, divided by the height
  double mean_slide = 0;
  double floor_deepest = 0;             // lowest point of the feet above the floor, divided by the height
  double floor_median = 0;              // the same in the middle of the frames in which a foot stands
  double limits_broken = 0;             // share of turns that go 10° beyond what bodies can do
  double self_penetration = 0;          // as in RetargetReport, all of it
  double deepest_self_penetration = 0;  // at its deepest
  double twist = 0;                     // degrees, as in RetargetReport
};

// Of every motion of a character or clip, with or without a skin. The floor is where the feet are at rest; where a file
// stands elsewhere, it is where they stand in the motion. Throws Error(bad_input) when there is no skeleton.
SINEW_API std::vector<MotionQuality> evaluate_motions(const Character& character, const Progress& progress = {},
                                                      int threads = 0);

}  // namespace sinew
