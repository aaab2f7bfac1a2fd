#include "sinew/pipeline/explain_fit.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/draw/sheet.h"
#include "sinew/fit.h"
#include "sinew/render.h"

namespace sinew {

using nlohmann::json;

namespace {

// Bones that meet share a joint; one that begins nowhere is a root, so that nothing but the reading is drawn.
Skeleton skeleton_of(const FitReadingSummary& reading) {
  Skeleton skeleton;
  std::vector<Vec3d> places;
  const auto joint_at = [&](const Vec3d& place) {
    const auto found = std::find(places.begin(), places.end(), place);
    return found == places.end() ? -1 : static_cast<int>(found - places.begin());
  };
  const auto add = [&](const Vec3d& place, int parent) {
    places.push_back(place);
    return add_joint(skeleton, "joint" + std::to_string(places.size()), parent, Affine3d(Eigen::Translation3d(place)));
  };
  for (const auto& [head, tail] : reading.bones) {
    const int shared = joint_at(head);
    add(tail, shared >= 0 ? shared : add(head, -1));
  }
  return skeleton;
}

}  // namespace

json readings_json(std::span<const FitReadingSummary> readings) {
  const auto vector = [](const Vec3d& v) { return json{v.x(), v.y(), v.z()}; };
  json result = json::array();
  for (const FitReadingSummary& reading : readings) {
    json bones = json::array();
    for (const auto& [head, tail] : reading.bones) bones.push_back({vector(head), vector(tail)});
    result.push_back({{"reading", reading.what},
                      {"probability", reading.probability},
                      {"objection", reading.objection},
                      {"up", vector(reading.frame.up)},
                      {"forward", vector(reading.frame.forward)},
                      {"bones", bones}});
  }
  return result;
}

std::vector<std::byte> readings_picture(const Character& character, std::span<const FitReadingSummary> readings,
                                        std::size_t count, const Progress& progress) {
  std::vector<Tile> tiles;
  PictureRequest request;
  request.width = request.height = 420;
  request.samples = 4;
  request.skeleton = true;
  request.legend = false;
  Character drawn;
  drawn.name = character.name;
  drawn.mesh = character.mesh;
  if (readings.empty())
    tiles.push_back({decode_image(render_character(drawn, request, progress).png), "not read as a body"});
  for (std::size_t i = 0; i < std::min(count, readings.size()); ++i) {
    const FitReadingSummary& reading = readings[i];
    drawn.skeleton = skeleton_of(reading);
    const std::string percent = std::to_string(static_cast<int>(std::lround(100 * reading.probability)));
    const bool doubted = reading.probability < default_least_confidence;
    tiles.push_back({decode_image(render_character(drawn, request, progress).png),
                     percent + " % likely" + (doubted ? ": " + reading.objection : "")});
  }
  return encode_png(compose_sheet(tiles, {.title = character.name}));
}

}  // namespace sinew
