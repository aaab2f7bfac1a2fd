// The many ways in which glTF may say the same thing: each small file here holds one and the same triangle, or a bone.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "sinew/asset/gltf/gltf_animation.h"
#include "sinew/asset/gltf/gltf_build.h"
#include "sinew/io.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

template <typename T>
std::string raw(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

class GltfForms : public testing::Test {
 protected:
  test::TemporaryFolder folder_;

  // `members`: everything but the asset and the buffer, which lies in a file whose name needs decoding.
  Character read(const std::string& members, const std::string& data) const {
    test::write_file(folder_ / "a b.bin", data);
    const std::string buffer = R"({"uri":"a%20b.bin","byteLength":)" + std::to_string(data.size()) + "}";
    test::write_file(folder_ / "case.gltf",
                     R"({"asset":{"version":"2.0"},"buffers":[)" + buffer + "]," + members + "}");
    return load_character(folder_ / "case.gltf");
  }

  static std::string scene(const std::string& primitive, const std::string& node = "") {
    return R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0)" + node + R"(}],"meshes":[{"primitives":[)" + primitive +
           "]}]";
  }

  static void expect_triangle(const Character& character) {
    ASSERT_EQ(character.mesh.triangles.size(), 1u);
    const Vec3f expected[3] = {Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(0, 1, 0)};
    for (std::size_t corner = 0; corner < 3; ++corner) {
      EXPECT_LE((character.mesh.positions[character.mesh.triangles[0][corner]] - expected[corner]).norm(), 1e-6f);
    }
  }
};

const std::vector<float> corners{0, 0, 0, 1, 0, 0, 0, 1, 0};

TEST_F(GltfForms, PlainAndStrided) {
  const std::string primitive = R"({"attributes":{"POSITION":0}})";
  const std::string accessor =
      R"(,"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[1,1,0]}])";
  const Character plain =
      read(scene(primitive) + R"(,"bufferViews":[{"buffer":0,"byteLength":36}])" + accessor, raw(corners));
  expect_triangle(plain);
  EXPECT_TRUE(plain.warnings.empty());
  EXPECT_TRUE(plain.skeleton.empty());
  EXPECT_FALSE(plain.has_skin());
  EXPECT_EQ(plain.parts[0].binding, PartBinding::fixed);
  const std::vector<float> wide{0, 0, 0, 9, 1, 0, 0, 9, 0, 1, 0, 9};
  expect_triangle(read(scene(primitive) + R"(,"bufferViews":[{"buffer":0,"byteLength":48,"byteStride":16}])" + accessor,
                       raw(wide)));
}

TEST_F(GltfForms, SparseOverNothing) {
  const std::string data = raw(std::vector<std::uint16_t>{1, 2}) + raw(std::vector<float>{1, 0, 0, 0, 1, 0});
  expect_triangle(read(scene(R"({"attributes":{"POSITION":0}})") +
                           R"(,"bufferViews":[{"buffer":0,"byteLength":4},{"buffer":0,"byteOffset":4,"byteLength":24}],
        "accessors":[{"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[1,1,0],
        "sparse":{"count":2,"indices":{"bufferView":0,"componentType":5123},"values":{"bufferView":1}}}])",
                       data));
}

TEST_F(GltfForms, QuantisedNormalisedAndPlaced) {
  // 255 is 1 when normalised; the node halves nothing: scale 1, moved there and back by its matrix.
  const std::vector<std::uint8_t> bytes{0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0};
  const std::string views =
      R"(,"extensionsUsed":["KHR_mesh_quantization"],"extensionsRequired":["KHR_mesh_quantization"],
      "bufferViews":[{"buffer":0,"byteLength":12,"byteStride":4}],"accessors":[{"bufferView":0,"componentType":5121,"normalized":true,"type":"VEC3","count":3,"min":[0,0,0],"max":[255,255,0]}])";
  expect_triangle(read(scene(R"({"attributes":{"POSITION":0}})") + views, raw(bytes)));
  const Character moved = read(
      scene(R"({"attributes":{"POSITION":0}})", R"(,"matrix":[2,0,0,0,0,2,0,0,0,0,2,0,5,6,7,1])") + views, raw(bytes));
  EXPECT_EQ(moved.mesh.positions[1], Vec3f(7, 6, 7));
}

TEST_F(GltfForms, AMirroredNodeTurnsTrianglesOver) {
  const Character mirrored = read(
      scene(R"({"attributes":{"POSITION":0}})", R"(,"scale":[-1,1,1])") +
          R"(,"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[1,1,0]}])",
      raw(corners));
  const Triangle& t = mirrored.mesh.triangles[0];
  const Vec3f a = mirrored.mesh.positions[t[0]], b = mirrored.mesh.positions[t[1]], c = mirrored.mesh.positions[t[2]];
  EXPECT_GT((b - a).cross(c - a).z(), 0);
}

