// Bytes in, bytes out: what files do, memory does too, and to the bit.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <map>

#include "sinew/asset/gltf/gltf_extras.h"
#include "sinew/asset/materials.h"
#include "sinew/io.h"
#include "tests/asset/gltf_sample.h"
#include "tests/asset/samples.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string text_of(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Everything a character holds, as bytes to compare.
Bytes content_of(Character character) {
  character.source.reset();
  return write_character(character, FileFormat::glb).bytes;
}

ResolveFile from(const std::vector<WrittenFile>& files) {
  return [files](const std::string& name) -> std::optional<Bytes> {
    for (const WrittenFile& file : files) {
      if (file.name == name) return file.bytes;
    }
    return std::nullopt;
  };
}

ErrorCode code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::internal;
}

TEST(IoMemory, WritesAndReadsTheSameAsFiles) {
  const test::TemporaryFolder folder;
  const Character sample = test::sample_character();
  for (const char* name : {"a.glb", "a.gltf", "a.obj", "a.ply", "a.stl", "a.off", "a.bvh"}) {
    SCOPED_TRACE(name);
    SaveOptions save;
    save.destination = "a.gltf";  // names the buffer
    const WrittenCharacter written = write_character(sample, *format_of_extension(name), save);
    const Warnings warnings = save_character(sample, folder / name);
    EXPECT_EQ(text_of(written.bytes), test::read_file(folder / name));
    EXPECT_EQ(written.warnings.size(), warnings.size());
    for (const WrittenFile& file : written.beside) {
      EXPECT_EQ(text_of(file.bytes), test::read_file(folder / file.name)) << file.name;
    }
    LoadOptions options;
    options.name = name;
    options.resolve = from(written.beside);
    const Character from_memory = read_character(written.bytes, options), from_file = load_character(folder / name);
    EXPECT_EQ(from_memory.name, from_file.name);
    EXPECT_EQ(from_memory.format, from_file.format);
    EXPECT_EQ(content_of(from_memory), content_of(from_file));
    EXPECT_EQ(content_of(read_character(Bytes(written.bytes), options)), content_of(from_file));
  }
}

TEST(IoMemory, ReadsEverySampleTheSameAsFromItsFile) {
  const test::TemporaryFolder folder;
  for (const test::Sample& sample : test::samples()) {
    SCOPED_TRACE(sample.name);
    test::write_file(folder / sample.name, sample.bytes);
    LoadOptions options;
    options.name = sample.name;
    const Character from_memory = read_character(bytes_of(sample.bytes), options);
    const Character from_file = load_character(folder / sample.name);
    EXPECT_EQ(from_memory.name, from_file.name);
    for (std::size_t i = 0; i < from_file.motions.size(); ++i) {
      EXPECT_EQ(from_memory.motions[i].name, from_file.motions[i].name);
    }
    EXPECT_EQ(content_of(from_memory), content_of(from_file));
  }
}

TEST(IoMemory, UntouchedGltfComesBackAsItWas) {
  const WrittenCharacter glb = write_character(test::sample_character(), FileFormat::glb);
  EXPECT_EQ(write_character(read_character(glb.bytes), FileFormat::glb).bytes, glb.bytes);
  const WrittenCharacter gltf = write_character(test::sample_character(), FileFormat::gltf);
  ASSERT_EQ(gltf.beside.size(), 1u);
  EXPECT_EQ(gltf.beside[0].name, "buffer.bin");
  LoadOptions options;
  options.resolve = from(gltf.beside);
  const WrittenCharacter again = write_character(read_character(gltf.bytes, options), FileFormat::gltf);
  EXPECT_EQ(again.bytes, gltf.bytes);
  ASSERT_EQ(again.beside.size(), 1u);
  EXPECT_EQ(again.beside[0].name, "buffer.bin");
  EXPECT_EQ(again.beside[0].bytes, gltf.beside[0].bytes);
}

