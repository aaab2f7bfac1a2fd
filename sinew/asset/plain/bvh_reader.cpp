#include <cmath>
#include <numbers>

#include "sinew/asset/plain/bvh.h"
#include "sinew/asset/plain/text_scanner.h"

namespace sinew {
namespace {

enum class Channel : std::uint8_t { x_position, y_position, z_position, x_rotation, y_rotation, z_rotation };

struct Joint {
  Vec3d offset = Vec3d::Zero();
  std::vector<Channel> channels;
};

class BvhParser {
 public:
  BvhParser(std::string_view text, const LoadOptions& options) : scanner_(text), options_(options) {}

  Character parse() {
    if (scanner_.word_anywhere() != "HIERARCHY") throw scanner_.error("a BVH file begins with 'HIERARCHY'");
    hierarchy();
    motion();
    return std::move(character_);
  }

 private:
  std::string_view expect_word(const char* what) {
    const std::string_view word = scanner_.word_anywhere();
    if (word.empty()) throw scanner_.error(std::string("the file ends where ") + what + " should be");
    return word;
  }

  double expect_number(const char* what) {
    double value = 0;
    const std::string_view word = expect_word(what);
    if (!parse_number(word, value)) {
      throw scanner_.error(std::string("expected ") + what + ", found " + shown(word));
    }
    return value;
  }

  // Reads joints until the word MOTION. `open` holds the joints whose braces are open; -1 an end site to be left out.
  void hierarchy() {
    std::vector<int> open;
    for (;;) {
      const std::string_view word = expect_word("a joint or 'MOTION'");
      if (word == "ROOT" || word == "JOINT" || equal_ignoring_case(word, "End")) {
        if ((word == "ROOT") != open.empty()) throw scanner_.error(shown(word) + " is not allowed here");
        if (!open.empty() && open.back() < 0) throw scanner_.error("an end site cannot have joints");
        begin_joint(word, open);
      } else if (word == "OFFSET") {
        Vec3d& offset = current(open).offset;
        for (int axis = 0; axis < 3; ++axis) offset[axis] = expect_number("an offset");
      } else if (word == "CHANNELS") {
        channels(current(open));
      } else if (word == "}") {
        if (open.empty()) throw scanner_.error("a '}' too many");
        open.pop_back();
      } else if (word == "MOTION") {
        if (!open.empty()) throw scanner_.error("a '}' is missing before 'MOTION'");
        break;
      } else {
        throw scanner_.error("unknown word " + shown(word) + " in the hierarchy");
      }
    }
    if (joints_.empty()) throw scanner_.error("there is no joint");
    build_skeleton();
  }

  void begin_joint(std::string_view word, std::vector<int>& open) {
    const bool is_end = word != "ROOT" && word != "JOINT";
    std::string name(scanner_.rest_of_line());
    const std::size_t brace = name.find('{');
    if (brace != std::string::npos) {
      name.resize(brace);
      while (!name.empty() && name.back() == ' ') name.pop_back();
    } else if (expect_word("a '{'") != "{") {
      throw scanner_.error("expected '{'");
    }
    const int parent = open.empty() ? -1 : open.back();
    if (is_end) name = names_[static_cast<std::size_t>(parent)] + "_End";
    if (name.empty()) name = "joint_" + std::to_string(joints_.size());
    if (static_cast<int>(open.size()) > options_.max_node_depth) {
      throw scanner_.error(ErrorCode::too_large,
                           "joints are nested more than " + std::to_string(options_.max_node_depth) + " deep");
    }
    open.push_back(static_cast<int>(joints_.size()));
    joints_.emplace_back();
    names_.push_back(name);
    parents_.push_back(parent);
    is_end_.push_back(is_end);
  }

  Joint& current(const std::vector<int>& open) {
    if (open.empty()) throw scanner_.error("an offset or channels outside a joint");
    return joints_[static_cast<std::size_t>(open.back())];
  }

  void channels(Joint& joint) {
    const double count = expect_number("the number of channels");
    if (!(count >= 0 && count <= 16) || !joint.channels.empty()) throw scanner_.error("a bad number of channels");
    constexpr std::string_view known[] = {"Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"};
    for (int i = 0; i < static_cast<int>(count); ++i) {
      const std::string_view word = expect_word("a channel");
      std::size_t channel = 0;
      while (channel < 6 && !equal_ignoring_case(word, known[channel])) ++channel;
      if (channel == 6) throw scanner_.error("unknown channel " + shown(word));
      joint.channels.push_back(static_cast<Channel>(channel));
    }
    channel_count_ += joint.channels.size();
  }

