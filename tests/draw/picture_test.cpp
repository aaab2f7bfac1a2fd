#include "sinew/draw/picture.h"

#include <gtest/gtest.h>

#include <set>

#include "sinew/draw/paint.h"
#include "sinew/draw/skeleton_overlay.h"
#include "sinew/error.h"
#include "tests/draw/draw_test_scenes.h"

namespace sinew {
namespace {

using test::make_square;

// A square bound to two joints: weights go from 0 on the left to 1 on the right.
Character make_banner() {
  Character character;
  character.name = "banner";
  character.mesh = make_square();
  Affine3d place = Affine3d::Identity();
  place.translation() = Vec3d(-1, 0, 0);
  add_joint(character.skeleton, "left", -1, place);
  place.translation() = Vec3d(1, 0, 0);
  add_joint(character.skeleton, "right", 0, place);
  character.weights = make_skin_weights(4, 2);
  set_influences(character.weights, 0, {{0, 1.0}});
  set_influences(character.weights, 1, {{1, 1.0}});
  set_influences(character.weights, 2, {{1, 1.0}});
  set_influences(character.weights, 3, {{0, 1.0}});
  return character;
}

PictureOptions flat_picture(PictureMode mode) {
  PictureOptions options;
  options.mode = mode;
  options.render.lighting = Lighting::none;
  options.render.width = options.render.height = 100;
  options.legend = false;
  return options;
}

Camera facing_camera() {
  Camera camera;
  camera.eye = Vec3d(0, 0, 4);
  camera.tangent = 0.25;  // the square fills the picture
  return camera;
}

TEST(Picture, WeightsHaveTheColoursOfTheMap) {
  const Character character = make_banner();
  PictureOptions options = flat_picture(PictureMode::weights);
  options.joint = 1;
  const Image image = draw_character(character, pose_character(character), facing_camera(), options);
  for (int x : {2, 25, 50, 75, 97}) {
    const Pixel expected = to_pixel(map_color(ColorMap::weight, (x + 0.5) / 100));
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(image.at(x, 40)[c], expected[c], 6) << x;
  }
}

TEST(Picture, DominantJointsMeetAtASharpBorder) {
  const Character character = make_banner();
  const std::vector<Color> colors = joint_palette(character.skeleton);
  const Image image =
      draw_character(character, pose_character(character), facing_camera(), flat_picture(PictureMode::dominant));
  EXPECT_EQ(image.at(10, 50), to_pixel(colors[0]));
  EXPECT_EQ(image.at(47, 50), to_pixel(colors[0]));
  EXPECT_EQ(image.at(52, 50), to_pixel(colors[1]));
  EXPECT_EQ(image.at(90, 50), to_pixel(colors[1]));
  EXPECT_NE(to_pixel(colors[0]), to_pixel(colors[1]));
}

TEST(Picture, InfluencesValuesAndPartsPaintWhatTheySay) {
  Character character = make_banner();
  set_influences(character.weights, 0, {{0, 0.5}, {1, 0.5}});
  const SurfacePoint at_vertex_0{{0, 1, 2}, Vec3f(1, 0, 0)}, at_vertex_1{{0, 1, 2}, Vec3f(0, 1, 0)};
  const Paint influences = paint_influence_count(character.weights);
  EXPECT_EQ(influences(at_vertex_0), influence_color(2));
  EXPECT_EQ(influences(at_vertex_1), influence_color(1));

  const Paint values = paint_values({0, 10, 5, std::nanf("")}, 0, 10, ColorMap::error);
  EXPECT_EQ(values(at_vertex_0), map_color(ColorMap::error, 0));
  EXPECT_EQ(values(at_vertex_1), map_color(ColorMap::error, 1));
  EXPECT_EQ(values({{3, 3, 3}, Vec3f(1, 0, 0)}), color_from_hex(0x808080));
  EXPECT_EQ(values({{0, 1, 1}, Vec3f(0.5f, 0.5f, 0)}), map_color(ColorMap::error, 0.5));

  character.parts = {{"a", "skin", 0, 2, 0, 1}, {"b", "cloth", 2, 2, 1, 1}};
  const Paint parts = paint_parts(character);
  EXPECT_NE(parts(at_vertex_0), parts({{2, 3, 3}, Vec3f(1, 0, 0)}));

  character.weights = make_skin_weights(4, 2);  // nobody moves anything
  EXPECT_LT(paint_dominant_joint(character.weights, joint_palette(character.skeleton))(at_vertex_0).norm(), 0.05f);
  EXPECT_LT(paint_joint_weight(character.weights, 0)(at_vertex_0).norm(), 0.05f);
}

TEST(Picture, PoseMovesMeshAndSkeleton) {
  const Character character = make_banner();
  Pose pose = rest_pose(character.skeleton);
  pose[0].translation += Vec3d(0, 5, 0);
  const PosedCharacter posed = pose_character(character, pose);
  for (std::size_t v = 0; v < 4; ++v) {
    EXPECT_NEAR(posed.mesh.positions[v].y(), character.mesh.positions[v].y() + 5, 1e-5);
  }
  EXPECT_NEAR(posed.joints[1].translation().y(), 5, 1e-9);

  PosedCharacter upright = posed;
  turn_z_up_to_y_up(upright);
  EXPECT_NEAR(upright.mesh.positions[0].z(), -posed.mesh.positions[0].y(), 1e-6);
  EXPECT_NEAR((upright.joints[1].translation() - Vec3d(1, 0, -5)).norm(), 0, 1e-9);
}

TEST(Picture, SkeletonAloneIsDrawn) {
  Character character = make_banner();
  character.mesh = TriangleMesh();
  character.weights = SkinWeights();
  const PosedCharacter posed = pose_character(character);
  const std::vector<Vec3f> points = framing_points(character, posed);
  ASSERT_EQ(points.size(), 2u);
  PictureOptions options = flat_picture(PictureMode::shaded);
  const Image image = draw_character(character, posed, frame_points(points, front_view), options);
  EXPECT_GT(std::set<Pixel>(image.pixels.begin(), image.pixels.end()).size(), 1u);
}

TEST(Picture, ZoomFramesTheJoint) {
  const Character character = make_banner();
  const PosedCharacter posed = pose_character(character);
  const Camera camera = frame_points(framing_points(character, posed, 1), front_view);
  const Vec3d place = project(camera, Vec3d(1, 0, 0), 800, 800);
  EXPECT_NEAR(place.x(), 400, 20);
  EXPECT_NEAR(place.y(), 400, 20);
  EXPECT_THROW(framing_points(character, posed, 2), Error);
}

TEST(Picture, SaysWhatIsMissing) {
  Character character = make_banner();
  const PosedCharacter posed = pose_character(character);
  PictureOptions options = flat_picture(PictureMode::weights);
  EXPECT_THROW(draw_character(character, posed, facing_camera(), options), Error) << "no joint chosen";
  options.mode = PictureMode::values;
  options.values = {1, 2};
  EXPECT_THROW(draw_character(character, posed, facing_camera(), options), Error) << "too few values";
  character.weights = SkinWeights();
  for (PictureMode mode : {PictureMode::dominant, PictureMode::influences, PictureMode::blended}) {
    options.mode = mode;
    EXPECT_THROW(draw_character(character, posed, facing_camera(), options), Error) << "no weights";
  }
}

TEST(Picture, ModesHaveNames) {
  for (PictureMode mode : {PictureMode::shaded, PictureMode::weights, PictureMode::dominant, PictureMode::blended,
                           PictureMode::influences, PictureMode::parts, PictureMode::values}) {
    EXPECT_EQ(picture_mode_from_name(picture_mode_name(mode)), mode);
  }
  EXPECT_FALSE(picture_mode_from_name("pretty"));
}

TEST(SkeletonOverlay, IsAValidMeshWithinTheSkeletonsBounds) {
  Character character = make_banner();
  add_joint(character.skeleton, "tip", 1, Affine3d(Eigen::Translation3d(1, 0, 0)), JointKind::end);
  add_joint(character.skeleton, "helper", -1, Affine3d(Eigen::Translation3d(50, 0, 0)), JointKind::helper);
  const TriangleMesh mesh = skeleton_overlay(character.skeleton, character.skeleton.rest, 2.0);
  EXPECT_NO_THROW(check_mesh(mesh));
  EXPECT_FALSE(mesh.triangles.empty());
  const AABBf box = bounding_box(mesh);
  EXPECT_LT(box.max().x(), 1.1f) << "helpers are not drawn";
  EXPECT_GT(box.min().x(), -1.1f);
  for (const Vec3f& n : mesh.normals) EXPECT_NEAR(n.norm(), 1, 1e-4);
}

}  // namespace
}  // namespace sinew
