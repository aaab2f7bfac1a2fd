// sinew bind, end to end: what a user types, what comes out, and every exit code.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/io.h"
#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using test::run_sinew;

// A box-shaped limb of 21 rings along x with two bones, all its weight on the first.
Character limb() {
  Character character;
  character.name = "limb";
  TriangleMesh& mesh = character.mesh;
  for (int ring = 0; ring <= 20; ++ring) {
    for (int corner = 0; corner < 4; ++corner) {
      const float y = corner == 0 || corner == 3 ? -0.1f : 0.1f, z = corner < 2 ? -0.1f : 0.1f;
      mesh.positions.push_back(Vec3f(0.1f * static_cast<float>(ring), y, z));
    }
  }
  const auto at = [](std::uint32_t ring, std::uint32_t corner) { return 4 * ring + corner % 4; };
  for (std::uint32_t ring = 0; ring < 20; ++ring) {
    for (std::uint32_t corner = 0; corner < 4; ++corner) {
      mesh.triangles.push_back({at(ring, corner), at(ring + 1, corner), at(ring, corner + 1)});
      mesh.triangles.push_back({at(ring + 1, corner), at(ring + 1, corner + 1), at(ring, corner + 1)});
    }
  }
  for (std::uint32_t ring : {0u, 20u}) {
    mesh.triangles.push_back({at(ring, 0), at(ring, 1), at(ring, 2)});
    mesh.triangles.push_back({at(ring, 0), at(ring, 2), at(ring, 3)});
  }
  const char* names[] = {"Upper", "Lower", "Lower_End"};
  for (int joint = 0; joint < 3; ++joint) {
    Affine3d rest = Affine3d::Identity();
    rest.translation() = Vec3d(0.05 + 0.95 * joint, 0, 0);
    add_joint(character.skeleton, names[joint], joint - 1, rest, joint == 2 ? JointKind::end : JointKind::joint);
  }
  character.weights = make_skin_weights(mesh.vertex_count(), 1);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) set_influences(character.weights, v, {{0, 1.0}});
  character.parts = {{"limb", "", 0, mesh.vertex_count(), 0, mesh.triangles.size(), PartBinding::skinned}};
  return character;
}

class Bind : public testing::Test {
 protected:
  void SetUp() override {
    Character bare;
    bare.mesh = limb().mesh;
    save_character(bare, mesh_);
    save_character(limb(), skinned_);
  }

  test::TemporaryFolder folder_;
  std::string mesh_ = (folder_ / "limb.obj").string(), skinned_ = (folder_ / "skinned.glb").string(),
              output_ = (folder_ / "bound.glb").string();
};

