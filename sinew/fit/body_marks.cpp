#include "sinew/fit/body_marks.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/base/closest_name.h"
#include "sinew/base/plain_text.h"

namespace sinew {
namespace {

constexpr std::array<const char*, 4> arm_marks{"shoulder", "elbow", "wrist", "fingertip"};
constexpr std::array<const char*, 4> leg_marks{"hip", "knee", "ankle", "toe"};
constexpr std::array<JointRole, 3> arm_roles{JointRole::upper_arm, JointRole::forearm, JointRole::hand};
constexpr std::array<JointRole, 4> leg_roles{JointRole::thigh, JointRole::shin, JointRole::foot, JointRole::toe};
constexpr std::size_t wrist = 2;  // of arm_marks; from here on arms may be crossed

struct CentreMark {
  const char* name;
  std::optional<Vec3d> BodyMarks::*place;
  JointRole role;  // unknown: no joint
};
constexpr std::array<CentreMark, 6> centre_marks{{{"chin", &BodyMarks::chin, JointRole::unknown},
                                                  {"groin", &BodyMarks::groin, JointRole::unknown},
                                                  {"head", &BodyMarks::head, JointRole::head},
                                                  {"neck", &BodyMarks::neck, JointRole::neck},
                                                  {"chest", &BodyMarks::chest, JointRole::chest},
                                                  {"pelvis", &BodyMarks::pelvis, JointRole::hips}}};

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

struct SidedName {
  std::string part;
  int side = -1;  // 0 left, 1 right, -1 none
};

// "wrist.L", "Wrist_left", "left wrist", "wristR" → the part in lower case and its side.
SidedName take_side_off(std::string_view text) {
  const auto is_gap = [](char c) { return c == '.' || c == '_' || c == '-' || c == ' '; };
  std::string name = lower_case(text);
  for (const auto& [word, side] : {std::pair{"left", 0}, {"right", 1}}) {
    const std::string_view side_word = word;
    if (name.starts_with(side_word)) {
      name.erase(0, side_word.size());
      if (!name.empty() && is_gap(name.front())) name.erase(0, 1);
      return {name, side};
    }
  }
  for (const auto& [word, side] : {std::pair{"left", 0}, {"right", 1}, {"l", 0}, {"r", 1}}) {
    const std::string_view side_word = word;
    if (!name.ends_with(side_word) || name.size() <= side_word.size()) continue;
    const std::size_t rest = name.size() - side_word.size();
    // One letter is a side only behind a gap, or as a capital: "wrist.l", "wristL", and not the end of a word.
    const bool capital = text[rest] == 'L' || text[rest] == 'R';
    if (side_word.size() == 1 && !is_gap(name[rest - 1]) && !capital) continue;
    name.resize(is_gap(name[rest - 1]) ? rest - 1 : rest);
    return {name, side};
  }
  return {name, -1};
}

// The place that a name stands for; null when it is not a marker's.
std::optional<Vec3d>* place_of(BodyMarks& marks, const SidedName& name) {
  for (const CentreMark& mark : centre_marks) {
    if (name.part == mark.name && name.side < 0) return &(marks.*mark.place);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    if (name.side < 0) break;
    if (name.part == arm_marks[i]) return &marks.arms[static_cast<std::size_t>(name.side)][i];
    if (name.part == leg_marks[i]) return &marks.legs[static_cast<std::size_t>(name.side)][i];
  }
  return nullptr;
}

std::string text_of(const Vec3d& place) {
  return "(" + number_text(place.x(), 4) + ", " + number_text(place.y(), 4) + ", " + number_text(place.z(), 4) + ")";
}

[[noreturn]] void refuse_name(const FitMarker& marker, const Skeleton& skeleton) {
  const SidedName name = take_side_off(marker.name);
  const bool sided = marker_has_sides(name.part);
  if (sided) {
    throw Error(ErrorCode::choice_unknown, "marker '" + marker.name + "' does not say which side it is on",
                "write " + name.part + ".L or " + name.part + ".R")
        .about("markers");
  }
  const std::vector<std::string> names = marker_names();
  if (name.side >= 0 && std::find(names.begin(), names.end(), name.part) != names.end()) {
    throw Error(ErrorCode::choice_unknown, "marker '" + marker.name + "' has no sides", "write " + name.part)
        .about("markers");
  }
  const std::string meant_joint = did_you_mean(marker.name, skeleton.names);
  throw Error(ErrorCode::choice_unknown, "'" + marker.name + "' is neither a marker nor a joint of the skeleton",
              !meant_joint.empty() ? meant_joint : choices_for(name.part, names))
      .about("markers");
}

void require_in_box(const std::vector<FitMarker>& markers, const TriangleMesh& mesh) {
  AABBd box;
  for (const Vec3f& p : mesh.positions) {
    if (p.allFinite()) box.extend(Vec3d(p.cast<double>()));
  }
  const double margin = 0.02 * box.diagonal().norm();
  const AABBd wide(box.min() - Vec3d::Constant(margin), box.max() + Vec3d::Constant(margin));
  for (const FitMarker& marker : markers) {
    if (!marker.position.allFinite()) {
      throw Error(ErrorCode::argument_invalid, "the place of marker '" + marker.name + "' is not finite")
          .about("markers");
    }
    if (wide.contains(marker.position)) continue;
    throw Error(ErrorCode::option_out_of_range,
                "marker '" + marker.name + "' at " + text_of(marker.position) +
                    " lies outside the mesh, which reaches from " + text_of(box.min()) + " to " + text_of(box.max()),
                "markers are in the mesh's own coordinates")
        .about("markers");
  }
}

void require_apart(const std::vector<FitMarker>& markers, double diagonal) {
  for (std::size_t i = 0; i < markers.size(); ++i) {
    for (std::size_t j = i + 1; j < markers.size(); ++j) {
      if ((markers[i].position - markers[j].position).norm() > 0.003 * diagonal) continue;
      throw Error(ErrorCode::options_conflict,
                  "markers '" + markers[i].name + "' and '" + markers[j].name + "' are at the same place")
          .about("markers");
    }
  }
}

std::optional<Vec3d> pair_across(const BodyMarks& marks, bool leg, std::size_t part, const Vec3d& up) {
  const auto& limbs = leg ? marks.legs : marks.arms;
  if (!limbs[0][part] || !limbs[1][part]) return std::nullopt;
  Vec3d across = *limbs[0][part] - *limbs[1][part];
  across -= across.dot(up) * up;
  return across.norm() > 0 ? std::optional<Vec3d>(across.normalized()) : std::nullopt;
}

// The first joint of a role and side that is no end marker; -1 when there is none.
int first_joint(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, JointRole role, BodySide side) {
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (joints[joint].role == role && joints[joint].side == side && skeleton.kinds[joint] == JointKind::joint) {
      return joint;
    }
  }
  return -1;
}

}  // namespace

