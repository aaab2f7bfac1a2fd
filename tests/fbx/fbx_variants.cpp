// fbx_variants INPUT|generated FOLDER
//
// Writes FOLDER/character.fbx, and beside it what it should look like to any reader: character.json names its parts and
// poses, positions.f32 holds the corners of all triangles in each pose (32-bit floats: pose, triangle, corner, axis).
// What our own reader makes of the file is compared here; the programs beside this one compare what others do.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "sinew/io.h"
#include "tests/asset/gltf_sample.h"

namespace sinew::test {
namespace {

struct Shown {
  int motion, frame;
};

std::vector<Shown> shown_poses(const Character& character) {
  std::vector<Shown> poses;
  const int count = static_cast<int>(character.motions.size());
  for (int m = 0; m < count; m += count / 4 + 1) {
    const int frames = character.motions[m].frame_count();
    for (const int frame : {0, frames / 3, frames * 2 / 3}) poses.push_back({m, frame});
  }
  return poses;
}

// Corners of all triangles, in order.
std::vector<float> corners(const Character& character, const Pose& pose) {
  const std::vector<Vec3d> posed = posed_positions(character, pose);
  std::vector<float> result;
  for (const Triangle& triangle : character.mesh.triangles) {
    for (const std::uint32_t vertex : triangle) {
      for (int axis = 0; axis < 3; ++axis) result.push_back(static_cast<float>(posed[vertex][axis]));
    }
  }
  return result;
}

// Names that differ and say nothing: every part becomes an object of its own.
Character with_plain_parts(Character character) {
  for (std::size_t i = 0; i < character.parts.size(); ++i) character.parts[i].name = "part_" + std::to_string(i);
  return character;
}

double compare_with_ours(const Character& character, const std::filesystem::path& path) {
  const Character again = load_character(path);
  if (again.mesh.triangles.size() != character.mesh.triangles.size()) {
    throw Error(ErrorCode::internal,
                "read back with another number of triangles: " + std::to_string(again.mesh.triangles.size()) +
                    " instead of " + std::to_string(character.mesh.triangles.size()));
  }
  if (again.motions.size() != character.motions.size()) {
    throw Error(ErrorCode::internal, "read back with another number of motions");
  }
  std::vector<std::size_t> first(again.parts.size(), 0);
  double worst = 0;
  const auto compare = [&](const std::vector<float>& ours, const std::vector<float>& theirs) {
    for (const Part& part : character.parts) {
      const auto same = std::find_if(again.parts.begin(), again.parts.end(),
                                     [&](const Part& other) { return other.name == part.name; });
      if (part.triangle_count == 0) continue;
      if (same == again.parts.end() || same->triangle_count != part.triangle_count) {
        throw Error(ErrorCode::internal, "read back without '" + part.name + "' or with other triangles");
      }
      for (std::size_t i = 0; i < 9 * part.triangle_count; ++i) {
        worst =
            std::max<double>(worst, std::abs(ours[9 * part.first_triangle + i] - theirs[9 * same->first_triangle + i]));
      }
    }
  };
  compare(corners(character, rest_pose(character.skeleton)), corners(again, rest_pose(again.skeleton)));
  for (const Shown& shown : shown_poses(character)) {
    const Motion& motion = character.motions[shown.motion];
    const auto found = std::find_if(again.motions.begin(), again.motions.end(),
                                    [&](const Motion& other) { return other.name == motion.name; });
    if (found == again.motions.end()) throw Error(ErrorCode::internal, "no motion '" + motion.name + "' read back");
    compare(corners(character, frame_pose(motion, shown.frame)),
            corners(again, sample_motion(*found, shown.frame / motion.frames_per_second)));
  }
  worst /= bounding_diagonal(character.mesh);
  if (!(worst < 1e-5)) {
    throw Error(ErrorCode::internal, "read back " + std::to_string(worst) + " of the diagonal elsewhere");
  }
  return worst;
}

void write_variant(const Character& given, const std::filesystem::path& folder) {
  const Character character = with_plain_parts(given);
  for (const Warning& warning : save_character(character, folder / "character.fbx")) {
    std::fprintf(stderr, "warning %s: %s\n", warning.code.c_str(), warning.message.c_str());
  }
  std::FILE* json = std::fopen((folder / "character.json").c_str(), "w");
  std::FILE* raw = std::fopen((folder / "positions.f32").c_str(), "wb");
  if (!json || !raw) std::abort();
  std::fprintf(json, "{\"diagonal\":%.9g,\"influences\":%d,\"parts\":[", bounding_diagonal(character.mesh),
               character.weights.influences);
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    const Part& part = character.parts[i];
    std::fprintf(json, "%s{\"name\":\"%s\",\"triangles\":%zu}", i ? "," : "", part.name.c_str(), part.triangle_count);
  }
  std::fprintf(json, "],\"motions\":%zu,\"poses\":[", character.motions.size());
  bool first = true;
  for (const Shown& shown : shown_poses(character)) {
    const Motion& motion = character.motions[shown.motion];
    std::fprintf(json, "%s{\"motion\":%d,\"name\":\"%s\",\"seconds\":%.17g}", first ? "" : ",", shown.motion,
                 motion.name.c_str(), shown.frame / motion.frames_per_second);
    first = false;
    const std::vector<float> numbers = corners(character, frame_pose(motion, shown.frame));
    std::fwrite(numbers.data(), sizeof(float), numbers.size(), raw);
  }
  std::fprintf(json, "],\"ours\":%.3g}\n", compare_with_ours(character, folder / "character.fbx"));
  std::fclose(json);
  std::fclose(raw);
}

}  // namespace
}  // namespace sinew::test

int main(int argc, char** argv) {
  using namespace sinew;
  if (argc != 3) {
    std::fprintf(stderr, "usage: fbx_variants INPUT|generated FOLDER\n");
    return 2;
  }
  try {
    const std::string input = argv[1];
    test::write_variant(input == "generated" ? test::sample_character() : load_character(input), argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
    return 1;
  }
  return 0;
}
