#include "sinew/asset/gltf/gltf_animation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sinew::gltf {
namespace {

enum class Interpolation : std::uint8_t { linear, step, cubic };
enum class Path : std::uint8_t { translation, rotation, scale };

struct Curve {
  Path path = Path::translation;
  int joint = -1;
  Interpolation interpolation = Interpolation::linear;
  std::vector<float> times;   // ascending, finite
  std::vector<float> values;  // per key `components`, or three times that (in-tangent, value, out-tangent) when cubic

  int components() const { return path == Path::rotation ? 4 : 3; }
  Vec4d value(std::size_t key, int part) const {
    const auto n = static_cast<std::size_t>(components());
    const std::size_t row = interpolation == Interpolation::cubic ? key * 3 + static_cast<std::size_t>(part) : key;
    Vec4d result = Vec4d::Zero();
    for (std::size_t c = 0; c < n; ++c) result[static_cast<int>(c)] = values[row * n + c];
    return result;
  }
};

Quatd as_rotation(const Vec4d& xyzw) {
  const double norm = xyzw.norm();
  return norm > 1e-9 ? Quatd(xyzw[3], xyzw[0], xyzw[1], xyzw[2]).normalized() : Quatd::Identity();
}

Vec4d as_vector(const Quatd& rotation) { return rotation.coeffs(); }

// The curve at `time`; `key` is the caller's cursor and only moves forward (Appendix C of the specification). Key times
// are floats, so a time within `slack` of a key means that key; it matters for steps.
Vec4d evaluate(const Curve& curve, double time, double slack, std::size_t& key) {
  const std::size_t last = curve.times.size() - 1;
  while (key < last && curve.times[key + 1] <= time + slack) ++key;
  const bool on_key = time <= curve.times[key] + slack;
  if (on_key || key == last || curve.interpolation == Interpolation::step) return curve.value(key, 1);
  const double span = static_cast<double>(curve.times[key + 1]) - curve.times[key];
  const double t = std::clamp((time - curve.times[key]) / span, 0.0, 1.0);
  const Vec4d a = curve.value(key, 1), b = curve.value(key + 1, 1);
  if (curve.interpolation == Interpolation::cubic) {
    const Vec4d out = curve.value(key, 2) * span, in = curve.value(key + 1, 0) * span;
    const double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * a + (t3 - 2 * t2 + t) * out + (3 * t2 - 2 * t3) * b + (t3 - t2) * in;
  }
  if (curve.path == Path::rotation) return as_vector(as_rotation(a).slerp(t, as_rotation(b)));
  return a + t * (b - a);
}

bool ascending_and_finite(const std::vector<float>& times) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || (i > 0 && !(times[i] > times[i - 1]))) return false;
  }
  return !times.empty();
}

// The channel as a curve; nothing when it does not move a joint. Throws on malformed structure.
std::optional<Curve> read_channel(const Document& document, const Json& animation, const Json& channel, const Rig& rig,
                                  const std::string& where) {
  if (!channel.is_object() || !channel.contains("target") || !channel["target"].is_object()) {
    throw Error(ErrorCode::file_damaged, where + " has a channel without target");
  }
  const Json& target = channel["target"];
  const int node = index_member(target, "node", rig.joint_of_node.size(), where);
  const std::string path = string_member(target, "path", "", where);
  if (node < 0 || rig.joint_of_node[node] < 0) return std::nullopt;
  Curve curve;
  curve.joint = rig.joint_of_node[node];
  if (path == "translation") {
    curve.path = Path::translation;
  } else if (path == "rotation") {
    curve.path = Path::rotation;
  } else if (path == "scale") {
    curve.path = Path::scale;
  } else {
    return std::nullopt;
  }
  const Json& samplers = array_member(animation, "samplers", where);
  const int index = index_member(channel, "sampler", samplers.size(), where);
  if (index < 0) throw Error(ErrorCode::file_damaged, where + " has a channel without sampler");
  const Json& sampler = samplers[static_cast<std::size_t>(index)];
  if (!sampler.is_object()) throw Error(ErrorCode::file_damaged, where + " has a sampler that is not an object");
  const std::string interpolation = string_member(sampler, "interpolation", "LINEAR", where);
  if (interpolation == "STEP") {
    curve.interpolation = Interpolation::step;
  } else if (interpolation == "CUBICSPLINE") {
    curve.interpolation = Interpolation::cubic;
  } else if (interpolation != "LINEAR") {
    throw Error(ErrorCode::file_damaged, where + " has the unknown interpolation '" + interpolation + "'");
  }
  const std::size_t accessors = count_of(document.json, "accessors");
  const int input = index_member(sampler, "input", accessors, where);
  const int output = index_member(sampler, "output", accessors, where);
  if (input < 0 || output < 0) throw Error(ErrorCode::file_damaged, where + " has a sampler without input or output");
  curve.times = read_floats(accessor_view(document, input), 1);
  curve.values = read_floats(accessor_view(document, output), curve.components());
  const std::size_t rows = curve.times.size() * (curve.interpolation == Interpolation::cubic ? 3 : 1);
  if (curve.values.size() != rows * static_cast<std::size_t>(curve.components())) {
    throw Error(ErrorCode::file_damaged,
                where + " has a sampler whose input and output do not have the same number of keys");
  }
  return curve;
}

struct Range {
  double begin = std::numeric_limits<double>::infinity();
  double end = -std::numeric_limits<double>::infinity();
};

