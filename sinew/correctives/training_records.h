// The bytes of shapes.sinewt (docs/formats/training-shapes.md). Internal to training_shapes*.cpp.
//
// Little-endian. A file header, then one record per frame: record header, pose, positions, hash of all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/runtime/hash_words.h"
#include "sinew/skeleton.h"

namespace sinew::training {

inline constexpr char file_magic[8] = {'S', 'I', 'N', 'E', 'W', 'T', 'S', '1'};
inline constexpr std::uint32_t record_magic = 0x4d415246;  // "FRAM"
inline constexpr std::uint32_t failed_flag = 1;
inline constexpr std::size_t pose_floats = 10;  // translation, rotation xyzw, scale

struct FileHeader {
  char magic[8];
  std::uint32_t vertex_count;
  std::uint32_t joint_count;
  std::uint64_t fingerprint;  // character_fingerprint of character.glb
};
static_assert(sizeof(FileHeader) == 24);

struct RecordHeader {
  std::uint32_t magic;
  std::uint32_t flags;
  std::int32_t frame;
  char motion[64];  // UTF-8, padded with zeros, at least one
};
static_assert(sizeof(RecordHeader) == 76);

// Bytes of a whole record, the hash included. A failed frame has a pose but no positions.
inline std::uint64_t record_bytes(std::uint64_t vertices, std::uint64_t joints, bool failed) {
  return sizeof(RecordHeader) + 4 * (pose_floats * joints + (failed ? 0 : 3 * vertices)) + 8;
}

Transform unpack_transform(const float* pose_floats_of_joint);

// The bytes of such a file: in memory, or on disk, where they may be more than memory holds. Many threads may read.
class RecordBytes {
 public:
  explicit RecordBytes(std::vector<std::byte> bytes);
  // Throws Error(bad_input) when the file cannot be opened.
  explicit RecordBytes(const std::filesystem::path& path);

  std::uint64_t size() const { return size_; }
  // Fills `out`; false when the bytes end before or cannot be read.
  bool read(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  std::vector<std::byte> bytes_;
  std::shared_ptr<const int> file_;  // descriptor, closed with the last owner; null: in memory
  std::uint64_t size_ = 0;
};

struct Record {
  std::string motion;
  int frame = 0;
  bool failed = false;
  Pose pose;
  std::uint64_t offset = 0;  // in the file
};

struct RecordScan {
  std::vector<Record> records;
  std::uint64_t good_end = 0;  // where the next record belongs; less than the file's size when its end is torn
  bool damaged = false;        // something was left out
};

// All records. Their positions are not looked at, except the last one's: only the end can be torn by a crash. Throws
// Error(bad_input) when the bytes are not such a file or belong to another character than `expected` says.
RecordScan scan_records(const RecordBytes& bytes, const FileHeader& expected);

FileHeader make_file_header(std::size_t vertices, std::size_t joints, std::uint64_t fingerprint);

// One whole record of `size` bytes; empty when the bytes end before or the hash does not fit.
std::vector<std::byte> read_record(const RecordBytes& bytes, std::uint64_t offset, std::uint64_t size);

}  // namespace sinew::training
