#include "sinew/correctives/training_records.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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

RecordBytes::RecordBytes(std::vector<std::byte> bytes) : bytes_(std::move(bytes)), size_(bytes_.size()) {}

RecordBytes::RecordBytes(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    if (descriptor >= 0) close(descriptor);
    throw Error(ErrorCode::file_unreadable, "'" + path.string() + "' cannot be opened");
  }
  file_ = std::shared_ptr<const int>(new int(descriptor), [](const int* held) {
    close(*held);
    delete held;
  });
  size_ = static_cast<std::uint64_t>(status.st_size);
}

bool RecordBytes::read(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset > size_ || out.size() > size_ - offset) return false;
  if (!file_) {
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
    return true;
  }
  while (!out.empty()) {
    const ssize_t got = pread(*file_, out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    out = out.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return true;
}

std::vector<std::byte> read_record(const RecordBytes& bytes, std::uint64_t offset, std::uint64_t size) {
  std::vector<std::byte> record(size);
  if (!bytes.read(offset, record)) return {};
  std::uint64_t hash;
  std::memcpy(&hash, record.data() + size - 8, 8);
  if (hash != hash_words(std::span(record).first(size - 8))) return {};
  return record;
}

RecordScan scan_records(const RecordBytes& bytes, const FileHeader& expected) {
  FileHeader header;
  if (!bytes.read(0, std::as_writable_bytes(std::span(&header, 1))) ||
      std::memcmp(header.magic, file_magic, sizeof file_magic) != 0) {
    throw Error(ErrorCode::training_data_invalid, "these are not training shapes");
  }
  if (header.vertex_count != expected.vertex_count || header.joint_count != expected.joint_count ||
      header.fingerprint != expected.fingerprint) {
    throw Error(ErrorCode::characters_differ, "the shapes were made for another character",
                "use the character.glb of their folder");
  }
  std::set<std::pair<std::string, int>> seen;
  RecordScan scan;
  scan.good_end = sizeof(FileHeader);
  RecordHeader record;
  while (bytes.read(scan.good_end, std::as_writable_bytes(std::span(&record, 1)))) {
    if (record.magic != record_magic || record.flags > failed_flag || record.motion[63] != 0) break;
    const bool failed = record.flags == failed_flag;
    const std::uint64_t size = record_bytes(header.vertex_count, header.joint_count, failed);
    const std::uint64_t left = bytes.size() - scan.good_end;
    if (size > left) break;
    // The last record is read whole: it may have been cut short and the file filled up with zeros.
    if (left - size < sizeof(RecordHeader) && read_record(bytes, scan.good_end, size).empty()) break;
    std::vector<float> floats(pose_floats * header.joint_count);
    const bool read = bytes.read(scan.good_end + sizeof record, std::as_writable_bytes(std::span(floats)));
    const bool finite = std::all_of(floats.begin(), floats.end(), [](float f) { return std::isfinite(f); });
    if (read && finite && seen.insert({record.motion, record.frame}).second) {
      Record& entry = scan.records.emplace_back(Record{record.motion, record.frame, failed, {}, scan.good_end});
      for (std::size_t j = 0; j < header.joint_count; ++j) {
        entry.pose.push_back(unpack_transform(&floats[pose_floats * j]));
      }
    } else {
      scan.damaged = true;
    }
    scan.good_end += size;
  }
  scan.damaged = scan.damaged || scan.good_end != bytes.size();
  return scan;
}

}  // namespace sinew::training