TEST_F(GltfForms, StripsFansAndSharedVertices) {
  const std::vector<float> square{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  const std::string accessors =
      R"(,"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":6}],
      "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":4,"min":[0,0,0],"max":[1,1,0]},{"bufferView":1,"componentType":5121,"type":"SCALAR","count":3},{"bufferView":1,"byteOffset":3,"componentType":5121,"type":"SCALAR","count":3}])";
  const std::string data = raw(square) + raw(std::vector<std::uint8_t>{0, 1, 2, 2, 1, 3});
  const Character strip = read(scene(R"({"attributes":{"POSITION":0},"mode":5})") + accessors, data);
  ASSERT_EQ(strip.mesh.triangles.size(), 2u);
  for (const Triangle& t : strip.mesh.triangles) {
    const Vec3f a = strip.mesh.positions[t[0]];
    EXPECT_GT((strip.mesh.positions[t[1]] - a).cross(strip.mesh.positions[t[2]] - a).z(), 0);
  }
  const Character fan = read(scene(R"({"attributes":{"POSITION":0},"mode":6})") + accessors, data);
  EXPECT_EQ(fan.mesh.triangles.size(), 2u);
  // Two primitives over the same four vertices: each part holds the three it uses, and each can change alone.
  Character shared =
      read(scene(R"({"attributes":{"POSITION":0},"indices":1},{"attributes":{"POSITION":0},"indices":2})") + accessors,
           data);
  ASSERT_EQ(shared.parts.size(), 2u);
  EXPECT_EQ(shared.parts[0].vertex_count, 3u);
  EXPECT_EQ(shared.mesh.positions[5], Vec3f(1, 1, 0));
  shared.mesh.positions[5] = Vec3f(3, 3, 0);
  save_character(shared, folder_ / "changed.glb");
  const Character changed = load_character(folder_ / "changed.glb");
  ASSERT_EQ(changed.mesh.vertex_count(), 6u);
  EXPECT_EQ(changed.mesh.positions[5], Vec3f(3, 3, 0));
  EXPECT_EQ(changed.mesh.positions[1], Vec3f(1, 0, 0));
}

// One joint per skin; weights that need repair; two instances of one mesh.
TEST_F(GltfForms, WeightsAreRepairedAndUnknownContentStays) {
  const std::string data = raw(corners) + raw(std::vector<std::uint8_t>{0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0}) +
                           raw(std::vector<float>{0.5f, 0, 0, 0, 0.5f, 0.25f, 0.25f, 0, 0, 0, 0, 0});
  Character character = read(
      R"("scene":0,"scenes":[{"nodes":[0,1],"extras":{"mood":"good"}}],
      "nodes":[{"mesh":0,"skin":0,"extras":{"keep":"me"}},{"name":"root","children":[2]},{"name":"tip","translation":[0,1,0]}],
      "skins":[{"joints":[1,2]}],"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}}],
      "meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}],
      "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12},{"buffer":0,"byteOffset":48,"byteLength":48}],
      "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[1,1,0]},{"bufferView":1,"componentType":5121,"type":"VEC4","count":3},{"bufferView":2,"componentType":5126,"type":"VEC4","count":3}])",
      data);
  EXPECT_FLOAT_EQ(character.weights.weight_of(0, 0), 1.0f);
  EXPECT_FLOAT_EQ(character.weights.weight_of(1, 1), 0.75f);
  EXPECT_EQ(count_unweighted(character.weights), 1u);
  const auto warned = [&](const std::string& code) {
    return std::any_of(character.warnings.begin(), character.warnings.end(),
                       [&](const Warning& w) { return w.code == code; });
  };
  EXPECT_TRUE(warned("weights-not-normalised"));
  EXPECT_TRUE(warned("joint-twice"));
  EXPECT_TRUE(warned("vertices-unweighted"));
  EXPECT_TRUE(warned("node-pose-differs"));  // identity inverse bind matrices, but the tip is elsewhere
  for (std::size_t vertex = 0; vertex < 3; ++vertex) set_influences(character.weights, vertex, {{0, 0.5}, {1, 0.5}});
  EXPECT_TRUE(save_character(character, folder_ / "again.gltf").empty());
  const std::string text = test::read_file(folder_ / "again.gltf");
  for (const char* kept : {"\"mood\"", "\"keep\"", "\"perspective\""})
    EXPECT_NE(text.find(kept), std::string::npos) << kept;
  EXPECT_TRUE(load_character(folder_ / "again.gltf").has_skin());
}

TEST(GltfQuantise, BytesSumTo255) {
  for (const std::vector<float>& weights : {std::vector<float>{0.5f, 0.5f, 0, 0},
                                            {0.34f, 0.33f, 0.33f, 0},
                                            {1, 0, 0, 0},
                                            {0.996f, 0.004f, 0, 0},
                                            {0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0, 0, 0}}) {
    std::vector<std::uint8_t> bytes(weights.size());
    gltf::quantise_weights(weights, bytes);
    int sum = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      sum += bytes[i];
      EXPECT_LE(std::abs(bytes[i] / 255.0 - weights[i]), 1.0 / 255) << i;
      if (i > 0) {
        EXPECT_LE(bytes[i], bytes[i - 1]);
      }
    }
    EXPECT_EQ(sum, 255);
  }
}

TEST(GltfFrameRate, TheFilesOwnOrThirty) {
  const auto keys = [](double rate, int count, int step = 1) {
    std::vector<float> times;
    for (int i = 0; i < count; i += step) times.push_back(static_cast<float>(0.25 + i / rate));
    return times;
  };
  for (const double rate : {24.0, 25.0, 30.0, 60.0, 12.0, 30 / 1.001}) {
    EXPECT_NEAR(gltf::frame_rate_of({keys(rate, 500)}), rate, 1e-9 * rate) << rate;
  }
  EXPECT_DOUBLE_EQ(gltf::frame_rate_of({keys(24, 100), keys(24, 100, 33)}), 24);
  EXPECT_DOUBLE_EQ(gltf::frame_rate_of({{0.0f, 0.5f, 1.0f}}), 30);
  EXPECT_DOUBLE_EQ(gltf::frame_rate_of({{0.0f, 0.1234f, 0.777f}}), 30);
  EXPECT_DOUBLE_EQ(gltf::frame_rate_of({{2.0f}}), 30);
}

}  // namespace
}  // namespace sinew
