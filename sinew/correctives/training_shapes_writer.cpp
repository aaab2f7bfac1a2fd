#include <cmath>
#include <cstdio>
#include <cstring>

#include "sinew/base/file_bytes.h"
#include "sinew/correctives/training_records.h"
#include "sinew/correctives/training_shapes.h"
#include "sinew/io.h"

namespace sinew {
namespace fs = std::filesystem;
using namespace training;

namespace {

// Same joints in the same order, same vertices up to what a file's own space costs in last bits.
bool same_bind_pose(const Character& a, const Character& b) {
  if (a.skeleton.names != b.skeleton.names || a.skeleton.parents != b.skeleton.parents ||
      a.mesh.vertex_count() != b.mesh.vertex_count()) {
    return false;
  }
  const auto tolerance = static_cast<float>(1e-5 * bounding_diagonal(a.mesh));
  for (std::size_t v = 0; v < a.mesh.vertex_count(); ++v) {
    if (!((a.mesh.positions[v] - b.mesh.positions[v]).norm() <= tolerance)) return false;
  }
  return true;
}

// A file that was changed may come back with its joints in another order; written afresh, without what the library
// does not understand, it does not.
void save_for_training(const Character& character, const fs::path& path) {
  SaveOptions options;
  options.embed = true;  // the folder gets one file
  WrittenCharacter written = write_character(character, FileFormat::glb, options);
  if (!same_bind_pose(read_character(written.bytes), character)) {
    Character bare = character;
    bare.source.reset();
    written = write_character(bare, FileFormat::glb, options);
  }
  save_written(written, path);
}

}  // namespace

std::uint64_t character_fingerprint(const Character& character) {
  std::uint64_t hash = hash_words(std::as_bytes(std::span(character.mesh.positions)));
  for (std::size_t j = 0; j < character.skeleton.names.size(); ++j) {
    for (const char c : character.skeleton.names[j]) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    }
    hash = (hash ^ static_cast<std::uint32_t>(character.skeleton.parents[j] + 1)) * 0x100000001b3ull;
  }
  return hash;
}

TrainingShapesWriter::TrainingShapesWriter(const fs::path& folder, const Character& character)
    : path_(folder / "shapes.sinewt") {
  check_character(character);
  if (!character.has_skin() || character.skeleton.empty()) {
    throw Error(ErrorCode::weights_missing, "training shapes need a character with skeleton and weights",
                "bind it first");
  }
  std::error_code problem;
  fs::create_directories(folder, problem);
  const fs::path glb = folder / "character.glb";
  if (!fs::exists(glb)) save_for_training(character, glb);
  // What is read back decides: its joints and vertices are what poses and shapes will be matched with.
  const Character saved = load_character(glb);
  if (!same_bind_pose(saved, character)) {
    throw Error(ErrorCode::characters_differ, "'" + folder.string() + "' holds the shapes of another character",
                "choose an empty folder");
  }
  vertex_count_ = saved.mesh.vertex_count();
  joint_count_ = static_cast<std::size_t>(saved.skeleton.joint_count());
  const FileHeader header = make_file_header(vertex_count_, joint_count_, character_fingerprint(saved));
  if (!fs::exists(path_)) {
    write_file_bytes(path_, std::as_bytes(std::span(&header, 1)));
    return;
  }
  const RecordBytes bytes(path_);
  const RecordScan scan = scan_records(bytes, header);
  for (const Record& record : scan.records) known_.insert({record.motion, record.frame});
  if (scan.good_end < bytes.size()) fs::resize_file(path_, scan.good_end);  // what a crash left behind
}

bool TrainingShapesWriter::contains(const std::string& motion, int frame) const {
  return known_.contains({motion, frame});
}

void TrainingShapesWriter::append(const TrainingFrame& frame) {
  if (frame.positions.size() != vertex_count_) {
    throw Error(ErrorCode::training_data_invalid, "a training shape has " + std::to_string(frame.positions.size()) +
                                                      " vertices; the character has " + std::to_string(vertex_count_));
  }
  for (const Vec3f& p : frame.positions) {
    if (!p.allFinite()) {
      throw Error(ErrorCode::training_data_invalid, "a training shape has a vertex that is not finite");
    }
  }
  write_record(frame, false);
}

void TrainingShapesWriter::append_failure(const std::string& motion, int frame, const Pose& pose) {
  write_record({motion, frame, pose, {}}, true);
}

void TrainingShapesWriter::write_record(const TrainingFrame& frame, bool failed) {
  if (frame.pose.size() != joint_count_) {
    throw Error(ErrorCode::training_data_invalid, "a training pose does not have one entry per joint");
  }
  if (frame.motion.size() > 63 || frame.motion.find('\0') != std::string::npos) {
    throw Error(ErrorCode::training_data_invalid,
                "'" + frame.motion + "' is too long for the name of a training motion", "use at most 63 bytes");
  }
  if (contains(frame.motion, frame.frame)) {
    throw Error(ErrorCode::training_data_invalid,
                "frame " + std::to_string(frame.frame) + " of '" + frame.motion + "' exists already");
  }
  std::vector<std::byte> bytes(record_bytes(vertex_count_, joint_count_, failed));
  RecordHeader header{record_magic, failed ? failed_flag : 0, frame.frame, {}};
  std::memcpy(header.motion, frame.motion.data(), frame.motion.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  std::byte* out = bytes.data() + sizeof header;
  for (const Transform& t : frame.pose) {
    const Quatd& q = t.rotation;
    const double values[pose_floats] = {
        t.translation.x(), t.translation.y(), t.translation.z(), q.x(), q.y(), q.z(), q.w(),
        t.scale.x(),       t.scale.y(),       t.scale.z()};
    for (const double value : values) {
      const auto f = static_cast<float>(value);
      if (!std::isfinite(f)) throw Error(ErrorCode::training_data_invalid, "a training pose is not finite");
      std::memcpy(out, &f, 4);
      out += 4;
    }
  }
  if (!failed) std::memcpy(out, frame.positions.data(), 12 * vertex_count_);
  const std::uint64_t hash = hash_words(std::span(bytes).first(bytes.size() - 8));
  std::memcpy(bytes.data() + bytes.size() - 8, &hash, 8);

  std::FILE* file = std::fopen(path_.c_str(), "ab");
  bool good = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  good = file != nullptr && std::fclose(file) == 0 && good;
  if (!good) {
    throw Error(ErrorCode::file_unwritable, "'" + path_.string() + "' could not be written to",
                "check that the disk is not full");
  }
  known_.insert({frame.motion, frame.frame});
}

}  // namespace sinew
