#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/asset/fbx/fbx_scene.h"

namespace sinew {
namespace {

constexpr double fbx_ticks_per_second = 46186158000.0;

// What a joint does in a motion: per frame, one row of three numbers for each of the three channels.
struct JointCurves {
  std::array<std::vector<Vec3d>, 3> channel;  // translation, rotation in degrees, scale
};

class MotionWriter {
 public:
  explicit MotionWriter(FbxScene& scene) : scene_(scene), skeleton_(scene.character.skeleton) {
    Skeleton unit = skeleton_;
    for (std::size_t joint = 0; joint < unit.rest.size(); ++joint) unit.rest[joint] = scene.joints[joint].global;
    rest_ = rest_pose(unit);
    // A channel that moves in one motion is said in all: readers keep what the motion before left behind.
    moves_.resize(rest_.size());
    for (const Motion& motion : scene.character.motions) {
      for (std::size_t joint = 0; joint < rest_.size(); ++joint) {
        const JointCurves curves = curves_of(motion, joint);
        for (int kind = 0; kind < 3; ++kind) {
          const Vec3d still = still_value(joint, kind);
          for (const Vec3d& value : curves.channel[kind]) {
            moves_[joint][kind] = moves_[joint][kind] || !close(value, still, kind);
          }
        }
      }
    }
  }

  void write(const Motion& motion) {
    const std::string name = stack_name(motion.name);
    const std::int64_t stop = ticks(motion, motion.frame_count() - 1);
    const std::int64_t stack = scene_.new_id(), layer = scene_.new_id();
    FbxNode& record = scene_.add_object("AnimationStack", stack, name, "AnimStack", "");
    FbxNode& properties = record.child("Properties70");
    for (const char* key : {"LocalStart", "ReferenceStart"}) properties.property(key, "KTime", "Time", "").int64(0);
    for (const char* key : {"LocalStop", "ReferenceStop"}) properties.property(key, "KTime", "Time", "").int64(stop);
    scene_.add_object("AnimationLayer", layer, "BaseLayer", "AnimLayer", "").child("Properties70");
    scene_.connect(layer, stack);
    bool any = false;
    for (std::size_t joint = 0; joint < rest_.size(); ++joint) {
      const JointCurves curves = curves_of(motion, joint);
      for (int kind = 0; kind < 3; ++kind) {
        // A motion needs a curve: the first joint stands still.
        const bool last_chance = !any && joint + 1 == rest_.size() && kind == 1;
        if (!moves_[joint][kind] && !last_chance) continue;
        add_channel(motion, curves.channel[kind], kind, scene_.joints[joint].id, layer);
        any = true;
      }
    }
    FbxNode& take = scene_.takes.child("Take").text(name);
    take.child("FileName").text(name + ".tak");
    take.child("LocalTime").int64(0).int64(stop);
    take.child("ReferenceTime").int64(0).int64(stop);
  }

 private:
  static std::int64_t ticks(const Motion& motion, int frame) {
    return static_cast<std::int64_t>(std::llround(frame / motion.frames_per_second * fbx_ticks_per_second));
  }

  std::string stack_name(const std::string& wanted) {
    const std::string base = wanted.empty() ? "motion" : wanted;
    std::string name = base;
    for (int number = 2; !stack_names_.insert(name).second; ++number) name = base + "_" + std::to_string(number);
    return name;
  }

  Vec3d still_value(std::size_t joint, int kind) const {
    return kind == 0 ? rest_[joint].translation : kind == 1 ? Vec3d(Vec3d::Zero()) : rest_[joint].scale;
  }

  // Far below what a float holds.
  static bool close(const Vec3d& a, const Vec3d& b, int kind) {
    return (a - b).cwiseAbs().maxCoeff() <= (kind == 1 ? 1e-7 : 1e-9 * (1.0 + b.norm()));
  }

  JointCurves curves_of(const Motion& motion, std::size_t joint) const {
    const int parent = skeleton_.parents[joint];
    const double above = parent < 0 ? 1.0 : scene_.space_scale[parent], own = scene_.space_scale[joint];
    const Quatd back = rest_[joint].rotation.conjugate();
    JointCurves curves;
    Vec3d before = Vec3d::Zero();
    for (int frame = 0; frame < motion.frame_count(); ++frame) {
      const Transform& key = motion.transforms[static_cast<std::size_t>(frame) * motion.joint_count + joint];
      before = fbx_degrees(back * key.rotation, before);
      curves.channel[0].push_back(key.translation * above + scene_.nudge[joint]);
      curves.channel[1].push_back(before);
      curves.channel[2].push_back(key.scale * (above / own));
    }
    return curves;
  }

  void add_channel(const Motion& motion, const std::vector<Vec3d>& values, int kind, std::int64_t model,
                   std::int64_t layer) {
    constexpr const char* letters[] = {"T", "R", "S"};
    constexpr const char* targets[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};
    const std::int64_t id = scene_.new_id();
    FbxNode& properties =
        scene_.add_object("AnimationCurveNode", id, letters[kind], "AnimCurveNode", "").child("Properties70");
    scene_.connect(id, layer);
    scene_.connect(id, model, targets[kind]);
    const bool still = std::all_of(values.begin(), values.end(),
                                   [&](const Vec3d& value) { return close(value, values.front(), kind); });
    std::vector<int> frames;
    for (int frame = 0; frame < motion.frame_count(); ++frame) {
      if (!still || frame == 0 || frame + 1 == motion.frame_count()) frames.push_back(frame);
    }
    constexpr const char* axes[] = {"d|X", "d|Y", "d|Z"};
    for (int axis = 0; axis < 3; ++axis) {
      properties.property(axes[axis], "Number", "", "A").real(values.front()[axis]);
      scene_.connect(add_curve(motion, values, frames, axis), id, axes[axis]);
    }
  }

  std::int64_t add_curve(const Motion& motion, const std::vector<Vec3d>& values, const std::vector<int>& frames,
                         int axis) {
    std::vector<std::int64_t> times;
    std::vector<float> numbers;
    for (const int frame : frames) {
      times.push_back(ticks(motion, frame));
      numbers.push_back(static_cast<float>(values[frame][axis]));
    }
    const std::int64_t id = scene_.new_id();
    FbxNode& curve = scene_.add_object("AnimationCurve", id, "", "AnimCurve", "");
    curve.child("Default").real(values.front()[axis]);
    curve.child("KeyVer").int32(4008);
    curve.child("KeyTime").int64s(times);
    curve.child("KeyValueFloat").floats(numbers);
    // One entry for all keys: linear.
    const std::int32_t linear = 4, count = static_cast<std::int32_t>(times.size());
    const float no_tangents[4] = {0, 0, 0, 0};
    curve.child("KeyAttrFlags").int32s({&linear, 1});
    curve.child("KeyAttrDataFloat").floats(no_tangents);
    curve.child("KeyAttrRefCount").int32s({&count, 1});
    return id;
  }

  FbxScene& scene_;
  const Skeleton& skeleton_;
  Pose rest_;                               // as the nodes stand
  std::vector<std::array<bool, 3>> moves_;  // per joint and channel: in some motion
  std::set<std::string> stack_names_;
};

}  // namespace

void add_fbx_motions(FbxScene& scene) {
  scene.takes.child("Current").text("");
  if (scene.joints.empty() || scene.character.motions.empty()) return;
  MotionWriter writer(scene);
  for (const Motion& motion : scene.character.motions) {
    if (motion.frame_count() > 0) writer.write(motion);
  }
}

}  // namespace sinew