TEST(IoMemory, NamesComeFromTheGivenName) {
  LoadOptions options;
  options.name = "folder/hero.v2.obj";
  const Character hero = read_character(bytes_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), options);
  EXPECT_EQ(hero.name, "hero.v2");
  EXPECT_EQ(hero.format, FileFormat::obj);
  const auto message = [](const LoadOptions& given) {
    try {
      read_character(bytes_of("OFF\n9 9 9\n"), given);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_TRUE(message(options).starts_with("reading 'folder/hero.v2.obj': ")) << message(options);
  EXPECT_FALSE(message({}).empty());
  EXPECT_EQ(message({}).find("reading"), std::string::npos) << message({});
}

TEST(IoMemory, AHintDecidesTheFormat) {
  LoadOptions options;
  options.format = FileFormat::off;
  EXPECT_EQ(code_of([&] { read_character(bytes_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), options); }),
            ErrorCode::file_damaged);
  EXPECT_EQ(code_of([] { read_character(bytes_of("Dear Sir or Madam,\n")); }), ErrorCode::format_unknown);
  EXPECT_EQ(code_of([] { read_character(Bytes()); }), ErrorCode::file_empty);
  options = {};
  options.max_file_bytes = 10;
  EXPECT_EQ(code_of([&] { read_character(bytes_of("v 0 0 0\nv 1 0 0\n"), options); }), ErrorCode::too_large);
  EXPECT_EQ(code_of([] { write_character(test::sample_character(), FileFormat::collada); }),
            ErrorCode::output_format_unfit);
}

// A .gltf with one triangle whose buffer and picture are files of these names.
std::string textured(const std::string& buffer, const std::string& image) {
  return R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],
    "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"textures":[{"source":0}],
    "images":[{"uri":")" +
         image + R"("}],"buffers":[{"uri":")" + buffer + R"(","byteLength":36}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[1,1,0]}]})";
}

Bytes triangle() {
  const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const auto bytes = std::as_bytes(std::span(corners));
  return {bytes.begin(), bytes.end()};
}

TEST(IoMemory, NamedFilesAreAskedForByTheirDecodedName) {
  std::map<std::string, int> asked;
  LoadOptions options;
  options.resolve = [&](const std::string& name) -> std::optional<Bytes> {
    ++asked[name];
    return name == "a b.bin" ? triangle() : bytes_of("picture");
  };
  const Character character = read_character(bytes_of(textured("a%20b.bin", "textures/skin.png")), options);
  EXPECT_EQ(character.mesh.vertex_count(), 3u);
  EXPECT_EQ(asked, (std::map<std::string, int>{{"a b.bin", 1}})) << "pictures wait until somebody needs them";
  const Materials materials = read_materials(character);
  ASSERT_EQ(materials.images.size(), 1u);
  EXPECT_EQ(text_of(materials.images[0].bytes), "picture");
  EXPECT_EQ(asked["textures/skin.png"], 1);
}

TEST(IoMemory, NamesThatLeadElsewhereAreRefusedBeforeAnyoneIsAsked) {
  LoadOptions options;
  options.resolve = [](const std::string& name) -> std::optional<Bytes> {
    ADD_FAILURE() << "asked for " << name;
    return triangle();
  };
  for (const char* uri : {"../a.bin", "a/../../b.bin", "%2e%2e/a.bin", "/etc/passwd", "%2Fetc/passwd", "C:/a.bin",
                          "file:///etc/passwd", "https://example.org/a.bin", "a%00.bin", "..%5Ca.bin", ""}) {
    EXPECT_EQ(code_of([&] { read_character(bytes_of(textured(uri, "a.png")), options); }), ErrorCode::path_refused)
        << uri;
  }
}

