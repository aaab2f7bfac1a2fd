// sinew fit, end to end: a built-in body without its skeleton gets one again.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/io.h"
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

// The skeleton of another body: its fingers end up in this one's, the thumb in the thumb.
TEST(FitCommand, FingersGoIntoFingers) {
  const test::TemporaryFolder folder;
  const std::string made = (folder / "made.glb").string(), out = (folder / "out.glb").string();
  const std::string other_one = (folder / "other.glb").string();
  for (const auto& [file, kind, seed] : {std::array{made, std::string("child"), std::string("7001")},
                                         std::array{other_one, std::string("adult"), std::string("1")}}) {
    const auto run =
        test::run_sinew({"make-character", file, "--kind", kind, "--seed", seed, "--vertices", "6000", "-q"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  const test::ProgramResult result = test::run_sinew({"fit", made, "--skeleton", other_one, "-o", out, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Character truth = load_character(made), fitted = load_character(out);
  for (const std::string side : {"Left", "Right"}) {
    const Vec3d wrist = truth.skeleton.position(find_joint(truth.skeleton, side + "Hand"));
    const double hand = (truth.skeleton.position(find_joint(truth.skeleton, side + "HandMiddle_End")) - wrist).norm();
    for (const char* finger : {"Thumb", "Index", "Middle", "Ring", "Pinky"}) {
      for (const char* number : {"1", "2", "3"}) {
        const std::string name = side + "Hand" + finger + number;
        const int own = find_joint(fitted.skeleton, name), other = find_joint(truth.skeleton, name);
        ASSERT_GE(own, 0) << name;
        ASSERT_GE(other, 0) << name;
        EXPECT_LT((fitted.skeleton.position(own) - truth.skeleton.position(other)).norm(), 0.07 * hand) << name;
      }
    }
  }
  for (const json& joint : json::parse(result.out)["joints"]) {
    const std::string name = joint["name"];
    if (name.find("Hand") != std::string::npos && name.find("_End") == std::string::npos) {
      EXPECT_TRUE(joint["inside"].get<bool>()) << name;
    }
  }
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

// What a person points at is obeyed, in the coordinates of the file, also when the body is turned upright.
TEST(FitCommand, MarkersAreObeyed) {
  const test::TemporaryFolder folder;
  const std::string made = (folder / "made.glb").string(), body = (folder / "body.obj").string();
  const std::string out = (folder / "out.glb").string(), file = (folder / "markers.json").string();
  ASSERT_EQ(test::run_sinew({"make-character", made, "--seed", "4", "--vertices", "2000", "--quiet"}).exit_code, 0);
  // Z-up, as many programs write it.
  Character character = load_character(made);
  const Vec3d wrist = character.skeleton.position(find_joint(character.skeleton, "LeftHand"));
  for (Vec3f& p : character.mesh.positions) p = Vec3f(p.x(), -p.z(), p.y());
  for (Vec3f& n : character.mesh.normals) n = Vec3f(n.x(), -n.z(), n.y());
  save_character(character, body);
  const Vec3d moved = wrist + Vec3d(-0.02, 0.01, 0);
  const auto text = [](const Vec3d& p) {
    return std::to_string(p.x()) + "," + std::to_string(-p.z()) + "," + std::to_string(p.y());
  };
  test::write_file(file, "{\"groin\": [0, 0, " + std::to_string(0.46 * bounding_diagonal(character.mesh)) + "]}");
  const test::ProgramResult fitted =
      test::run_sinew({"fit", body, "-o", out, "--marker", "wrist.L=" + text(moved), "--json"});
  ASSERT_EQ(fitted.exit_code, 0) << fitted.err;
  for (const json& joint : json::parse(fitted.out)["joints"]) {
    const Vec3d place(joint["position"][0], joint["position"][1], joint["position"][2]);
    if (joint["name"] == "LeftHand") {
      EXPECT_LT((place - moved).norm(), 1e-5);
    } else if (joint["name"] == "RightHand") {
      EXPECT_LT((place - Vec3d(-moved.x(), moved.y(), moved.z())).norm(), 0.03);
    }
  }
  const auto fails_with = [&](std::vector<std::string> more, int code, const std::string& words) {
    std::vector<std::string> all{"fit", body, "-o", (folder / "none.glb").string()};
    all.insert(all.end(), more.begin(), more.end());
    const test::ProgramResult run = test::run_sinew(all);
    EXPECT_EQ(run.exit_code, code) << run.err;
    EXPECT_NE(run.err.find(words), std::string::npos) << run.err;
  };
  fails_with({"--marker", "wrist.L=1,2"}, 2, "three numbers");
  fails_with({"--marker", "wrist.L"}, 2, "NAME=X,Y,Z");
  fails_with({"--marker", "wrist.L=90,0,0"}, 2, "'wrist.L' at (90, 0, 0) lies outside the mesh");
  fails_with({"--marker", "wrist.L=0,0,0", "--generate"}, 2, "--generate");
  fails_with({"--markers", made}, 3, "JSON");
  fails_with({"--ignore", "#77"}, 2, "no piece '#77'");
  EXPECT_EQ(test::run_sinew({"fit", body, "-o", out, "--markers", file, "--ignore", "#0"}).exit_code, 2);
}

}  // namespace
}  // namespace sinew
