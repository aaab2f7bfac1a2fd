// Compressed glTF files: what the encoders of Draco and meshoptimizer made of a GLB is read as that GLB.
#include <draco/compression/encode.h>
#include <gtest/gtest.h>
#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "sinew/asset/gltf/gltf_meshopt.h"
#include "sinew/io.h"
#include "tests/asset/gltf_sample.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using CompressedJson = nlohmann::ordered_json;

std::string compressed_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct PlainFile {
  CompressedJson json;
  std::string chunk;

  explicit PlainFile(const std::string& glb) {
    std::uint32_t size = 0;
    std::memcpy(&size, glb.data() + 12, 4);
    json = CompressedJson::parse(glb.substr(20, size));
    chunk = glb.substr(28 + size);
  }

  std::string view(const CompressedJson& object) const {
    return chunk.substr(object.value("byteOffset", 0u), object["byteLength"].get<std::size_t>());
  }
  std::string accessor(int index) const {
    const CompressedJson& object = json["accessors"][index];
    return view(json["bufferViews"][object["bufferView"].get<int>()]).substr(object.value("byteOffset", 0u));
  }
};

std::string glb_of(const CompressedJson& json, std::string chunk) {
  std::string text = json.dump();
  text.append((4 - text.size() % 4) % 4, ' ');
  chunk.append((4 - chunk.size() % 4) % 4, '\0');
  std::string glb;
  const auto word = [&](std::size_t value) {
    const auto bits = static_cast<std::uint32_t>(value);
    glb.append(reinterpret_cast<const char*>(&bits), 4);
  };
  word(0x46546C67);
  word(2);
  word(12 + 8 + text.size() + 8 + chunk.size());
  word(text.size());
  word(0x4E4F534A);
  glb += text;
  word(chunk.size());
  word(0x004E4942);
  return glb + chunk;
}

void name_extension(CompressedJson& json, const char* name) {
  json["extensionsUsed"].push_back(name);
  json["extensionsRequired"].push_back(name);
}

