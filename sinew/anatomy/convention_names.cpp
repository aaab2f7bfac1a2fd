#include "sinew/anatomy/convention_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "sinew/anatomy/joint_name_words.h"

namespace sinew {
namespace {

// ---- The tables: what each convention calls a part. '~' stands for the side, '#' for the number along the line. ----

struct PartNames {
  JointRole role;
  std::string_view mixamo, unreal, unity, vrm, rigify;
};

constexpr PartNames part_names[] = {
    {JointRole::root, "", "root", "", "", "root"},
    {JointRole::hips, "Hips", "pelvis", "Hips", "hips", "spine"},
    {JointRole::head, "Head", "head", "Head", "head", ""},
    {JointRole::jaw, "", "", "Jaw", "jaw", "jaw"},
    {JointRole::eye, "~Eye", "", "~Eye", "~Eye", "eye~"},
    {JointRole::clavicle, "~Shoulder", "clavicle~", "~Shoulder", "~Shoulder", "shoulder~"},
    {JointRole::upper_arm, "~Arm", "upperarm~", "~UpperArm", "~UpperArm", "upper_arm~"},
    {JointRole::forearm, "~ForeArm", "lowerarm~", "~LowerArm", "~LowerArm", "forearm~"},
    {JointRole::hand, "~Hand", "hand~", "~Hand", "~Hand", "hand~"},
    {JointRole::thigh, "~UpLeg", "thigh~", "~UpperLeg", "~UpperLeg", "thigh~"},
    {JointRole::shin, "~Leg", "calf~", "~LowerLeg", "~LowerLeg", "shin~"},
    {JointRole::foot, "~Foot", "foot~", "~Foot", "~Foot", "foot~"},
    {JointRole::toe, "~ToeBase", "ball~", "~Toes", "~Toes", "toe~"},
    {JointRole::thumb, "~HandThumb#", "thumb_0#~", "~Thumb#", "~Thumb#", "thumb.0#~"},
    {JointRole::index_finger, "~HandIndex#", "index_0#~", "~Index#", "~Index#", "f_index.0#~"},
    {JointRole::middle_finger, "~HandMiddle#", "middle_0#~", "~Middle#", "~Middle#", "f_middle.0#~"},
    {JointRole::ring_finger, "~HandRing#", "ring_0#~", "~Ring#", "~Ring#", "f_ring.0#~"},
    {JointRole::little_finger, "~HandPinky#", "pinky_0#~", "~Little#", "~Little#", "f_pinky.0#~"},
};

// Unity and VRM name the joints of a finger instead of numbering them.
constexpr std::array<std::string_view, 3> knuckles = {"Proximal", "Intermediate", "Distal"};
constexpr std::array<std::string_view, 3> vrm_thumb = {"Metacarpal", "Proximal", "Distal"};

std::string_view pattern_of(const PartNames& part, NameConvention convention) {
  switch (convention) {
    case NameConvention::mixamo:
      return part.mixamo;
    case NameConvention::unreal:
      return part.unreal;
    case NameConvention::unity:
      return part.unity;
    case NameConvention::vrm:
      return part.vrm;
    case NameConvention::rigify:
      return part.rigify;
    case NameConvention::keep:
      break;
  }
  return "";
}

std::string_view side_word(NameConvention convention, BodySide side) {
  if (side == BodySide::centre) return "";
  const bool left = side == BodySide::left;
  switch (convention) {
    case NameConvention::unreal:
      return left ? "_l" : "_r";
    case NameConvention::rigify:
      return left ? ".L" : ".R";
    case NameConvention::vrm:
      return left ? "left" : "right";
    default:
      return left ? "Left" : "Right";
  }
}

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }
std::string three_digits(int number) { return (number < 100 ? "0" : "") + two_digits(number); }

std::string spine_name(NameConvention convention, const BodyPlace& place) {
  const int last = place.count - 1;
  switch (convention) {
    case NameConvention::mixamo: {
      // Three are usual; the last carries the shoulders.
      const int number = place.count == 2 && place.index == 1 ? 2 : place.index;
      return number == 0 ? "Spine" : "Spine" + std::to_string(number);
    }
    case NameConvention::unreal:
      return "spine_" + two_digits(place.index + 1);
    case NameConvention::unity:
    case NameConvention::vrm: {
      const bool vrm = convention == NameConvention::vrm;
      if (place.index == 0) return vrm ? "spine" : "Spine";
      if (place.index == 1) return vrm ? "chest" : "Chest";
      return place.index == last ? (vrm ? "upperChest" : "UpperChest") : "";
    }
    case NameConvention::rigify: {
      const int number = place.count == 2 && place.index == 1 ? 3 : place.index + 1;
      return "spine." + three_digits(number);
    }
    case NameConvention::keep:
      break;
  }
  return "";
}

std::string neck_name(NameConvention convention, const BodyPlace& place) {
  switch (convention) {
    case NameConvention::mixamo:
      return place.index == 0 ? "Neck" : "Neck" + std::to_string(place.index);
    case NameConvention::unreal:
      return "neck_" + two_digits(place.index + 1);
    case NameConvention::unity:
      return place.index == 0 ? "Neck" : "";
    case NameConvention::vrm:
      return place.index == 0 ? "neck" : "";
    default:
      return "";
  }
}

std::string finger_number(NameConvention convention, const BodyPlace& place) {
  const auto index = static_cast<std::size_t>(place.index);
  if (convention == NameConvention::mixamo) return index < 4 ? std::to_string(index + 1) : "";
  if (index >= 3) return "";
  if (convention == NameConvention::unity) return std::string(knuckles[index]);
  if (convention == NameConvention::vrm) {
    return std::string(place.role == JointRole::thumb ? vrm_thumb[index] : knuckles[index]);
  }
  return std::to_string(index + 1);
}

std::string metacarpal_name(NameConvention convention, const BodyPlace& place) {
  constexpr std::array<std::string_view, 5> unreal = {"thumb", "index", "middle", "ring", "pinky"};
  const auto finger = static_cast<std::size_t>(place.role) - static_cast<std::size_t>(JointRole::thumb);
  if (convention == NameConvention::unreal) {
    return std::string(unreal[finger]) + "_metacarpal" + std::string(side_word(convention, place.side));
  }
  if (convention == NameConvention::rigify && finger > 0) {
    return "palm.0" + std::to_string(finger) + std::string(side_word(convention, place.side));
  }
  return "";
}

void replace(std::string& text, char mark, std::string_view with) {
  const std::size_t at = text.find(mark);
  if (at != std::string::npos) text.replace(at, 1, with);
}

// ---- Which joint is which part ----

bool has_side(JointRole role) { return role == JointRole::eye || role >= JointRole::clavicle; }

bool is_line(JointRole role) { return role == JointRole::spine || role == JointRole::neck || is_finger(role); }

// What the joint above in a limb is; unknown where that does not matter.
JointRole carrier_of_role(JointRole role) {
  switch (role) {
    case JointRole::forearm:
      return JointRole::upper_arm;
    case JointRole::hand:
      return JointRole::forearm;
    case JointRole::shin:
      return JointRole::thigh;
    case JointRole::foot:
      return JointRole::shin;
    case JointRole::toe:
      return JointRole::foot;
    default:
      return is_finger(role) ? JointRole::hand : JointRole::unknown;
  }
}

class PlaceFinder {
 public:
  PlaceFinder(const Skeleton& skeleton, const std::vector<JointIdentity>& joints)
      : skeleton_(skeleton), joints_(joints), places_(joints.size()) {}

