// Files that are wrong, on purpose and at random: an Error or a sound character, never a crash.
#include <gtest/gtest.h>

#include "sinew/io.h"
#include "tests/asset/gltf_sample.h"

namespace sinew {
namespace {

LoadOptions small_limits(const std::vector<WrittenFile>& beside = {}) {
  LoadOptions options;
  options.max_elements = 1'000'000;
  options.max_file_bytes = 10'000'000;
  options.resolve = [beside](const std::string& name) -> std::optional<std::vector<std::byte>> {
    for (const WrittenFile& file : beside) {
      if (file.name == name) return file.bytes;
    }
    return std::nullopt;
  };
  return options;
}

// True when reading gave a character. Anything but an Error escapes and fails the test.
bool survives(const std::string& bytes, const LoadOptions& options) {
  try {
    check_character(read_character(std::as_bytes(std::span(bytes)), options));
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_input) << error.what();
    return false;
  }
}

std::string message_of(const std::string& json) {
  LoadOptions options = small_limits();
  options.name = "case.gltf";
  try {
    read_character(std::as_bytes(std::span(json)), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(GltfBadInput, FlippedBytesAndTruncations) {
  Character tiny = test::sample_character(4, 2);
  tiny.motions[0].transforms.resize(static_cast<std::size_t>(3 * tiny.motions[0].joint_count));
  Random random(20);
  for (const FileFormat format : {FileFormat::glb, FileFormat::gltf}) {
    const WrittenCharacter written = write_character(tiny, format);
    EXPECT_EQ(written.beside.size(), format == FileFormat::gltf ? 1u : 0u);
    const LoadOptions options = small_limits(written.beside);
    const std::string good(reinterpret_cast<const char*>(written.bytes.data()), written.bytes.size());
    ASSERT_TRUE(survives(good, options));
    const std::size_t structure = std::min<std::size_t>(good.size(), 9000);  // header and JSON
    int sound = 0;
    for (int round = 0; round < 800; ++round) {
      std::string bad = good;
      const std::size_t range = round % 4 == 0 ? good.size() : structure;
      for (std::uint64_t flips = 1 + random.below(3); flips > 0; --flips) {
        bad[random.below(range)] =
            static_cast<char>(random.below(round % 2 == 0 ? 256 : 10) + (round % 2 == 0 ? 0 : '0'));
      }
      sound += survives(bad, options);
    }
    EXPECT_GT(sound, 0);    // some changes hit only data
    EXPECT_LT(sound, 800);  // and some must be noticed
    for (int round = 0; round < 80; ++round) {
      EXPECT_FALSE(survives(good.substr(0, random.below(good.size() - 4)), options));
    }
    EXPECT_FALSE(survives("", options));
  }
}

TEST(GltfBadInput, ErrorsSayWhatIsWrong) {
  const std::string head = R"({"asset":{"version":"2.0"},)";
  const auto expect = [&](const std::string& rest, const std::string& words) {
    const std::string message = message_of(head + rest + "}");
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  EXPECT_NE(message_of("[]").find("not an object"), std::string::npos);
  EXPECT_NE(message_of(R"({"asset":{"version":"1.0"}})").find("version '1.0'"), std::string::npos);
  expect(R"("extensionsRequired":["KHR_meshopt_compression"])", "KHR_meshopt_compression");
  expect(R"("nodes":[{"children":[1]},{"children":[0]}])", "cycle");
  expect(R"("nodes":[{"children":[1]},{},{"children":[1]}])", "two parents");
  expect(R"("nodes":[{"children":[7]}])", "names 7");
  expect(R"("buffers":[{"byteLength":4,"uri":"../secret.bin"}])", "not inside its folder");
  expect(R"("buffers":[{"byteLength":4,"uri":"%2e%2e/secret.bin"}])", "not inside its folder");
  expect(R"("buffers":[{"byteLength":4,"uri":"/etc/passwd"}])", "not inside its folder");
  expect(R"("buffers":[{"byteLength":4,"uri":"https://example.org/a.bin"}])", "not inside its folder");
  expect(R"("buffers":[{"byteLength":4,"uri":"missing.bin"}])", "which is not there");
  expect(R"("buffers":[{"byteLength":400,"uri":"data:;base64,AAAA"}])", "promises 400");
  expect(R"("scene":0)", "'scene' is 0");
  const std::string mesh =
      R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)";
  expect(mesh + R"("accessors":[{"componentType":5126,"type":"VEC3","count":900000000000}])", "the limit is");
  expect(mesh + R"("accessors":[{"componentType":5126,"type":"VEC9","count":3}])", "VEC9");
  expect(mesh + R"("accessors":[{"componentType":1,"type":"VEC3","count":3}])", "componentType");
  expect(mesh + R"("accessors":[{"componentType":5126,"type":"VEC3","count":-3}])", "non-negative");
  expect(
      mesh +
          R"("buffers":[{"byteLength":12,"uri":"data:;base64,AAAAAAAAAAAAAAAA"}],"bufferViews":[{"buffer":0,"byteLength":12}],"accessors":[{"componentType":5126,"type":"VEC3","count":2,"bufferView":0}])",
      "beyond the end");
  // A NaN position (bytes 00 00 C0 7F three times).
  expect(
      mesh +
          R"("buffers":[{"byteLength":12,"uri":"data:;base64,AADAfwAAwH8AAMB/"}],"bufferViews":[{"buffer":0,"byteLength":12}],"accessors":[{"componentType":5126,"type":"VEC3","count":1,"bufferView":0}])",
      "not finite");
  std::string deep = head + R"("extras":)";
  for (int i = 0; i < 100000; ++i) deep += '[';
  EXPECT_NE(message_of(deep).find("nested"), std::string::npos);
  std::string chain = head + R"("nodes":[)";
  for (int i = 0; i < 2000; ++i) chain += R"({"children":[)" + std::to_string(i + 1) + "]},";
  EXPECT_NE(message_of(chain + "{}]}").find("deep"), std::string::npos);
}

}  // namespace
}  // namespace sinew
