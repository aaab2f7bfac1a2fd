// Correctives and levels of detail in the page.
#include "apps/viewer/corrective_view.h"

#include <gtest/gtest.h>

#include "apps/viewer/packet.h"
#include "sinew/asset/gltf/gltf_lods.h"
#include "sinew/base/file_bytes.h"
#include "sinew/base/random.h"
#include "sinew/correctives/train_correctives.h"
#include "sinew/io.h"
#include "tests/correctives/synthetic_arm.h"
#include "tests/support/test_files.h"
#include "tests/viewer/client.h"

namespace sinew {
namespace {

using nlohmann::json;
using test::WrittenPacket;

// An arm, shapes of it and correctives, quickly trained; made once.
struct Arm {
  test::TemporaryFolder folder;
  Character character;
  std::string sinewc, sinewt;

  Arm() {
    const Character arm = test::synthetic_arm(24, 12);
    TrainingShapesWriter writer(folder.path(), arm);
    Random random(3);
    for (int i = 0; i < 40; ++i)
      test::append_arm_shape(writer, arm, "random", i, random.uniform(0, 2.2), random.uniform(-1.2, 1.2));
    for (int i = 0; i < 8; ++i) test::append_arm_shape(writer, arm, "curl", i, 0.25 * i, 0);
    TrainOptions options;
    options.lod.levels = 2;
    options.lod.ratio = 0.4;
    options.regions = 8;
    options.network.adam_epochs = 15;
    options.network.lbfgs_iterations = 15;
    const TrainingShapes shapes(folder.path());
    write_file_bytes(folder / "arm.sinewc", CorrectiveTrainer(shapes, options).train(1e-3, true).bytes);
    sinewc = test::read_file(folder / "arm.sinewc");
    sinewt = test::read_file(folder / "shapes.sinewt");
    character = load_character(folder / "character.glb");
  }
};

const Arm& arm() {
  static const Arm it;
  return it;
}

std::string pose_body(const Pose& pose, json header = json::object()) {
  std::vector<float> numbers;
  for (const Transform& transform : pose) viewer::append_transform(numbers, transform);
  WrittenPacket packet(std::move(header));
  packet.add("pose", numbers);
  return packet.bytes();
}

TEST(CorrectivePage, DroppedCorrectivesPoseEveryFrame) {
  const viewer::Server server(arm().character, "character.glb");
  const test::Client client(server);
  EXPECT_TRUE(client.state()["correctives"].is_null());
  ASSERT_EQ(client.drop("arm.sinewc", arm().sinewc)["state"], "done");
  EXPECT_EQ(client.state()["correctives"]["name"], "arm.sinewc");
  EXPECT_EQ(client.state()["correctives"]["levels"], 2);
  ASSERT_EQ(client.drop("shapes.sinewt", arm().sinewt)["state"], "done");
  EXPECT_EQ(client.state()["truth"]["frames"], 48);

  const test::ReadPacket truth = client.packet("truth");
  ASSERT_EQ(truth.header["frames"].size(), 48u);
  EXPECT_EQ(truth.array<float>("poses").size(), 48u * 3 * 10);
  const std::size_t frame = 47;
  EXPECT_EQ(truth.header["frames"][frame]["motion"], "curl");

  const Pose pose = test::arm_pose(arm().character, 0.25 * 7, 0);
  const test::HttpAnswer answer = client.post("pose", pose_body(pose, {{"truth", frame}}));
  ASSERT_EQ(answer.status, 200) << answer.body;
  const test::ReadPacket posed = test::unpack(answer.body);
  const auto positions = posed.array<float>("positions");
  CorrectivePoser poser(CorrectiveFile(read_file_bytes(arm().folder / "arm.sinewc")));
  const CorrectivePoser::Posed expected = poser.pose(arm().character.skeleton, pose);
  ASSERT_EQ(positions.size(), 3 * expected.positions.size());
  for (std::size_t v = 0; v < expected.positions.size(); ++v) {
    EXPECT_LT((Vec3f(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]) - expected.positions[v]).norm(),
              1e-5f);
  }
  EXPECT_EQ(posed.array<float>("normals").size(), positions.size());
  EXPECT_EQ(posed.array<float>("plain_error").size(), expected.positions.size());
  EXPECT_LT(posed.header["corrected_error"]["mean"].get<double>(),
            0.6 * posed.header["plain_error"]["mean"].get<double>());
  EXPECT_GE(posed.header["posing_ms"].get<double>(), posed.header["correctives_ms"].get<double>());
}

TEST(CorrectivePage, FromTheCommandLine) {
  viewer::ServerOptions options;
  options.correctives = arm().folder / "arm.sinewc";
  options.truth = arm().folder.path();
  const viewer::Server server(arm().character, "character.glb", options);
  const json state = test::Client(server).state();
  EXPECT_EQ(state["correctives"]["name"], "arm.sinewc");
  EXPECT_EQ(state["truth"]["frames"], 48);
  EXPECT_THROW(viewer::Server(test::limb(), "limb.glb", options), Error) << "made for another character";
}

TEST(CorrectivePage, OthersAreRefused) {
  const viewer::Server server(test::limb(), "limb.glb");
  const test::Client client(server);
  const json other = client.drop("arm.sinewc", arm().sinewc);
  EXPECT_EQ(other["state"], "failed");
  EXPECT_EQ(client.drop("broken.sinewc", "nonsense")["state"], "failed");
  EXPECT_EQ(client.drop("shapes.sinewt", arm().sinewt)["state"], "failed");
  EXPECT_EQ(client.drop("shapes.sinewt", "nonsense")["state"], "failed");
  EXPECT_EQ(client.get("truth").status, 400);
  const Pose rest = rest_pose(test::limb().skeleton);
  EXPECT_EQ(client.post("pose", pose_body(rest)).status, 200) << "nothing to correct";
  for (const std::string& body :
       {std::string("x"), pose_body({rest[0]}), pose_body(rest, {{"truth", 0}}), pose_body(rest, {{"truth", -1}}),
        pose_body(rest, {{"truth", "all"}}), WrittenPacket(json::object()).bytes()}) {
    EXPECT_EQ(client.post("pose", body).status, 400);
  }
  Pose wrong = rest;
  wrong[0].translation.x() = std::nan("");
  EXPECT_EQ(client.post("pose", pose_body(wrong)).status, 400);
}

TEST(LevelsOfDetail, MadeLevelsHaveThePresentWeights) {
  const viewer::Server server(arm().character, "character.glb");
  const test::Client client(server);
  EXPECT_EQ(client.state()["levels"].size(), 0u);
  EXPECT_EQ(client.get("level/1").status, 400);
  ASSERT_EQ(client.finish(client.post("levels"))["state"], "done");
  const json levels = client.state()["levels"];
  ASSERT_GE(levels.size(), 1u);
  EXPECT_LT(levels[0]["vertices"], client.character().header["vertices"]);
  client.bind({{"method", "proximity"}});
  const test::ReadPacket level = client.packet("level/1");
  const SkinWeights present = client.weights(client.current());
  EXPECT_EQ(level.header["influences"], present.influences);
  const auto positions = level.array<float>("positions"), all = client.character().array<float>("positions");
  const auto weights = level.array<float>("weights");
  // A vertex of the level is one of the character's, with its weights.
  std::size_t found = 0;
  while (!std::equal(positions.begin(), positions.begin() + 3, all.begin() + static_cast<std::ptrdiff_t>(3 * found)))
    ++found;
  EXPECT_EQ(weights[0], present.weights[found * static_cast<std::size_t>(present.influences)]);
  EXPECT_EQ(client.get("level/9").status, 400);
}

TEST(LevelsOfDetail, OfTheFile) {
  Character character = arm().character;
  LodOptions options;
  options.levels = 3;
  options.ratio = 0.4;
  const LodChain chain = make_lod_chain(character, options);
  std::vector<GltfLevel> coarser;
  for (std::size_t i = 1; i < chain.levels.size(); ++i) {
    coarser.push_back({chain.levels[i].vertices, &chain.levels[i].mesh, chain.levels[i].parts});
  }
  const test::TemporaryFolder folder;
  save_written(write_gltf_lods(character, coarser, FileFormat::glb), folder / "lods.glb");
  const viewer::Server server(load_character(folder / "lods.glb"), "lods.glb");
  const test::Client client(server);
  const json levels = client.state()["levels"];
  ASSERT_EQ(levels.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(levels[i]["vertices"], chain.levels[i + 1].mesh.vertex_count());
    const test::ReadPacket level = client.packet("level/" + std::to_string(i + 1));
    EXPECT_EQ(level.array<float>("weights").size() / level.header["influences"].get<std::size_t>(),
              chain.levels[i + 1].mesh.vertex_count());
  }
}

}  // namespace
}  // namespace sinew
