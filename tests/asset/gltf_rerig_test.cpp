// A character that gets another skeleton, or other names: what of the old one stays in its glTF file, and what goes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "sinew/io.h"
#include "tests/asset/gltf_sample.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using nlohmann::json;

json json_of(const Character& character, const SaveOptions& options = {}) {
  SaveOptions whole = options;
  whole.embed = true;
  const std::vector<std::byte> bytes = write_character(character, FileFormat::gltf, whole).bytes;
  return json::parse(reinterpret_cast<const char*>(bytes.data()),
                     reinterpret_cast<const char*>(bytes.data()) + bytes.size());
}

std::set<std::string> node_names(const json& file) {
  std::set<std::string> names;
  for (const json& node : file["nodes"]) names.insert(node.value("name", ""));
  return names;
}

std::size_t reachable_nodes(const json& file) {
  std::set<std::size_t> seen;
  std::vector<std::size_t> open;
  for (const json& scene : file["scenes"]) {
    for (const json& node : scene.value("nodes", json::array())) open.push_back(node);
  }
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    if (!seen.insert(node).second) continue;
    for (const json& child : file["nodes"][node].value("children", json::array())) open.push_back(child);
  }
  return seen.size();
}

Character reread(const Character& character, const SaveOptions& options = {}) {
  return read_character(write_character(character, FileFormat::glb, options).bytes);
}

void expect_only_the_new_skeleton(const Character& character, const std::string& file) {
  const Character other = test::with_other_skeleton(character);
  const json now = json_of(other);
  EXPECT_EQ(reachable_nodes(now), now["nodes"].size()) << file;
  const std::set<std::string> names = node_names(now);
  std::set<std::string> parts;  // a mesh may be called as a joint was
  for (const Part& part : character.parts) parts.insert(part.name);
  for (const json& node : now["nodes"]) {
    if (node.contains("mesh") || node.contains("camera") || node.contains("children"))
      parts.insert(node.value("name", ""));
  }
  for (std::size_t joint = 0; joint < character.skeleton.names.size(); ++joint) {
    const std::string& name = character.skeleton.names[joint];
    EXPECT_TRUE(!names.contains(name) || parts.contains(name)) << file << ": " << name;
  }
  EXPECT_EQ(now.value("animations", json::array()).size(), 0u) << file;
  const Character again = reread(other);
  EXPECT_EQ(again.skeleton.names.size(), other.skeleton.names.size()) << file;
  EXPECT_EQ(again.mesh.vertex_count(), other.mesh.vertex_count()) << file;
}

TEST(GltfRerig, TheOldSkeletonIsGone) {
  Character sample = reread(test::sample_character());
  Motion still;
  still.name = "old clip";
  still.joint_count = sample.skeleton.joint_count();
  for (int frame = 0; frame < 2; ++frame) {
    for (const Transform& local : rest_pose(sample.skeleton)) still.transforms.push_back(local);
  }
  sample.motions = {still};
  expect_only_the_new_skeleton(reread(sample), "sample");
}

TEST(GltfRerig, RealFiles) {
  const auto files = test::data_files("characters", {".glb"});
  if (files.empty()) GTEST_SKIP() << "no data folder beside the project";
  for (const auto& file : files) {
    const Character character = load_character(file);
    if (!character.has_skin()) continue;
    const json before = json_of(character);
    const json after = json_of(test::with_other_skeleton(character));
    EXPECT_EQ(after.value("materials", json::array()), before.value("materials", json::array())) << file;
    EXPECT_EQ(after.value("images", json::array()).size(), before.value("images", json::array()).size()) << file;
    EXPECT_EQ(after["meshes"].size(), before["meshes"].size()) << file;
    EXPECT_EQ(reachable_nodes(after), after["nodes"].size()) << file;
    EXPECT_GE(after["skins"].size(), 1u) << file;
  }
}

TEST(GltfRerig, ItStaysWhenAskedTo) {
  const Character sample = reread(test::sample_character());
  SaveOptions keep;
  keep.keep_old_skeleton = true;
  const json now = json_of(test::with_other_skeleton(sample), keep);
  for (const std::string& name : sample.skeleton.names) EXPECT_TRUE(node_names(now).contains(name)) << name;
  EXPECT_EQ(reread(test::with_other_skeleton(sample), keep).skeleton.joint_count(), sample.skeleton.joint_count() + 1);
}

