#include "sinew/correctives/training_records.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "sinew/error.h"

namespace sinew::training {

Transform unpack_transform(const float* f) {
  Transform transform;
  transform.translation = Vec3f(f[0], f[1], f[2]).cast<double>();
  transform.rotation = Quatd(f[6], f[3], f[4], f[5]).normalized();
  transform.scale = Vec3f(f[7], f[8], f[9]).cast<double>();
  return transform;
}

FileHeader make_file_header(std::size_t vertices, std::size_t joints, std::uint64_t fingerprint) {
  FileHeader header{};
  std::memcpy(header.magic, file_magic, sizeof file_magic);
  header.vertex_count = static_cast<std::uint32_t>(vertices);
  header.joint_count = static_cast<std::uint32_t>(joints);
  header.fingerprint = fingerprint;
  return header;
}

std::vector<std::byte> read_record(std::ifstream& file, std::uint64_t offset, std::uint64_t bytes) {
  std::vector<std::byte> record(bytes);
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  if (!file.read(reinterpret_cast<char*>(record.data()), static_cast<std::streamsize>(bytes))) return {};
  std::uint64_t hash;
  std::memcpy(&hash, record.data() + bytes - 8, 8);
  if (hash != hash_words(std::span(record).first(bytes - 8))) return {};
  return record;
}

RecordScan scan_records(const std::filesystem::path& path, const FileHeader& expected) {
  const std::string name = "'" + path.string() + "'";
  std::ifstream file(path, std::ios::binary);
  FileHeader header;
  if (!file || !file.read(reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.magic, file_magic, sizeof file_magic) != 0) {
    throw Error(ErrorCode::training_data_invalid, name + " is not a file of training shapes");
  }
  if (header.vertex_count != expected.vertex_count || header.joint_count != expected.joint_count ||
      header.fingerprint != expected.fingerprint) {
    throw Error(ErrorCode::characters_differ,
                name + " was made for another character than the character.glb beside it");
  }
  const std::uint64_t size = std::filesystem::file_size(path);
  std::set<std::pair<std::string, int>> seen;
  RecordScan scan;
  scan.good_end = sizeof(FileHeader);
  while (scan.good_end + sizeof(RecordHeader) <= size) {
    RecordHeader record;
    file.seekg(static_cast<std::streamoff>(scan.good_end));
    file.read(reinterpret_cast<char*>(&record), sizeof record);
    if (!file || record.magic != record_magic || record.flags > failed_flag || record.motion[63] != 0) break;
    const bool failed = record.flags == failed_flag;
    const std::uint64_t bytes = record_bytes(header.vertex_count, header.joint_count, failed);
    if (bytes > size - scan.good_end) break;
    // The last record is read whole: it may have been cut short and the file filled up with zeros.
    const bool last = size - scan.good_end - bytes < sizeof(RecordHeader);
    if (last && read_record(file, scan.good_end, bytes).empty()) break;
    std::vector<float> floats(pose_floats * header.joint_count);
    file.seekg(static_cast<std::streamoff>(scan.good_end + sizeof record));
    file.read(reinterpret_cast<char*>(floats.data()), static_cast<std::streamsize>(4 * floats.size()));
    const bool finite = std::all_of(floats.begin(), floats.end(), [](float f) { return std::isfinite(f); });
    if (finite && seen.insert({record.motion, record.frame}).second) {
      Record& entry = scan.records.emplace_back(Record{record.motion, record.frame, failed, {}, scan.good_end});
      for (std::size_t j = 0; j < header.joint_count; ++j) {
        entry.pose.push_back(unpack_transform(&floats[pose_floats * j]));
      }
    } else {
      scan.damaged = true;
    }
    scan.good_end += bytes;
  }
  scan.damaged = scan.damaged || scan.good_end != size;
  return scan;
}

}  // namespace sinew::training