std::size_t element_bytes(const CompressedJson& accessor) {
  static const std::map<std::string, std::size_t> components{
      {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
  const int type = accessor["componentType"];
  return components.at(accessor["type"]) * (type == 5126 || type == 5125 ? 4 : type == 5123 || type == 5122 ? 2 : 1);
}

// Every view compressed, as gltfpack does it: the views point into a buffer that is not there.
std::string with_meshopt(const std::string& glb) {
  PlainFile file(glb);
  std::string chunk;
  std::vector<std::size_t> stride(file.json["bufferViews"].size(), 0);
  for (const CompressedJson& accessor : file.json["accessors"]) {
    stride[accessor["bufferView"].get<std::size_t>()] = element_bytes(accessor);
  }
  for (std::size_t v = 0; v < stride.size(); ++v) {
    CompressedJson& view = file.json["bufferViews"][v];
    const std::string plain = file.view(view);
    const bool triangles = view.value("target", 0) == 34963;
    const std::size_t count = plain.size() / stride[v];
    std::vector<unsigned char> packed;
    if (triangles) {
      std::vector<unsigned> indices(count);
      for (std::size_t i = 0; i < count; ++i) std::memcpy(&indices[i], plain.data() + i * stride[v], stride[v]);
      packed.resize(meshopt_encodeIndexBufferBound(count, 65536));
      packed.resize(meshopt_encodeIndexBuffer(packed.data(), packed.size(), indices.data(), count));
    } else {
      packed.resize(meshopt_encodeVertexBufferBound(count, stride[v]));
      packed.resize(meshopt_encodeVertexBuffer(packed.data(), packed.size(), plain.data(), count, stride[v]));
    }
    view["buffer"] = 1;
    view["extensions"]["EXT_meshopt_compression"] = {{"buffer", 0},
                                                     {"byteOffset", chunk.size()},
                                                     {"byteLength", packed.size()},
                                                     {"byteStride", stride[v]},
                                                     {"mode", triangles ? "TRIANGLES" : "ATTRIBUTES"},
                                                     {"count", count}};
    chunk.append(packed.begin(), packed.end());
    chunk.append((4 - chunk.size() % 4) % 4, '\0');
  }
  CompressedJson fallback = {{"byteLength", file.chunk.size()}};
  fallback["extensions"]["EXT_meshopt_compression"]["fallback"] = true;
  file.json["buffers"] = {{{"byteLength", chunk.size()}}, fallback};
  name_extension(file.json, "EXT_meshopt_compression");
  return glb_of(file.json, chunk);
}

// One primitive as Draco data. `ids` receives the attributes' ids.
std::string draco_bytes(const PlainFile& file, const CompressedJson& primitive, int method, CompressedJson& ids) {
  draco::Mesh mesh;
  const int indices = primitive["indices"];
  const std::size_t faces = file.json["accessors"][indices]["count"].get<std::size_t>() / 3;
  const std::string corners = file.accessor(indices);
  const auto points = file.json["accessors"][primitive["attributes"]["POSITION"].get<int>()]["count"].get<unsigned>();
  mesh.set_num_points(points);
  for (std::size_t f = 0; f < faces; ++f) {
    std::array<std::uint16_t, 3> t{};
    std::memcpy(t.data(), corners.data() + 6 * f, 6);
    mesh.AddFace({draco::PointIndex(t[0]), draco::PointIndex(t[1]), draco::PointIndex(t[2])});
  }
  for (const auto& [name, number] : primitive["attributes"].items()) {
    const CompressedJson& accessor = file.json["accessors"][number.get<int>()];
    const int type = accessor["componentType"];
    const std::size_t row = element_bytes(accessor), size = type == 5126 ? 4 : type == 5123 ? 2 : 1;
    draco::GeometryAttribute attribute;
    attribute.Init(name == "POSITION" ? draco::GeometryAttribute::POSITION : draco::GeometryAttribute::GENERIC, nullptr,
                   static_cast<std::int8_t>(row / size),
                   type == 5126   ? draco::DT_FLOAT32
                   : type == 5123 ? draco::DT_UINT16
                                  : draco::DT_UINT8,
                   false, static_cast<std::int64_t>(row), 0);
    const int id = mesh.AddAttribute(attribute, true, points);
    const std::string values = file.accessor(number.get<int>());
    for (unsigned i = 0; i < points; ++i) {
      mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(i), values.data() + i * row);
    }
    ids[name] = mesh.attribute(id)->unique_id();
  }
  draco::Encoder encoder;
  encoder.SetEncodingMethod(method);
  draco::EncoderBuffer buffer;
  EXPECT_TRUE(encoder.EncodeMeshToBuffer(mesh, &buffer).ok());
  return {buffer.data(), buffer.size()};
}

// Every primitive compressed without rounding; what belongs to none of them stays.
std::string with_draco(const std::string& glb, int method) {
  PlainFile file(glb);
  std::string chunk = file.chunk;
  for (CompressedJson& mesh : file.json["meshes"]) {
    for (CompressedJson& primitive : mesh["primitives"]) {
      CompressedJson ids;
      const std::string packed = draco_bytes(file, primitive, method, ids);
      chunk.append((4 - chunk.size() % 4) % 4, '\0');
      const std::size_t view = file.json["bufferViews"].size();
      file.json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", chunk.size()}, {"byteLength", packed.size()}});
      chunk += packed;
      primitive["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", view}, {"attributes", ids}};
    }
  }
  for (const CompressedJson& mesh : file.json["meshes"]) {
    for (const CompressedJson& primitive : mesh["primitives"]) {
      file.json["accessors"][primitive["indices"].get<int>()].erase("bufferView");
      for (const auto& [name, number] : primitive["attributes"].items()) {
        file.json["accessors"][number.get<int>()].erase("bufferView");
      }
    }
  }
  file.json["buffers"][0]["byteLength"] = chunk.size();
  name_extension(file.json, "KHR_draco_mesh_compression");
  return glb_of(file.json, chunk);
}

std::string plain_sample() {
  return compressed_text(write_character(test::sample_character(4, 6), FileFormat::glb).bytes);
}

Character read_compressed(const std::string& bytes, bool isolate = false) {
  return read_character(std::as_bytes(std::span(bytes)), {.name = "a.glb", .isolate = isolate});
}

bool has_warning(const Warnings& warnings, const std::string& code) {
  return std::any_of(warnings.begin(), warnings.end(), [&](const Warning& w) { return w.code == code; });
}

// meshopt may begin a triangle with another corner.
std::vector<Triangle> turned(std::vector<Triangle> triangles) {
  for (Triangle& t : triangles) std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return triangles;
}

