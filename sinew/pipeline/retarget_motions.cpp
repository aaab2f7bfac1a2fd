#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/asset/joint_map_file.h"
#include "sinew/base/parallel.h"
#include "sinew/base/plain_text.h"
#include "sinew/pipeline/retarget_clip.h"
#include "sinew/retarget.h"
#include "sinew/retarget/clip_rest_pose.h"
#include "sinew/retarget/motion_tools.h"
#include "sinew/retarget/retarget_coverage.h"
#include "sinew/retarget/retarget_motion.h"

namespace sinew {
namespace {

std::string called(const Character& character) { return character.name.empty() ? "it" : "'" + character.name + "'"; }

ClipRest clip_at_rest(const Character& clip, const Character& character, const RetargetOptions& options,
                      Warnings& warnings) {
  if (clip.skeleton.empty())
    throw Error(ErrorCode::skeleton_missing, called(clip) + " has no skeleton to take motions from");
  if (character.skeleton.empty())
    throw Error(ErrorCode::skeleton_missing, called(character) + " has no skeleton", "rig it first");
  return clip_rest_pose(clip.skeleton, clip.motions, character.skeleton, options, warnings);
}

JointMap checked_map(const Skeleton& source, const Skeleton& target, const std::string& corrections) {
  JointMap map = map_joints(source, target);
  if (!corrections.empty()) apply_joint_map_json(corrections, source, target, map);
  check_joint_map(map, source, target);
  return map;
}

RetargetMap describe_map(const JointMap& map, const Skeleton& source, const Skeleton& target, const std::string& name) {
  RetargetMap result;
  result.linked_joints = map.linked();
  for (int joint = 0; joint < target.joint_count(); ++joint) {
    if (target.kinds[joint] == JointKind::joint && map.links[joint].source < 0) result.unlinked.push_back(joint);
  }
  result.parts = body_parts(map, source, target);
  result.share = mapped_share(map, source, target);
  result.json = joint_map_to_json(map, source, target, name);
  return result;
}

std::vector<int> chosen_motions(const Character& clip, const RetargetOptions& options) {
  const int count = static_cast<int>(clip.motions.size());
  if (count == 0)
    throw Error(ErrorCode::motion_missing, called(clip) + " holds no motion", "give a BVH, FBX or GLB file with one");
  std::vector<int> motions = options.motions;
  for (int motion = 0; options.motions.empty() && motion < count; ++motion) motions.push_back(motion);
  for (const int motion : motions) {
    if (motion < 0 || motion >= count) {
      throw Error(ErrorCode::motion_unknown, called(clip) + " has no motion " + std::to_string(motion),
                  "it has " + std::to_string(count));
    }
  }
  return motions;
}

// The piece of a motion that is asked for, at the rate and the speed that are.
Motion prepared(const Skeleton& skeleton, const Motion& given, const RetargetOptions& options, Warnings& warnings) {
  Motion motion = given;
  if (bones_collapse(skeleton, given)) {
    motion = with_places(skeleton, given);
    warnings.push_back({"positions-are-offsets", "the joints of motion '" + given.name +
                                                     "' lie at one point; their positions were read as offsets from "
                                                     "the rest pose"});
  }
  if (options.begin > 0 || options.end > 0) motion = trimmed_motion(motion, options.begin, options.end);
  if (options.speed != 1) motion = sped_up_motion(motion, options.speed);
  if (options.frames_per_second > 0) motion = resample_motion(motion, options.frames_per_second);
  return motion;
}

void require_number(double value, bool in_range, const char* range, const char* option) {
  if (in_range) return;
  throw Error(ErrorCode::option_out_of_range, std::string(option) + " must be " + range + ", got " + number_text(value))
      .about(option);
}

void append(const Warnings& from, Warnings& to) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

void check_retarget_options(const RetargetOptions& options) {
  const std::initializer_list<std::pair<double, const char*>> lengths = {
      {options.scale, "scale"},
      {options.begin, "begin"},
      {options.end, "end"},
      {options.frames_per_second, "frames_per_second"},
      {options.contacts.speed, "contact_speed"},
      {options.contacts.shortest, "contact_shortest"}};
  for (const auto& [value, name] : lengths) {
    require_number(value, value >= 0 && std::isfinite(value), "0 or more", name);
  }
  require_number(options.contacts.height, std::isfinite(options.contacts.height), "a number", "contact_height");
  const double share = options.contacts.ground_share;
  require_number(share, share >= 0 && share <= 1, "0 … 1", "contact_ground_share");
  require_number(options.speed, options.speed > 0 && std::isfinite(options.speed), "above 0", "speed");
}

RetargetReport RetargetResult::worst() const {
  const auto slides_less = [](const RetargetReport& a, const RetargetReport& b) {
    return a.worst_slide < b.worst_slide;
  };
  const auto found = std::max_element(motions.begin(), motions.end(), slides_less);
  return found == motions.end() ? RetargetReport{} : *found;
}

RetargetMap map_retargeting(const Character& clip, const Character& character, const RetargetOptions& options) {
  Warnings warnings;
  const Skeleton rest = clip_at_rest(clip, character, options, warnings).skeleton;
  const JointMap map = checked_map(rest, character.skeleton, options.joint_map);
  RetargetMap result = describe_map(map, rest, character.skeleton, clip.name);
  result.warnings = std::move(warnings);
  return result;
}

RetargetResult retarget_clip(const ClipRest& rest, const Character& clip, Character& character,
                             const RetargetOptions& options, const Progress& progress) {
  const std::vector<int> chosen = chosen_motions(clip, options);
  const JointMap map = checked_map(rest.skeleton, character.skeleton, options.joint_map);
  if (options.joint_map.empty()) require_coverage(map, rest.skeleton, character.skeleton);
  RetargetResult result;
  result.map = describe_map(map, rest.skeleton, character.skeleton, clip.name);
  std::vector<Motion> motions;
  const GirthPair girths{measure_girths(clip), measure_girths(character)};
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Progress part = progress.part(static_cast<double>(i) / static_cast<double>(chosen.size()),
                                        static_cast<double>(i + 1) / static_cast<double>(chosen.size()));
    const Motion motion =
        prepared(clip.skeleton, clip.motions[static_cast<std::size_t>(chosen[i])], options, result.warnings);
    motions.push_back(
        retarget_motion(rest, motion, character.skeleton, map, options, result.motions.emplace_back(), part, girths));
    if (options.mirror) motions.back() = mirrored_motion(character.skeleton, motions.back());
    append(result.motions.back().warnings, result.warnings);
  }
  progress(1.0, "retargeting");
  if (!options.keep_motions) character.motions.clear();
  for (Motion& motion : motions) character.motions.push_back(std::move(motion));
  return result;
}

RetargetResult retarget_motions(const Character& clip, Character& character, const RetargetOptions& options,
                                const Progress& progress) {
  return with_threads(options.threads, progress, [&] {
    check_retarget_options(options);
    Warnings warnings;
    const ClipRest rest = clip_at_rest(clip, character, options, warnings);
    RetargetResult result = retarget_clip(rest, clip, character, options, progress);
    result.map.warnings = warnings;
    result.warnings.insert(result.warnings.begin(), warnings.begin(), warnings.end());
    return result;
  });
}

}  // namespace sinew
