// The real files beside the project: every one loads, and means here what it means as glTF.
#include <gtest/gtest.h>

#include "sinew/asset/gltf.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

std::vector<std::filesystem::path> real_files() {
  std::vector<std::filesystem::path> files = test::data_files("characters", {".glb"});
  for (const auto& path : test::data_files("motion/kaykit", {".glb"})) files.push_back(path);
  return files;
}

TEST(GltfData, EveryFileLoadsAndComesBackAsAFreshFile) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  test::TemporaryFolder folder;
  for (const auto& path : real_files()) {
    SCOPED_TRACE(path.filename().string());
    Character character = read_gltf(path);
    character.source.reset();
    write_gltf(character, folder / "fresh.glb");
    const Character again = read_gltf(folder / "fresh.glb");
    EXPECT_EQ(again.mesh.vertex_count(), character.mesh.vertex_count());
    EXPECT_EQ(again.skeleton.joint_count(), character.skeleton.joint_count());
    EXPECT_EQ(again.motions.size(), character.motions.size());
  }
}

}  // namespace
}  // namespace sinew