// The same arrays in the same order.
void expect_equal(const Character& a, const Character& b) {
  EXPECT_EQ(a.mesh.positions, b.mesh.positions);
  EXPECT_EQ(a.mesh.normals, b.mesh.normals);
  EXPECT_EQ(a.mesh.uvs, b.mesh.uvs);
  EXPECT_EQ(a.mesh.colors, b.mesh.colors);
  EXPECT_EQ(turned(a.mesh.triangles), turned(b.mesh.triangles));
  EXPECT_EQ(a.weights.joints, b.weights.joints);
  EXPECT_EQ(a.weights.weights, b.weights.weights);
  EXPECT_EQ(a.skeleton.names, b.skeleton.names);
  ASSERT_EQ(a.motions.size(), b.motions.size());
  for (std::size_t m = 0; m < a.motions.size(); ++m) {
    ASSERT_EQ(a.motions[m].transforms.size(), b.motions[m].transforms.size());
    for (std::size_t i = 0; i < a.motions[m].transforms.size(); ++i) {
      EXPECT_EQ(a.motions[m].transforms[i].matrix().matrix(), b.motions[m].transforms[i].matrix().matrix());
    }
  }
}

// Unchanged it is written byte by byte; changed it is written without the extension, and says so.
void expect_written_well(const std::string& packed, const std::string& extension) {
  Character character = read_compressed(packed);
  const WrittenCharacter same = write_character(character, FileFormat::glb);
  EXPECT_TRUE(compressed_text(same.bytes) == packed);
  EXPECT_TRUE(same.warnings.empty());
  character.mesh.positions[3] += Vec3f(0.5f, 0, 0);
  const WrittenCharacter written = write_character(character, FileFormat::glb);
  EXPECT_TRUE(has_warning(written.warnings, "written-uncompressed"));
  const PlainFile file(compressed_text(written.bytes));
  EXPECT_EQ(file.json.dump().find(extension), std::string::npos);
  EXPECT_FALSE(file.json.contains("extensionsUsed"));
  EXPECT_EQ(file.json["buffers"].size(), 1u);
  const Character again = read_character(written.bytes);
  EXPECT_TRUE(again.warnings.empty()) << again.warnings[0].message;
  ASSERT_EQ(again.mesh.positions.size(), character.mesh.positions.size());
  for (std::size_t i = 0; i < again.mesh.positions.size(); ++i) {
    EXPECT_LT((again.mesh.positions[i] - character.mesh.positions[i]).norm(), 1e-6f);
  }
  EXPECT_EQ(again.weights.weights, character.weights.weights);
  // Another container is another file.
  const WrittenCharacter text = write_character(read_compressed(packed), FileFormat::gltf);
  ASSERT_EQ(text.beside.size(), 1u);
  EXPECT_EQ(compressed_text(text.bytes).find(extension), std::string::npos);
}

TEST(GltfCompressed, MeshoptIsTheSameCharacter) {
  const std::string plain = plain_sample(), packed = with_meshopt(plain);
  const Character character = read_compressed(packed);
  EXPECT_TRUE(character.warnings.empty());
  expect_equal(character, read_compressed(plain));
  expect_written_well(packed, "EXT_meshopt_compression");
}

TEST(GltfCompressed, DracoInOrderIsTheSameCharacter) {
  const std::string plain = plain_sample(), packed = with_draco(plain, draco::MESH_SEQUENTIAL_ENCODING);
  for (const bool isolate : {false, true}) {
    const Character character = read_compressed(packed, isolate);
    EXPECT_TRUE(character.warnings.empty());
    expect_equal(character, read_compressed(plain));
  }
  expect_written_well(packed, "KHR_draco_mesh_compression");
}