  std::vector<BodyPlace> run() {
    for (const PartNames& part : part_names) {
      if (part.role == JointRole::root) continue;
      for (const BodySide side : {BodySide::centre, BodySide::left, BodySide::right}) {
        if ((side == BodySide::centre) == has_side(part.role)) continue;
        if (is_line(part.role)) continue;
        choose(part.role, side);
      }
    }
    for (const BodySide side : {BodySide::left, BodySide::right}) {
      for (int finger = 0; finger < 5; ++finger) {
        line(static_cast<JointRole>(static_cast<int>(JointRole::thumb) + finger), side);
      }
    }
    line(JointRole::spine, BodySide::centre);
    line(JointRole::neck, BodySide::centre);
    find_root();
    return places_;
  }

 private:
  bool is_candidate(int joint, JointRole role, BodySide side) const {
    const JointIdentity& own = joints_[joint];
    const JointRole part = own.role == JointRole::chest ? JointRole::spine : own.role;
    return part == role && own.side == side && skeleton_.kinds[joint] == JointKind::joint;
  }

  int chosen(JointRole role, BodySide side) const {
    const auto found = chosen_.find({role, side});
    return found == chosen_.end() ? -1 : found->second;
  }

  // The first joint of the part; one that hangs on the chosen joint above it in the limb goes first.
  int first_of(JointRole role, BodySide side) const {
    const int carrier = chosen(carrier_of_role(role), side);
    int first = -1;
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      if (!is_candidate(joint, role, side)) continue;
      if (carrier < 0 || hangs_on(skeleton_.parents, joint, carrier)) return joint;
      if (first < 0) first = joint;
    }
    return first;
  }