TEST(GltfRerig, NodesThatMayBeNamedByNumberStay) {
  json file = json_of(test::sample_character());
  file["extensionsUsed"] = json::array({"EXT_somebody_elses"});
  const std::string text = file.dump();
  const Character read = read_character(std::as_bytes(std::span(text)));
  const WrittenCharacter written = write_character(test::with_other_skeleton(read), FileFormat::glb);
  ASSERT_FALSE(written.warnings.empty());
  EXPECT_EQ(written.warnings.back().code, "old-nodes-kept");
}

TEST(GltfRerig, OtherNamesKeepNodesAndWhatHangsOnThem) {
  json file = json_of(test::sample_character());
  // A camera below a joint.
  std::size_t joint = 0;
  while (file["nodes"][joint].value("name", "") != "joint 3") ++joint;
  const json lens = {{"yfov", 1.0}, {"znear", 0.1}};
  const json camera = {{"type", "perspective"}, {"perspective", lens}};
  file["cameras"] = json::array({camera});
  const json eye = {{"name", "eye"}, {"camera", 0}, {"translation", json::array({0.0, 0.5, 0.0})}};
  file["nodes"].push_back(eye);
  file["nodes"][joint]["children"].push_back(file["nodes"].size() - 1);
  const std::string text = file.dump();
  const Character before = read_character(std::as_bytes(std::span(text)));

  Character after = before;
  for (std::string& name : after.skeleton.names) name += " renamed";
  for (Affine3d& rest : after.skeleton.rest) {
    rest.linear() = rest.linear() * Quatd(Eigen::AngleAxisd(1.0, Vec3d(1, 2, 2) / 3)).toRotationMatrix();
  }
  after.motions.clear();
  const json now = json_of(after);
  EXPECT_EQ(now["nodes"].size(), file["nodes"].size());
  EXPECT_TRUE(node_names(now).contains("joint 3 renamed"));
  EXPECT_FALSE(node_names(now).contains("joint 3"));
  // The camera stands where it stood.
  const auto place_of_eye = [](const json& gltf, const Skeleton& skeleton, const std::string& name) {
    for (const json& node : gltf["nodes"]) {
      if (node.value("name", "") != "eye") continue;
      const Vec3d local(node["translation"][0], node["translation"][1], node["translation"][2]);
      return Vec3d(skeleton.rest[static_cast<std::size_t>(find_joint(skeleton, name))] * local);
    }
    return Vec3d(0, 0, 0);
  };
  EXPECT_LT(
      (place_of_eye(file, before.skeleton, "joint 3") - place_of_eye(now, after.skeleton, "joint 3 renamed")).norm(),
      1e-5);
}

// ---- --names, with whatever writes ----

TEST(SaveNames, PosedVerticesStay) {
  std::vector<std::filesystem::path> files = test::data_files("characters", {".glb"});
  if (files.empty()) GTEST_SKIP() << "no data folder beside the project";
  for (const auto& file : files) {
    Character before = load_character(file);
    if (!before.has_skin()) continue;
    if (before.motions.size() > 2) before.motions.resize(2);
    for (const char* word : {"mixamo", "unreal", "unity", "vrm", "rigify"}) {
      SaveOptions options;
      options.names = *name_convention(word);
      const Character after = reread(before, options);
      ASSERT_EQ(after.mesh.vertex_count(), before.mesh.vertex_count()) << file << word;
      ASSERT_EQ(after.motions.size(), before.motions.size()) << file << word;
      const double diagonal = bounding_diagonal(before.mesh);
      for (std::size_t m = 0; m < before.motions.size() && m < 2; ++m) {
        const Motion& first = before.motions[m];
        const auto second = std::find_if(after.motions.begin(), after.motions.end(),
                                         [&](const Motion& motion) { return motion.name == first.name; });
        ASSERT_NE(second, after.motions.end()) << file << word;
        const int frame = first.frame_count() / 2;
        const auto a = test::posed_positions(before, frame_pose(first, frame));
        const auto b = test::posed_positions(after, sample_motion(*second, frame / first.frames_per_second));
        double worst = 0;
        for (std::size_t v = 0; v < a.size(); ++v) worst = std::max(worst, (a[v] - b[v]).norm());
        EXPECT_LT(worst, 1e-5 * diagonal) << file << " " << word << " " << first.name;
      }
    }
  }
}

TEST(SaveNames, InFbxToo) {
  const Character sample = test::sample_character();
  SaveOptions options;
  options.names = NameConvention::unreal;
  const WrittenCharacter written = write_character(sample, FileFormat::fbx, options);
  EXPECT_EQ(written.warnings.front().code, "no-body");
}

}  // namespace
}  // namespace sinew
