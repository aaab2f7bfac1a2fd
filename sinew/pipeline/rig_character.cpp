#include "sinew/base/parallel.h"
#include "sinew/base/stopwatch.h"
#include "sinew/pipeline/retarget_clip.h"
#include "sinew/retarget/clip_rest_pose.h"
#include "sinew/rig.h"

namespace sinew {
namespace {

// What is left out when the mesh is bound says nothing about the body either. A piece cannot be left unbound, because it
// is part of a part: it follows the joint that the method gives most of it.
void leave_parts_out(std::vector<PartRule>& rules, std::vector<std::string>& ignore) {
  for (PartRule& rule : rules) {
    if (rule.kind != PartRuleKind::ignore && rule.kind != PartRuleKind::attach) continue;
    ignore.push_back(rule.part);
    if (rule.kind == PartRuleKind::ignore && rule.part.starts_with('#')) rule.kind = PartRuleKind::rigid;
  }
}

RigResult rig(Character& character, const Character& clip, const RigOptions& options, const Progress& progress) {
  const Character& source = options.skeleton ? *options.skeleton : clip;
  RigResult result;
  const auto say = [&](const Warnings& warnings) {
    result.warnings.insert(result.warnings.end(), warnings.begin(), warnings.end());
  };
  Character rigged = character;

  const Stopwatch fitting;
  Warnings about_rest;
  FitOptions fit = options.fit;
  BindOptions bind = options.bind;
  leave_parts_out(bind.parts, fit.ignore);
  GenerateOptions generate = options.generate ? *options.generate : GenerateOptions{};
  generate.ignore.insert(generate.ignore.end(), fit.ignore.begin(), fit.ignore.end());
  const Progress fit_progress = progress.part(0.0, 0.3);
  ClipRest clip_rest;
  if (!clip.skeleton.empty())
    clip_rest = clip_rest_pose(clip.skeleton, clip.motions, source.skeleton, options.retarget, about_rest);
  say(about_rest);
  if (options.generate) {
    result.fit = generate_character_skeleton(rigged, generate, fit_progress);
  } else if (source.skeleton.empty() && !options.skeleton) {
    result.fit = fit_suitable_skeleton(rigged, fit, generate, fit_progress);
  } else {
    result.fit = fit_character(rigged, source, fit, fit_progress);
  }
  say(result.fit.warnings);
  result.fit_seconds = fitting.seconds();

  const Stopwatch binding;
  result.bind = bind_character(rigged, bind, progress.part(0.3, 0.8));
  say(result.bind.warnings);
  result.bind_seconds = binding.seconds();

  const Stopwatch retargeting;
  if (!clip.motions.empty()) {
    result.retarget = retarget_clip(clip_rest, clip, rigged, options.retarget, progress.part(0.8, 1.0));
    say(result.retarget.warnings);
  }
  result.retarget_seconds = retargeting.seconds();
  progress(1.0, "done");
  character = std::move(rigged);
  return result;
}

}  // namespace

RigResult rig_character(Character& character, const Character& clip, const RigOptions& options,
                        const Progress& progress) {
  check_retarget_options(options.retarget);  // before the long work
  return with_threads(options.threads, progress, [&] { return rig(character, clip, options, progress); });
}

}  // namespace sinew
