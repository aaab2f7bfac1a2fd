#include "apps/viewer/packet.h"

#include <bit>
#include <cstring>

namespace sinew::viewer {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are sent as they lie in memory");

using nlohmann::json;

constexpr std::size_t alignment = 8;

std::size_t padding(std::size_t size) { return (alignment - size % alignment) % alignment; }

template <typename Vector>
std::span<const float> floats(const std::vector<Vector>& values) {
  static_assert(sizeof(Vector) == Vector::SizeAtCompileTime * sizeof(float));
  return {reinterpret_cast<const float*>(values.data()), values.size() * Vector::SizeAtCompileTime};
}

const char* binding_name(PartBinding binding) {
  switch (binding) {
    case PartBinding::skinned:
      return "skinned";
    case PartBinding::attached:
      return "attached";
    case PartBinding::fixed:
      return "fixed";
  }
  return "fixed";
}

const char* kind_name(JointKind kind) {
  switch (kind) {
    case JointKind::joint:
      return "joint";
    case JointKind::end:
      return "end";
    case JointKind::helper:
      return "helper";
  }
  return "joint";
}

// Translation, rotation (x y z w), scale: ten numbers.
void append(std::vector<float>& values, const Transform& transform) {
  for (int i = 0; i < 3; ++i) values.push_back(static_cast<float>(transform.translation[i]));
  for (int i = 0; i < 4; ++i) values.push_back(static_cast<float>(transform.rotation.coeffs()[i]));
  for (int i = 0; i < 3; ++i) values.push_back(static_cast<float>(transform.scale[i]));
}

json describe_parts(const Character& character) {
  std::vector<Part> parts = character.parts;
  if (parts.empty()) {
    parts.push_back({character.name, "", 0, character.mesh.vertex_count(), 0, character.mesh.triangles.size(),
                     character.has_skin() ? PartBinding::skinned : PartBinding::fixed});
  }
  json list = json::array();
  for (const Part& part : parts) {
    list.push_back({{"name", part.name},
                    {"material", part.material},
                    {"first_vertex", part.first_vertex},
                    {"vertex_count", part.vertex_count},
                    {"first_triangle", part.first_triangle},
                    {"triangle_count", part.triangle_count},
                    {"binding", binding_name(part.binding)}});
  }
  return list;
}

void add_skeleton(Packet& packet, const Skeleton& skeleton) {
  std::vector<float> rest, inverse_bind;
  for (const Transform& transform : rest_pose(skeleton)) append(rest, transform);
  for (const Affine3d& matrix : skeleton.rest) {
    const Eigen::Matrix4f inverse = matrix.inverse().matrix().cast<float>();
    inverse_bind.insert(inverse_bind.end(), inverse.data(), inverse.data() + 16);  // column by column
  }
  packet.add("rest", rest);
  packet.add("inverse_bind", inverse_bind);
}

}  // namespace

void Packet::add(const std::string& name, const char* type, std::span<const std::byte> values) {
  arrays_[name] = {{"type", type}, {"offset", data_.size()}, {"bytes", values.size()}};
  data_.append(reinterpret_cast<const char*>(values.data()), values.size());
  data_.append(padding(data_.size()), '\0');
}

std::string Packet::bytes() const {
  json header = header_;
  header["arrays"] = arrays_;
  std::string text = header.dump(-1, ' ', false, json::error_handler_t::replace);
  text.append(padding(text.size()), ' ');
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string bytes = "SINW";
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  return bytes + text + data_;
}

std::string character_packet(const Character& character, json header) {
  const TriangleMesh& mesh = character.mesh;
  const Skeleton& skeleton = character.skeleton;
  header["name"] = character.name;
  header["vertices"] = mesh.vertex_count();
  header["parts"] = describe_parts(character);
  header["joints"] = json::array();
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    header["joints"].push_back(
        {{"name", skeleton.names[j]}, {"parent", skeleton.parents[j]}, {"kind", kind_name(skeleton.kinds[j])}});
  }
  header["motions"] = json::array();
  for (const Motion& motion : character.motions) {
    header["motions"].push_back(
        {{"name", motion.name}, {"frames_per_second", motion.frames_per_second}, {"frames", motion.frame_count()}});
  }
  Packet packet(std::move(header));
  packet.add("positions", floats(mesh.positions));
  packet.add("normals", floats(mesh.normals.empty() ? vertex_normals(mesh.positions, mesh.triangles) : mesh.normals));
  if (!mesh.uvs.empty()) packet.add("uvs", floats(mesh.uvs));
  if (!mesh.colors.empty()) packet.add("colors", floats(mesh.colors));
  packet.add("triangles",
             std::span(reinterpret_cast<const std::uint32_t*>(mesh.triangles.data()), mesh.triangles.size() * 3));
  add_skeleton(packet, skeleton);
  for (std::size_t m = 0; m < character.motions.size(); ++m) {
    std::vector<float> frames;
    frames.reserve(character.motions[m].transforms.size() * 10);
    for (const Transform& transform : character.motions[m].transforms) append(frames, transform);
    packet.add("motion" + std::to_string(m), frames);
  }
  return packet.bytes();
}

std::string weights_packet(const SkinWeights& weights, json header) {
  header["influences"] = weights.influences;
  Packet packet(std::move(header));
  packet.add("joints", std::span(weights.joints));
  packet.add("weights", std::span(weights.weights));
  return packet.bytes();
}

}  // namespace sinew::viewer
