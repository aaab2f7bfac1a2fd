// What every command does alike: motions by the end of their names, and --quiet.
#include <gtest/gtest.h>

#include "sinew/io.h"
#include "tests/support/run_program.h"
#include "tests/support/shapes.h"
#include "tests/support/test_files.h"

namespace sinew::test {
namespace {

class EverydayUse : public testing::Test {
 protected:
  // A bar whose motions are called as Blender's exporter calls them.
  void SetUp() override {
    Character character = bar(4, 0.25, 21, 8, 2);
    character.weights = make_skin_weights(character.mesh.vertex_count(), 1);
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) set_influences(character.weights, v, {{0, 1.0}});
    const std::vector<std::string> names = {"Armature|Walk", "Armature|Sidewalk", "Armature|Run", "Other|Run", "Rerun"};
    for (const std::string& name : names) {
      Motion motion{name, 10, character.skeleton.joint_count(), {}};
      const Pose rest = rest_pose(character.skeleton);
      for (std::size_t frame = 0; frame <= character.motions.size(); ++frame) {
        motion.transforms.insert(motion.transforms.end(), rest.begin(), rest.end());
      }
      character.motions.push_back(motion);
    }
    save_character(character, file("in.glb"));
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  TemporaryFolder folder_;
};

TEST_F(EverydayUse, AMotionIsKnownByTheEndOfItsName) {
  const auto posed = [&](const std::string& motion) {
    return run_sinew({"pose", file("in.glb"), "--motion", motion, "-o", file("out.glb")});
  };
  EXPECT_EQ(posed("walk").exit_code, 0) << posed("walk").err;  // of its own, and not the end of Sidewalk
  EXPECT_EQ(posed("Sidewalk").exit_code, 0);
  EXPECT_EQ(posed("Other|Run").exit_code, 0);
  EXPECT_EQ(posed("rerun").exit_code, 0);
  const ProgramResult both = posed("Run");
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_NE(both.err.find("Armature|Run"), std::string::npos) << both.err;
  EXPECT_NE(both.err.find("Other|Run"), std::string::npos) << both.err;
  EXPECT_EQ(posed("jump").exit_code, 2);
}

TEST_F(EverydayUse, QuietIsQuiet) {
  const ProgramResult written = run_sinew({"convert", file("in.glb"), file("out.obj"), "--quiet"});
  EXPECT_EQ(written.exit_code, 0);
  EXPECT_EQ(written.out + written.err, "");  // also no word of what an OBJ file cannot hold
  EXPECT_NE(run_sinew({"convert", file("in.glb"), file("out.obj")}).out, "");
  EXPECT_NE(run_sinew({"info", file("in.glb"), "--quiet", "--quick"}).out.find("joints"), std::string::npos);
  EXPECT_NE(run_sinew({"convert", file("in.glb"), file("out.glb"), "--quiet", "--json"}).out.find("\"ok\": true"),
            std::string::npos);
  const ProgramResult failed = run_sinew({"convert", file("no.glb"), file("out.obj"), "--quiet"});
  EXPECT_EQ(failed.exit_code, 3);
  EXPECT_NE(failed.err, "");
}

}  // namespace
}  // namespace sinew::test
