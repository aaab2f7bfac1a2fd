#include "sinew/base/parallel.h"
#include "sinew/draw/picture.h"
#include "sinew/render.h"

namespace sinew {
namespace {

PosedCharacter posed_for(const Character& character, const PictureRequest& request) {
  if (request.motion < 0) return pose_character(character);
  if (request.motion >= static_cast<int>(character.motions.size())) {
    throw Error(ErrorCode::motion_unknown, "the character has no motion " + std::to_string(request.motion));
  }
  const Motion& motion = character.motions[static_cast<std::size_t>(request.motion)];
  return pose_character(character, sample_motion(motion, request.seconds),
                        request.dual_quaternions ? SkinningMethod::dual_quaternion : SkinningMethod::linear_blend);
}

}  // namespace

RenderedPicture render_character(const Character& character, const PictureRequest& request, const Progress& progress) {
  const std::optional<PictureMode> mode = picture_mode_from_name(request.mode);
  if (!mode || *mode == PictureMode::values)
    throw Error(ErrorCode::choice_unknown, "there is no picture mode '" + request.mode + "'");
  const std::optional<View> view = parse_view(request.view);
  if (!view)
    throw Error(ErrorCode::choice_unknown, "there is no view '" + request.view + "'",
                "front, side, back, top, or degrees like 30:15");
  RenderedPicture result;
  PictureOptions options;
  options.mode = *mode;
  options.joint = request.joint.empty() ? -1 : find_joint(character.skeleton, request.joint);
  if (!request.joint.empty() && options.joint < 0)
    throw Error(ErrorCode::joint_unknown, "there is no joint '" + request.joint + "'");
  options.skeleton = request.skeleton;
  options.legend = request.legend;
  options.warnings = &result.warnings;
  options.render.width = request.width;
  options.render.height = request.height;
  options.render.samples = request.samples;
  with_threads(request.threads, progress, [&] {
    const PosedCharacter posed = posed_for(character, request);
    const Camera camera =
        frame_points(framing_points(character, posed), *view, {.width = request.width, .height = request.height});
    result.png = encode_png(draw_character(character, posed, camera, options, progress));
  });
  return result;
}

}  // namespace sinew
