#include "sinew/learn/network_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "sinew/base/file_bytes.h"
#include "sinew/error.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little, "network files are read and written as they lie in memory");

constexpr char magic[8] = {'S', 'I', 'N', 'E', 'W', 'N', 'E', 'T'};
constexpr std::uint32_t version = 1;

class ByteWriter {
 public:
  void raw(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }
  void number(std::size_t value) {
    const auto narrow = static_cast<std::uint32_t>(value);
    raw(&narrow, sizeof narrow);
  }
  void text(const std::string& value) {
    number(value.size());
    raw(value.data(), value.size());
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  std::span<const std::byte> raw(std::uint64_t size) {
    if (size > rest_.size()) throw Error(ErrorCode::file_damaged, "the network file is truncated");
    const std::span<const std::byte> result = rest_.first(size);
    rest_ = rest_.subspan(size);
    return result;
  }
  std::uint32_t number() {
    std::uint32_t value;
    std::memcpy(&value, raw(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() {
    const std::uint32_t size = number();
    const std::span<const std::byte> bytes = raw(size);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  bool empty() const { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
};

NetworkArray read_array(ByteReader& reader, const std::string& name) {
  NetworkArray array;
  const std::uint32_t rank = reader.number();
  if (rank > 4) {
    throw Error(ErrorCode::file_damaged, "array '" + name + "' of the network file has more than four dimensions");
  }
  std::uint64_t count = 1;
  for (std::uint32_t i = 0; i < rank; ++i) {
    array.shape.push_back(reader.number());
    count *= array.shape.back();
    if (count > (std::uint64_t{1} << 28)) {
      throw Error(ErrorCode::file_damaged, "array '" + name + "' of the network file is too large");
    }
  }
  const std::span<const std::byte> bytes = reader.raw(count * sizeof(float));
  array.values.resize(count);
  if (count > 0) std::memcpy(array.values.data(), bytes.data(), bytes.size());
  if (!std::all_of(array.values.begin(), array.values.end(), [](float v) { return std::isfinite(v); })) {
    throw Error(ErrorCode::file_damaged, "array '" + name + "' of the network file holds values that are not finite");
  }
  return array;
}

}  // namespace

const NetworkArray& NetworkFile::array(const std::string& name, const std::vector<std::uint32_t>& shape) const {
  const auto found = arrays.find(name);
  if (found == arrays.end()) throw Error(ErrorCode::file_damaged, "the network file has no array '" + name + "'");
  if (found->second.shape != shape) {
    throw Error(ErrorCode::file_damaged, "array '" + name + "' of the network file has another shape");
  }
  return found->second;
}

std::vector<std::byte> to_bytes(const NetworkFile& file) {
  ByteWriter writer;
  writer.raw(magic, sizeof magic);
  writer.number(version);
  writer.text(file.description);
  writer.number(file.arrays.size());
  for (const auto& [name, array] : file.arrays) {
    writer.text(name);
    writer.number(array.shape.size());
    for (const std::uint32_t size : array.shape) writer.number(size);
    writer.raw(array.values.data(), array.values.size() * sizeof(float));
  }
  return writer.take();
}

NetworkFile parse_network_file(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  if (bytes.size() < sizeof magic || std::memcmp(reader.raw(sizeof magic).data(), magic, sizeof magic) != 0) {
    throw Error(ErrorCode::format_unknown, "it is not a network file", "training a network writes such files")
        .about("model");
  }
  if (const std::uint32_t found = reader.number(); found != version) {
    throw Error(ErrorCode::format_unsupported, "the network file has version " + std::to_string(found) +
                                                   "; only version " + std::to_string(version) + " is understood");
  }
  NetworkFile file;
  file.description = reader.text();
  const std::uint32_t count = reader.number();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string name = reader.text();
    file.arrays[name] = read_array(reader, name);
  }
  if (!reader.empty()) throw Error(ErrorCode::file_damaged, "the network file has bytes after its end");
  return file;
}

void save_network_file(const NetworkFile& file, const std::filesystem::path& path) {
  write_file_bytes(path, to_bytes(file));
}

NetworkFile load_network_file(const std::filesystem::path& path) {
  return parse_file(path, parse_network_file, std::uint64_t{1} << 30);
}

}  // namespace sinew
