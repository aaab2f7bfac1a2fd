// Training shapes: what the skin of a bound character looks like in many poses, and the folder that holds them.
//
//   TrainingShapesWriter writer("arm_shapes", character);        // continues where an earlier run stopped
//   if (!writer.contains("bend", 12)) writer.append({"bend", 12, pose, positions});
//
//   const TrainingShapes shapes("arm_shapes");
//   for (std::size_t i = 0; i < shapes.size(); ++i) use(shapes.pose(i), shapes.positions(i));
//
// The folder (docs/formats/training-shapes.md) holds the bound character, `character.glb`, and the shapes: either
// `shapes.sinewt`, one binary file to which frames are appended, or `shapes.json`, which lists loose OBJ, PLY or GLB
// frames made by another program. Shapes are world positions, one per vertex of the character in its order; poses are
// one local transform per joint of the character, like `Pose` everywhere else.
//
// A frame is named by its motion and a number in it. The motion matters: training keeps whole motions apart for
// testing, so that neighbouring frames never end up on both sides.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

namespace training {
class RecordBytes;
}

struct TrainingFrame {
  std::string motion;  // at most 63 bytes of UTF-8; random poses may go by "random"
  int frame = 0;
  Pose pose;                     // one entry per joint of the character
  std::vector<Vec3f> positions;  // posed, one per vertex; empty for a frame that has failed
};

// Appends frames to `folder`/shapes.sinewt. Every append is on disk when it returns; a record cut short by a crash is
// found by the next writer or reader and left out. One writer at a time; not for several threads at once.
class TrainingShapesWriter {
 public:
  // Makes the folder and its character.glb, or checks that the folder belongs to this character (same joints, same
  // number of vertices, same bind pose). Throws Error(bad_input) when it belongs to another one or the character has no
  // skin, Error(failed) when the folder cannot be written.
  TrainingShapesWriter(const std::filesystem::path& folder, const Character& character);

  // Whether the frame is there already, or is known to have failed.
  bool contains(const std::string& motion, int frame) const;
  std::size_t frame_count() const { return known_.size(); }  // with the failed ones

  // Throws Error(bad_input) when the pose or the positions do not fit the character, are not finite,
  // or the frame is there already.
  void append(const TrainingFrame& frame);
  // Remembers that no shape was found for this pose, so that the next run does not try it again.
  void append_failure(const std::string& motion, int frame, const Pose& pose);

 private:
  void write_record(const TrainingFrame& frame, bool failed);

  std::filesystem::path path_;
  std::size_t vertex_count_ = 0, joint_count_ = 0;
  std::set<std::pair<std::string, int>> known_;
};

// Reads such a folder. Positions are read from disk when asked for; many threads may ask at once.
class TrainingShapes {
 public:
  // `load`: how the character and loose frames are read. Throws Error(bad_input) when the folder, its character or its
  // frames are missing or do not fit together.
  explicit TrainingShapes(const std::filesystem::path& folder, const LoadOptions& load = {});
  // The bytes of a shapes.sinewt for the character of its folder, all in memory.
  TrainingShapes(Character character, std::vector<std::byte> shapes);

  const Character& character() const { return character_; }
  std::size_t size() const { return frames_.size(); }  // without the failed ones
  const std::string& motion(std::size_t i) const { return frames_[i].motion; }
  int frame(std::size_t i) const { return frames_[i].number; }
  const Pose& pose(std::size_t i) const { return frames_[i].pose; }
  std::size_t failed_count() const { return failed_; }
  const Warnings& warnings() const { return warnings_; }

  // Throws Error(bad_input) when the bytes are damaged.
  std::vector<Vec3f> positions(std::size_t i) const;

 private:
  struct Entry {
    std::string motion;
    int number = 0;
    Pose pose;
    std::uint64_t offset = 0;    // of the record in shapes.sinewt
    std::filesystem::path file;  // of a loose frame
  };
  void read_binary(training::RecordBytes bytes);
  void read_list(std::string_view text, const std::filesystem::path& folder);

  LoadOptions load_;
  std::shared_ptr<const training::RecordBytes> binary_;  // of shapes.sinewt
  Character character_;
  std::vector<Entry> frames_;
  std::size_t failed_ = 0;
  Warnings warnings_;
};

// A number that tells bound characters apart: their vertices' rest positions, joint names and parents.
std::uint64_t character_fingerprint(const Character& character);

}  // namespace sinew
