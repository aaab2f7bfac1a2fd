// sinew weights, end to end: every command, what it reports, and what it refuses.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/io.h"
#include "sinew/weight_tools.h"
#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew::test {
namespace {

class WeightsCommand : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_sinew({"make-character", hero_, "--vertices", "1500", "--seed", "3", "--quiet"}).exit_code, 0);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // Runs `sinew weights ACTION … -o OUTPUT --json` and returns its answer.
  nlohmann::json run(std::vector<std::string> words, const std::string& output) {
    words.insert(words.begin(), "weights");
    words.insert(words.end(), {"-o", path(output), "--json"});
    const ProgramResult result = run_sinew(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const nlohmann::json answer = nlohmann::json::parse(result.out, nullptr, false);
    EXPECT_EQ(answer.value("command", ""), "weights " + words[1]);
    return answer;
  }

  Character load(const std::string& name) const { return load_character(path(name)); }

  TemporaryFolder folder_;
  std::string hero_ = path("hero.glb");
};

TEST_F(WeightsCommand, MirrorsSmoothsPrunesAndLimits) {
  const nlohmann::json mirror = run({"mirror", hero_, "--from", "right"}, "mirror.glb");
  EXPECT_GT(mirror["joint_pairs"], 10);
  EXPECT_EQ(mirror["unmatched"], 0);
  const nlohmann::json smooth = run({"smooth", hero_, "--iterations", "3", "--locked", "Head"}, "smooth.glb");
  EXPECT_GT(smooth["changed_vertices"], 100);
  const nlohmann::json prune = run({"prune", hero_, "--threshold", "0.1"}, "prune.glb");
  EXPECT_LT(prune["mean_influences"], smooth["mean_influences"]);
  const nlohmann::json limit = run({"limit", hero_, "--max-influences", "2"}, "limit.glb");
  EXPECT_EQ(limit["max_influences"], 2);
  EXPECT_LT(limit["mean_error"], limit["truncated_mean_error"]);
  for (const char* name : {"mirror.glb", "smooth.glb", "prune.glb", "limit.glb"}) {
    const Character character = load(name);
    EXPECT_NO_THROW(check_character(character));
    EXPECT_EQ(character.motions.size(), load("hero.glb").motions.size());
  }
}

TEST_F(WeightsCommand, CopiesTransfersAndCombines) {
  run({"smooth", hero_, "--iterations", "20"}, "smooth.glb");
  const nlohmann::json copy = run({"copy", hero_, "--source", path("smooth.glb")}, "copy.glb");
  EXPECT_EQ(copy["by_order"], true);
  EXPECT_EQ(copy["unmatched"], 0);
  const auto difference = [&](const char* a, const char* b) {  // of rows that were normalised once more
    const int joints = load(a).skeleton.joint_count();
    return (densify(load(a).weights, joints) - densify(load(b).weights, joints)).cwiseAbs().maxCoeff();
  };
  EXPECT_LT(difference("copy.glb", "smooth.glb"), 1e-6);
  ASSERT_EQ(run_sinew({"convert", hero_, path("bare.obj"), "--quiet"}).exit_code, 0);
  const nlohmann::json transfer = run({"transfer", path("bare.obj"), "--source", hero_}, "transfer.glb");
  EXPECT_GT(transfer["matched"], transfer["inpainted"]);
  EXPECT_EQ(count_unweighted(load("transfer.glb").weights), 0u);
  EXPECT_EQ(load("transfer.glb").skeleton.names, load("hero.glb").skeleton.names);
  const nlohmann::json combine = run({"combine", hero_, "--take", "*=" + path("smooth.glb")}, "combine.glb");
  EXPECT_EQ(combine["layers"], 1);
  EXPECT_LT(difference("combine.glb", "smooth.glb"), 1e-6);
}

TEST_F(WeightsCommand, ExportsAndImports) {
  for (const char* name : {"weights.json", "weights.csv"}) {
    run({"export", hero_}, name);
    const nlohmann::json import = run({"import", hero_, "--weights", path(name)}, "again.glb");
    EXPECT_EQ(import["changed_vertices"], 0) << name;
    EXPECT_EQ(load("again.glb").weights.weights, load("hero.glb").weights.weights);
  }
}

TEST_F(WeightsCommand, AddsTwistJointsThatPlay) {
  const nlohmann::json twist = run({"twist", hero_, "--per-limb", "2", "--limbs", "forearms,shins"}, "twist.glb");
  EXPECT_EQ(twist["added"].size(), 4u);
  const Character before = load("hero.glb"), after = load("twist.glb");
  EXPECT_EQ(after.skeleton.joint_count(), before.skeleton.joint_count() + 8);
  EXPECT_GE(find_joint(after.skeleton, "LeftForeArmTwist1"), 0);
  ASSERT_EQ(after.motions.size(), before.motions.size());
  EXPECT_EQ(after.motions[0].frame_count(), before.motions[0].frame_count());
  EXPECT_EQ(run({"twist", path("twist.glb"), "--limbs", "forearms,shins"}, "same.glb")["added"].size(), 0u);
}

TEST_F(WeightsCommand, SaysWhatIsWrong) {
  const auto refused = [](const std::vector<std::string>& words, int code, const std::string& part) {
    const ProgramResult result = run_sinew(words);
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  };
  refused({"weights"}, 2, "sinew weights --help");
  refused({"weights", "miror", hero_}, 2, "did you mean mirror");
  refused({"weights", "prune", hero_}, 2, "--output");
  refused({"weights", "prune", hero_, "-o", path("x.glb"), "--treshold", "1"}, 2, "did you mean --threshold");
  refused({"weights", "prune", hero_, "-o", path("x.glb"), "--threshold", "2"}, 2, "0 … 1");
  refused({"weights", "smooth", hero_, "-o", path("x.glb"), "--joints", "Tentacle"}, 2, "Tentacle");
  refused({"weights", "smooth", hero_, "-o", path("x.glb"), "--parts", "Tentacle"}, 2, "Tentacle");
  refused({"weights", "smooth", hero_, "-o", hero_}, 2, "--overwrite");
  refused({"weights", "combine", hero_, "-o", path("x.glb")}, 2, "--take");
  refused({"weights", "export", hero_, "-o", path("x.txt")}, 2, "--form");
  write_file(folder_ / "bad.csv", "vertex,joint,weight\n0,Tentacle,1\n");
  refused({"weights", "import", hero_, "--weights", path("bad.csv"), "-o", path("x.glb")}, 3, "bad.csv");
  ASSERT_EQ(run_sinew({"convert", hero_, path("bare.obj"), "--quiet"}).exit_code, 0);
  refused({"weights", "mirror", path("bare.obj"), "-o", path("x.glb")}, 3, "sinew bind");
  EXPECT_FALSE(std::filesystem::exists(path("x.glb")));
}

}  // namespace
}  // namespace sinew::test
