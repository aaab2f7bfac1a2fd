// sinew fit, end to end: a built-in body without its skeleton gets one again.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/asset/file.h"
#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using nlohmann::json;

TEST(FitCommand, BareBodyGetsASkeleton) {
  const test::TemporaryFolder folder;
  const std::string body = (folder / "body.obj").string(), out = (folder / "out.glb").string();
  const std::string made = (folder / "made.glb").string();
  ASSERT_EQ(test::run_sinew({"make-character", made, "--seed", "4", "--vertices", "2000", "--quiet"}).exit_code, 0);
  ASSERT_EQ(test::run_sinew({"convert", made, body, "--quiet"}).exit_code, 0);
  const test::ProgramResult result = test::run_sinew({"fit", body, "-o", out, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  const json report = json::parse(result.out);
  EXPECT_GT(report["metrics"]["inside"].get<double>(), 0.9);
  EXPECT_GT(report["forward"][2].get<double>(), 0.98);
  // The joints of the limbs are where the character that was made has them.
  const Character truth = load_character(made), fitted = load_character(out);
  const double diagonal = bounding_diagonal(truth.mesh);
  int compared = 0;
  for (const json& joint : report["joints"]) {
    const std::string name = joint["name"];
    const bool limb = name.ends_with("ForeArm") || name.ends_with("Leg") || name.ends_with("Foot");
    const int other = find_joint(truth.skeleton, name);
    if (!limb || other < 0) continue;
    const Vec3d place(joint["position"][0], joint["position"][1], joint["position"][2]);
    EXPECT_LT((place - truth.skeleton.position(other)).norm(), 0.05 * diagonal) << name;
    ++compared;
  }
  EXPECT_GE(compared, 6);
  EXPECT_EQ(fitted.mesh.positions.size(), load_character(body).mesh.positions.size());
  EXPECT_FALSE(fitted.skeleton.empty());
}

TEST(FitCommand, SaysWhatIsWrong) {
  const test::TemporaryFolder folder;
  const std::string box = (folder / "box.obj").string(), out = (folder / "out.glb").string();
  test::write_file(box, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const test::ProgramResult refused = test::run_sinew({"fit", box, "-o", out});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE(refused.err.find("found in the mesh"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("--networks"), std::string::npos) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_EQ(test::run_sinew({"fit", box, "-o", out, "--skeleton", box}).exit_code, 3);  // no skeleton in it
  EXPECT_EQ(test::run_sinew({"fit", box, "-o", box}).exit_code, 2);
  EXPECT_EQ(test::run_sinew({"fit", box, "-o", out, "--require", "nonsense=1"}).exit_code, 2);
}

}  // namespace
}  // namespace sinew