std::vector<std::string> marker_names() {
  std::vector<std::string> names;
  for (const CentreMark& mark : centre_marks) names.emplace_back(mark.name);
  names.insert(names.end(), arm_marks.begin(), arm_marks.end());
  names.insert(names.end(), leg_marks.begin(), leg_marks.end());
  return names;
}

bool marker_has_sides(std::string_view name) {
  const auto is = [&](const char* other) { return name == other; };
  return std::any_of(arm_marks.begin(), arm_marks.end(), is) || std::any_of(leg_marks.begin(), leg_marks.end(), is);
}

std::vector<FitMarker> read_markers(std::string_view text) {
  using nlohmann::json;
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) {
    throw Error(ErrorCode::settings_invalid, "markers must be a JSON object of places",
                "for example {\"wrist.L\": [0.7, 1.4, 0]}");
  }
  std::vector<FitMarker> markers;
  for (const auto& [name, value] : object.items()) {
    const bool numbers = value.is_array() && value.size() == 3 &&
                         std::all_of(value.begin(), value.end(), [](const json& v) { return v.is_number(); });
    if (!numbers) throw Error(ErrorCode::settings_invalid, "marker '" + name + "' needs three numbers: [x, y, z]");
    markers.push_back({name, {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()}, false});
  }
  return markers;
}

bool BodyMarks::has_sides() const {
  const auto marked = [](const Limb& limb) {
    return std::any_of(limb.begin(), limb.end(), [](const std::optional<Vec3d>& place) { return place.has_value(); });
  };
  return std::any_of(arms.begin(), arms.end(), marked) || std::any_of(legs.begin(), legs.end(), marked);
}

