// VRM 1.0: which joints are which bones, what the file says of itself, and how the body stands.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "sinew/io.h"
#include "tests/asset/gltf_sample.h"
#include "tests/support/figure.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using nlohmann::json;

// A tube around the standing figure: every vertex follows the nearest joint.
Character standing_character() {
  Character character;
  character.name = "figure";
  test::add_grid(character, "body", 20, 8, 0.2, 1.7, Vec3d(0, 0, 0), PartBinding::skinned);
  character.skeleton = test::standing_figure();
  character.weights = make_skin_weights(character.mesh.vertex_count(), 1);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    int nearest = 0;
    for (int joint = 1; joint < character.skeleton.joint_count(); ++joint) {
      const auto distance = [&](int j) {
        return (character.skeleton.position(j) - character.mesh.positions[v].cast<double>()).norm();
      };
      if (distance(joint) < distance(nearest)) nearest = joint;
    }
    set_influences(character.weights, v, {{static_cast<std::uint16_t>(nearest), 1.0}});
  }
  return character;
}

json glb_json(const std::vector<std::byte>& glb) {
  std::uint32_t size = 0;
  std::memcpy(&size, glb.data() + 12, 4);
  const auto* text = reinterpret_cast<const char*>(glb.data()) + 20;
  return json::parse(text, text + size);
}

WrittenCharacter write_vrm(const Character& character, const VrmMeta& meta = {}) {
  SaveOptions options;
  options.as_vrm = true;
  options.vrm = meta;
  return write_character(character, FileFormat::glb, options);
}

std::string node_of_bone(const json& file, const std::string& bone) {
  const json& bones = file["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"];
  return bones.contains(bone) ? file["nodes"][bones[bone]["node"].get<std::size_t>()].value("name", "") : "";
}

TEST(Vrm, SaysWhichJointsAreWhichBones) {
  const WrittenCharacter written = write_vrm(standing_character(), {"Figure", {"Ada", "Bob"}, "https://example.org/l"});
  EXPECT_TRUE(written.warnings.empty());
  const json file = glb_json(written.bytes);
  EXPECT_EQ(file["extensionsUsed"], json::array({"VRMC_vrm"}));
  EXPECT_EQ(file["extensions"]["VRMC_vrm"]["specVersion"], "1.0");
  EXPECT_EQ(node_of_bone(file, "hips"), "Hips");
  EXPECT_EQ(node_of_bone(file, "chest"), "Chest");
  EXPECT_EQ(node_of_bone(file, "leftUpperArm"), "LeftArm");
  EXPECT_EQ(node_of_bone(file, "rightLowerLeg"), "RightLeg");
  EXPECT_EQ(node_of_bone(file, "leftLittleProximal"), "LeftHandPinky1");
  EXPECT_EQ(node_of_bone(file, "jaw"), "");
  const json& meta = file["extensions"]["VRMC_vrm"]["meta"];
  EXPECT_EQ(meta["name"], "Figure");
  EXPECT_EQ(meta["authors"], json::array({"Ada", "Bob"}));
  EXPECT_EQ(meta["licenseUrl"], "https://example.org/l");
}

TEST(Vrm, WarnsWithoutAuthorAndNamesWhatIsMissing) {
  Character character = standing_character();
  const WrittenCharacter written = write_vrm(character);
  ASSERT_EQ(written.warnings.size(), 1u);
  EXPECT_EQ(written.warnings[0].code, "vrm-author");
  EXPECT_EQ(glb_json(written.bytes)["extensions"]["VRMC_vrm"]["meta"]["name"], "figure");
  for (std::string& name : character.skeleton.names) {
    if (name == "LeftFoot" || name == "RightFoot" || name == "LeftToeBase" || name == "RightToeBase") name = "pad";
  }
  try {
    write_vrm(character);
    FAIL() << "a VRM without feet";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::skeleton_not_understood);
    EXPECT_NE(std::string(error.what()).find("leftFoot, rightFoot"), std::string::npos) << error.what();
  }
  EXPECT_THROW(write_vrm(test::sample_character()), Error);
}

TEST(Vrm, RefusesWhatStandsOnAllFours) {
  Character dog = standing_character();
  for (Affine3d& rest : dog.skeleton.rest) {  // the trunk lies, arms and legs hang from it
    const Vec3d p = rest.translation();
    const bool arm = std::abs(p.x()) > 0.15 && p.y() > 1;
    rest.translation() = arm            ? Vec3d(0.15 * (p.x() > 0 ? 1 : -1), 1.9 - 1.2 * std::abs(p.x()) - 0.9, 0.6)
                         : p.y() > 0.95 ? Vec3d(p.x(), 0.95, p.y() - 0.9)
                                        : p;
  }
  try {
    write_vrm(dog);
    ADD_FAILURE() << "a person";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::skeleton_not_understood);
    EXPECT_NE(std::string(error.what()).find("all fours"), std::string::npos) << error.what();
  }
}

