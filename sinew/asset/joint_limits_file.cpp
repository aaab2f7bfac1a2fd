#include "sinew/asset/joint_limits_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "sinew/error.h"

namespace sinew {
namespace {

constexpr std::array<const char*, 3> angle_names = {"flexion", "abduction", "twist"};
constexpr double degree = std::numbers::pi / 180;
constexpr const char* advice = "it should look like {\"LeftForeArm\": {\"flexion\": [-5, 140], \"twist\": [-80, 80]}}";

void read_range(const nlohmann::json& value, const std::string& where, double& low, double& high) {
  if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number()) {
    throw Error(ErrorCode::settings_invalid, where + " is not a pair of angles", advice);
  }
  low = value[0].get<double>() * degree;
  high = value[1].get<double>() * degree;
  const double half_turn = std::numbers::pi + 1e-9;
  if (!(low <= 0 && high >= 0 && low >= -half_turn && high <= half_turn)) {
    throw Error(ErrorCode::settings_invalid, where + " does not go from -180…0 to 0…180 degrees",
                "the rest pose is always allowed");
  }
}

}  // namespace

JointLimits parse_joint_limits(std::string_view text, const Skeleton& skeleton) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) throw Error(ErrorCode::settings_invalid, "the joint limits are not a JSON object", advice);
  JointLimits limits = default_joint_limits(skeleton);
  for (const auto& [name, angles] : json.items()) {
    const int joint = find_joint(skeleton, name);
    if (joint < 0)
      throw Error(ErrorCode::settings_invalid, "the limits name '" + name + "', which the skeleton does not have");
    if (!angles.is_object())
      throw Error(ErrorCode::settings_invalid, "the limits of '" + name + "' are not an object", advice);
    for (const auto& [angle, range] : angles.items()) {
      const auto known = std::find(angle_names.begin(), angle_names.end(), angle);
      const std::string where = angle + " of '" + name + "'";
      if (known == angle_names.end())
        throw Error(ErrorCode::settings_invalid, where + " is not flexion, abduction or twist", advice);
      const auto axis = known - angle_names.begin();
      read_range(range, where, limits[joint].low[axis], limits[joint].high[axis]);
    }
  }
  return limits;
}

std::string write_joint_limits(const JointLimits& limits, const Skeleton& skeleton) {
  const auto rounded = [](double radians) { return std::round(radians / degree * 10) / 10; };
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const JointLimit& limit = limits[joint];
    if (limit.low.isZero() && limit.high.isZero()) continue;
    for (int axis = 0; axis < 3; ++axis) {
      json[skeleton.names[joint]][angle_names[axis]] = {rounded(limit.low[axis]), rounded(limit.high[axis])};
    }
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace sinew
