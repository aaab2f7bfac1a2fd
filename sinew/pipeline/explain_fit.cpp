#include "sinew/pipeline/explain_fit.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/draw/sheet.h"
#include "sinew/render.h"

namespace sinew {

using nlohmann::json;

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
    drawn.skeleton = {};
    const int root = add_joint(drawn.skeleton, "root", -1, Affine3d(Eigen::Translation3d(reading.bones.front()[0])));
    for (std::size_t b = 0; b < reading.bones.size(); ++b) {
      const std::string name = "bone" + std::to_string(b);
      const int head = add_joint(drawn.skeleton, name, root, Affine3d(Eigen::Translation3d(reading.bones[b][0])));
      add_joint(drawn.skeleton, name + "_end", head, Affine3d(Eigen::Translation3d(reading.bones[b][1])),
                JointKind::end);
    }
    const std::string percent = std::to_string(static_cast<int>(std::lround(100 * reading.probability)));
    tiles.push_back(
        {decode_image(render_character(drawn, request, progress).png), percent + " %: " + reading.objection});
  }
  return encode_png(compose_sheet(tiles, {.title = character.name}));
}

}  // namespace sinew
