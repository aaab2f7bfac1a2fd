#include "apps/viewer/corrective_view.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/viewer/packet.h"
#include "apps/viewer/refusal.h"
#include "sinew/io.h"
#include "sinew/pose_mesh.h"

namespace sinew::viewer {
namespace {

using nlohmann::json;

constexpr std::size_t numbers_per_joint = 10;

Pose received_pose(const ReceivedPacket& packet, const Skeleton& skeleton) {
  const std::vector<float> numbers = packet.array<float>("pose");
  if (numbers.size() != skeleton.names.size() * numbers_per_joint) {
    throw refused("the pose needs ten numbers per joint");
  }
  Pose pose(skeleton.names.size());
  for (std::size_t j = 0; j < pose.size(); ++j) {
    const Eigen::Map<const Eigen::Matrix<float, 10, 1>> n(numbers.data() + j * numbers_per_joint);
    const Quatd rotation(n[6], n[3], n[4], n[5]);
    if (!n.allFinite() || !(rotation.norm() > 1e-3)) throw refused("the pose holds numbers that are not finite");
    pose[j].translation = n.head<3>().cast<double>();
    pose[j].rotation = rotation.normalized();
    pose[j].scale = n.tail<3>().cast<double>();
  }
  return pose;
}

// Distances between two shapes; the mean and the largest go into the header.
std::vector<float> distances(const std::vector<Vec3f>& shape, const std::vector<Vec3f>& truth, const char* name,
                             json& header) {
  std::vector<float> result(shape.size());
  double sum = 0;
  float largest = 0;
  for (std::size_t v = 0; v < shape.size(); ++v) {
    result[v] = (shape[v] - truth[v]).norm();
    sum += result[v];
    largest = std::max(largest, result[v]);
  }
  header[name] = {{"mean", shape.empty() ? 0.0 : sum / static_cast<double>(shape.size())}, {"largest", largest}};
  return result;
}

void check_truth(const TrainingShapes& truth, const Character& character) {
  const Character& made_for = truth.character();
  if (made_for.mesh.vertex_count() != character.mesh.vertex_count() ||
      made_for.skeleton.names != character.skeleton.names) {
    throw Error(ErrorCode::characters_differ, "the shapes were made for another character",
                "open the character.glb of their folder");
  }
}

}  // namespace

void CorrectiveView::load_correctives(std::span<const std::byte> bytes, const std::string& name,
                                      const OpenedCharacter& opened) {
  auto poser = std::make_unique<CorrectivePoser>(CorrectiveFile(bytes));
  poser->check_fits(opened.character);
  const std::lock_guard lock(mutex_);
  poser_ = std::move(poser);
  poser_rig_ = opened.rig;
  name_ = name;
}

void CorrectiveView::set_truth(std::unique_ptr<TrainingShapes> truth, const OpenedCharacter& opened) {
  check_truth(*truth, opened.character);
  const std::lock_guard lock(mutex_);
  truth_ = std::move(truth);
  truth_rig_ = opened.rig;
}

void CorrectiveView::load_truth(const std::filesystem::path& folder, const OpenedCharacter& opened) {
  LoadOptions load;
  load.isolate = true;
  set_truth(std::make_unique<TrainingShapes>(folder, load), opened);
}

void CorrectiveView::load_truth(std::span<const std::byte> bytes, const Entry& entry) {
  Character character = entry.opened->character;
  character.weights = entry.weights;
  character.parts = entry.parts;
  // Shapes belong to a character as it is read from a GLB.
  Character read = read_character(write_character(character, FileFormat::glb).bytes);
  set_truth(std::make_unique<TrainingShapes>(std::move(read), std::vector(bytes.begin(), bytes.end())), *entry.opened);
}

json CorrectiveView::describe(const OpenedCharacter& opened) const {
  const std::lock_guard lock(mutex_);
  json result = {{"correctives", nullptr}, {"truth", nullptr}};
  if (fits(opened, poser_rig_)) {
    const Correctives& set = poser_->set();
    std::size_t networks = 0;
    for (int level = 0; level < set.level_count(); ++level) networks += set.network_count(level);
    result["correctives"] = {
        {"name", name_}, {"levels", set.level_count()}, {"networks", networks}, {"bytes", set.file_bytes()}};
  }
  if (fits(opened, truth_rig_)) result["truth"] = {{"frames", truth_->size()}};
  return result;
}

std::string CorrectiveView::truth_poses(const OpenedCharacter& opened) const {
  const std::lock_guard lock(mutex_);
  if (!fits(opened, truth_rig_)) throw refused("there is no truth for this character");
  json frames = json::array();
  std::vector<float> poses;
  for (std::size_t i = 0; i < truth_->size(); ++i) {
    frames.push_back({{"motion", truth_->motion(i)}, {"frame", truth_->frame(i)}});
    for (const Transform& transform : truth_->pose(i)) append_transform(poses, transform);
  }
  Packet packet(json{{"frames", std::move(frames)}});
  packet.add("poses", poses);
  return packet.bytes();
}

std::string CorrectiveView::pose(const Entry& entry, const std::string& body) {
  const ReceivedPacket request(body);
  const Character& character = entry.opened->character;
  const Pose pose = received_pose(request, character.skeleton);
  const json frame = request.header().value("truth", json());
  if (!frame.is_null() && !frame.is_number_unsigned()) throw refused("'truth' is not the number of a frame");

  const std::lock_guard lock(mutex_);
  json header = json::object();
  CorrectivePoser::Posed corrected;
  const bool has_correctives = fits(*entry.opened, poser_rig_);
  if (has_correctives) {
    const auto start = std::chrono::steady_clock::now();
    corrected = poser_->pose(character.skeleton, pose);
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
    header["correctives_ms"] = corrected.result.microseconds / 1000;
    header["posing_ms"] = spent.count();
  }
  std::vector<float> plain_error, corrected_error;
  if (!frame.is_null()) {
    if (!fits(*entry.opened, truth_rig_) || frame.get<std::uint64_t>() >= truth_->size()) {
      throw refused("there is no such frame of truth");
    }
    const std::vector<Vec3f> truth = truth_->positions(frame.get<std::size_t>());
    if (!entry.weights.empty()) {
      const std::vector<Vec3f> plain =
          pose_positions(character.mesh.positions, entry.weights, skinning_transforms(character.skeleton, pose));
      plain_error = distances(plain, truth, "plain_error", header);
    }
    if (has_correctives) corrected_error = distances(corrected.positions, truth, "corrected_error", header);
  }
  Packet packet(std::move(header));
  if (has_correctives) {
    packet.add("positions", flat(corrected.positions));
    packet.add("normals", flat(corrected.normals));
  }
  if (!plain_error.empty()) packet.add("plain_error", plain_error);
  if (!corrected_error.empty()) packet.add("corrected_error", corrected_error);
  return packet.bytes();
}

}  // namespace sinew::viewer