// The usual method has an order of its own: the corners of all triangles are the same.
TEST(GltfCompressed, DracoByEdgesIsTheSameSurface) {
  const std::string plain = plain_sample(), packed = with_draco(plain, draco::MESH_EDGEBREAKER_ENCODING);
  const Character a = read_compressed(plain), b = read_compressed(packed);
  const auto corners = [](const Character& c) {
    std::vector<std::vector<float>> all;
    const auto slots = static_cast<std::size_t>(c.weights.influences);
    for (const Triangle& t : c.mesh.triangles) {
      for (const std::uint32_t v : t) {
        std::vector<float> corner(c.mesh.positions[v].data(), c.mesh.positions[v].data() + 3);
        corner.insert(corner.end(), c.mesh.uvs[v].data(), c.mesh.uvs[v].data() + 2);
        corner.insert(corner.end(), c.mesh.normals[v].data(), c.mesh.normals[v].data() + 3);
        for (std::size_t s = v * slots; s < (v + 1) * slots; ++s) {
          corner.push_back(c.weights.joints[s]);
          corner.push_back(c.weights.weights[s]);
        }
        all.push_back(std::move(corner));
      }
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  EXPECT_EQ(a.mesh.triangles.size(), b.mesh.triangles.size());
  EXPECT_EQ(corners(a), corners(b));
  expect_written_well(packed, "KHR_draco_mesh_compression");
}

gltf::MeshoptView filtered_view(std::uint64_t stride, std::uint64_t count, gltf::MeshoptView::Filter filter) {
  gltf::MeshoptView view;
  view.where = "bufferView 0";
  view.stride = stride;
  view.count = count;
  view.filter = filter;
  return view;
}

std::vector<std::byte> decoded(const gltf::MeshoptView& view, const std::vector<unsigned char>& plain) {
  std::vector<unsigned char> packed(meshopt_encodeVertexBufferBound(view.count, view.stride));
  packed.resize(meshopt_encodeVertexBuffer(packed.data(), packed.size(), plain.data(), view.count, view.stride));
  std::vector<std::byte> out(view.decoded_bytes());
  gltf::decode_meshopt(view, std::as_bytes(std::span(packed)), out);
  return out;
}

template <typename T>
T number_at(const std::vector<std::byte>& bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

TEST(GltfCompressed, FiltersGiveWhatTheyWereGiven) {
  using Filter = gltf::MeshoptView::Filter;
  Random random(7);
  constexpr std::size_t count = 300;
  std::vector<float> directions, turns, numbers;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3f n = Vec3d(random.normal(), random.normal(), random.normal()).normalized().cast<float>();
    directions.insert(directions.end(), {n.x(), n.y(), n.z(), 0.0f});
    const Quatd q = Quatd(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
    for (int c = 0; c < 4; ++c) turns.push_back(static_cast<float>(q.coeffs()[c]));
    for (int c = 0; c < 3; ++c) numbers.push_back(static_cast<float>(100 * random.normal()));
  }
  for (const std::size_t stride : {4u, 8u}) {
    std::vector<unsigned char> plain(count * stride);
    meshopt_encodeFilterOct(plain.data(), count, stride, stride == 4 ? 8 : 12, directions.data());
    const auto out = decoded(filtered_view(stride, count, Filter::octahedral), plain);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        const float value = stride == 4 ? number_at<std::int8_t>(out, 4 * i + c) / 127.0f
                                        : number_at<std::int16_t>(out, 4 * i + c) / 32767.0f;
        EXPECT_NEAR(value, directions[4 * i + c], stride == 4 ? 0.02f : 0.002f);
      }
    }
  }
  std::vector<unsigned char> plain(count * 8);
  meshopt_encodeFilterQuat(plain.data(), count, 8, 14, turns.data());
  std::vector<std::byte> out = decoded(filtered_view(8, count, Filter::quaternion), plain);
  for (std::size_t i = 0; i < count; ++i) {
    double cosine = 0;
    for (std::size_t c = 0; c < 4; ++c) cosine += number_at<std::int16_t>(out, 4 * i + c) / 32767.0 * turns[4 * i + c];
    EXPECT_NEAR(std::abs(cosine), 1.0, 1e-3);
  }
  plain.assign(count * 12, 0);
  meshopt_encodeFilterExp(plain.data(), count, 12, 15, numbers.data());
  out = decoded(filtered_view(12, count, Filter::exponential), plain);
  for (std::size_t i = 0; i < 3 * count; ++i) EXPECT_NEAR(number_at<float>(out, i), numbers[i], 0.05f);
}

// Anything but a sound character or an Error of bad input fails.
bool survives_damage(const std::string& bytes, bool isolate) {
  LoadOptions options{.max_file_bytes = 10'000'000, .max_elements = 1'000'000, .isolate = isolate};
  try {
    check_character(read_character(std::as_bytes(std::span(bytes)), options));
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_input) << error.what();
    return false;
  }
}

