// How fast compressed glTF is read: a sheet of a million triangles with normals, UVs and weights, compressed as asset
// pipelines do it, decoded on one core.
//
//   decoded_MB_per_second   bytes of the plain arrays / processor time from the file's bytes to them
//   share_of_memcpy         the same against copying the plain arrays, in the same run
//
// What is timed is the whole reading of the file's document: JSON, decoding, and the arrays where accessors find them.
#include <benchmark/benchmark.h>
#include <draco/compression/encode.h>
#include <meshoptimizer.h>

#include <cmath>
#include <cstring>
#include <ctime>
#include <limits>

#include "sinew/asset/gltf/gltf_document.h"

namespace sinew {
namespace {

using gltf::Json;

constexpr std::uint32_t side = 708;  // 2 (side-1)² = 1.0 million triangles
constexpr std::uint32_t points = side * side;

struct Sheet {
  std::vector<float> positions, normals, uvs, weights;
  std::vector<std::uint16_t> joints;
  std::vector<std::uint32_t> indices;

  Sheet() {
    for (std::uint32_t i = 0; i < points; ++i) {
      const float u = static_cast<float>(i % side) / (side - 1), v = static_cast<float>(i / side) / (side - 1);
      const Vec3f normal = Vec3f(-std::cos(20 * u), std::sin(17 * v), 1).normalized();
      positions.insert(positions.end(), {u, v, 0.05f * std::sin(20 * u) * std::cos(17 * v)});
      normals.insert(normals.end(), {normal.x(), normal.y(), normal.z()});
      uvs.insert(uvs.end(), {u, v});
      const auto joint = static_cast<std::uint16_t>(u * 15);
      for (std::uint16_t k = 0; k < 4; ++k) joints.push_back(static_cast<std::uint16_t>(joint + k));
      weights.insert(weights.end(), {0.5f, 0.25f, 0.25f * v, 0.25f * (1 - v)});
    }
    for (std::uint32_t y = 0; y + 1 < side; ++y) {
      for (std::uint32_t x = 0; x + 1 < side; ++x) {
        const std::uint32_t a = y * side + x;
        indices.insert(indices.end(), {a, a + 1, a + side, a + 1, a + side + 1, a + side});
      }
    }
  }