  void choose(JointRole role, BodySide side) {
    const int joint = first_of(role, side);
    if (joint < 0) return;
    chosen_[{role, side}] = joint;
    places_[joint] = {role, side, 0, 1, false};
  }

  bool in_palm(int joint) const {
    const NameWords words = split_name(skeleton_.names[joint]);
    return words.contains("metacarpal") || words.contains("palm");
  }

  // Joints of one part, one below the other, with others between them or not.
  void line(JointRole role, BodySide side) {
    int joint = first_of(role, side);
    if (joint < 0) return;
    std::vector<int> below = {joint};
    for (int next = joint + 1; next < skeleton_.joint_count(); ++next) {
      if (is_candidate(next, role, side) && hangs_on(skeleton_.parents, next, below.back())) below.push_back(next);
    }
    // In VRM the first joint of a thumb is called so too, but counts as one of three.
    const bool palm = is_finger(role) && role != JointRole::thumb && below.size() > 1 && in_palm(joint);
    const int count = static_cast<int>(below.size()) - palm;
    for (std::size_t i = 0; i < below.size(); ++i) {
      const int index = static_cast<int>(i) - palm;
      places_[below[i]] = {role, side, std::max(index, 0), count, index < 0};
    }
    chosen_[{role, side}] = joint;
  }

  // What carries the hips: the nearest joint, else the nearest helper.
  void find_root() {
    const int hips = chosen(JointRole::hips, BodySide::centre);
    int helper = -1;
    for (int up = hips >= 0 ? skeleton_.parents[hips] : -1; up >= 0; up = skeleton_.parents[up]) {
      if (joints_[up].role != JointRole::root) continue;
      if (skeleton_.kinds[up] == JointKind::joint) {
        places_[up] = {JointRole::root, BodySide::centre, 0, 1, false};
        return;
      }
      if (helper < 0) helper = up;
    }
    if (helper >= 0) places_[helper] = {JointRole::root, BodySide::centre, 0, 1, false};
  }

  const Skeleton& skeleton_;
  const std::vector<JointIdentity>& joints_;
  std::vector<BodyPlace> places_;
  std::map<std::pair<JointRole, BodySide>, int> chosen_;
};

// "mixamorig:LeftArm" → "LeftArm", "rig|hand" → "hand".
std::string without_prefix(const std::string& name) {
  const std::size_t at = name.find_last_of(":|");
  return at == std::string::npos || at + 1 == name.size() ? name : name.substr(at + 1);
}