TEST(IoMemory, FilesThatAreNotThereAreBadInput) {
  const Bytes file = bytes_of(textured("a.bin", "a.png"));
  EXPECT_EQ(code_of([&] { read_character(file); }), ErrorCode::file_not_found);
  LoadOptions options;
  options.resolve = [](const std::string&) { return std::optional<Bytes>(); };
  EXPECT_EQ(code_of([&] { read_character(file, options); }), ErrorCode::file_not_found);
  options.resolve = [](const std::string&) -> std::optional<Bytes> {
    throw Error(ErrorCode::file_unreadable, "the archive is locked");
  };
  EXPECT_EQ(code_of([&] { read_character(file, options); }), ErrorCode::file_unreadable);
  options.resolve = [](const std::string&) { return std::optional<Bytes>(Bytes(10'000)); };
  options.max_file_bytes = 5'000;
  EXPECT_EQ(code_of([&] { read_character(file, options); }), ErrorCode::too_large);
}

Character textured_character() {
  LoadOptions options;
  options.resolve = from({{"a.bin", triangle()}, {"textures/skin.png", bytes_of("picture")}});
  return read_character(bytes_of(textured("a.bin", "textures/skin.png")), options);
}

TEST(IoMemory, WhatTheFileNamesComesAlong) {
  const WrittenCharacter same = write_character(textured_character(), FileFormat::gltf);
  ASSERT_EQ(same.beside.size(), 2u);
  EXPECT_EQ(same.beside[0].name, "textures/skin.png");
  EXPECT_EQ(same.beside[1].name, "a.bin");
  EXPECT_EQ(same.beside[1].bytes, triangle());
  const test::TemporaryFolder folder;
  save_written(same, folder / "copy.gltf");
  EXPECT_EQ(test::read_file(folder / "textures/skin.png"), "picture");
  EXPECT_EQ(text_of(read_materials(load_character(folder / "copy.gltf")).images.at(0).bytes), "picture");
}

TEST(IoMemory, EmbeddingLeavesNothingBeside) {
  for (const FileFormat format : {FileFormat::glb, FileFormat::gltf}) {
    SaveOptions options;
    options.embed = true;
    const WrittenCharacter written = write_character(textured_character(), format, options);
    EXPECT_TRUE(written.beside.empty());
    EXPECT_TRUE(written.warnings.empty());
    const Character back = read_character(written.bytes);
    EXPECT_EQ(back.mesh.positions, textured_character().mesh.positions);
    EXPECT_EQ(text_of(read_materials(back).images.at(0).bytes), "picture");
    EXPECT_EQ(write_character(back, format, options).bytes, written.bytes);
  }
}

TEST(IoMemory, AMissingPictureIsAWarning) {
  LoadOptions options;
  options.resolve = from({{"a.bin", triangle()}});
  const Character character = read_character(bytes_of(textured("a.bin", "skin.png")), options);
  for (const FileFormat format : {FileFormat::glb, FileFormat::gltf}) {
    const WrittenCharacter written = write_character(character, format);
    ASSERT_EQ(written.warnings.size(), 1u);
    EXPECT_EQ(written.warnings[0].code, "file-not-copied");
  }
}

TEST(IoMemory, ANewBufferTakesNoNameThatIsInUse) {
  // The second buffer, which stays as it is, has the name that the first one would get.
  const std::string json = R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0,1]}],
    "nodes":[{"mesh":0},{"mesh":1}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]},{"primitives":[{"attributes":{"POSITION":1}}]}],
    "buffers":[{"uri":"x.bin","byteLength":36},{"uri":"out.bin","byteLength":36}],
    "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":1,"byteLength":36}],"accessors":[
    {"bufferView":0,"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[1,1,0]},
    {"bufferView":1,"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[1,1,0]}]})";
  LoadOptions options;
  options.resolve = from({{"x.bin", triangle()}, {"out.bin", triangle()}});
  Character character = read_character(bytes_of(json), options);
  character.mesh.positions[0] = Vec3f(5, 6, 7);
  SaveOptions save;
  save.destination = "out.gltf";
  const WrittenCharacter written = write_character(character, FileFormat::gltf, save);
  ASSERT_EQ(written.beside.size(), 2u);
  EXPECT_NE(written.beside[0].name, written.beside[1].name);
  options.resolve = from(written.beside);
  EXPECT_EQ(read_character(written.bytes, options).mesh.positions, character.mesh.positions);
}

TEST(IoMemory, SavingBesideTheSourceTouchesNoneOfItsFiles) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "textures");
  test::write_file(folder / "a.gltf", textured("a.bin", "textures/skin.png"));
  test::write_file(folder / "a.bin", text_of(triangle()));
  test::write_file(folder / "textures/skin.png", "picture");
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  for (const char* name : {"a.bin", "textures/skin.png"}) std::filesystem::last_write_time(folder / name, long_ago);
  Character character = load_character(folder / "a.gltf");
  save_character(character, folder / "same.gltf");
  character.mesh.positions[0] = Vec3f(5, 6, 7);
  save_character(character, folder / "moved.gltf");
  for (const char* name : {"a.bin", "textures/skin.png"}) {
    EXPECT_EQ(std::filesystem::last_write_time(folder / name), long_ago) << name;
  }
  EXPECT_EQ(load_character(folder / "moved.gltf").mesh.positions[0], Vec3f(5, 6, 7));
  test::write_file(folder / "b.gltf", textured("moved.bin", "textures/skin.png"));
  Character other = load_character(folder / "b.gltf");
  other.mesh.positions[1] = Vec3f(5, 6, 7);
  EXPECT_THROW(save_character(other, folder / "moved.gltf"), Error) << "b.gltf needs moved.bin";
}

