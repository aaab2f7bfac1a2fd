#include <Eigen/Eigenvalues>
#include <cmath>
#include <optional>

#include "sinew/fit/fit_mesh.h"
#include "sinew/generate_skeleton.h"
#include "sinew/pipeline/turn_upright.h"

namespace sinew {
namespace {

// Below this share of the recogniser, a mesh is not tried as a four-legged animal.
constexpr double least_chance_of_four_legs = 0.15;

// The built-in skeleton, or nothing where the mesh does not look like it.
std::optional<FitResult> fit_builtin(Character& character, const char* name, const FitOptions& options,
                                     const Progress& progress, std::optional<Error>& refusal) {
  std::vector<FitReadingSummary> before;
  if (options.readings) before = *options.readings;
  try {
    FitResult fit = fit_character(character, builtin_skeleton(name), options, progress);
    fit.chosen = name;
    return fit;
  } catch (const Error& problem) {
    if (problem.code() != ErrorCode::body_not_recognised && problem.code() != ErrorCode::kinds_differ) throw;
    if (!refusal) refusal = problem;
    if (options.readings) options.readings->insert(options.readings->begin(), before.begin(), before.end());
    return std::nullopt;
  }
}

RecognisedBody recognise(const Character& character, const FitOptions& options, const Progress& progress) {
  RecogniseOptions looked_for;
  looked_for.cells = options.cells;
  looked_for.up = options.up;
  if (options.y_is_up && options.up.norm() == 0) looked_for.up = Vec3d::UnitY();
  looked_for.forward = options.forward;
  looked_for.threads = options.threads;
  return recognise_body(mesh_to_fit(character, options.ignore), looked_for, progress);
}

GenerateOptions generate_options(const Character& character, const RecognisedBody& body, const FitOptions& options,
                                 GenerateOptions generate) {
  generate.cells = options.cells;
  generate.ignore = options.ignore;
  generate.symmetric = options.symmetric;
  generate.keep_axes = options.keep_axes;
  generate.threads = options.threads;
  const bool told = options.up.norm() > 0 || options.y_is_up;
  generate.up = told || !up_is_known(character) ? body.frame.up : Vec3d(Vec3d::UnitY());
  generate.forward = options.forward;
  return generate;
}

// Kinds of creatures that get a skeleton of their own. Not persons whose limbs do not show, and not what is one part of
// a body or a thing: the recogniser takes what it has not met for these.
bool gets_own_skeleton(CreatureKind kind) {
  switch (kind) {
    case CreatureKind::four_legs:
    case CreatureKind::bird:
    case CreatureKind::fish:
    case CreatureKind::snake:
    case CreatureKind::many_legs:
    case CreatureKind::two_legs_and_tail:
    case CreatureKind::winged_four_legged:
      return true;
    default:
      return false;
  }
}

// All vertices in one plane, give or take a third of a hundredth of the size: a picture of a body at most.
bool is_flat(const std::vector<Vec3f>& positions) {
  Vec3d mean = Vec3d::Zero();
  for (const Vec3f& p : positions) mean += p.cast<double>() / static_cast<double>(positions.size());
  Mat3d spread = Mat3d::Zero();
  for (const Vec3f& p : positions) {
    const Vec3d away = p.cast<double>() - mean;
    spread += away * away.transpose();
  }
  const Vec3d along = Eigen::SelfAdjointEigenSolver<Mat3d>(spread, Eigen::EigenvaluesOnly).eigenvalues();
  return along[0] <= 1e-5 * along[2];
}

std::string looks_like(const RecognisedBody& body) {
  const long percent = std::lround(100 * body.probability_of(body.kind));
  return "it looks like " + std::string(kind_in_words(body.kind)) + " (" + std::to_string(percent) + " % likely)";
}

FitResult fit_or_generate(Character& character, const FitOptions& options, const GenerateOptions& generate,
                          const Progress& progress) {
  if (!options.held.empty()) {
    throw Error(ErrorCode::argument_invalid, "held joints are those of a skeleton: say which one is to be fitted")
        .about("held");
  }
  std::optional<Error> refusal;
  if (options.kind != BodyKind::four_legs) {
    if (auto fit = fit_builtin(character, "adult", options, progress.part(0.0, 0.4), refusal)) return *fit;
    if (options.kind || !options.markers.empty() || options.networks_alone) throw *refusal;
  } else {
    if (auto fit = fit_builtin(character, "quadruped", options, progress, refusal)) return *fit;
    throw *refusal;
  }
  const RecognisedBody body = recognise(character, options, progress.part(0.4, 0.6));
  if (body.probability_of(CreatureKind::four_legs) >= least_chance_of_four_legs) {
    if (auto fit = fit_builtin(character, "quadruped", options, progress.part(0.6, 0.8), refusal)) return *fit;
  }
  if (is_flat(character.mesh.positions)) {
    throw Error(refusal->code(), "the mesh is flat: it has no inside in which a skeleton could stand",
                "bind flat shapes to point handles instead");
  }
  if (!gets_own_skeleton(body.kind)) {
    const std::string what = refusal->what();
    throw Error(refusal->code(), what.find("looks like") == std::string::npos ? what + "; " + looks_like(body) : what,
                refusal->advice())
        .about(refusal->option());
  }
  FitResult made = generate_character_skeleton(character, generate_options(character, body, options, generate),
                                               progress.part(0.8, 1.0));
  made.recognised = body;
  made.warnings.push_back({"skeleton-generated", "no built-in skeleton fits the mesh; " + looks_like(body) +
                                                     ": a skeleton was made from its shape, look at the result"});
  return made;
}

}  // namespace

FitResult fit_suitable_skeleton(Character& character, const FitOptions& options, const GenerateOptions& generate,
                                const Progress& progress) {
  Character fitted = character;
  FitResult fit = fit_or_generate(fitted, options, generate, progress);
  progress(1.0, "fitting the skeleton");  // the last moment to stop
  character = std::move(fitted);
  return fit;
}

}  // namespace sinew