TEST(GltfCompressed, SurvivesFlippedBytesAndTruncations) {
  Character tiny = test::sample_character(4, 2);
  tiny.motions[0].transforms.resize(static_cast<std::size_t>(3 * tiny.motions[0].joint_count));
  const std::string plain = compressed_text(write_character(tiny, FileFormat::glb).bytes);
  const std::string files[] = {with_meshopt(plain), with_draco(plain, draco::MESH_SEQUENTIAL_ENCODING),
                               with_draco(plain, draco::MESH_EDGEBREAKER_ENCODING)};
  for (std::size_t f = 0; f < 3; ++f) {
    const bool isolate = f > 0;  // Draco may do anything
    std::uint32_t json_size = 0;
    std::memcpy(&json_size, files[f].data() + 12, 4);
    int sound = 0;
    Random random(31 + f);
    const int rounds = isolate ? 400 : 1500;
    for (int round = 0; round < rounds; ++round) {
      std::string bad = files[f];
      // Three of four in the compressed data, the others anywhere.
      const std::size_t from = round % 4 == 0 ? 12 : 28 + json_size;
      for (std::uint64_t flips = 1 + random.below(3); flips > 0; --flips) {
        bad[from + random.below(bad.size() - from)] = static_cast<char>(random.below(256));
      }
      sound += survives_damage(bad, isolate);
    }
    EXPECT_GT(sound, 0);
    EXPECT_LT(sound, rounds);
    for (int round = 0; round < 60; ++round) {
      EXPECT_FALSE(survives_damage(files[f].substr(0, random.below(files[f].size() - 4)), isolate));
    }
  }
}

std::string refusal(const CompressedJson& json, const std::string& chunk) {
  const std::string bytes = glb_of(json, chunk);
  try {
    read_character(std::as_bytes(std::span(bytes)), {.max_elements = 1'000'000});
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(GltfCompressed, ErrorsSayWhatIsWrong) {
  const PlainFile meshopt(with_meshopt(plain_sample()));
  const auto changed = [&](const char* key, const CompressedJson& value) {
    CompressedJson json = meshopt.json;
    json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"][key] = value;
    return refusal(json, meshopt.chunk);
  };
  EXPECT_NE(changed("count", 4'000'000'000u).find("the limit is 1000000"), std::string::npos);
  EXPECT_NE(changed("count", 900'000).find("too few"), std::string::npos);
  EXPECT_NE(changed("byteStride", 3).find("do not fit together"), std::string::npos);
  EXPECT_NE(changed("byteStride", 512).find("do not fit together"), std::string::npos);
  EXPECT_NE(changed("filter", "QUATERNION").find("do not fit together"), std::string::npos);
  EXPECT_NE(changed("filter", "SEPIA").find("'SEPIA'"), std::string::npos);
  EXPECT_NE(changed("mode", "POINTS").find("'POINTS'"), std::string::npos);
  EXPECT_NE(changed("byteLength", 1'000'000'000).find("beyond the end"), std::string::npos);
  EXPECT_NE(changed("buffer", 7).find("bufferView 0"), std::string::npos);

  const PlainFile draco(with_draco(plain_sample(), draco::MESH_EDGEBREAKER_ENCODING));
  const CompressedJson& extension =
      draco.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"];
  const std::size_t at =
      draco.json["bufferViews"][extension["bufferView"].get<std::size_t>()]["byteOffset"].get<std::size_t>();
  std::string chunk = draco.chunk;
  chunk.replace(at + 12, 5, "\xff\xff\xff\xff\x0f");  // behind head and method: the number of vertices
  EXPECT_NE(refusal(draco.json, chunk).find("the limit is 1000000"), std::string::npos) << refusal(draco.json, chunk);
  chunk = draco.chunk;
  chunk[at + 6] = 1;
  EXPECT_NE(refusal(draco.json, chunk).find("version 2.1"), std::string::npos);
  chunk[at] = 'X';
  EXPECT_NE(refusal(draco.json, chunk).find("does not begin"), std::string::npos);
  CompressedJson json = draco.json;
  json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["attributes"]["POSITION"] = 99;
  EXPECT_NE(refusal(json, draco.chunk).find("no attribute 99"), std::string::npos);
}

// Files of asset pipelines: quantised by Draco, with skins and clips.
TEST(GltfCompressed, RealFiles) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  int files = 0;
  for (const auto& path : test::data_files("more", {".glb"})) {
    if (path.string().find("draco") == std::string::npos) continue;
    ++files;
    const Character character = load_character(path);
    EXPECT_GT(character.mesh.triangles.size(), 1000u);
    EXPECT_TRUE(character.has_skin());
    EXPECT_GT(character.motions.size(), 3u);
    EXPECT_FALSE(has_warning(character.warnings, "bounds-wrong"));
    EXPECT_TRUE(compressed_text(write_character(character, FileFormat::glb).bytes) == test::read_file(path));
    const WrittenCharacter written = write_character(character, FileFormat::gltf, {.embed = true});
    expect_equal(character, read_character(written.bytes));
  }
  EXPECT_GE(files, 2);
}

}  // namespace
}  // namespace sinew