bool BodyMarks::any() const { return !upper().empty() || !lower().empty(); }

std::vector<Vec3d> BodyMarks::upper() const {
  std::vector<Vec3d> places;
  const auto add = [&](const std::optional<Vec3d>& place) {
    if (place) places.push_back(*place);
  };
  for (const auto* place : {&chin, &head, &neck, &chest}) add(*place);
  for (const Limb& arm : arms) std::for_each(arm.begin(), arm.end(), add);
  return places;
}

std::vector<Vec3d> BodyMarks::lower() const {
  std::vector<Vec3d> places;
  const auto add = [&](const std::optional<Vec3d>& place) {
    if (place) places.push_back(*place);
  };
  for (const auto* place : {&groin, &pelvis}) add(*place);
  for (const Limb& leg : legs) std::for_each(leg.begin(), leg.end(), add);
  return places;
}

BodyMarks sort_markers(const std::vector<FitMarker>& markers, const TriangleMesh& mesh, const Skeleton& skeleton) {
  BodyMarks marks;
  require_in_box(markers, mesh);
  std::vector<FitMarker> inside = markers;
  for (FitMarker& marker : inside) {
    if (marker.on_surface) marker.position = middle_of_limb(mesh, marker.position);
  }
  require_apart(inside, bounding_diagonal(mesh));
  for (const FitMarker& marker : inside) {
    std::optional<Vec3d>* place = place_of(marks, take_side_off(marker.name));
    const int joint = place ? -1 : find_joint(skeleton, marker.name);
    if (!place && joint < 0) refuse_name(marker, skeleton);
    const bool twice = place ? place->has_value()
                             : std::any_of(marks.joints.begin(), marks.joints.end(),
                                           [&](const HeldJoint& held) { return held.joint == joint; });
    if (twice) {
      throw Error(ErrorCode::options_conflict, "there are two places for marker '" + marker.name + "'")
          .about("markers");
    }
    if (place) {
      *place = marker.position;
    } else {
      marks.joints.push_back({joint, marker.position});
    }
  }
  return marks;
}

std::vector<HeldJoint> held_by_marks(const BodyMarks& marks, const Skeleton& skeleton,
                                     const std::vector<JointIdentity>& joints, std::vector<std::string>& without) {
  std::vector<HeldJoint> held = marks.joints;
  const auto add = [&](const std::optional<Vec3d>& place, JointRole role, BodySide side, const std::string& name) {
    if (!place || role == JointRole::unknown) return;
    const int joint = first_joint(skeleton, joints, role, side);
    if (joint < 0) {
      without.push_back(name);
    } else if (std::none_of(held.begin(), held.end(), [&](const HeldJoint& h) { return h.joint == joint; })) {
      held.push_back({joint, *place});
    }
  };
  for (const CentreMark& mark : centre_marks) add(marks.*mark.place, mark.role, BodySide::centre, mark.name);
  for (int s = 0; s < 2; ++s) {
    const BodySide side = s == 0 ? BodySide::left : BodySide::right;
    for (std::size_t i = 0; i < arm_roles.size(); ++i) {
      add(marks.arms[s][i], arm_roles[i], side, mark_name(false, static_cast<int>(i), s));
    }
    for (std::size_t i = 0; i < leg_roles.size(); ++i) {
      add(marks.legs[s][i], leg_roles[i], side, mark_name(true, static_cast<int>(i), s));
    }
  }
  return held;
}

BodyMarks with_mirrored_limbs(BodyMarks marks, const Vec3d& point, const Vec3d& normal) {
  for (auto* limbs : {&marks.arms, &marks.legs}) {
    const std::array<BodyMarks::Limb, 2> given = *limbs;
    for (std::size_t s = 0; s < 2; ++s) {
      for (std::size_t i = 0; i < 4; ++i) {
        const std::optional<Vec3d>& other = given[1 - s][i];
        if (!(*limbs)[s][i] && other) (*limbs)[s][i] = *other - 2 * (*other - point).dot(normal) * normal;
      }
    }
  }
  return marks;
}