  void build_skeleton() {
    Skeleton& skeleton = character_.skeleton;
    std::vector<int> index(joints_.size(), -1);
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      if (is_end_[j] && joints_[j].offset.isZero(0.0)) continue;
      const int parent = parents_[j] < 0 ? -1 : index[static_cast<std::size_t>(parents_[j])];
      Affine3d rest = Affine3d::Identity();
      rest.translation() = joints_[j].offset + (parent < 0 ? Vec3d(Vec3d::Zero()) : skeleton.position(parent));
      index[j] = add_joint(skeleton, names_[j], parent, rest, is_end_[j] ? JointKind::end : JointKind::joint);
      kept_.push_back(j);
    }
    check_skeleton(skeleton);
  }

  void motion() {
    std::string_view word = expect_word("'Frames:'");
    if (!equal_ignoring_case(word, "Frames:")) throw scanner_.error("expected 'Frames:', found " + shown(word));
    const double frames = expect_number("the number of frames");
    if (!(frames >= 0) || frames != std::floor(frames)) throw scanner_.error("a bad number of frames");
    if (!equal_ignoring_case(expect_word("'Frame Time:'"), "Frame") ||
        !equal_ignoring_case(expect_word("'Frame Time:'"), "Time:")) {
      throw scanner_.error("expected 'Frame Time:'");
    }
    const double seconds = expect_number("the frame time");
    if (frames == 0) return;
    Motion motion;
    motion.frames_per_second = frame_rate(seconds);
    motion.joint_count = character_.skeleton.joint_count();
    read_frames(static_cast<std::uint64_t>(std::min(frames, 1e15)), motion);
    character_.motions.push_back(std::move(motion));
  }

  // Frame times are rounded in most files: 0.0083333 is meant to be 1/120.
  double frame_rate(double seconds) {
    if (!(seconds > 1e-6 && seconds < 1e6)) {
      character_.warnings.push_back({"bad-frame-time", "the frame time makes no sense; 30 frames per second are used"});
      return 30.0;
    }
    const double rate = 1.0 / seconds, whole = std::round(rate);
    return whole >= 1 && std::abs(rate - whole) < 2e-4 * rate ? whole : rate;
  }

  void read_frames(std::uint64_t frames, Motion& motion) {
    // A number takes two characters at least, so a wrong count cannot make us reserve much.
    const std::uint64_t possible = channel_count_ > 0 ? scanner_.bytes_left() / (2 * channel_count_) + 1 : 1;
    const std::uint64_t expected = std::min(frames, possible);
    if (expected * kept_.size() > options_.max_elements) {
      throw scanner_.error(ErrorCode::too_large, "more frames than the limit allows");
    }
    motion.transforms.reserve(expected * kept_.size());
    std::vector<double> values(channel_count_);
    std::uint64_t frame = 0;
    for (; frame < frames; ++frame) {
      std::size_t read = 0;
      for (; read < values.size(); ++read) {
        const std::string_view word = scanner_.word_anywhere();
        if (word.empty()) break;
        if (!parse_number(word, values[read]) || !std::isfinite(values[read])) {
          throw scanner_.error(shown(word) + " is not a number, in frame " + std::to_string(frame));
        }
      }
      if (read < values.size() || (values.empty() && frame > 0)) break;
      add_frame(values, motion);
    }
    if (frame == 0) {
      throw scanner_.error("the file ends before the first frame", "it is truncated: copy or export it again");
    }
    if (frame < frames) {
      character_.warnings.push_back({"missing-frames", "the file declares " + std::to_string(frames) +
                                                           " frames but holds " + std::to_string(frame)});
    } else if (!scanner_.word_anywhere().empty()) {
      character_.warnings.push_back(
          {"extra-frames", "the file goes on after its " + std::to_string(frames) + " frames; the rest was ignored"});
    }
  }

  void add_frame(const std::vector<double>& values, Motion& motion) {
    std::size_t next = 0, kept = 0;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      Transform local;
      local.translation = joints_[j].offset;
      for (const Channel channel : joints_[j].channels) {
        const double value = values[next++];
        const int axis = static_cast<int>(channel) % 3;
        if (channel <= Channel::z_position) {
          local.translation[axis] = value;
        } else {
          const double radians = std::remainder(value, 360.0) * std::numbers::pi / 180.0;
          local.rotation = local.rotation * Quatd(Eigen::AngleAxisd(radians, Vec3d::Unit(axis)));
        }
      }
      local.rotation.normalize();
      if (kept < kept_.size() && kept_[kept] == j) {
        motion.transforms.push_back(local);
        ++kept;
      }
    }
  }

  TextScanner scanner_;
  const LoadOptions& options_;
  Character character_;
  std::vector<Joint> joints_;
  std::vector<std::string> names_;
  std::vector<int> parents_;
  std::vector<bool> is_end_;
  std::vector<std::size_t> kept_;  // per joint of the skeleton: its number in the file
  std::size_t channel_count_ = 0;
};

}  // namespace

Character read_bvh(std::span<const std::byte> bytes, const LoadOptions& options) {
  return BvhParser(as_text(bytes), options).parse();
}

}  // namespace sinew