TEST_F(Bind, GivesAMeshWeightsFromASkeletonFile) {
  for (const char* method : {"proximity", "heat"}) {
    const auto result = run_sinew({"bind", mesh_, "--skeleton", skinned_, "--method", method, "-o", output_, "--json",
                                   "--require", "coverage=1,max-influences=4"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto json = nlohmann::json::parse(result.out);
    EXPECT_EQ(json["method"], method);
    EXPECT_EQ(json["joints"], (std::vector<std::string>{"Upper", "Lower"}));
    EXPECT_EQ(json["metrics"]["coverage"], 1.0);
    EXPECT_GE(json["seconds"]["solve"], 0.0);
    const Character bound = load_character(output_);
    EXPECT_NO_THROW(check_character(bound));
    EXPECT_EQ(count_unweighted(bound.weights), 0u);
    EXPECT_EQ(bound.mesh.vertex_count(), limb().mesh.vertex_count());
  }
}

TEST_F(Bind, ReplacesTheWeightsOfASkinnedFile) {
  const auto result = run_sinew({"bind", skinned_, "-o", output_});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Character bound = load_character(output_);
  const int lower = find_joint(bound.skeleton, "Lower");
  ASSERT_GE(lower, 0);
  EXPECT_GT(bound.weights.weight_of(80, lower), 0.9f);
}

TEST_F(Bind, RescalesASkeletonInCentimetresAndSaysSo) {
  Character big = limb();
  for (Vec3f& p : big.mesh.positions) p *= 100.0f;
  for (Affine3d& rest : big.skeleton.rest) rest.translation() *= 100.0;
  save_character(big, skinned_);
  const auto result = run_sinew({"bind", mesh_, "--skeleton", skinned_, "-o", output_});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("centimetres"), std::string::npos) << result.err;
  const Character bound = load_character(output_);
  EXPECT_NEAR(bound.skeleton.position(find_joint(bound.skeleton, "Lower")).x(), 1.0, 1e-4);
}

TEST_F(Bind, RefusesASkeletonThatIsElsewhere) {
  Character far = limb();
  for (Vec3f& p : far.mesh.positions) p += Vec3f(0, 50, 0);
  for (Affine3d& rest : far.skeleton.rest) rest.translation() += Vec3d(0, 50, 0);
  save_character(far, skinned_);
  const auto result = run_sinew({"bind", mesh_, "--skeleton", skinned_, "-o", output_});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_NE(result.err.find("away from the mesh"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(output_));
}

TEST_F(Bind, GatesStopAPipeline) {
  const auto result = run_sinew({"bind", skinned_, "-o", output_, "--require", "max-influences=1"});
  EXPECT_EQ(result.exit_code, 4) << result.err;
  EXPECT_FALSE(std::filesystem::exists(output_));
  EXPECT_EQ(run_sinew({"bind", skinned_, "-o", output_, "--require", "prettiness=1"}).exit_code, 2);
}

TEST_F(Bind, SaysWhatIsWrongWithTheCommand) {
  const auto unknown = run_sinew({"bind", skinned_, "-o", output_, "--method", "heta"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("heat"), std::string::npos);
  EXPECT_EQ(run_sinew({"bind", skinned_, "-o", output_, "--method", "heat", "--power", "2"}).exit_code, 2);
  EXPECT_EQ(run_sinew({"bind", skinned_, "-o", output_, "--strength", "soft"}).exit_code, 2);
  EXPECT_EQ(run_sinew({"bind", skinned_, "-o", output_, "--joints", "Nobody"}).exit_code, 2);
  EXPECT_EQ(run_sinew({"bind", skinned_, "-o", skinned_}).exit_code, 2);
  EXPECT_EQ(run_sinew({"bind", mesh_, "-o", output_}).exit_code, 3);  // no skeleton
  EXPECT_EQ(run_sinew({"bind", mesh_ + "x", "-o", output_}).exit_code, 3);
  EXPECT_FALSE(std::filesystem::exists(output_));
}

TEST_F(Bind, TakesTheJointsItIsGiven) {
  const auto result = run_sinew({"bind", skinned_, "-o", output_, "--joints", "Low*r", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["metrics"]["used-joints"], 1.0);
  const auto without = run_sinew({"bind", skinned_, "-o", output_, "--joints", "auto,-Upper", "--json"});
  ASSERT_EQ(without.exit_code, 0) << without.err;
  EXPECT_EQ(nlohmann::json::parse(without.out)["joints"], std::vector<std::string>{"Lower"});
}

TEST_F(Bind, MovesRealCharactersWithoutAWordToo) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  for (const char* name : {"CesiumMan.glb", "quaternius_Wolf.glb", "raylib_robot.glb"}) {
    const std::string file = (test::data_folder() / "characters" / name).string();
    const auto result = run_sinew({"bind", file, "-o", output_, "--quiet", "--require", "coverage=1,split-seams=0"});
    EXPECT_EQ(result.exit_code, 0) << name << ": " << result.err;
    EXPECT_EQ(result.err, "") << name;
    EXPECT_EQ(load_character(output_).motions.size(), load_character(file).motions.size()) << name;
  }
}

}  // namespace
}  // namespace sinew
