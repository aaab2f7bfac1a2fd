#include "sinew/anatomy/naming_convention.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace sinew {
namespace {

// Joints that a person's skeleton of this convention has, in lower case. Those that tell it from the others come first in
// this list where two share some: a convention that is found is taken before a later one with as many matches.
struct ConventionWords {
  const char* name;
  std::array<const char*, 7> joints;
};

constexpr ConventionWords conventions[] = {
    {"Mixamo",
     {"mixamorig:hips", "mixamorig:spine1", "mixamorig:leftarm", "mixamorig:leftforearm", "mixamorig:leftupleg",
      "mixamorig:leftleg", "mixamorig:lefttoebase"}},
    {"Unreal", {"pelvis", "spine_01", "clavicle_l", "upperarm_l", "lowerarm_l", "thigh_l", "calf_l"}},
    {"Rigify",
     {"def-spine", "def-shoulder.l", "def-upper_arm.l", "def-forearm.l", "def-thigh.l", "def-shin.l", "def-foot.l"}},
    {"Rigify", {"spine", "shoulder.l", "upper_arm.l", "forearm.l", "thigh.l", "shin.l", "foot.l"}},
    {"VRoid",
     {"j_bip_c_hips", "j_bip_c_spine", "j_bip_l_shoulder", "j_bip_l_upperarm", "j_bip_l_lowerarm", "j_bip_l_upperleg",
      "j_bip_l_lowerleg"}},
    {"3ds Max Biped",
     {"bip01 pelvis", "bip01 spine", "bip01 l clavicle", "bip01 l upperarm", "bip01 l forearm", "bip01 l thigh",
      "bip01 l calf"}},
    {"HumanIK", {"hips", "spine", "leftshoulder", "leftarm", "leftforearm", "leftupleg", "leftleg"}},
    {"Unity", {"hips", "spine", "leftshoulder", "leftupperarm", "leftlowerarm", "leftupperleg", "leftlowerleg"}},
    {"Daz", {"hip", "abdomenlower", "lcollar", "lshldrbend", "lforearmbend", "lthighbend", "lshin"}},
    {"SMPL", {"pelvis", "spine1", "l_collar", "l_shoulder", "l_elbow", "l_hip", "l_knee"}},
    {"MakeHuman", {"root", "spine05", "clavicle.l", "upperarm01.l", "lowerarm01.l", "upperleg01.l", "lowerleg01.l"}},
};

std::string comparable(std::string_view name) {
  std::string result;
  for (const char letter : name) {
    const bool upper = letter >= 'A' && letter <= 'Z';
    result += letter == '_' && name.starts_with("Bip") ? ' ' : upper ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  if (result.starts_with("bip001")) result.erase(4, 1);
  if (result.starts_with("mixamorig") && result.find(':') == std::string::npos) result.insert(9, ":");
  if (const std::size_t end = result.find(':'); end != std::string::npos && !result.starts_with("mixamorig")) {
    result.erase(0, end + 1);  // a namespace
  } else if (end != std::string::npos) {
    result = "mixamorig" + result.substr(end);  // "mixamorig5:Hips" of a second character
  }
  return result;
}

bool named_by_side(const Skeleton& skeleton) {
  std::size_t left = 0, right = 0;
  for (const std::string& name : skeleton.names) {
    left += name.ends_with(".L") || name.ends_with(".l");
    right += name.ends_with(".R") || name.ends_with(".r");
  }
  return left >= 3 && right >= 3;
}

}  // namespace

std::string naming_convention(const Skeleton& skeleton) {
  std::set<std::string> names;
  for (const std::string& name : skeleton.names) names.insert(comparable(name));
  const ConventionWords* best = nullptr;
  std::ptrdiff_t most = 4;  // of seven, at least one more
  for (const ConventionWords& convention : conventions) {
    const std::ptrdiff_t found = std::count_if(convention.joints.begin(), convention.joints.end(),
                                               [&](const char* joint) { return names.count(joint) > 0; });
    if (found <= most) continue;
    most = found;
    best = &convention;
  }
  if (best == nullptr) return named_by_side(skeleton) ? "Blender" : "";
  // VRM writes the names of Unity's humanoid in camel case.
  const auto& given = skeleton.names;
  const bool camel = std::find(given.begin(), given.end(), "leftUpperArm") != given.end();
  return camel && best->name == std::string_view("Unity") ? "VRM" : best->name;
}

}  // namespace sinew
