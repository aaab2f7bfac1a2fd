// sinew lod as a user runs it: levels in one file and in several, and what is wrong usage.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/io.h"
#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

class LodCommand : public testing::Test {
 protected:
  // Made once: drawing a body takes longer than all the rest.
  static const std::string& made() {
    static const test::TemporaryFolder folder;
    static const std::string bytes = [] {
      const auto run = test::run_sinew({"make-character", (folder / "hero.glb").string(), "--vertices", "2000", "-q"});
      EXPECT_EQ(run.exit_code, 0) << run.err;
      return test::read_file(folder / "hero.glb");
    }();
    return bytes;
  }
  void SetUp() override { test::write_file(input(), made()); }
  std::string input() const { return (folder_ / "hero.glb").string(); }
  test::TemporaryFolder folder_;
};

TEST_F(LodCommand, WritesAllLevelsIntoOneFile) {
  const std::string output = (folder_ / "lods.glb").string();
  const auto run = test::run_sinew({"lod", input(), "-o", output, "--levels", "3", "--ratio", "0.5", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto result = nlohmann::json::parse(run.out);
  ASSERT_EQ(result["levels"].size(), 3u);
  EXPECT_LT(result["levels"][2]["vertices"], result["levels"][1]["vertices"]);
  const std::string bytes = test::read_file(output);
  EXPECT_NE(bytes.find("MSFT_lod"), std::string::npos);
  // The coarser levels lie outside the scene, so a reader without the extension sees the character as it was.
  const Character before = load_character(input()), after = load_character(output);
  EXPECT_EQ(after.mesh.positions, before.mesh.positions);
  EXPECT_EQ(after.motions.size(), before.motions.size());
}

TEST_F(LodCommand, WritesOneFilePerLevel) {
  const auto run = test::run_sinew({"lod", input(), "-o", (folder_ / "hero_lod#.glb").string(), "--levels", "3"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Character fine = load_character(folder_ / "hero_lod0.glb");
  const Character coarse = load_character(folder_ / "hero_lod2.glb");
  EXPECT_LT(coarse.mesh.vertex_count(), fine.mesh.vertex_count() / 8);
  EXPECT_EQ(coarse.skeleton.names, fine.skeleton.names);
  EXPECT_EQ(coarse.motions.size(), fine.motions.size());
  EXPECT_NO_THROW(check_skin_weights(coarse.weights, coarse.mesh.vertex_count(), coarse.skeleton.joint_count(), true));
  EXPECT_EQ(coarse.mesh.uvs.size(), fine.mesh.uvs.empty() ? 0 : coarse.mesh.vertex_count());
}

TEST_F(LodCommand, SaysWhatIsWrong) {
  const std::string output = (folder_ / "x.glb").string();
  EXPECT_EQ(test::run_sinew({"lod", input(), "-o", (folder_ / "x.obj").string()}).exit_code, 2);
  EXPECT_EQ(test::run_sinew({"lod", input(), "-o", output, "--vertices", "100,200"}).exit_code, 2);
  EXPECT_EQ(test::run_sinew({"lod", input(), "-o", output, "--ratio", "2"}).exit_code, 2);
  EXPECT_EQ(test::run_sinew({"lod", input(), "-o", input()}).exit_code, 2);
  EXPECT_EQ(test::run_sinew({"lod", (folder_ / "absent.glb").string(), "-o", output}).exit_code, 3);
  EXPECT_FALSE(std::filesystem::exists(output));
}

}  // namespace
}  // namespace sinew
