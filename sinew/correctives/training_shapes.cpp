#include "sinew/correctives/training_shapes.h"

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sinew/base/file_bytes.h"
#include "sinew/correctives/training_records.h"
#include "sinew/io.h"

namespace sinew {
namespace fs = std::filesystem;
using namespace training;
namespace {

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

void check_folder_character(const Character& character, const fs::path& path) {
  if (!character.has_skin() || character.skeleton.empty()) {
    throw Error(ErrorCode::weights_missing, quoted(path) + " has no skeleton or no skin weights", "bind it first");
  }
}

}  // namespace

TrainingShapes::TrainingShapes(const fs::path& folder) : folder_(folder) {
  if (!fs::is_directory(folder)) {
    throw Error(ErrorCode::file_not_found, quoted(folder) + " is not a folder", "give a folder of training shapes");
  }
  character_ = load_character(folder / "character.glb");
  check_folder_character(character_, folder / "character.glb");
  if (fs::exists(folder / "shapes.sinewt")) {
    binary_ = folder / "shapes.sinewt";
    read_binary(binary_);
  } else if (fs::exists(folder / "shapes.json")) {
    read_list(folder / "shapes.json");
  } else {
    throw Error(ErrorCode::training_data_invalid, quoted(folder) + " holds neither shapes.sinewt nor shapes.json",
                "simulate shapes into it first");
  }
}

void TrainingShapes::read_binary(const fs::path& path) {
  RecordScan scan =
      scan_records(path, make_file_header(character_.mesh.vertex_count(), character_.skeleton.joint_count(),
                                          character_fingerprint(character_)));
  for (Record& record : scan.records) {
    if (record.failed) {
      ++failed_;
    } else {
      frames_.push_back({std::move(record.motion), record.frame, std::move(record.pose), record.offset, {}});
    }
  }
  if (scan.damaged) {
    warnings_.push_back({"damaged-frames", quoted(path) + " has an incomplete or damaged end; it was left out"});
  }
}

void TrainingShapes::read_list(const fs::path& path) {
  using nlohmann::json;
  const std::vector<std::byte> bytes = read_file_bytes(path);
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  try {
    const json list = json::parse(text, text + bytes.size());
    const auto joints = static_cast<std::size_t>(character_.skeleton.joint_count());
    for (const json& item : list.at("frames")) {
      Entry entry;
      entry.file = folder_ / item.at("file").get<std::string>();
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
    throw Error(ErrorCode::training_data_invalid, quoted(path) + " is not valid: " + error.what(),
                "docs/formats/training-shapes.md shows the form");
  } catch (const Error& error) {
    throw error.within("reading " + quoted(path));
  }
}

std::vector<Vec3f> TrainingShapes::positions(std::size_t i) const {
  const Entry& entry = frames_[i];
  const std::size_t vertices = character_.mesh.vertex_count();
  if (!entry.file.empty()) {
    Character shape = load_character(entry.file);
    if (shape.mesh.vertex_count() != vertices) {
      throw Error(ErrorCode::training_data_invalid,
                  quoted(entry.file) + " has " + std::to_string(shape.mesh.vertex_count()) +
                      " vertices; character.glb has " + std::to_string(vertices),
                  "frames must keep the number and the order of the character's vertices");
    }
    return std::move(shape.mesh.positions);
  }
  const auto joints = static_cast<std::size_t>(character_.skeleton.joint_count());
  std::ifstream file(binary_, std::ios::binary);
  const std::vector<std::byte> record = read_record(file, entry.offset, record_bytes(vertices, joints, false));
  if (record.empty()) {
    throw Error(ErrorCode::training_data_invalid, "frame " + std::to_string(entry.number) + " of '" + entry.motion +
                                                      "' in " + quoted(binary_) + " is damaged");
  }
  std::vector<Vec3f> positions(vertices);
  std::memcpy(static_cast<void*>(positions.data()), record.data() + sizeof(RecordHeader) + 4 * pose_floats * joints,
              12 * vertices);
  return positions;
}

}  // namespace sinew
