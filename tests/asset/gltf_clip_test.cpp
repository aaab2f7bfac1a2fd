// Motions without a character: GLB files of nodes that move, and VRM animations.
#include <gtest/gtest.h>

#include "sinew/base/base64.h"
#include "sinew/io.h"
#include "tests/asset/gltf_sample.h"

namespace sinew {
namespace {

// Three nodes in a row, of which the middle one turns a quarter in one second, and one that is an expression.
std::string clip_json(const std::string& extensions) {
  const std::vector<float> numbers{0, 1, 0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
  return R"({"asset":{"version":"2.0"},)" + extensions +
         R"("scenes":[{"nodes":[0,3]}],"scene":0,"nodes":[)"
         R"({"name":"J_Bip_C_Hips","translation":[0,1,0],"children":[1]},)"
         R"({"name":"J_Bip_C_Spine","translation":[0,0.5,0],"children":[2]},)"
         R"({"name":"J_Bip_C_Head","translation":[0,0.25,0]},{"name":"happy"}],)"
         R"("animations":[{"name":"bow","samplers":[{"input":0,"output":1}],)"
         R"("channels":[{"sampler":0,"target":{"node":1,"path":"rotation"}}]}],)"
         R"("accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"},)"
         R"({"bufferView":0,"byteOffset":8,"componentType":5126,"count":2,"type":"VEC4"}],)"
         R"("bufferViews":[{"buffer":0,"byteLength":40}],"buffers":[{"byteLength":40,"uri":"data:;base64,)" +
         encode_base64(std::vector<std::span<const std::byte>>{std::as_bytes(std::span(numbers))}) + R"("}]})";
}

Character read_clip(const std::string& json) {
  return read_character(std::as_bytes(std::span(json)), {.name = "bow.vrma"});
}

TEST(GltfClip, NodesThatMoveAreJoints) {
  const std::string json = clip_json("");
  const Character clip = read_clip(json);
  EXPECT_EQ(clip.skeleton.names, (std::vector<std::string>{"J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Head"}));
  EXPECT_EQ(clip.skeleton.kinds[0], JointKind::helper) << "it stands still";
  EXPECT_EQ(clip.skeleton.kinds[2], JointKind::joint);
  EXPECT_TRUE(clip.skeleton.rest[2].translation().isApprox(Vec3d(0, 1.75, 0), 1e-6));
  ASSERT_EQ(clip.motions.size(), 1u);
  EXPECT_EQ(clip.motions[0].name, "bow");
  EXPECT_NEAR(clip.motions[0].duration(), 1.0, 1e-9);
  const WrittenCharacter same = write_character(clip, FileFormat::gltf);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(same.bytes.data()), same.bytes.size()), json);
  EXPECT_EQ(read_character(write_character(clip, FileFormat::bvh).bytes, {.name = "a.bvh"}).motions.size(), 1u);
}

TEST(GltfClip, VrmAnimationsNameTheirBones) {
  const Character clip = read_clip(
      clip_json(R"("extensionsUsed":["VRMC_vrm_animation"],"extensions":{"VRMC_vrm_animation":{"specVersion":"1.0",)"
                R"("humanoid":{"humanBones":{"hips":{"node":0},"spine":{"node":1},"head":{"node":2},"jaw":7}},)"
                R"("expressions":{"preset":{"happy":{"node":3}}}}},)"));
  EXPECT_EQ(clip.skeleton.names, (std::vector<std::string>{"hips", "spine", "head"}));
  EXPECT_EQ(clip.skeleton.kinds[0], JointKind::joint);
  ASSERT_EQ(clip.motions.size(), 1u);
  const Pose last = frame_pose(clip.motions[0], clip.motions[0].frame_count() - 1);
  EXPECT_NEAR(last[1].rotation.angularDistance(Quatd(Eigen::AngleAxisd(M_PI / 2, Vec3d::UnitZ()))), 0.0, 1e-4);
}

TEST(GltfClip, NodesThatStandStillAreNothing) {
  std::string json = clip_json("");
  json.replace(json.find(R"("node":1,"path")"), 8, R"("extra":1)");
  EXPECT_THROW(read_clip(json), Error);
  json = clip_json(R"("extensions":{"VRMC_vrm_animation":{"humanoid":{"humanBones":{"hips":{"node":9}}}}},)");
  EXPECT_THROW(read_clip(json), Error);
}

}  // namespace
}  // namespace sinew
