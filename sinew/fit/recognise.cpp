#include "sinew/recognise.h"

#include "sinew/base/parallel.h"
#include "sinew/fit/fit_mesh.h"
#include "sinew/fit/recogniser.h"

namespace sinew {
namespace {

void check_recognise_options(const RecogniseOptions& options) {
  if (options.cells < 48 || options.cells > 256) {
    throw Error(ErrorCode::option_out_of_range, "cells must be 48 … 256, got " + std::to_string(options.cells))
        .about("cells");
  }
  if (!options.up.allFinite() || !options.forward.allFinite()) {
    throw Error(ErrorCode::argument_invalid, "up or forward is not finite");
  }
  const bool both = options.up.norm() > 0 && options.forward.norm() > 0;
  if (both && options.up.normalized().cross(options.forward.normalized()).norm() < 0.1) {
    throw Error(ErrorCode::options_conflict, "the body cannot face up or down: forward lies along up").about("forward");
  }
}

Vec3d unit_or_zero(const Vec3d& v) { return v.norm() > 0 ? Vec3d(v.normalized()) : Vec3d(Vec3d::Zero()); }

}  // namespace

std::string_view kind_name(CreatureKind kind) {
  static constexpr std::array<std::string_view, creature_kind_count> names = {"person",
                                                                              "four legs",
                                                                              "bird",
                                                                              "fish or whale",
                                                                              "snake",
                                                                              "many legs",
                                                                              "two legs and tail",
                                                                              "winged four-legged",
                                                                              "hand",
                                                                              "head",
                                                                              "not a creature"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view kind_in_words(CreatureKind kind) {
  static constexpr std::array<std::string_view, creature_kind_count> names = {"a person",
                                                                              "a four-legged animal",
                                                                              "a bird",
                                                                              "a fish or a whale",
                                                                              "a snake",
                                                                              "a creature with many legs",
                                                                              "a two-legged creature with a tail",
                                                                              "a winged four-legged creature",
                                                                              "a hand",
                                                                              "a head",
                                                                              "something that is not a creature"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view pose_name(RestPose pose) {
  static constexpr std::array<std::string_view, rest_pose_count> names = {"T", "A", "arms down", "other"};
  return names[static_cast<std::size_t>(pose)];
}

RecognisedBody recognise_body(const TriangleMesh& mesh, const RecogniseOptions& options, const Progress& progress) {
  check_recognise_options(options);
  check_mesh(mesh);
  if (mesh.positions.empty()) throw Error(ErrorCode::mesh_missing, "there is no mesh to recognise");
  return with_threads(options.threads, progress, [&] {
    progress(0.0, "looking into the mesh");
    MeshViews views(mesh);
    const SeenBody body(views, options.cells);
    progress(0.7, "recognising the body");
    const RecognisedBody result =
        Recogniser::shipped().recognise(body, unit_or_zero(options.up), unit_or_zero(options.forward));
    progress(1.0, "recognising the body");
    return result;
  });
}

RecognisedBody recognise_body(const Character& character, const RecogniseOptions& options, const Progress& progress) {
  return recognise_body(mesh_to_fit(character), options, progress);
}

}  // namespace sinew
