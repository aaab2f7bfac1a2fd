// Pictures of characters: pose, frame, paint and legend in one go. What `sinew render` is made of.
//
//   PosedCharacter posed = pose_character(character, sample_motion(character.motions[0], 1.5));
//   PictureOptions options{.mode = PictureMode::weights, .joint = find_joint(character.skeleton, "LeftArm")};
//   Camera camera = frame_points(framing_points(character, posed), front_view, {.width = 800, .height = 800});
//   write_png(draw_character(character, posed, camera, options), "arm.png");
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/character.h"
#include "sinew/draw/render.h"
#include "sinew/pose_mesh.h"

namespace sinew {

struct PosedCharacter {
  TriangleMesh mesh;
  std::vector<Affine3d> joints;  // joint space → character space
};

// The bind pose, or another one.
PosedCharacter pose_character(const Character& character);
PosedCharacter pose_character(const Character& character, const Pose& pose,
                              SkinningMethod method = SkinningMethod::linear_blend);

// Turns a character whose files say Z is up, so that Y is.
void turn_z_up_to_y_up(PosedCharacter& posed);

enum class PictureMode {
  shaded,      // the file's materials, the mesh's own colours, or clay
  weights,     // of one joint
  dominant,    // the strongest joint's colour
  blended,     // the joints' colours mixed by weight
  influences,  // number of joints per vertex
  parts,       // one colour per material or part
  values,      // one number per vertex
};

std::optional<PictureMode> picture_mode_from_name(std::string_view name);
std::string picture_mode_name(PictureMode mode);

struct PictureOptions {
  PictureMode mode = PictureMode::shaded;
  int joint = -1;                // weights: whose; also marked in the skeleton
  std::vector<float> values{};   // values: one per vertex
  double low = 0, high = 1;      // values: the range of the colour map
  std::string values_caption{};  // values: what they are, with their unit
  ColorMap map = ColorMap::viridis;
  bool skeleton = false;          // drawn over the mesh; always when there is no mesh
  bool legend = true;             // what the colours mean, in a corner
  bool floor = true;              // shadows on a floor
  std::optional<float> ground{};  // height of the floor; without it, the lowest point. Set it to keep a sequence steady
  Warnings* warnings = nullptr;   // when given, receives what could not be drawn
  RenderOptions render{};         // its lighting is chosen by the mode unless it is Lighting::none
};

// Throws Error(usage) when the character lacks what the mode shows: weights, a joint, values.
Image draw_character(const Character& character, const PosedCharacter& posed, const Camera& camera,
                     const PictureOptions& options, const Progress& progress = {});

// The points a camera should see: the mesh, or the joints where there is no mesh. Add up several poses for a sequence.
std::vector<Vec3f> framing_points(const Character& character, const PosedCharacter& posed);
// The same for the neighbourhood of one joint: about as far as its longest bone.
std::vector<Vec3f> framing_points(const Character& character, const PosedCharacter& posed, int joint);

}  // namespace sinew