Vec3d up_of_marks(const BodyMarks& marks) {
  const auto mean = [](const std::vector<Vec3d>& places) {
    Vec3d sum = Vec3d::Zero();
    for (const Vec3d& place : places) sum += place;
    return Vec3d(sum / static_cast<double>(std::max<std::size_t>(places.size(), 1)));
  };
  // From the trunk to the legs: arms may hang down, and knees may be raised.
  std::vector<Vec3d> upper, trunk, feet;
  const auto add = [](const std::optional<Vec3d>& place, std::vector<Vec3d>& places) {
    if (place) places.push_back(*place);
  };
  for (const auto* place : {&marks.chin, &marks.head, &marks.neck, &marks.chest}) add(*place, upper);
  for (const auto* place : {&marks.groin, &marks.pelvis}) add(*place, trunk);
  for (std::size_t s = 0; s < 2; ++s) {
    add(marks.arms[s][0], upper);
    add(marks.legs[s][0], trunk);
    add(marks.legs[s][2], feet);
    add(marks.legs[s][3], feet);
  }
  if (upper.empty()) upper.swap(trunk);
  std::vector<Vec3d> lower = trunk;
  lower.insert(lower.end(), feet.begin(), feet.end());
  if (upper.empty() || lower.empty()) return Vec3d::Zero();
  const Vec3d way = mean(upper) - mean(lower);
  int axis = 0;
  if (way.norm() <= 0 || way.cwiseAbs().maxCoeff(&axis) < 0.85 * way.norm()) return Vec3d::Zero();
  return way[axis] > 0 ? Vec3d(Vec3d::Unit(axis)) : Vec3d(-Vec3d::Unit(axis));
}

Vec3d left_of_marks(const BodyMarks& marks, const Vec3d& up) {
  Vec3d left = Vec3d::Zero();
  std::string first;
  // Hands last: arms may be crossed, so they only count where nothing else does.
  for (const bool hands : {false, true}) {
    for (const bool leg : {true, false}) {
      for (std::size_t part = 0; part < 4; ++part) {
        if ((!leg && part >= wrist) != hands || (hands && left.norm() > 0)) continue;
        const std::optional<Vec3d> across = pair_across(marks, leg, part, up);
        if (!across) continue;
        const std::string name = leg ? leg_marks[part] : arm_marks[part];
        if (!first.empty() && across->dot(left) < 0) {
          throw Error(ErrorCode::options_conflict, "left and right are swapped in the markers of '" + first +
                                                       "' or in those of '" + name + "': they contradict each other")
              .about("markers");
        }
        if (first.empty()) first = name;
        left += *across;
      }
    }
  }
  if (left.norm() < 0.1) return Vec3d::Zero();
  left.normalize();
  // Files are nearly always modelled along their axes, and places that people point at are not exact.
  int axis = 0;
  if (left.cwiseAbs().maxCoeff(&axis) > 0.96) left = left[axis] > 0 ? Vec3d::Unit(axis) : Vec3d(-Vec3d::Unit(axis));
  return left;
}

std::optional<Error> swapped_side(const BodyMarks& marks, const Vec3d& middle, const BodyFrame& frame, double height) {
  for (int s = 0; s < 2; ++s) {
    for (const bool leg : {true, false}) {
      const BodyMarks::Limb& limb = (leg ? marks.legs : marks.arms)[s];
      for (std::size_t part = 0; part < 4; ++part) {
        if (!limb[part] || (!leg && part >= wrist && (limb[0] || limb[1]))) continue;
        const double to_left = (s == 0 ? 1.0 : -1.0) * (*limb[part] - middle).dot(frame.left);
        if (to_left > -0.03 * height) continue;
        return Error(ErrorCode::options_conflict,
                     "marker '" + mark_name(leg, static_cast<int>(part), s) + "' lies on the body's " +
                         (s == 0 ? "right" : "left") + " side when it faces " + text_of(frame.forward),
                     "left is the body's own left; swap .L and .R, or say which way it faces")
            .about("markers");
      }
    }
  }
  return std::nullopt;
}

std::string mark_name(bool leg, int part, int side) {
  return std::string(leg ? leg_marks[static_cast<std::size_t>(part)] : arm_marks[static_cast<std::size_t>(part)]) +
         (side == 0 ? ".L" : ".R");
}

}  // namespace sinew
