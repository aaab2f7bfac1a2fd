// The parts that need libtorch, for real: networks written here as TorchScript, training of a few steps.
#include <gtest/gtest.h>
#include <torch/script.h>

#include <nlohmann/json.hpp>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/base/file_bytes.h"
#include "sinew/error.h"
#include "sinew/io.h"
#include "sinew/learn/fit_model.h"
#include "tests/learn/box_figure.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

// Two features: brightness, and a constant; at half the resolution.
void write_script(const std::filesystem::path& path, const std::string& body) {
  torch::jit::Module module("features");
  module.define(body);
  module.save(path.string());
}

constexpr const char* two_features = R"(
    def forward(self, x):
        small = torch.avg_pool2d(x.mean(1, True), [2, 2])
        return torch.cat([small, torch.ones_like(small) * 0.25], 1)
)";

BodyFrame frame_of(const Character& character) {
  return body_frame(character.skeleton, identify_joints_anyhow(character.skeleton));
}

TEST(ScriptFeatures, ATorchScriptNetworkSeesTheBody) {
  const test::TemporaryFolder folder;
  write_script(folder / "two.pt", two_features);
  const Character character = test::box_figure();
  const TriangleMesh body = to_body_space(character.mesh, body_space(character.mesh, frame_of(character)));
  const NetMatrix features = BodyFeatures(folder / "two.pt", 64).of_vertices(body);
  ASSERT_EQ(features.cols(), 3);
  int seen = 0;
  for (Eigen::Index v = 0; v < features.rows(); ++v) {
    if (features(v, 2) <= 0) continue;
    ++seen;
    EXPECT_NEAR(features(v, 1), 0.25, 1e-5);
    EXPECT_GT(features(v, 0), 0.1);
    EXPECT_LE(features(v, 0), 1.0);
  }
  EXPECT_GT(seen, features.rows() / 3);
}

TEST(ScriptFeatures, NetworksThatDoNotFitAreRefused) {
  const test::TemporaryFolder folder;
  const Character character = test::box_figure();
  const TriangleMesh body = to_body_space(character.mesh, body_space(character.mesh, frame_of(character)));
  test::write_file(folder / "text.pt", "no network");
  write_script(folder / "flat.pt", "\n    def forward(self, x):\n        return x.mean()\n");
  EXPECT_THROW(BodyFeatures(folder / "missing.pt"), Error);
  EXPECT_THROW(BodyFeatures(folder / "text.pt", 32).of_vertices(body), Error);
  EXPECT_THROW(BodyFeatures(folder / "flat.pt", 32).of_vertices(body), Error);
}

nlohmann::json small_job(const test::TemporaryFolder& folder) {
  std::filesystem::create_directories(folder / "characters");
  save_character(test::box_figure(), folder / "characters/figure.glb");
  return {{"output", (folder / "small.sinewfit").string()},
          {"checkpoint", (folder / "small.checkpoint").string()},
          {"characters", {(folder / "characters").string()}},
          {"builtin", 0},
          {"image_steps", 2},
          {"fit_steps", 3},
          {"threads", 1},
          {"seed", 1}};
}

// What libtorch computed while training is what the library computes without it, and a stop changes nothing.
TEST(TrainFit, AFewStepsGiveAModelThatRuns) {
  const test::TemporaryFolder folder;
  nlohmann::json job = small_job(folder);
  const auto train = [&] {
    write_file_text(folder / "job.json", job.dump());
    run_torch_program({"train", (folder / "job.json").string()});
    return load_network_file(folder / "small.sinewfit");
  };
  const NetworkFile all_at_once = train();
  const FitModel model(all_at_once);
  const Character character = test::box_figure();
  SkeletonGraph graph = body_graph(character.skeleton, identify_joints_anyhow(character.skeleton));
  stand_in_body_space(graph, Mat3d::Identity());
  const std::vector<Vec3d> places = model.place_joints(model.look_at(character.mesh, frame_of(character)), graph);
  for (const Vec3d& place : places) EXPECT_TRUE(place.allFinite());

  std::filesystem::remove(folder / "small.checkpoint");
  job["fit_steps"] = 1;
  train();
  job["fit_steps"] = 3;
  const NetworkFile again = train();
  for (const auto& [name, array] : all_at_once.arrays) EXPECT_EQ(array.values, again.arrays.at(name).values) << name;
}

TEST(TrainFit, WithAnotherImageNetwork) {
  const test::TemporaryFolder folder;
  write_script(folder / "two.pt", two_features);
  nlohmann::json job = small_job(folder);
  job["features"] = (folder / "two.pt").string();
  write_file_text(folder / "job.json", job.dump());
  run_torch_program({"train", (folder / "job.json").string()});
  const NetworkFile file = load_network_file(folder / "small.sinewfit");
  EXPECT_THROW(FitModel{file}, Error);  // it has no image network of its own
  const FitModel model(file, folder / "two.pt");
  const Character character = test::box_figure();
  EXPECT_EQ(model.look_at(character.mesh, frame_of(character)).features.cols(), 3);
  write_script(folder / "one.pt", "\n    def forward(self, x):\n        return x.mean(1, True)\n");
  EXPECT_THROW(FitModel(file, folder / "one.pt").look_at(character.mesh, frame_of(character)), Error);
}

TEST(TrainFit, NothingToLearnFromIsAnError) {
  const test::TemporaryFolder folder;
  nlohmann::json job = small_job(folder);
  job["characters"] = nlohmann::json::array();
  write_file_text(folder / "job.json", job.dump());
  EXPECT_THROW(run_torch_program({"train", (folder / "job.json").string()}), Error);
}

}  // namespace
}  // namespace sinew
