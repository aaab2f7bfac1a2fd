#include "sinew/anatomy/joint_vocabulary.h"

#include <algorithm>
#include <array>

namespace sinew {
namespace {

struct Entry {
  std::string_view text;
  JointRole role;
  bool whole_word = false;  // must be a word of its own: "ear" is inside "forearm"
};

// The first entry that fits decides, hence the special before the general: "HandIndex" before "Hand".
constexpr Entry table[] = {
    {"pole", JointRole::control, true},
    {"poletarget", JointRole::control},
    {"ik", JointRole::control, true},
    {"pt", JointRole::control, true},
    {"target", JointRole::control, true},
    {"control", JointRole::control, true},
    {"ctrl", JointRole::control},
    {"ctl", JointRole::control, true},
    {"mch", JointRole::control, true},
    {"footsteps", JointRole::control},
    {"tweak", JointRole::control, true},
    {"vis", JointRole::control, true},
    {"heelroll", JointRole::control},
    {"footroll", JointRole::control},
    {"slot", JointRole::prop},
    {"socket", JointRole::prop},
    {"weapon", JointRole::prop},
    {"prop", JointRole::prop, true},
    {"attach", JointRole::prop},
    {"holder", JointRole::prop},
    {"twist", JointRole::twist},
    {"roll", JointRole::twist, true},
    {"brow", JointRole::face},
    {"eyelid", JointRole::face},
    {"blink", JointRole::face},
    {"lip", JointRole::face},
    {"mouth", JointRole::face},
    {"cheek", JointRole::face},
    {"nose", JointRole::face, true},
    {"tongue", JointRole::face},
    {"teeth", JointRole::face},
    {"hair", JointRole::face},
    {"masseter", JointRole::face},
    {"caninus", JointRole::face},
    {"oris", JointRole::face, true},
    {"levator", JointRole::face},
    {"oculi", JointRole::face},
    {"orbicularis", JointRole::face},
    {"risorius", JointRole::face},
    {"temporalis", JointRole::face},
    {"jaw", JointRole::jaw},
    {"chin", JointRole::jaw, true},
    {"eye", JointRole::eye, true},
    {"ear", JointRole::ear, true},
    {"ears", JointRole::ear, true},
    {"wing", JointRole::wing, true},
    {"tail", JointRole::tail, true},
    {"footthumb", JointRole::toe},
    {"thumb", JointRole::thumb},
    {"index", JointRole::index_finger},
    {"middle", JointRole::middle_finger},
    {"mid", JointRole::middle_finger, true},
    {"pinky", JointRole::little_finger},
    {"pinkie", JointRole::little_finger},
    {"ring", JointRole::ring_finger, true},
    {"handring", JointRole::ring_finger},
    {"little", JointRole::little_finger},
    {"metacarpal", JointRole::hand},
    {"finger", JointRole::middle_finger},
    {"digit", JointRole::middle_finger},
    {"metatarsal", JointRole::toe},
    {"carpal", JointRole::hand},
    {"forearm", JointRole::forearm},
    {"lowerarm", JointRole::forearm},
    {"lowarm", JointRole::forearm},
    {"loarm", JointRole::forearm},
    {"armlower", JointRole::forearm},
    {"elbow", JointRole::forearm},
    {"upperarm", JointRole::upper_arm},
    {"uparm", JointRole::upper_arm},
    {"armupper", JointRole::upper_arm},
    {"shldr", JointRole::upper_arm},
    {"humerus", JointRole::upper_arm},
    {"clavicle", JointRole::clavicle},
    {"collar", JointRole::clavicle},
    {"scapula", JointRole::clavicle},
    {"shoulder", JointRole::clavicle},
    {"hand", JointRole::hand},
    {"wrist", JointRole::hand},
    {"palm", JointRole::hand},
    {"fist", JointRole::hand},
    {"arm", JointRole::upper_arm, true},
    {"thigh", JointRole::thigh},
    {"upperleg", JointRole::thigh},
    {"upleg", JointRole::thigh},
    {"legupper", JointRole::thigh},
    {"femur", JointRole::thigh},
    {"tibia", JointRole::shin},
    {"shin", JointRole::shin, true},
    {"calf", JointRole::shin},
    {"knee", JointRole::shin},
    {"lowerleg", JointRole::shin},
    {"lowleg", JointRole::shin},
    {"loleg", JointRole::shin},
    {"leglower", JointRole::shin},
    {"toe", JointRole::toe},
    {"ball", JointRole::toe, true},
    {"foot", JointRole::foot},
    {"ankle", JointRole::foot},
    {"paw", JointRole::foot, true},
    {"leg", JointRole::thigh, true},
    {"pelvis", JointRole::hips},
    {"hip", JointRole::hips, true},
    {"hips", JointRole::hips, true},
    {"chest", JointRole::chest},
    {"ribcage", JointRole::chest},
    {"neck", JointRole::neck},
    {"head", JointRole::head, true},
    {"spine", JointRole::spine},
    {"torso", JointRole::spine},
    {"abdomen", JointRole::spine},
    {"waist", JointRole::spine},
    {"lowerback", JointRole::spine},
    {"back", JointRole::spine, true},
    {"lumbar", JointRole::spine},
    {"thorax", JointRole::chest},
    {"cervical", JointRole::neck},
    {"root", JointRole::root, true},
    {"world", JointRole::root, true},
    {"armature", JointRole::root},
    {"hips", JointRole::hips},
};

constexpr std::array fingers = {JointRole::thumb, JointRole::index_finger, JointRole::middle_finger,
                                JointRole::ring_finger, JointRole::little_finger};

// Numbered fingers: Biped counts from the thumb as 0 and glues the phalanx on ("Finger12"), MakeHuman counts from 1 and
// separates it ("finger2-3"), CAT counts from 1 and glues it on ("Digit23"). Without a number it is a mitten.
JointRole numbered_finger(const NameWords& name) {
  if (name.numbers.empty()) return JointRole::middle_finger;
  const bool from_one = name.numbers.size() > 1 || name.contains("digit");
  const int digit = name.numbers[0][0] - '0' - (from_one ? 1 : 0);
  return digit >= 0 && digit < 5 ? fingers[digit] : JointRole::unknown;
}

// Front legs are arms.
JointRole of_front_limb(JointRole role) {
  switch (role) {
    case JointRole::thigh:
      return JointRole::upper_arm;
    case JointRole::shin:
      return JointRole::forearm;
    case JointRole::foot:
      return JointRole::hand;
    case JointRole::toe:
      return JointRole::middle_finger;
    default:
      return role;
  }
}

}  // namespace

JointRole role_of_words(const NameWords& name) {
  for (const Entry& entry : table) {
    if (!(entry.whole_word ? name.has(entry.text) : name.contains(entry.text))) continue;
    if (entry.text == "finger" || entry.text == "digit") return numbered_finger(name);
    if (entry.text == "mid" && name.side == BodySide::centre) continue;  // of the spine
    if (name.has("front")) return of_front_limb(entry.role);
    if (name.side == BodySide::centre) {
      // "Shoulders" in the middle carry both arms.
      return entry.role == JointRole::clavicle ? JointRole::chest : entry.role;
    }
    if (entry.role == JointRole::hips) return entry.text == "pelvis" ? JointRole::hip_joint : JointRole::thigh;
    if (entry.text == "shoulder" && name.has("back")) return JointRole::hip_joint;
    return entry.role;
  }
  return JointRole::unknown;
}

}  // namespace sinew
