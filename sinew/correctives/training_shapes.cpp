#include "sinew/correctives/training_shapes.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "sinew/base/file_bytes.h"
#include "sinew/correctives/training_records.h"
#include "sinew/io.h"

namespace sinew {
namespace fs = std::filesystem;
using namespace training;
namespace {

void check_trained_character(const Character& character) {
  if (!character.has_skin() || character.skeleton.empty()) {
    throw Error(ErrorCode::weights_missing, "'" + character.name + "' has no skeleton or no skin weights",
                "bind it first");
  }
}

}  // namespace

TrainingShapes::TrainingShapes(const fs::path& folder, const LoadOptions& load) : load_(load) {
  const std::string name = "'" + folder.string() + "'";
  if (!fs::is_directory(folder)) {
    throw Error(ErrorCode::file_not_found, name + " is not a folder", "give a folder of training shapes");
  }
  character_ = load_character(folder / "character.glb", load_);
  const fs::path list = folder / "shapes.json";
  if (!fs::exists(folder / "shapes.sinewt") && fs::exists(list)) {
    check_trained_character(character_);
    parse_file(list, [&](std::span<const std::byte> bytes) { read_list(as_text(bytes), folder); });
    return;
  }
  try {
    check_trained_character(character_);
    if (!fs::exists(folder / "shapes.sinewt")) {
      throw Error(ErrorCode::training_data_invalid, "it holds neither shapes.sinewt nor shapes.json",
                  "simulate shapes into it first");
    }
    read_binary(RecordBytes(folder / "shapes.sinewt"));
  } catch (const Error& error) {
    throw error.within("reading " + name);
  }
}

TrainingShapes::TrainingShapes(Character character, std::vector<std::byte> shapes) : character_(std::move(character)) {
  check_trained_character(character_);
  read_binary(RecordBytes(std::move(shapes)));
}

void TrainingShapes::read_binary(RecordBytes bytes) {
  binary_ = std::make_shared<const RecordBytes>(std::move(bytes));
  RecordScan scan =
      scan_records(*binary_, make_file_header(character_.mesh.vertex_count(), character_.skeleton.joint_count(),
                                              character_fingerprint(character_)));
  for (Record& record : scan.records) {
    if (record.failed) {
      ++failed_;
    } else {
      frames_.push_back({std::move(record.motion), record.frame, std::move(record.pose), record.offset, {}});
    }
  }
  if (scan.damaged) {
    warnings_.push_back({"damaged-frames", "the shapes have an incomplete or damaged end; it was left out"});
  }
}

void TrainingShapes::read_list(std::string_view text, const fs::path& folder) {
  using nlohmann::json;
  try {
    const json list = json::parse(text);
    const auto joints = static_cast<std::size_t>(character_.skeleton.joint_count());
    for (const json& item : list.at("frames")) {
      Entry entry;
      entry.file = folder / item.at("file").get<std::string>();
      entry.motion = item.at("motion").get<std::string>();
      entry.number = item.at("frame").get<int>();
      if (item.contains("pose")) {
        for (const json& numbers : item.at("pose")) {
          const auto floats = numbers.get<std::vector<float>>();
          if (floats.size() != pose_floats) {
            throw Error(ErrorCode::training_data_invalid, "a joint of a pose does not have 10 numbers");
          }
          entry.pose.push_back(unpack_transform(floats.data()));
        }
        if (entry.pose.size() != joints) {
          throw Error(ErrorCode::training_data_invalid, "a pose does not have one entry per joint");
        }
      } else {
        const Motion* motion = nullptr;
        for (const Motion& m : character_.motions) motion = m.name == entry.motion ? &m : motion;
        if (motion == nullptr || entry.number < 0 || entry.number >= motion->frame_count()) {
          throw Error(
              ErrorCode::training_data_invalid,
              "character.glb has no frame " + std::to_string(entry.number) + " of a motion '" + entry.motion + "'",
              "give the pose in shapes.json, or put the motion into character.glb");
        }
        entry.pose = frame_pose(*motion, entry.number);
      }
      frames_.push_back(std::move(entry));
    }
  } catch (const json::exception& error) {
    throw Error(ErrorCode::training_data_invalid, std::string("it is not valid: ") + error.what(),
                "docs/formats/training-shapes.md shows the form");
  }
}

std::vector<Vec3f> TrainingShapes::positions(std::size_t i) const {
  const Entry& entry = frames_[i];
  const std::size_t vertices = character_.mesh.vertex_count();
  if (!entry.file.empty()) {
    Character shape = load_character(entry.file, load_);
    if (shape.mesh.vertex_count() != vertices) {
      throw Error(ErrorCode::training_data_invalid,
                  "'" + entry.file.string() + "' has " + std::to_string(shape.mesh.vertex_count()) +
                      " vertices; character.glb has " + std::to_string(vertices),
                  "frames must keep the number and the order of the character's vertices");
    }
    return std::move(shape.mesh.positions);
  }
  const auto joints = static_cast<std::size_t>(character_.skeleton.joint_count());
  const std::vector<std::byte> record = read_record(*binary_, entry.offset, record_bytes(vertices, joints, false));
  if (record.empty()) {
    throw Error(ErrorCode::training_data_invalid, "frame " + std::to_string(entry.number) + " of '" + entry.motion +
                                                      "' is damaged in the training shapes");
  }
  std::vector<Vec3f> positions(vertices);
  std::memcpy(static_cast<void*>(positions.data()), record.data() + sizeof(RecordHeader) + 4 * pose_floats * joints,
              12 * vertices);
  return positions;
}

}  // namespace sinew
