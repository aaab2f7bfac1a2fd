#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/asset/plain/bvh.h"
#include "sinew/asset/plain/text_writer.h"

namespace sinew {
namespace {

// Rotation and position of a joint in character space, relative to axes that are parallel to the character's.
struct Placed {
  Quatd rotation = Quatd::Identity();
  Vec3d position = Vec3d::Zero();
};

std::vector<Placed> place(const Skeleton& skeleton, const std::vector<Quatd>& rest_rotations, const Pose& pose) {
  const std::vector<Affine3d> globals = global_transforms(skeleton, pose);
  std::vector<Placed> placed(globals.size());
  for (std::size_t j = 0; j < globals.size(); ++j) {
    const Quatd rotation = Transform::from_matrix(globals[j]).rotation;
    placed[j] = {(rotation * rest_rotations[j].conjugate()).normalized(), globals[j].translation()};
  }
  return placed;
}

double degrees(double radians) { return radians * 180.0 / std::numbers::pi; }

// Angles z, x, y in degrees of R = Rz Rx Ry, of the two possible triples (and all full turns) the one nearest to
// `before`: curves stay smooth when edited elsewhere.
Vec3d angles_zxy(const Mat3d& r, const Vec3d& before) {
  const double x = std::asin(std::clamp(r(2, 1), -1.0, 1.0));
  Vec3d angles;
  if (std::abs(r(2, 1)) < 1.0 - 1e-12) {
    angles = Vec3d(std::atan2(-r(0, 1), r(1, 1)), x, std::atan2(-r(2, 0), r(2, 2)));
  } else {
    // Looking straight up or down: only z ± y is determined; y stays where it was.
    const double y = before[2] * std::numbers::pi / 180.0;
    const double sum = std::atan2(r(1, 0), r(0, 0));
    angles = Vec3d(r(2, 1) > 0 ? sum - y : sum + y, x, y);
  }
  const auto nearest = [&](Vec3d candidate) {
    for (int axis = 0; axis < 3; ++axis) {
      candidate[axis] += 360.0 * std::round((before[axis] - candidate[axis]) / 360.0);
    }
    return candidate;
  };
  const Vec3d first = nearest(angles.unaryExpr(&degrees));
  const Vec3d second =
      nearest(Vec3d(degrees(angles[0]) + 180.0, 180.0 - degrees(angles[1]), degrees(angles[2]) + 180.0));
  return (first - before).squaredNorm() <= (second - before).squaredNorm() ? first : second;
}

std::string joint_name(const std::string& name) {
  std::string result = line_name(name, "joint");
  std::replace(result.begin(), result.end(), ' ', '_');
  return result;
}

class BvhWriter {
 public:
  BvhWriter(const Character& character, Warnings& warnings)
      : skeleton_(character.skeleton), children_(children_of(character.skeleton)) {
    for (const Affine3d& rest : skeleton_.rest) rest_rotations_.push_back(Transform::from_matrix(rest).rotation);
    if (!character.motions.empty()) {
      motion_ = character.motions.front();
    } else {
      motion_.joint_count = skeleton_.joint_count();
      motion_.transforms = rest_pose(skeleton_);
    }
    if (character.motions.size() > 1) {
      warnings.push_back({"lost-motions", "BVH holds one motion; only '" + motion_.name + "' of " +
                                              std::to_string(character.motions.size()) + " was written"});
    }
    const bool renamed = std::any_of(skeleton_.names.begin(), skeleton_.names.end(),
                                     [](const std::string& name) { return name != joint_name(name); });
    if (renamed) warnings.push_back({"renamed-joints", "blanks in joint names became '_'"});
    find_moving_joints();
  }

  std::string write() {
    out_ << "HIERARCHY\n";
    for (int root : roots_of(skeleton_)) write_joint(root);
    out_ << "MOTION\nFrames: " << motion_.frame_count() << "\nFrame Time: " << 1.0 / motion_.frames_per_second << '\n';
    std::vector<Vec3d> before(skeleton_.names.size(), Vec3d::Zero());
    for (int frame = 0; frame < motion_.frame_count(); ++frame) write_frame(frame, before);
    return out_.take();
  }

 private:
  // A leaf that only ends its parent's bone is an end site: it has no channels.
  bool is_end_site(int joint) const {
    return skeleton_.kinds[joint] == JointKind::end && children_[joint].empty() && skeleton_.parents[joint] >= 0 &&
           !moves_[joint];
  }

  Vec3d rest_offset(int joint) const {
    const int parent = skeleton_.parents[joint];
    return parent < 0 ? skeleton_.position(joint) : Vec3d(skeleton_.position(joint) - skeleton_.position(parent));
  }

