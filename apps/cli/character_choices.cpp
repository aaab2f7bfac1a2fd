#include "character_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "sinew/base/closest_name.h"

namespace sinew::cli {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::optional<int> whole_number(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

int resolve_joint(const Character& character, const std::string& text) {
  const Skeleton& skeleton = character.skeleton;
  if (const int joint = find_joint(skeleton, text); joint >= 0) return joint;
  if (const std::optional<int> index = whole_number(text); index && *index >= 0 && *index < skeleton.joint_count()) {
    return *index;
  }
  std::vector<int> ending;
  std::vector<std::string> containing;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const std::string name = lower_case(skeleton.names[joint]);
    if (name.ends_with(lower_case(text))) ending.push_back(joint);
    if (name.find(lower_case(text)) != std::string::npos) containing.push_back(skeleton.names[joint]);
  }
  if (ending.size() == 1) return ending.front();
  throw Error(
      ErrorCode::joint_unknown, fmt::format("'{}' has no joint '{}'", character.name, text),
      containing.empty() ? did_you_mean(text, skeleton.names) : "did you mean one of these: " + listed(containing));
}

namespace {

bool continues_a_word(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte >= 0x80;
}

// Names that end in `text`, in any case: those where it is a word of its own ("Armature|Walk"), or else all of them.
std::vector<int> ending_in(const std::vector<std::string>& names, const std::string& text) {
  std::vector<int> words, all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!lower_case(names[i]).ends_with(lower_case(text))) continue;
    all.push_back(static_cast<int>(i));
    const std::size_t begin = names[i].size() - text.size();
    if (begin == 0 || !continues_a_word(names[i][begin - 1])) words.push_back(all.back());
  }
  return words.empty() ? all : words;
}

}  // namespace

int motion_index(const Character& character, const std::string& text) {
  if (character.motions.empty()) throw Error(ErrorCode::motion_missing, "'" + character.name + "' holds no motion");
  if (text.empty()) return 0;
  std::vector<std::string> names;
  const int count = static_cast<int>(character.motions.size());
  for (int i = 0; i < count; ++i) {
    names.push_back(character.motions[static_cast<std::size_t>(i)].name);
    if (names.back() == text) return i;
  }
  if (const std::optional<int> index = whole_number(text); index && *index >= 0 && *index < count) return *index;
  const std::vector<int> ending = ending_in(names, text);
  if (ending.size() == 1) return ending.front();
  std::vector<std::string> meant;
  for (const int motion : ending) meant.push_back(names[static_cast<std::size_t>(motion)]);
  throw Error(ErrorCode::motion_unknown, fmt::format("'{}' holds no motion '{}'", character.name, text),
              meant.empty() ? choices_for(text, names) : "did you mean one of these: " + listed(meant));
}

const Motion& resolve_motion(const Character& character, const std::string& text) {
  return character.motions[static_cast<std::size_t>(motion_index(character, text))];
}

std::vector<int> resolve_frames(const Motion& motion, const std::vector<std::string>& texts) {
  std::vector<int> frames;
  for (const std::string& text : texts) {
    std::vector<int> numbers;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(':', begin), text.size());
      const std::optional<int> number = whole_number(text.substr(begin, end - begin));
      if (!number) {
        throw Error(ErrorCode::option_invalid, "'" + text + "' is not a frame", "write frames as 0,10,20 or 0:60:10");
      }
      numbers.push_back(*number);
      begin = end + 1;
    }
    const int count = motion.frame_count();
    for (std::size_t i = 0; i < std::min<std::size_t>(numbers.size(), 2); ++i) {
      if (numbers[i] < 0) numbers[i] += count;
      if (numbers[i] < 0 || numbers[i] >= count) {
        throw Error(ErrorCode::frame_unknown, fmt::format("'{}' has no frame {}", motion.name, text),
                    fmt::format("its frames go from 0 to {}", count - 1));
      }
    }
    const int step = numbers.size() > 2 ? numbers[2] : 1;
    if (numbers.size() > 3 || step < 1) {
      throw Error(ErrorCode::option_invalid, "'" + text + "' is not a range of frames");
    }
    for (int frame = numbers[0]; frame <= numbers[numbers.size() > 1 ? 1 : 0]; frame += step) frames.push_back(frame);
  }
  return frames;
}

}  // namespace sinew::cli
