// sinew retarget, end to end: built-in characters, and clips of several conventions where the data folder is present.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/io.h"
#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using nlohmann::json;

class RetargetCommand : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  std::string make(const std::string& name, const std::string& kind, const std::string& seed) {
    const test::ProgramResult made = test::run_sinew(
        {"make-character", file(name), "--kind", kind, "--seed", seed, "--vertices", "2000", "--quiet"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    return file(name);
  }

  json retarget(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "retarget");
    arguments.push_back("--json");
    const test::ProgramResult result = test::run_sinew(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
    return result.exit_code == 0 ? json::parse(result.out) : json::object();
  }

  test::TemporaryFolder folder_;
};

TEST_F(RetargetCommand, AdultWalksAsChild) {
  const std::string adult = make("adult.glb", "adult", "3"), child = make("child.glb", "child", "4");
  const json result = retarget({adult, child, "-o", file("out.glb"), "--all"});
  ASSERT_FALSE(result["motions"].empty());
  int contacts = 0;
  for (const json& motion : result["motions"]) {
    EXPECT_LT(motion["worst_slide"].get<double>(), 0.01) << motion.dump();
    EXPECT_LT(motion["scale"].get<double>(), 0.95);
    contacts += motion["contacts"].get<int>();
  }
  EXPECT_GT(contacts, 4);
  const Character out = load_character(file("out.glb")), was = load_character(child);
  EXPECT_EQ(out.motions.size(), result["motions"].size());
  EXPECT_EQ(out.mesh.positions.size(), was.mesh.positions.size());
}

TEST_F(RetargetCommand, QuadrupedOntoQuadruped) {
  const std::string a = make("a.glb", "quadruped", "1"), b = make("b.glb", "quadruped", "5");
  for (const json& motion : retarget({a, b, "-o", file("out.glb"), "--all"})["motions"]) {
    EXPECT_LT(motion["worst_slide"].get<double>(), 0.01) << motion.dump();
  }
}

TEST_F(RetargetCommand, MapGoesOutAndIn) {
  const std::string adult = make("adult.glb", "adult", "3"), toon = make("toon.glb", "toon", "1");
  retarget({adult, toon, "--write-map", file("map.json")});
  const json map = json::parse(test::read_file(file("map.json")));
  EXPECT_GT(map["joints"].size(), 20u);
  const json with = retarget({adult, toon, "--map", file("map.json"), "-o", file("with.bvh")});
  const json without = retarget({adult, toon, "-o", file("without.bvh")});
  EXPECT_EQ(with["metrics"], without["metrics"]);
  EXPECT_EQ(test::read_file(file("with.bvh")), test::read_file(file("without.bvh")));
}

// All clips of a folder at once: motions called as their files, and what does not fit is left out with a warning.
TEST_F(RetargetCommand, AFolderOfClips) {
  const std::string adult = make("adult.glb", "adult", "3"), child = make("child.glb", "child", "4");
  std::filesystem::create_directory(folder_ / "clips");
  const auto clip = [&](const std::string& name) { return (folder_ / "clips" / name).string(); };
  retarget({adult, adult, "-o", clip("b_walk.bvh"), "--speed", "1.5"});
  retarget({adult, adult, "-o", clip("a_slow.bvh"), "--speed", "0.5"});
  test::write_file(clip("broken.bvh"), "HIERARCHY\nnonsense");
  test::write_file(clip("notes.txt"), "not a clip");
  const json all = retarget({(folder_ / "clips").string(), child, "-o", file("out.glb")});
  ASSERT_EQ(all["motions"].size(), 2u);
  EXPECT_EQ(all["motions"][0]["name"], "a_slow");
  EXPECT_EQ(all["motions"][1]["name"], "b_walk");
  EXPECT_NE(all.dump().find("clip-left-out"), std::string::npos);
  EXPECT_EQ(load_character(file("out.glb")).motions.size(), 2u);
  EXPECT_EQ(
      retarget({(folder_ / "clips").string(), child, "--motion", "Walk", "-o", file("one.glb")})["motions"].size(), 1u);
  const auto code = [](const std::vector<std::string>& arguments) { return test::run_sinew(arguments).exit_code; };
  EXPECT_EQ(code({"retarget", (folder_ / "clips").string(), child, "--motion", "swim", "-o", file("o.glb")}), 2);
  EXPECT_EQ(code({"retarget", (folder_ / "clips").string(), child, "--explain"}), 2);
  std::filesystem::create_directory(folder_ / "empty");
  EXPECT_EQ(code({"retarget", (folder_ / "empty").string(), child, "-o", file("o.glb")}), 3);
}

TEST_F(RetargetCommand, LoopsRootMotionAndNamesByTheirEnd) {
  const std::string adult = make("adult.glb", "adult", "3"), child = make("child.glb", "child", "4");
  const Character before = load_character(adult);
  ASSERT_GT(before.motions.size(), 1u);
  const std::string name = before.motions[1].name,
                    end = name.substr(name.size() - std::min<std::size_t>(name.size(), 4));
  EXPECT_EQ(retarget({adult, child, "--motion", end, "--loop", "-o", file("loop.glb")})["motions"][0]["name"], name);
  const Character loop = load_character(file("loop.glb"));
  const Pose first = frame_pose(loop.motions[0], 0),
             last = frame_pose(loop.motions[0], loop.motions[0].frame_count() - 1);
  const int arm = static_cast<int>(first.size()) - 1;
  EXPECT_LT(first[arm].rotation.angularDistance(last[arm].rotation), 1e-3);
  const auto code = [](const std::vector<std::string>& arguments) { return test::run_sinew(arguments).exit_code; };
  EXPECT_EQ(code({"retarget", adult, child, "--in-place", "--root-motion", "-o", file("o.glb")}), 2);
}

TEST_F(RetargetCommand, WrongUsageAndBadInput) {
  const std::string adult = make("adult.glb", "adult", "3");
  const auto code = [](const std::vector<std::string>& arguments) { return test::run_sinew(arguments).exit_code; };
  EXPECT_EQ(code({"retarget", adult, adult}), 2);               // nothing to write
  EXPECT_EQ(code({"retarget", adult, adult, "-o", adult}), 2);  // over its input
  EXPECT_EQ(code({"retarget", adult, file("none.glb"), "-o", file("o.glb")}), 3);
  test::write_file(file("box.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_EQ(code({"retarget", file("box.obj"), adult, "-o", file("o.glb")}), 3);  // no motion
  EXPECT_EQ(code({"retarget", adult, file("box.obj"), "-o", file("o.glb")}), 3);  // no skeleton
  test::write_file(file("map.json"), "{}");
  EXPECT_EQ(code({"retarget", adult, adult, "--map", file("map.json"), "-o", file("o.glb")}), 3);
  EXPECT_EQ(code({"retarget", adult, adult, "--require", "worst-slide=0", "-o", file("o.glb")}), 4);
  EXPECT_FALSE(std::filesystem::exists(file("o.glb")));
}

TEST_F(RetargetCommand, ClipsOfSeveralConventions) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  const std::filesystem::path motion = test::data_folder() / "motion", characters = test::data_folder() / "characters";
  struct Case {
    const char *clip, *character;
    int joints;  // at least so many follow
  };
  for (const Case& c : {Case{"cmu/02_01.bvh", "mannequiny.glb", 18}, Case{"cmu/13_11.bvh", "CesiumMan.glb", 14},
                        Case{"animated_drawings/fair1_zombie.bvh", "ozz_arnaud.fbx", 18},
                        Case{"makehuman/walk1.bvh", "pm_029_Skelly.fbx", 16},
                        Case{"misc/bvhpy_test_freebvh.bvh", "rocketbox_Male_Adult_05.fbx", 18},
                        Case{"rocketbox/f_walk_fast_02.fbx", "KayKit_Knight.glb", 14}}) {
    const json result = retarget({(motion / c.clip).string(), (characters / c.character).string(), "--fps", "30", "-o",
                                  file(std::string(c.character) + ".glb")});
    EXPECT_GE(result["linked_joints"].get<int>(), c.joints) << c.clip << " on " << c.character;
    EXPECT_LT(result["metrics"]["worst-slide"].get<double>(), 0.01) << c.clip << " on " << c.character;
  }
}

}  // namespace
}  // namespace sinew
