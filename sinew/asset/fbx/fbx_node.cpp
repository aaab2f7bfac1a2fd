#include "sinew/asset/fbx/fbx_node.h"

#include <cstring>
#include <limits>

#include "sinew/error.h"

namespace sinew {
namespace {

constexpr std::uint32_t fbx_version = 7400;
constexpr std::size_t record_head = 13;  // end offset, number and bytes of properties, length of the name
constexpr std::string_view file_mark("Kaydara FBX Binary  \0\x1a\0", 23);
// Readers of Autodesk compare these with the time of creation; both stand for the one that write_fbx states.
constexpr std::string_view foot_mark("\xfa\xbc\xab\x09\xd0\xc8\xd4\x66\xb1\x76\xfb\x83\x1c\xf7\x26\x7e", 16);
constexpr std::string_view last_mark("\xf8\x5a\x8c\x6a\xde\xf5\xd9\x7e\xec\xe9\x0c\xe3\x75\x8f\x29\x0b", 16);

template <typename T>
void append_value(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));  // little endian, as all machines that this runs on
  out.append(bytes, sizeof(T));
}

}  // namespace

template <typename T>
FbxNode& FbxNode::scalar(char type, T value) {
  properties_ += type;
  append_value(properties_, value);
  ++property_count_;
  return *this;
}

// Length, encoding (0: as it is; 1 would be zlib) and bytes.
template <typename T>
FbxNode& FbxNode::array(char type, std::span<const T> values) {
  if (values.size_bytes() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorCode::output_too_large, "FBX files hold 4 GB at most", "write it as .gltf or in several files");
  }
  properties_ += type;
  append_value(properties_, static_cast<std::uint32_t>(values.size()));
  append_value(properties_, std::uint32_t{0});
  append_value(properties_, static_cast<std::uint32_t>(values.size_bytes()));
  if (!values.empty()) properties_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  ++property_count_;
  return *this;
}

FbxNode& FbxNode::boolean(bool value) { return scalar('C', static_cast<std::uint8_t>(value)); }
FbxNode& FbxNode::int16(std::int16_t value) { return scalar('Y', value); }
FbxNode& FbxNode::int32(std::int32_t value) { return scalar('I', value); }
FbxNode& FbxNode::int64(std::int64_t value) { return scalar('L', value); }
FbxNode& FbxNode::real(double value) { return scalar('D', value); }
FbxNode& FbxNode::int32s(std::span<const std::int32_t> values) { return array('i', values); }
FbxNode& FbxNode::int64s(std::span<const std::int64_t> values) { return array('l', values); }
FbxNode& FbxNode::floats(std::span<const float> values) { return array('f', values); }
FbxNode& FbxNode::reals(std::span<const double> values) { return array('d', values); }

FbxNode& FbxNode::text(std::string_view text) {
  scalar('S', static_cast<std::uint32_t>(text.size()));
  properties_.append(text);
  return *this;
}

FbxNode& FbxNode::raw(std::span<const std::byte> bytes) {
  if (bytes.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorCode::output_too_large, "FBX files hold 4 GB at most", "write it as .gltf");
  }
  scalar('R', static_cast<std::uint32_t>(bytes.size()));
  if (!bytes.empty()) properties_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return *this;
}

FbxNode& FbxNode::object_name(std::string_view name, std::string_view object_class) {
  std::string both(name);
  both.append(std::string_view("\0\x01", 2)).append(object_class);
  return text(both);
}

FbxNode& FbxNode::property(const char* name, const char* type, const char* label, const char* flags) {
  return child("P").text(name).text(type).text(label).text(flags);
}

std::uint64_t FbxNode::size() const {
  std::uint64_t size = record_head + name_.size() + properties_.size();
  for (const FbxNode& child : children_) size += child.size();
  return size + (ends_with_null() ? record_head : 0);
}

void FbxNode::write(std::string& out) const {
  append_value(out, static_cast<std::uint32_t>(out.size() + size()));
  append_value(out, property_count_);
  append_value(out, static_cast<std::uint32_t>(properties_.size()));
  append_value(out, static_cast<std::uint8_t>(name_.size()));
  out += name_;
  out += properties_;
  for (const FbxNode& child : children_) child.write(out);
  if (ends_with_null()) out.append(record_head, '\0');
}

std::string fbx_bytes(const FbxNode& root) {
  std::uint64_t size = file_mark.size() + 4 + record_head + 200;
  for (const FbxNode& child : root.children_) size += child.size();
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorCode::output_too_large, "FBX files hold 4 GB at most", "write it as .gltf or in several files");
  }
  std::string out(file_mark);
  out.reserve(size);
  append_value(out, fbx_version);
  for (const FbxNode& child : root.children_) child.write(out);
  out.append(record_head, '\0');
  out += foot_mark;
  out.append(4, '\0');
  out.append(16 - out.size() % 16, '\0');  // one to sixteen
  append_value(out, fbx_version);
  out.append(120, '\0');
  out += last_mark;
  return out;
}

}  // namespace sinew