Range time_range(const std::vector<Curve>& curves) {
  Range range;
  for (const Curve& curve : curves) {
    range.begin = std::min<double>(range.begin, curve.times.front());
    range.end = std::max<double>(range.end, curve.times.back());
  }
  return range;
}

void sample_curve(const Curve& curve, double begin, Motion& motion) {
  std::size_t key = 0;
  const int frames = motion.frame_count();
  for (int frame = 0; frame < frames; ++frame) {
    const double time = begin + frame / motion.frames_per_second;
    const Vec4d value = evaluate(curve, time, 1e-3 / motion.frames_per_second, key);
    Transform& transform = motion.transforms[static_cast<std::size_t>(frame) * motion.joint_count + curve.joint];
    if (curve.path == Path::rotation) {
      transform.rotation = as_rotation(value);
    } else if (curve.path == Path::translation) {
      transform.translation = value.head<3>();
    } else {
      transform.scale = value.head<3>();
    }
  }
}

// Nearest common rate within 0.1 %, else the rate itself.
double snapped(double rate) {
  const double whole = std::round(rate);
  if (whole > 0 && std::abs(rate - whole) < 2e-4 * rate) return whole;
  const double broadcast = std::round(rate * 1.001) / 1.001;
  if (std::abs(rate - broadcast) < 2e-4 * rate) return broadcast;
  return std::abs(rate - whole) < 1e-3 * rate ? whole : rate;
}

bool all_on_frames(const std::vector<std::vector<float>>& key_times, double begin, double rate) {
  for (const std::vector<float>& times : key_times) {
    for (const float time : times) {
      const double frame = (time - begin) * rate;
      if (std::abs(frame - std::round(frame)) > 0.02 + 1e-6 * frame) return false;
    }
  }
  return true;
}

}  // namespace

double frame_rate_of(const std::vector<std::vector<float>>& key_times) {
  double begin = std::numeric_limits<double>::infinity(), end = -begin, gap = begin;
  for (const std::vector<float>& times : key_times) {
    if (times.empty()) continue;
    begin = std::min<double>(begin, times.front());
    end = std::max<double>(end, times.back());
    for (std::size_t i = 1; i < times.size(); ++i)
      gap = std::min<double>(gap, static_cast<double>(times[i]) - times[i - 1]);
  }
  if (!(end > begin)) return 30.0;
  const double steps = std::round((end - begin) / gap);
  const double own = steps > 0 && steps < 1e7 ? snapped(steps / (end - begin)) : 0.0;
  if (own >= 10.0 && own <= 250.0 && all_on_frames(key_times, begin, own)) return own;
  for (const double rate : {30.0, 24.0, 25.0, 60.0, 50.0, 48.0, 120.0, 100.0}) {
    if (all_on_frames(key_times, begin, rate)) return rate;
  }
  return 30.0;
}

void read_motions(Document& document, const Scene& scene, const Rig& rig, Character& character) {
  if (rig.skeleton.empty()) return;
  const std::size_t animations = count_of(document.json, "animations");
  const auto skip = [&](const std::string& what, const std::string& why) {
    character.warnings.push_back({"animation-skipped", what + " " + why + "; it stays in the file"});
  };
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < animations; ++i) {
    const Json& animation = element(document.json, "animations", static_cast<int>(i));
    const std::string name = string_member(animation, "name", "animation " + std::to_string(i), "an animation");
    const std::string where = "animation '" + name + "'";
    std::vector<Curve> curves;
    std::vector<std::vector<float>> times;
    for (const Json& channel : array_member(animation, "channels", where)) {
      std::optional<Curve> curve = read_channel(document, animation, channel, rig, where);
      if (!curve) continue;
      times.push_back(curve->times);
      curves.push_back(std::move(*curve));
    }
    if (curves.empty()) continue;
    const bool ordered = std::all_of(times.begin(), times.end(), ascending_and_finite);
    const bool finite = std::all_of(curves.begin(), curves.end(), [](const Curve& curve) {
      return std::all_of(curve.values.begin(), curve.values.end(), [](float v) { return std::isfinite(v); });
    });
    if (!ordered || !finite) {
      skip(where, "has key times that do not ascend or values that are not finite");
      continue;
    }
    const Range range = time_range(curves);
    Motion motion;
    motion.name = name;
    motion.frames_per_second = frame_rate_of(times);
    motion.joint_count = rig.skeleton.joint_count();
    const double frames = std::floor((range.end - range.begin) * motion.frames_per_second + 0.02) + 1;
    std::size_t keys = 0;
    for (const Curve& curve : curves) keys = std::max(keys, curve.times.size());
    if (frames > 1000.0 * (static_cast<double>(keys) + 10.0)) {
      skip(where, "has keys more than half a minute apart");
      continue;
    }
    total += static_cast<std::uint64_t>(frames) * static_cast<std::uint64_t>(motion.joint_count);
    if (total > document.options.max_elements / 8) {
      throw Error(ErrorCode::too_large, "the animations are too long to be sampled");
    }
    for (int frame = 0; frame < static_cast<int>(frames); ++frame) {
      for (const int node : rig.node_of_joint) motion.transforms.push_back(scene.nodes[node].trs);
    }
    for (const Curve& curve : curves) sample_curve(curve, range.begin, motion);
    document.motions.push_back({motion.name, static_cast<int>(i), range.begin, 0});
    character.motions.push_back(std::move(motion));
  }
}

}  // namespace sinew::gltf
