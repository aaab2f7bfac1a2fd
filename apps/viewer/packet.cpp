#include "apps/viewer/packet.h"

#include <bit>

#include "sinew/error.h"

namespace sinew::viewer {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are sent as they lie in memory");

using nlohmann::json;

constexpr std::size_t alignment = 8;

std::size_t padding(std::size_t size) { return (alignment - size % alignment) % alignment; }

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

void add_mesh(Packet& packet, const TriangleMesh& mesh) {
  packet.add("positions", flat(mesh.positions));
  packet.add("normals", flat(mesh.normals.empty() ? vertex_normals(mesh.positions, mesh.triangles) : mesh.normals));
  if (!mesh.uvs.empty()) packet.add("uvs", flat(mesh.uvs));
  if (!mesh.colors.empty()) packet.add("colors", flat(mesh.colors));
  packet.add("triangles",
             std::span(reinterpret_cast<const std::uint32_t*>(mesh.triangles.data()), mesh.triangles.size() * 3));
}

void add_weights(Packet& packet, const SkinWeights& weights) {
  packet.add("joints", std::span(weights.joints));
  packet.add("weights", std::span(weights.weights));
}

void add_skeleton(Packet& packet, const Skeleton& skeleton) {
  std::vector<float> rest, inverse_bind;
  for (const Transform& transform : rest_pose(skeleton)) append_transform(rest, transform);
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

ReceivedPacket::ReceivedPacket(std::string_view bytes) {
  std::uint32_t length = 0;
  if (bytes.size() < 8 || bytes.substr(0, 4) != "SINW") {
    throw Error(ErrorCode::argument_invalid, "the body is not a packet");
  }
  std::memcpy(&length, bytes.data() + 4, sizeof length);
  if (length > bytes.size() - 8) {
    throw Error(ErrorCode::argument_invalid, "the packet's header is longer than the packet");
  }
  header_ = json::parse(bytes.substr(8, length), nullptr, false);
  if (!header_.is_object() || !header_.contains("arrays") || !header_["arrays"].is_object()) {
    throw Error(ErrorCode::argument_invalid, "the packet's header is not a JSON object with \"arrays\"");
  }
  data_ = bytes.substr(8 + length);
}

std::string_view ReceivedPacket::bytes_of(const std::string& name, const std::string& type) const {
  const auto wrong = [&] {
    return Error(ErrorCode::argument_invalid, "the packet holds no " + type + " array '" + name + "'");
  };
  if (!has(name)) throw wrong();
  const json& place = header_["arrays"][name];
  if (!place.is_object() || place.value("type", json()) != type) throw wrong();
  const json offset = place.value("offset", json()), size = place.value("bytes", json());
  if (!offset.is_number_unsigned() || !size.is_number_unsigned()) throw wrong();
  const auto begin = offset.get<std::uint64_t>(), count = size.get<std::uint64_t>();
  const std::uint64_t element = type == "u16" ? 2 : 4;
  if (begin > data_.size() || count > data_.size() - begin || count % element != 0) {
    throw Error(ErrorCode::argument_invalid, "the packet's array '" + name + "' reaches beyond its end");
  }
  return data_.substr(begin, count);
}

void append_transform(std::vector<float>& values, const Transform& transform) {
  for (int i = 0; i < 3; ++i) values.push_back(static_cast<float>(transform.translation[i]));
  for (int i = 0; i < 4; ++i) values.push_back(static_cast<float>(transform.rotation.coeffs()[i]));
  for (int i = 0; i < 3; ++i) values.push_back(static_cast<float>(transform.scale[i]));
}

Packet character_packet(const Character& character, json header) {
  const Skeleton& skeleton = character.skeleton;
  header["name"] = character.name;
  header["vertices"] = character.mesh.vertex_count();
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
  add_mesh(packet, character.mesh);
  add_skeleton(packet, skeleton);
  for (std::size_t m = 0; m < character.motions.size(); ++m) {
    std::vector<float> frames;
    frames.reserve(character.motions[m].transforms.size() * 10);
    for (const Transform& transform : character.motions[m].transforms) append_transform(frames, transform);
    packet.add("motion" + std::to_string(m), frames);
  }
  return packet;
}

std::string level_packet(const Character& level, json header) {
  header["vertices"] = level.mesh.vertex_count();
  header["parts"] = describe_parts(level);
  header["influences"] = level.weights.influences;
  Packet packet(std::move(header));
  add_mesh(packet, level.mesh);
  add_weights(packet, level.weights);
  return packet.bytes();
}

std::string weights_packet(const SkinWeights& weights, const std::vector<std::uint32_t>& pins, json header) {
  header["influences"] = weights.influences;
  Packet packet(std::move(header));
  add_weights(packet, weights);
  packet.add("pins", std::span(pins));
  return packet.bytes();
}

}  // namespace sinew::viewer