TEST(IoMemory, WrittenFilesStayInTheirFolder) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "inside");
  WrittenCharacter written = write_character(test::sample_character(), FileFormat::gltf);
  written.beside[0].name = "../outside.bin";
  EXPECT_EQ(code_of([&] { save_written(written, folder / "inside" / "a.gltf"); }), ErrorCode::path_refused);
  EXPECT_FALSE(std::filesystem::exists(folder / "outside.bin"));
  EXPECT_FALSE(std::filesystem::exists(folder / "inside" / "a.gltf"));
}

TEST(IoMemory, ExtrasGoInAndComeOut) {
  for (const FileFormat format : {FileFormat::glb, FileFormat::gltf}) {
    const WrittenCharacter written = write_character(test::sample_character(), format);
    const Bytes with = with_gltf_extra(written.bytes, "key", "value");
    EXPECT_EQ(gltf_extra(with, "key"), "value");
    EXPECT_EQ(gltf_extra(written.bytes, "key"), "");
    LoadOptions options;
    options.resolve = from(written.beside);
    EXPECT_EQ(content_of(read_character(with, options)), content_of(read_character(written.bytes, options)));
  }
  EXPECT_THROW(with_gltf_extra(bytes_of("v 0 0 0\n"), "key", "value"), Error);
  EXPECT_THROW(with_gltf_extra({}, "key", "value"), Error);
}

std::atomic<int> forks{0};

// A forked copy is made only when it is asked for, and gives the same.
TEST(IoMemory, IsolationIsTheCallersChoice) {
  ASSERT_EQ(pthread_atfork([] { ++forks; }, nullptr, nullptr), 0);
  LoadOptions options;
  options.name = "a.dae";
  const Bytes bytes = bytes_of(test::collada_sample());
  const Character here = read_character(bytes, options);
  EXPECT_EQ(forks, 0);
  options.isolate = true;
  const Character apart = read_character(bytes, options);
  EXPECT_EQ(forks, 1);
  EXPECT_EQ(content_of(here), content_of(apart));
  for (const test::Sample& sample : test::samples()) {
    if (sample.name == "a.dae") continue;
    options.name = sample.name;
    read_character(bytes_of(sample.bytes), options);
  }
  EXPECT_EQ(forks, 1) << "only assimp needs it";
}

}  // namespace
}  // namespace sinew