TEST(Vrm, HangingArmsAreHeldOut) {
  Character character = standing_character();
  for (std::size_t joint = 0; joint < character.skeleton.rest.size(); ++joint) {
    Vec3d p = character.skeleton.position(static_cast<int>(joint));
    if (std::abs(p.x()) <= 0.2) continue;
    const double side = p.x() > 0 ? 1.0 : -1.0, along = std::abs(p.x()) - 0.18;
    character.skeleton.rest[joint].translation() = Vec3d(side * (0.18 + 0.6 * along), 1.45 - 0.8 * along, p.z());
  }
  Motion still;  // keys that say the rest pose: they must be said, now that the nodes say another one
  still.name = "still";
  still.joint_count = character.skeleton.joint_count();
  for (int frame = 0; frame < 2; ++frame) {
    for (const Transform& local : rest_pose(character.skeleton)) still.transforms.push_back(local);
  }
  character.motions = {still};
  // Fresh, and into the file it was read from.
  const Character read = read_character(write_character(character, FileFormat::glb).bytes);
  for (const Character& from : {character, read}) {
    const Character vrm = read_character(write_vrm(from, {"", {"Ada"}, ""}).bytes);
    const json file = glb_json(write_vrm(from, {"", {"Ada"}, ""}).bytes);
    // Where nodes stand.
    const auto place = [&](const std::string& name) {
      Affine3d global = Affine3d::Identity();
      for (int joint = find_joint(vrm.skeleton, name); joint >= 0; joint = vrm.skeleton.parents[joint]) {
        for (const json& node : file["nodes"]) {
          if (node.value("name", "") != vrm.skeleton.names[joint]) continue;
          Transform local;
          if (node.contains("translation")) {
            for (int k = 0; k < 3; ++k) local.translation[k] = node["translation"][k];
          }
          if (node.contains("rotation")) {
            for (int k = 0; k < 4; ++k) local.rotation.coeffs()[k] = node["rotation"][k];
          }
          global = local.matrix() * global;
          break;
        }
      }
      return Vec3d(global.translation());
    };
    for (const std::string side : {"Left", "Right"}) {
      const Vec3d shoulder = place(side + "Arm"), elbow = place(side + "ForeArm"), hand = place(side + "Hand");
      EXPECT_NEAR(elbow.y(), shoulder.y(), 1e-4);
      EXPECT_NEAR(hand.y(), shoulder.y(), 1e-4);
      EXPECT_GT(std::abs(hand.x()), std::abs(elbow.x()));
    }
    // Bind pose and motion are what they were.
    ASSERT_EQ(vrm.motions.size(), 1u);
    const auto a = test::posed_positions(character, frame_pose(still, 0));
    const auto b = test::posed_positions(vrm, frame_pose(vrm.motions[0], 0));
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t v = 0; v < a.size(); ++v) EXPECT_LT((a[v] - b[v]).norm(), 1e-5);
  }
}

TEST(Vrm, ABodyThatFacesElsewhereIsTurned) {
  Character character = standing_character();
  const Mat3d turn = Quatd(Eigen::AngleAxisd(M_PI, Vec3d::UnitY())).toRotationMatrix();
  for (Affine3d& rest : character.skeleton.rest) rest = Affine3d(turn) * rest;
  const json file = glb_json(write_vrm(character, {"", {"Ada"}, ""}).bytes);
  bool found = false;
  for (const json& node : file["nodes"]) {
    if (node.value("name", "") != "facing") continue;
    found = true;
    EXPECT_NEAR(std::abs(node["rotation"][1].get<double>()), 1.0, 1e-6);
  }
  EXPECT_TRUE(found);
}

TEST(Vrm, ComesBackAsItIs) {
  const std::vector<std::byte> bytes = write_vrm(standing_character(), {"Figure", {"Ada"}, ""}).bytes;
  const Character read = read_character(bytes);
  EXPECT_EQ(write_vrm(read).bytes, bytes);
  EXPECT_TRUE(write_vrm(read).warnings.empty());
  // Another name changes that alone.
  const json renamed = glb_json(write_vrm(read, {"Other", {}, ""}).bytes);
  EXPECT_EQ(renamed["extensions"]["VRMC_vrm"]["meta"]["name"], "Other");
  EXPECT_EQ(renamed["extensions"]["VRMC_vrm"]["meta"]["authors"], json::array({"Ada"}));
}

TEST(Vrm, AnotherSkeletonMakesANewMap) {
  const Character read = read_character(write_vrm(standing_character(), {"Figure", {"Ada"}, ""}).bytes);
  const Character other = test::with_other_skeleton(read);
  const json vrm = glb_json(write_vrm(other).bytes);
  EXPECT_EQ(node_of_bone(vrm, "hips"), "new Hips");
  EXPECT_EQ(node_of_bone(vrm, "leftFoot"), "new LeftFoot");
  EXPECT_EQ(vrm["extensions"]["VRMC_vrm"]["meta"]["authors"], json::array({"Ada"}));
  // As a plain GLB it says nothing about bones that are gone.
  const WrittenCharacter plain = write_character(other, FileFormat::glb);
  EXPECT_FALSE(glb_json(plain.bytes).contains("extensions"));
  ASSERT_FALSE(plain.warnings.empty());
  EXPECT_EQ(plain.warnings.back().code, "vrm-dropped");
}

TEST(Vrm, ByTheNameOfTheFile) {
  const test::TemporaryFolder folder;
  SaveOptions options;
  options.vrm.authors = {"Ada"};
  save_character(standing_character(), folder / "a.vrm", options);
  save_character(standing_character(), folder / "a.glb", options);
  EXPECT_NE(test::read_file(folder / "a.vrm").find("VRMC_vrm"), std::string::npos);
  EXPECT_EQ(test::read_file(folder / "a.glb").find("VRMC_vrm"), std::string::npos);
}

}  // namespace
}  // namespace sinew
