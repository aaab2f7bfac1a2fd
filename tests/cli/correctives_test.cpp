// From a character to corrected poses, as a user goes: simulate, train, pose --correctives.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "sinew/builtin/builtin_character.h"
#include "sinew/io.h"
#include "sinew/lod.h"
#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

TEST(CorrectivesCommands, SimulateTrainAndPose) {
  const test::TemporaryFolder folder;
  const auto path = [&](const char* name) { return (folder / name).string(); };
  const auto run = [](const std::vector<std::string>& arguments) {
    const auto result = test::run_sinew(arguments);
    EXPECT_EQ(result.exit_code, 0) << arguments[0] << ": " << result.err;
    return result.out;
  };
  run({"make-character", path("body.glb"), "--garment", "bare", "--vertices", "1500", "-q"});
  const std::vector<std::string> simulate = {"simulate", path("body.glb"), "-o",      path("shapes"), "--cells",
                                             "800",      "--no-motions",   "--poses", "24",           "--step",
                                             "6",        "--run-length",   "8",       "--json"};
  const auto simulated = nlohmann::json::parse(run(simulate));
  EXPECT_GT(simulated["made"].get<int>(), 12);
  // Given again, there is nothing left to do.
  EXPECT_EQ(nlohmann::json::parse(run(simulate))["made"].get<int>(), 0);

  run({"train", path("shapes"), "-o", path("body.sinewc"), "--levels", "2", "--regions", "20", "-q"});
  run({"pose", path("body.glb"), "--motion", "walk", "--frame", "6", "-o", path("plain.obj"), "-q"});
  run({"pose", path("body.glb"), "--motion", "walk", "--frame", "6", "--correctives", path("body.sinewc"), "-o",
       path("corrected.obj"), "-q"});
  const Character plain = load_character(path("plain.obj")), corrected = load_character(path("corrected.obj"));
  ASSERT_EQ(plain.mesh.vertex_count(), corrected.mesh.vertex_count());
  double largest = 0;
  for (std::size_t v = 0; v < plain.mesh.vertex_count(); ++v) {
    largest = std::max<double>(largest, (plain.mesh.positions[v] - corrected.mesh.positions[v]).norm());
  }
  EXPECT_GT(largest, 1e-4);
  EXPECT_LT(largest, 0.2);  // metres: a correction, not another shape

  // The whole motion in one file: morph targets with weights on the walk's animation, the rig as it was.
  run({"pose", path("body.glb"), "--motion", "walk", "--correctives", path("body.sinewc"), "--targets", "-o",
       path("walk.glb"), "-q"});
  const std::string glb = test::read_file(folder / "walk.glb");
  std::uint32_t length = 0;
  std::memcpy(&length, glb.data() + 12, 4);
  const auto document = nlohmann::json::parse(glb.substr(20, length));
  const std::size_t targets = document["meshes"][0]["primitives"][0]["targets"].size();
  EXPECT_GT(targets, 1u);
  EXPECT_EQ(document["meshes"][0]["weights"].size(), targets);
  std::size_t channels = 0;
  for (const auto& animation : document["animations"]) {
    for (const auto& channel : animation["channels"]) channels += channel["target"]["path"] == "weights";
  }
  EXPECT_EQ(channels, 1u);
  EXPECT_EQ(load_character(path("walk.glb")).motions.size(), load_character(path("body.glb")).motions.size());
}

// Which finger or leg a vertex belongs to beyond doubt; empty elsewhere. `coarse`: lower legs only. With a few hundred
// vertices for a body, triangles rightly span the webs between fingers and the fork of the legs.
std::string limb_of(const Character& character, std::size_t vertex, bool coarse) {
  for (int slot = 0; slot < character.weights.influences; ++slot) {
    const std::size_t at = vertex * static_cast<std::size_t>(character.weights.influences) + slot;
    if (character.weights.weights[at] < 0.9f) continue;
    const std::string& name = character.skeleton.names[character.weights.joints[at]];
    for (const char* limb : {"LeftHandThumb", "LeftHandIndex", "LeftHandMiddle", "LeftHandRing", "LeftHandPinky"}) {
      if (!coarse && name.starts_with(limb)) return limb;
    }
    for (const char* side : {"Left", "Right"}) {
      for (const char* bone : {"UpLeg", "Leg", "Foot"}) {
        const bool near_fork = std::string_view(bone) == "UpLeg";
        if (name == std::string(side) + bone && !(coarse && near_fork)) return std::string(side) + "Leg";
      }
    }
  }
  return {};
}

TEST(LodChain, FingersAndThighsOfOneSurfaceStayApart) {
  BuiltinOptions options;
  options.vertex_budget = 9000;
  options.garment = BuiltinGarment::bare;
  const Character body = make_builtin_character(options);
  const LodChain chain = make_lod_chain(body, LodOptions());
  std::size_t looked_at = 0;
  for (std::size_t level = 0; level + 1 < chain.levels.size(); ++level) {
    const LodLevel &fine = chain.levels[level], &coarse = chain.levels[level + 1];
    std::vector<std::uint32_t> vertex_of(coarse.point_count);  // of the character
    for (std::size_t v = 0; v < coarse.vertices.size(); ++v) vertex_of[coarse.point_of[v]] = coarse.vertices[v];
    for (std::size_t v = 0; v < fine.vertices.size(); ++v) {
      const std::string limb = limb_of(body, fine.vertices[v], level > 0);
      if (limb.empty()) continue;
      ++looked_at;
      for (int k = 0; k < 3; ++k) {
        if (coarse.to_finer.weights[fine.point_of[v]][k] <= 0) continue;
        const std::string other = limb_of(body, vertex_of[coarse.to_finer.points[fine.point_of[v]][k]], level > 0);
        EXPECT_TRUE(other.empty() || other == limb) << "level " << level << ": " << limb << " hangs on " << other;
      }
    }
  }
  EXPECT_GT(looked_at, 1000u);
}

TEST(CorrectivesCommands, CorrectivesOfAnotherCharacterAreRefused) {
  const test::TemporaryFolder folder;
  const auto body = (folder / "body.glb").string(), file = (folder / "none.sinewc").string();
  ASSERT_EQ(test::run_sinew({"make-character", body, "--garment", "bare", "--vertices", "1000", "-q"}).exit_code, 0);
  test::write_file(folder / "none.sinewc", "not correctives");
  const auto run = test::run_sinew({"pose", body, "--rest", "--correctives", file, "-o", (folder / "o.obj").string()});
  EXPECT_EQ(run.exit_code, 3) << run.err;
}

}  // namespace
}  // namespace sinew