  Vec3d local_position(const std::vector<Placed>& placed, int joint) const {
    const int parent = skeleton_.parents[joint];
    if (parent < 0) return placed[joint].position;
    return placed[parent].rotation.conjugate() * (placed[joint].position - placed[parent].position);
  }

  // Joints whose place relative to their parent is not the rest offset in every frame.
  void find_moving_joints() {
    moves_.assign(skeleton_.names.size(), false);
    double size = 0;
    for (const Affine3d& rest : skeleton_.rest) size = std::max(size, rest.translation().norm());
    for (int frame = 0; frame < motion_.frame_count(); ++frame) {
      const std::vector<Placed> placed = place(skeleton_, rest_rotations_, frame_pose(motion_, frame));
      for (int j = 0; j < skeleton_.joint_count(); ++j) {
        if ((local_position(placed, j) - rest_offset(j)).norm() > 1e-6 * size) moves_[j] = true;
      }
    }
  }

  void indent(int depth) {
    for (int i = 0; i < depth; ++i) out_ << '\t';
  }

  void write_offset(int joint, int depth) {
    const Vec3d offset = rest_offset(joint);
    indent(depth);
    out_ << "OFFSET " << offset.x() << ' ' << offset.y() << ' ' << offset.z() << '\n';
  }

  // Depth-first without recursion: skeletons may be deep chains.
  void write_joint(int root) {
    std::vector<std::pair<int, std::size_t>> open;  // joint, next child
    begin_joint(root, 0);
    open.emplace_back(root, 0);
    while (!open.empty()) {
      auto& [joint, next] = open.back();
      const int depth = static_cast<int>(open.size());
      if (next < children_[joint].size()) {
        const int child = children_[joint][next++];
        if (is_end_site(child)) {
          indent(depth);
          out_ << "End Site\n";
          indent(depth);
          out_ << "{\n";
          write_offset(child, depth + 1);
          indent(depth);
          out_ << "}\n";
        } else {
          begin_joint(child, depth);
          open.emplace_back(child, 0);
        }
        continue;
      }
      if (children_[joint].empty()) {
        indent(depth);
        out_ << "End Site\n";
        indent(depth);
        out_ << "{\n";
        indent(depth + 1);
        out_ << "OFFSET 0 0 0\n";
        indent(depth);
        out_ << "}\n";
      }
      indent(depth - 1);
      out_ << "}\n";
      open.pop_back();
    }
  }

  void begin_joint(int joint, int depth) {
    order_.push_back(joint);
    indent(depth);
    out_ << (depth == 0 ? "ROOT " : "JOINT ") << joint_name(skeleton_.names[joint]) << '\n';
    indent(depth);
    out_ << "{\n";
    write_offset(joint, depth + 1);
    indent(depth + 1);
    out_ << (has_position(joint) ? "CHANNELS 6 Xposition Yposition Zposition" : "CHANNELS 3")
         << " Zrotation Xrotation Yrotation\n";
  }

  bool has_position(int joint) const { return skeleton_.parents[joint] < 0 || moves_[joint]; }

  void write_frame(int frame, std::vector<Vec3d>& before) {
    const std::vector<Placed> placed = place(skeleton_, rest_rotations_, frame_pose(motion_, frame));
    bool first = true;
    const auto put = [&](double value) {
      if (!first) out_ << ' ';
      first = false;
      out_ << static_cast<float>(value);
    };
    for (int joint : order_) {
      if (has_position(joint)) {
        const Vec3d position = local_position(placed, joint);
        for (int axis = 0; axis < 3; ++axis) put(position[axis]);
      }
      const int parent = skeleton_.parents[joint];
      Quatd local = placed[joint].rotation;
      if (parent >= 0) local = placed[parent].rotation.conjugate() * local;
      before[joint] = angles_zxy(local.toRotationMatrix(), before[joint]);
      for (int axis = 0; axis < 3; ++axis) put(before[joint][axis]);
    }
    out_ << '\n';
  }

  const Skeleton& skeleton_;
  std::vector<std::vector<int>> children_;
  std::vector<Quatd> rest_rotations_;
  Motion motion_;
  std::vector<bool> moves_;
  std::vector<int> order_;  // joints with channels, in the order of the file
  TextWriter out_;
};

}  // namespace

std::string write_bvh(const Character& character, Warnings& warnings) {
  if (character.skeleton.empty()) {
    throw Error(ErrorCode::output_format_unfit, "there is no skeleton to write as BVH",
                "write .glb, .obj or .ply instead");
  }
  return BvhWriter(character, warnings).write();
}

}  // namespace sinew
