// Files between page and server: bytes all the way, nothing on disk.
#include "apps/viewer/files.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "sinew/io.h"
#include "tests/support/test_files.h"
#include "tests/viewer/client.h"

namespace sinew {
namespace {

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// With a temporary folder that does not exist: whoever wants to write there fails.
class NoTemporaryFolder {
 public:
  NoTemporaryFolder() : before_(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "") {
    setenv("TMPDIR", (folder_ / "missing").c_str(), 1);
  }
  ~NoTemporaryFolder() {
    if (before_.empty()) {
      unsetenv("TMPDIR");
    } else {
      setenv("TMPDIR", before_.c_str(), 1);
    }
  }

 private:
  test::TemporaryFolder folder_;
  std::string before_;
};

TEST(ViewerFiles, OpeningAndSavingNeedNoTemporaryFiles) {
  const NoTemporaryFolder nowhere;
  ASSERT_THROW((void)std::filesystem::temp_directory_path(), std::filesystem::filesystem_error);
  const viewer::Server server(test::limb(), "limb.glb");
  const test::Client client(server);
  for (const auto& [name, format] : {std::pair{"new.glb", FileFormat::glb},
                                     {"new.obj", FileFormat::obj},
                                     {"new.ply", FileFormat::ply},
                                     {"new.stl", FileFormat::stl}}) {
    const std::string bytes = text_of(write_character(test::limb(), format).bytes);
    EXPECT_EQ(client.drop(name, bytes)["state"], "done") << name;
    EXPECT_EQ(client.state()["file"], name);
    for (const char* asked : {"result.glb", "opened.glb"}) {
      const std::string glb = client.get(asked).body;
      EXPECT_EQ(read_character(std::as_bytes(std::span(glb))).mesh.vertex_count() > 0, true) << asked;
    }
  }
  Character clip = test::limb();
  clip.mesh = {};
  clip.parts.clear();
  clip.weights = {};
  EXPECT_EQ(client.drop("wave.bvh", text_of(write_character(clip, FileFormat::bvh).bytes))["state"], "done");
}

TEST(ViewerFiles, AGltfWhoseBufferIsMissingSaysSo) {
  const viewer::Server server(test::limb(), "limb.glb");
  const test::Client client(server);
  const nlohmann::json job = client.drop("a.gltf", text_of(write_character(test::limb(), FileFormat::gltf).bytes));
  EXPECT_EQ(job["state"], "failed");
  EXPECT_NE(job["error"]["message"].get<std::string>().find("buffer.bin"), std::string::npos) << job;
  SaveOptions embed;
  embed.embed = true;
  EXPECT_EQ(client.drop("a.gltf", text_of(write_character(test::limb(), FileFormat::gltf, embed).bytes))["state"],
            "done");
}

}  // namespace
}  // namespace sinew