// Mixamo names the ends of bones too.
std::string mixamo_end(const BodyPlace& parent) {
  const std::string side(side_word(NameConvention::mixamo, parent.side));
  if (parent.role == JointRole::head) return "mixamorig:HeadTop_End";
  if (parent.role == JointRole::toe) return "mixamorig:" + side + "Toe_End";
  if (!is_finger(parent.role) || parent.metacarpal || parent.index + 1 != parent.count || parent.index > 2) return "";
  BodyPlace end = parent;
  end.index = parent.index + 1;
  return convention_name(NameConvention::mixamo, end);
}

std::string unique_name(const std::string& name, std::set<std::string>& taken) {
  const std::string base = name.empty() ? "joint" : name;
  std::string result = base;
  for (int number = 2; !taken.insert(result).second; ++number) result = base + "_" + std::to_string(number);
  return result;
}

}  // namespace

std::vector<BodyPlace> body_places(const Skeleton& skeleton, const std::vector<JointIdentity>& joints) {
  return PlaceFinder(skeleton, joints).run();
}

std::string convention_name(NameConvention convention, const BodyPlace& place) {
  if (place.metacarpal) return metacarpal_name(convention, place);
  const auto* const part = std::find_if(std::begin(part_names), std::end(part_names),
                                        [&](const PartNames& names) { return names.role == place.role; });
  std::string name;
  if (place.role == JointRole::spine) {
    name = spine_name(convention, place);
  } else if (place.role == JointRole::neck) {
    name = neck_name(convention, place);
  } else if (part != std::end(part_names)) {
    name = pattern_of(*part, convention);
    replace(name, '~', side_word(convention, place.side));
    if (is_finger(place.role)) {
      const std::string number = finger_number(convention, place);
      if (number.empty()) return "";
      replace(name, '#', number);
    }
  }
  if (name.empty()) return "";
  return convention == NameConvention::mixamo ? "mixamorig:" + name : name;
}

std::vector<std::string> names_in_convention(const Skeleton& skeleton, NameConvention convention) {
  if (convention == NameConvention::keep) return skeleton.names;
  const std::vector<BodyPlace> places = body_places(skeleton, identify_joints(skeleton));
  std::vector<std::string> names(skeleton.names.size());
  std::set<std::string> taken;
  // Rigify numbers one spine from the hips to the head.
  int spine = 0, necks = 0;
  for (const BodyPlace& place : places) {
    if (place.role == JointRole::spine) spine = place.count;
    if (place.role == JointRole::neck) necks = place.count;
  }
  const bool usual = spine <= 3 && necks <= 2;
  for (std::size_t joint = 0; joint < names.size(); ++joint) {
    const BodyPlace& place = places[joint];
    names[joint] = convention_name(convention, place);
    if (convention == NameConvention::rigify) {
      const int neck = usual ? 4 : spine + 1;
      if (place.role == JointRole::neck) names[joint] = "spine." + three_digits(neck + place.index);
      if (place.role == JointRole::head) names[joint] = "spine." + three_digits(usual ? 6 : neck + necks);
    }
    const int parent = skeleton.parents[joint];
    if (convention == NameConvention::mixamo && names[joint].empty() && parent >= 0 &&
        skeleton.kinds[joint] == JointKind::end && !taken.contains(mixamo_end(places[parent]))) {
      names[joint] = mixamo_end(places[parent]);
    }
    if (!names[joint].empty()) names[joint] = unique_name(names[joint], taken);
  }
  for (std::size_t joint = 0; joint < names.size(); ++joint) {
    if (names[joint].empty()) names[joint] = unique_name(without_prefix(skeleton.names[joint]), taken);
  }
  return names;
}

std::optional<NameConvention> name_convention(std::string_view word) {
  const std::vector<std::string> words = name_convention_words();
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) return std::nullopt;
  return static_cast<NameConvention>(found - words.begin());
}

std::vector<std::string> name_convention_words() { return {"keep", "mixamo", "unreal", "unity", "vrm", "rigify"}; }

}  // namespace sinew
