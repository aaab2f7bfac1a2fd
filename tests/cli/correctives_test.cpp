// From a character to corrected poses, as a user goes: simulate, train, pose --correctives.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/asset/file.h"
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