  std::size_t bytes() const {
    return 4 * (positions.size() + normals.size() + uvs.size() + weights.size() + indices.size()) + 2 * joints.size();
  }
};

const Sheet& sheet() {
  static const Sheet made;
  return made;
}

struct Stream {
  const char* name;
  const void* data;
  int components, type;
  std::size_t row;
};

std::vector<Stream> streams() {
  const Sheet& s = sheet();
  return {{"POSITION", s.positions.data(), 3, 5126, 12},
          {"NORMAL", s.normals.data(), 3, 5126, 12},
          {"TEXCOORD_0", s.uvs.data(), 2, 5126, 8},
          {"JOINTS_0", s.joints.data(), 4, 5123, 8},
          {"WEIGHTS_0", s.weights.data(), 4, 5126, 16}};
}

std::vector<std::byte> glb_of(const Json& json, std::string chunk) {
  std::string text = json.dump();
  text.append((4 - text.size() % 4) % 4, ' ');
  chunk.append((4 - chunk.size() % 4) % 4, '\0');
  std::string glb;
  for (const std::size_t word : {std::size_t{0x46546C67}, std::size_t{2}, 28 + text.size() + chunk.size(), text.size(),
                                 std::size_t{0x4E4F534A}}) {
    const auto bits = static_cast<std::uint32_t>(word);
    glb.append(reinterpret_cast<const char*>(&bits), 4);
  }
  glb += text;
  for (const std::size_t word : {chunk.size(), std::size_t{0x004E4942}}) {
    const auto bits = static_cast<std::uint32_t>(word);
    glb.append(reinterpret_cast<const char*>(&bits), 4);
  }
  glb += chunk;
  const auto bytes = std::as_bytes(std::span(glb));
  return {bytes.begin(), bytes.end()};
}

Json start_json(const char* extension) {
  return {{"asset", {{"version", "2.0"}}},     {"extensionsUsed", {extension}},
          {"extensionsRequired", {extension}}, {"accessors", Json::array()},
          {"bufferViews", Json::array()},      {"meshes", {{{"primitives", {{{"attributes", Json::object()}}}}}}}};
}

void add_accessors(Json& json, bool views) {
  Json& primitive = json["meshes"][0]["primitives"][0];
  for (const Stream& stream : streams()) {
    primitive["attributes"][stream.name] = json["accessors"].size();
    const char* type = stream.components == 2 ? "VEC2" : stream.components == 3 ? "VEC3" : "VEC4";
    json["accessors"].push_back({{"componentType", stream.type}, {"type", type}, {"count", points}});
  }
  primitive["indices"] = json["accessors"].size();
  json["accessors"].push_back({{"componentType", 5125}, {"type", "SCALAR"}, {"count", sheet().indices.size()}});
  for (std::size_t i = 0; views && i < json["accessors"].size(); ++i) json["accessors"][i]["bufferView"] = i;
}

std::vector<std::byte> meshopt_file() {
  Json json = start_json("EXT_meshopt_compression");
  std::string chunk;
  const auto add = [&](const std::vector<unsigned char>& packed, std::size_t stride, std::size_t count,
                       const char* mode) {
    Json view = {{"buffer", 1}, {"byteOffset", 0}, {"byteLength", stride * count}};
    view["extensions"]["EXT_meshopt_compression"] = {{"buffer", 0},
                                                     {"byteOffset", chunk.size()},
                                                     {"byteLength", packed.size()},
                                                     {"byteStride", stride},
                                                     {"mode", mode},
                                                     {"count", count}};
    json["bufferViews"].push_back(view);
    chunk.append(packed.begin(), packed.end());
  };
  for (const Stream& stream : streams()) {
    std::vector<unsigned char> packed(meshopt_encodeVertexBufferBound(points, stream.row));
    packed.resize(meshopt_encodeVertexBuffer(packed.data(), packed.size(), stream.data, points, stream.row));
    add(packed, stream.row, points, "ATTRIBUTES");
  }
  const std::vector<std::uint32_t>& indices = sheet().indices;
  std::vector<unsigned char> packed(meshopt_encodeIndexBufferBound(indices.size(), points));
  packed.resize(meshopt_encodeIndexBuffer(packed.data(), packed.size(), indices.data(), indices.size()));
  add(packed, 4, indices.size(), "TRIANGLES");
  Json fallback = {{"byteLength", 1 << 30}};
  fallback["extensions"]["EXT_meshopt_compression"]["fallback"] = true;
  json["buffers"] = {{{"byteLength", chunk.size()}}, fallback};
  add_accessors(json, true);
  return glb_of(json, chunk);
}

// Quantised and by edges, as exporters do it: 14 bits of position, 10 of normal, 12 of UV, speed 5.
std::vector<std::byte> draco_file() {
  draco::Mesh mesh;
  mesh.set_num_points(points);
  const std::vector<std::uint32_t>& indices = sheet().indices;
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    mesh.AddFace({draco::PointIndex(indices[i]), draco::PointIndex(indices[i + 1]), draco::PointIndex(indices[i + 2])});
  }
  Json json = start_json("KHR_draco_mesh_compression"), ids;
  const std::vector<Stream> all = streams();
  for (std::size_t s = 0; s < all.size(); ++s) {
    const Stream& stream = all[s];
    constexpr draco::GeometryAttribute::Type types[] = {
        draco::GeometryAttribute::POSITION, draco::GeometryAttribute::NORMAL, draco::GeometryAttribute::TEX_COORD,
        draco::GeometryAttribute::GENERIC, draco::GeometryAttribute::GENERIC};
    draco::GeometryAttribute attribute;
    attribute.Init(types[s], nullptr, static_cast<std::int8_t>(stream.components),
                   stream.type == 5126 ? draco::DT_FLOAT32 : draco::DT_UINT16, false,
                   static_cast<std::int64_t>(stream.row), 0);
    const int id = mesh.AddAttribute(attribute, true, points);
    for (std::uint32_t i = 0; i < points; ++i) {
      mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(i),
                                            static_cast<const char*>(stream.data) + i * stream.row);
    }
    ids[stream.name] = mesh.attribute(id)->unique_id();
  }
  draco::Encoder encoder;
  encoder.SetSpeedOptions(5, 5);
  encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, 14);
  encoder.SetAttributeQuantization(draco::GeometryAttribute::NORMAL, 10);
  encoder.SetAttributeQuantization(draco::GeometryAttribute::TEX_COORD, 12);
  encoder.SetAttributeQuantization(draco::GeometryAttribute::GENERIC, 12);
  draco::EncoderBuffer buffer;
  if (!encoder.EncodeMeshToBuffer(mesh, &buffer).ok()) throw Error(ErrorCode::internal, "Draco does not encode");
  add_accessors(json, false);
  json["bufferViews"].push_back({{"buffer", 0}, {"byteLength", buffer.size()}});
  json["buffers"] = {{{"byteLength", buffer.size()}}};
  json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", 0},
                                                                                    {"attributes", ids}};
  return glb_of(json, {buffer.data(), buffer.size()});
}

// Of this thread, so that other work beside it does not count.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void decode(benchmark::State& state, std::vector<std::byte> (*make)()) {
  const std::vector<std::byte> file = make();
  const std::size_t size = sheet().bytes();
  std::vector<std::byte> from(size, std::byte{1}), to(size);
  double best = std::numeric_limits<double>::infinity(), best_copy = best;
  for (auto _ : state) {
    const double copying = processor_seconds();
    std::memcpy(to.data(), from.data(), size);
    benchmark::DoNotOptimize(to.data());
    best_copy = std::min(best_copy, processor_seconds() - copying);
    std::vector<std::byte> bytes = file;
    const double begin = processor_seconds();
    benchmark::DoNotOptimize(gltf::read_document(std::move(bytes), {}));
    const double seconds = processor_seconds() - begin;
    best = std::min(best, seconds);
    state.SetIterationTime(seconds);
  }
  const double megabytes = 1e-6 * static_cast<double>(size);
  state.counters["decoded_MB_per_second"] = megabytes / best;
  state.counters["share_of_memcpy"] = best_copy / best;
  state.counters["file_MB"] = 1e-6 * static_cast<double>(file.size());
  state.counters["decoded_MB"] = megabytes;
}
BENCHMARK_CAPTURE(decode, meshopt, meshopt_file)->UseManualTime()->Iterations(8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode, draco, draco_file)->UseManualTime()->Iterations(8)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sinew

BENCHMARK_MAIN();
