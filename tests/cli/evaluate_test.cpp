#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/io.h"
#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using nlohmann::json;
using test::ProgramResult;
using test::run_sinew;
using test::TemporaryFolder;

// A square tube along y with two joints; `sharpness` scales how quickly the upper joint takes over.
Character tube(double sharpness) {
  Character character;
  add_joint(character.skeleton, "lower", -1, Affine3d::Identity());
  add_joint(character.skeleton, "upper", 0, Affine3d(Eigen::Translation3d(0, 1, 0)));
  constexpr std::uint32_t rings = 17;
  character.weights = make_skin_weights(4 * rings, 4);
  for (std::uint32_t ring = 0; ring < rings; ++ring) {
    const double y = 2.0 * ring / (rings - 1), upper = std::clamp(0.5 + sharpness * (y - 1), 0.0, 1.0);
    for (std::uint32_t side = 0; side < 4; ++side) {
      set_influences(character.weights, character.mesh.vertex_count(), {{0, 1 - upper}, {1, upper}});
      character.mesh.positions.emplace_back(side == 0 || side == 3 ? -0.2f : 0.2f, static_cast<float>(y),
                                            side < 2 ? 0.2f : -0.2f);
      const std::uint32_t a = 4 * ring + side, b = 4 * ring + (side + 1) % 4;
      if (ring + 1 == rings) continue;
      character.mesh.triangles.push_back({a, b, a + 4});
      character.mesh.triangles.push_back({b, b + 4, a + 4});
    }
  }
  character.parts = {
      {"tube", "", 0, character.mesh.vertex_count(), 0, character.mesh.triangles.size(), PartBinding::skinned}};
  return character;
}

class EvaluateCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    save_character(tube(1.0), folder / "truth.glb");
    save_character(tube(4.0), folder / "candidate.glb");
    Character stranger = tube(1.0);
    stranger.skeleton.names = {"a", "b"};
    save_character(stranger, folder / "stranger.glb");
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }

  TemporaryFolder folder;
};

TEST_F(EvaluateCommand, ReportsEverySectionAsText) {
  const ProgramResult result = run_sinew({"evaluate", path("candidate.glb"), path("truth.glb")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* word : {"weights", "deformation", "skeleton", "skin", "movement", "ADE", "within limits"}) {
    EXPECT_NE(result.out.find(word), std::string::npos) << word << "\n" << result.out;
  }
}

TEST_F(EvaluateCommand, JsonHoldsTheFigures) {
  const ProgramResult result = run_sinew({"evaluate", path("candidate.glb"), path("truth.glb"), "--json", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["ok"], true);
  EXPECT_EQ(report["match"]["joints_by_name"], 2);
  EXPECT_GT(report["weights"]["l1"], 0.1);
  EXPECT_EQ(report["deformation"]["headline"], "normal");
  EXPECT_GT(report["deformation"]["normal"]["ade"], 1e-4);
  EXPECT_LT(report["deformation"]["normal"]["ade"], report["deformation"]["normal"]["mde"]);
  EXPECT_EQ(report["skeleton"]["by_height"]["j2j"], 0.0);
  EXPECT_EQ(report["skin"]["coverage"], 1.0);
  EXPECT_GT(report["movement"]["limits"]["stretch"]["mean"], 0.0);

  const ProgramResult same = run_sinew({"evaluate", path("truth.glb"), path("truth.glb"), "--json", "--quiet"});
  const json zeros = json::parse(same.out);
  EXPECT_EQ(zeros["weights"]["l1"], 0.0);
  EXPECT_EQ(zeros["deformation"]["normal"]["mde"], 0.0);
  EXPECT_EQ(zeros["deformation"]["limits"]["els"], 1.0);
}

TEST_F(EvaluateCommand, GatesDecideTheExitCode) {
  EXPECT_EQ(run_sinew({"evaluate", path("truth.glb"), "--require", "coverage=1,max-influences=4"}).exit_code, 0);
  const ProgramResult missed = run_sinew(
      {"evaluate", path("candidate.glb"), path("truth.glb"), "--json", "--require", "ade=0.0000001,coverage=1"});
  EXPECT_EQ(missed.exit_code, 4);
  EXPECT_NE(missed.err.find("ade is"), std::string::npos) << missed.err;
  const json report = json::parse(missed.out);  // one object, with the figures
  EXPECT_EQ(report["ok"], false);
  EXPECT_EQ(report["gates"][0]["met"], false);
  EXPECT_EQ(report["gates"][1]["met"], true);
  EXPECT_EQ(run_sinew({"evaluate", path("truth.glb"), "--require", "beauty=1"}).exit_code, 2);
  EXPECT_EQ(run_sinew({"evaluate", path("truth.glb"), "--require", "coverage"}).exit_code, 2);
}

// Any file with motions is measured, with a skin or without.
TEST_F(EvaluateCommand, MotionsOfAnyFile) {
  ASSERT_EQ(run_sinew({"make-character", path("adult.glb"), "--vertices", "2000"}).exit_code, 0);
  ASSERT_EQ(run_sinew({"convert", path("adult.glb"), path("adult.bvh")}).exit_code, 0);
  for (const char* name : {"adult.glb", "adult.bvh"}) {
    const ProgramResult result =
        run_sinew({"evaluate", path(name), "--json", "--random-poses", "0", "--intersection-poses", "0", "--require",
                   "worst-slide=0.05,twist=170,self-penetration=0.05"});
    ASSERT_EQ(result.exit_code, 0) << name << result.err;
    const json report = json::parse(result.out);
    ASSERT_GE(report["motions"].size(), 1u) << name;
    EXPECT_GT(report["motions"][0]["frames"].get<int>(), 10);
    EXPECT_EQ(report.contains("skin"), std::string(name) == "adult.glb");
    EXPECT_EQ(run_sinew({"evaluate", path(name), "--random-poses", "0", "--require", "twist=0.001"}).exit_code, 4);
    EXPECT_NE(run_sinew({"evaluate", path(name), "--random-poses", "0"}).out.find("motion"), std::string::npos);
  }
}

TEST_F(EvaluateCommand, BadInputIsSaidInOneLine) {
  const ProgramResult stranger = run_sinew({"evaluate", path("stranger.glb"), path("truth.glb")});
  EXPECT_EQ(stranger.exit_code, 3);
  EXPECT_NE(stranger.err.find("no joint name in common"), std::string::npos) << stranger.err;
  EXPECT_EQ(run_sinew({"evaluate", path("missing.glb")}).exit_code, 3);
  EXPECT_EQ(run_sinew({"evaluate"}).exit_code, 2);
  Character bare = tube(1.0);
  bare.weights = {};
  bare.parts[0].binding = PartBinding::fixed;
  save_character(bare, folder / "bare.glb");
  EXPECT_EQ(run_sinew({"evaluate", path("bare.glb")}).exit_code, 3);
}

TEST_F(EvaluateCommand, SameAnswerAtAnyThreadCount) {
  const auto report = [&](const char* threads) {
    return run_sinew({"evaluate", path("candidate.glb"), path("truth.glb"), "--json", "--threads", threads}).out;
  };
  EXPECT_EQ(report("1"), report("2"));
}

}  // namespace
}  // namespace sinew
