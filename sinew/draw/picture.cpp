#include "sinew/draw/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "sinew/draw/paint.h"
#include "sinew/draw/sheet.h"
#include "sinew/draw/skeleton_overlay.h"
#include "sinew/error.h"

namespace sinew {
namespace {

constexpr std::array<std::pair<std::string_view, PictureMode>, 7> mode_names = {{
    {"shaded", PictureMode::shaded},
    {"weights", PictureMode::weights},
    {"dominant", PictureMode::dominant},
    {"blended", PictureMode::blended},
    {"influences", PictureMode::influences},
    {"parts", PictureMode::parts},
    {"values", PictureMode::values},
}};

void check_options(const Character& character, const PictureOptions& options) {
  const bool needs_weights = options.mode == PictureMode::weights || options.mode == PictureMode::dominant ||
                             options.mode == PictureMode::blended || options.mode == PictureMode::influences;
  if (needs_weights && !character.has_skin()) {
    throw Error(ErrorCode::weights_missing,
                "'" + character.name + "' has no skin weights to show as " + picture_mode_name(options.mode),
                "bind it to a skeleton first, or draw it shaded")
        .about("mode");
  }
  if (options.mode == PictureMode::weights &&
      (options.joint < 0 || options.joint >= character.skeleton.joint_count())) {
    throw Error(ErrorCode::option_missing, "no joint is named whose weights should be shown").about("joint");
  }
  if (options.mode == PictureMode::values && options.values.size() != character.mesh.vertex_count()) {
    throw Error(ErrorCode::argument_invalid, std::to_string(options.values.size()) + " values do not fit the " +
                                                 std::to_string(character.mesh.vertex_count()) + " vertices of '" +
                                                 character.name + "'");
  }
}

Paint choose_paint(const Character& character, const PictureOptions& options) {
  switch (options.mode) {
    case PictureMode::shaded: {
      Warnings warnings;
      Paint paint = paint_materials(character, warnings);
      if (options.warnings) options.warnings->insert(options.warnings->end(), warnings.begin(), warnings.end());
      return paint;
    }
    case PictureMode::weights:
      return paint_joint_weight(character.weights, options.joint);
    case PictureMode::dominant:
      return paint_dominant_joint(character.weights, joint_palette(character.skeleton));
    case PictureMode::blended:
      return paint_blended_joints(character.weights, joint_palette(character.skeleton));
    case PictureMode::influences:
      return paint_influence_count(character.weights);
    case PictureMode::parts:
      return paint_parts(character);
    case PictureMode::values:
      return paint_values(options.values, options.low, options.high, options.map);
  }
  return {};
}

double finite_diagonal(const std::vector<Vec3f>& points) {
  AABBf box;
  for (const Vec3f& p : points) {
    if (p.allFinite()) box.extend(p);
  }
  return box.isEmpty() ? 0.0 : box.diagonal().norm();
}

// What the colours of the picture mean.
void draw_legend(Image& image, const Character& character, const PictureOptions& options) {
  switch (options.mode) {
    case PictureMode::weights:
      return draw_color_bar(image, ColorMap::weight, 0, 1, character.skeleton.names[options.joint]);
    case PictureMode::values:
      return draw_color_bar(image, options.map, options.low, options.high, options.values_caption);
    case PictureMode::influences: {
      std::vector<std::pair<Color, std::string>> keys;
      for (int count = 1; count <= std::min(character.weights.influences, 8); ++count) {
        keys.emplace_back(influence_color(count), std::to_string(count));
      }
      return draw_color_keys(image, keys, "joints per vertex");
    }
    case PictureMode::shaded:
    case PictureMode::dominant:
    case PictureMode::blended:
    case PictureMode::parts:
      return;
  }
}

}  // namespace

PosedCharacter pose_character(const Character& character) { return {character.mesh, character.skeleton.rest}; }

PosedCharacter pose_character(const Character& character, const Pose& pose, SkinningMethod method) {
  PosedCharacter posed{character.mesh, global_transforms(character.skeleton, pose)};
  if (character.has_skin()) {
    posed.mesh = pose_mesh(character.mesh, character.weights, skinning_transforms(character.skeleton, pose), method);
  }
  return posed;
}

void turn_z_up_to_y_up(PosedCharacter& posed) {
  const auto turn = [](const Vec3f& v) { return Vec3f(v.x(), v.z(), -v.y()); };
  for (Vec3f& p : posed.mesh.positions) p = turn(p);
  for (Vec3f& n : posed.mesh.normals) n = turn(n);
  const Affine3d rotation(Eigen::AngleAxisd(-std::numbers::pi / 2, Vec3d::UnitX()));
  for (Affine3d& joint : posed.joints) joint = rotation * joint;
}

std::optional<PictureMode> picture_mode_from_name(std::string_view name) {
  for (const auto& [known, mode] : mode_names) {
    if (known == name) return mode;
  }
  return std::nullopt;
}

std::string picture_mode_name(PictureMode mode) {
  for (const auto& [name, known] : mode_names) {
    if (known == mode) return std::string(name);
  }
  return {};
}

Image draw_character(const Character& character, const PosedCharacter& posed, const Camera& camera,
                     const PictureOptions& options, const Progress& progress) {
  check_options(character, options);
  Scene scene = make_scene(posed.mesh);
  if (options.ground) scene.ground = options.ground;
  if (!options.floor) scene.ground.reset();
  scene.paint = choose_paint(character, options);
  if (!character.skeleton.empty() && (options.skeleton || posed.mesh.positions.empty())) {
    SkeletonStyle style;
    style.highlighted = options.joint;
    if (options.mode == PictureMode::dominant || options.mode == PictureMode::blended) {
      style.bone = Color(1.2f, 1.2f, 1.2f);
      style.joint = Color(0.25f, 0.25f, 0.27f);
    }
    const double size = finite_diagonal(framing_points(character, posed));
    scene.overlay = skeleton_overlay(character.skeleton, posed.joints, size, style);
  }
  RenderOptions render_options = options.render;
  if (options.mode != PictureMode::shaded && render_options.lighting == Lighting::studio) {
    render_options.lighting = Lighting::soft;
  }
  Image image = render(scene, camera, render_options, progress);
  if (options.legend) draw_legend(image, character, options);
  return image;
}

std::vector<Vec3f> framing_points(const Character& character, const PosedCharacter& posed) {
  if (!posed.mesh.positions.empty()) return posed.mesh.positions;
  std::vector<Vec3f> points;
  for (int joint = 0; joint < character.skeleton.joint_count(); ++joint) {
    if (character.skeleton.kinds[joint] == JointKind::helper) continue;
    points.push_back(posed.joints[joint].translation().cast<float>());
  }
  return points;
}

std::vector<Vec3f> framing_points(const Character& character, const PosedCharacter& posed, int joint) {
  const Skeleton& skeleton = character.skeleton;
  if (joint < 0 || joint >= skeleton.joint_count()) {
    throw Error(ErrorCode::joint_unknown, "there is no joint " + std::to_string(joint) + " to look at");
  }
  const Vec3d here = posed.joints[joint].translation();
  double longest = 0;
  for (int other = 0; other < skeleton.joint_count(); ++other) {
    const bool neighbour = skeleton.parents[other] == joint || skeleton.parents[joint] == other;
    if (neighbour) longest = std::max(longest, (posed.joints[other].translation() - here).norm());
  }
  const double diagonal = finite_diagonal(framing_points(character, posed));
  const double radius = std::clamp(1.1 * longest, 0.04 * diagonal, 0.3 * diagonal);
  std::vector<Vec3f> points;
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        const Vec3d direction(x, y, z);
        if (direction.squaredNorm() > 0) points.push_back((here + radius * direction.normalized()).cast<float>());
      }
    }
  }
  return points;
}

}  // namespace sinew
