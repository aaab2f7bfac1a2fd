// The folder of training shapes: what is written comes back, a torn end is survived, wrong folders are refused.
#include "sinew/correctives/training_shapes.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/base/random.h"
#include "sinew/error.h"
#include "sinew/io.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

Character small_character() {
  Character character;
  character.name = "stick";
  character.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  character.mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  Affine3d rest = Affine3d::Identity();
  add_joint(character.skeleton, "root", -1, rest);
  rest.translation() = Vec3d(0, 0.5, 0);
  add_joint(character.skeleton, "tip", 0, rest);
  character.weights = make_skin_weights(4, 2);
  for (std::size_t v = 0; v < 4; ++v) set_influences(character.weights, v, {{0, 0.25}, {1, 0.75}});
  return character;
}

TrainingFrame random_frame(const Character& character, const std::string& motion, int frame) {
  Random random = Random::stream(7, static_cast<std::uint64_t>(frame));
  TrainingFrame result{motion, frame, rest_pose(character.skeleton), character.mesh.positions};
  result.pose[1].rotation = Quatd(Eigen::AngleAxisd(random.uniform(-1, 1), Vec3d::UnitX()));
  for (Vec3f& p : result.positions) p += Vec3f::Constant(static_cast<float>(random.normal()));
  return result;
}

TEST(TrainingShapes, ComeBackAsTheyWereWritten) {
  const test::TemporaryFolder folder;
  const Character character = small_character();
  TrainingShapesWriter writer(folder / "shapes", character);
  for (int i = 0; i < 3; ++i) writer.append(random_frame(character, "bend", i));
  writer.append_failure("bend", 3, rest_pose(character.skeleton));
  EXPECT_TRUE(writer.contains("bend", 3));
  EXPECT_FALSE(writer.contains("bend", 4));

  const TrainingShapes shapes(folder / "shapes");
  ASSERT_EQ(shapes.size(), 3u);
  EXPECT_EQ(shapes.failed_count(), 1u);
  EXPECT_TRUE(shapes.warnings().empty());
  for (std::size_t i = 0; i < 3; ++i) {
    const TrainingFrame expected = random_frame(character, "bend", static_cast<int>(i));
    EXPECT_EQ(shapes.positions(i), expected.positions);
    EXPECT_LT(shapes.pose(i)[1].rotation.angularDistance(expected.pose[1].rotation), 1e-6);
    EXPECT_EQ(shapes.motion(i), "bend");
    EXPECT_EQ(shapes.frame(i), static_cast<int>(i));
  }
}

TEST(TrainingShapes, ResumeAfterATornEnd) {
  const test::TemporaryFolder folder;
  const Character character = small_character();
  {
    TrainingShapesWriter writer(folder / "shapes", character);
    for (int i = 0; i < 3; ++i) writer.append(random_frame(character, "bend", i));
  }
  const auto path = folder / "shapes/shapes.sinewt";
  const std::string whole = test::read_file(path);
  for (const std::size_t cut : {whole.size() - 1, whole.size() - 30, whole.size() - 200}) {
    test::write_file(path, whole.substr(0, cut));
    EXPECT_EQ(TrainingShapes(folder / "shapes").size(), 2u);
    EXPECT_EQ(TrainingShapes(folder / "shapes").warnings().size(), 1u);
    TrainingShapesWriter writer(folder / "shapes", character);
    EXPECT_FALSE(writer.contains("bend", 2));
    writer.append(random_frame(character, "bend", 2));
    EXPECT_EQ(test::read_file(path), whole);
  }
  // A flipped byte in the last shape's positions is found by the hash.
  std::string flipped = whole;
  flipped[whole.size() - 20] ^= 1;
  test::write_file(path, flipped);
  EXPECT_EQ(TrainingShapes(folder / "shapes").size(), 2u);
}

TEST(TrainingShapes, RealCharactersKeepTheirOrder) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  for (const auto& path : test::data_files("characters", {".glb"})) {
    if (std::filesystem::file_size(path) > 2'000'000) continue;
    const Character character = load_character(path);
    if (!character.has_skin()) continue;
    const test::TemporaryFolder folder;
    EXPECT_NO_THROW(TrainingShapesWriter(folder.path(), character)) << path;
    Character moved = character;
    for (Vec3f& p : moved.mesh.positions) p *= 1.01f;
    const test::TemporaryFolder other;
    EXPECT_NO_THROW(TrainingShapesWriter(other.path(), moved)) << path;
  }
}

TEST(TrainingShapes, RefusesWhatDoesNotFit) {
  const test::TemporaryFolder folder;
  const Character character = small_character();
  TrainingShapesWriter writer(folder / "shapes", character);
  TrainingFrame frame = random_frame(character, "bend", 0);
  frame.positions.pop_back();
  EXPECT_THROW(writer.append(frame), Error);
  frame = random_frame(character, "bend", 0);
  frame.positions[1].x() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(writer.append(frame), Error);
  frame = random_frame(character, std::string(64, 'x'), 0);
  EXPECT_THROW(writer.append(frame), Error);
  frame = random_frame(character, "bend", 0);
  writer.append(frame);
  EXPECT_THROW(writer.append(frame), Error);

  Character other = small_character();
  other.mesh.positions[0].x() = 3;
  EXPECT_THROW(TrainingShapesWriter(folder / "shapes", other), Error);
  EXPECT_THROW(TrainingShapes(folder / "nothing"), Error);
}

TEST(TrainingShapes, ReadsLooseFrames) {
  const test::TemporaryFolder folder;
  Character character = small_character();
  save_character(character, folder / "character.glb");
  const TrainingFrame frame = random_frame(character, "bend", 5);
  Character shape;
  shape.mesh.positions = frame.positions;
  shape.mesh.triangles = character.mesh.triangles;
  save_character(shape, folder / "frame5.ply");
  nlohmann::json pose = nlohmann::json::array();
  for (const Transform& t : frame.pose) {
    pose.push_back({t.translation.x(), t.translation.y(), t.translation.z(), t.rotation.x(), t.rotation.y(),
                    t.rotation.z(), t.rotation.w(), t.scale.x(), t.scale.y(), t.scale.z()});
  }
  const nlohmann::json list = {
      {"frames", {{{"file", "frame5.ply"}, {"motion", "bend"}, {"frame", 5}, {"pose", pose}}}}};
  test::write_file(folder / "shapes.json", list.dump());
  const TrainingShapes shapes(folder.path());
  ASSERT_EQ(shapes.size(), 1u);
  EXPECT_EQ(shapes.positions(0), frame.positions);
  EXPECT_LT(shapes.pose(0)[1].rotation.angularDistance(frame.pose[1].rotation), 1e-6);

  for (const char* bad : {"", "{", "{\"frames\": 3}", "{\"frames\": [{}]}",
                          "{\"frames\": [{\"file\": \"a.ply\", \"motion\": \"none\", \"frame\": 1}]}",
                          "{\"frames\": [{\"file\": \"a.ply\", \"motion\": \"m\", \"frame\": 1, \"pose\": [[1]]}]}"}) {
    test::write_file(folder / "shapes.json", bad);
    EXPECT_THROW(TrainingShapes(folder.path()), Error) << bad;
  }
}

}  // namespace
}  // namespace sinew
