// Fitting with the help of a person: markers, and parts that are ignored.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/error.h"
#include "sinew/fit.h"
#include "sinew/fit/fit_mesh.h"
#include "tests/fit/flesh.h"
#include "tests/support/figure.h"

namespace sinew {
namespace {

Vec3d joint_place(const Skeleton& skeleton, const std::string& name) {
  return skeleton.position(find_joint(skeleton, name));
}

FitOptions any_fit() {
  FitOptions options;
  options.least_confidence = 0;
  return options;
}

bool warns_of(const FitResult& fit, const std::string& code) {
  return std::any_of(fit.warnings.begin(), fit.warnings.end(), [&](const Warning& w) { return w.code == code; });
}

template <typename Work>
std::string refusal_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
    return error.what();
  }
  return "";
}

TEST(Markers, JointsStandExactlyOnThemAndOnTheirMirrorImages) {
  const Skeleton truth = test::standing_figure();
  const TriangleMesh mesh = test::person();
  FitOptions options = any_fit();
  const Vec3d wrist(0.68, 1.46, 0.01), knee(-0.11, 0.53, 0.02);
  options.markers = {{"wrist.L", wrist}, {"Right Knee", knee}};
  const FitResult fit = fit_skeleton(mesh, truth, options);
  EXPECT_EQ(joint_place(fit.skeleton, "LeftHand"), wrist);
  EXPECT_EQ(joint_place(fit.skeleton, "RightLeg"), knee);
  EXPECT_LT((joint_place(fit.skeleton, "RightHand") - Vec3d(-wrist.x(), wrist.y(), wrist.z())).norm(), 0.01);
  EXPECT_LT((joint_place(fit.skeleton, "LeftLeg") - Vec3d(-knee.x(), knee.y(), knee.z())).norm(), 0.01);
  EXPECT_EQ(fit.confidence[find_joint(truth, "LeftHand")], 1.0);
  options.symmetric = false;
  const FitResult one_side = fit_skeleton(mesh, truth, options);
  EXPECT_EQ(joint_place(one_side.skeleton, "LeftHand"), wrist);
  EXPECT_GT((joint_place(one_side.skeleton, "RightHand") - Vec3d(-wrist.x(), wrist.y(), wrist.z())).norm(), 0.001);
}

TEST(Markers, AnyJointCanBeMarkedByItsName) {
  const Skeleton truth = test::standing_figure();
  FitOptions options = any_fit();
  const Vec3d toe(0.1, 0.03, 0.1), chest(0, 1.31, 0.01);
  options.markers = {{"LeftToeBase", toe}, {"Chest", chest}};
  const FitResult fit = fit_skeleton(test::person(), truth, options);
  EXPECT_EQ(joint_place(fit.skeleton, "LeftToeBase"), toe);
  EXPECT_EQ(joint_place(fit.skeleton, "Chest"), chest);
}

// A marker in the file's coordinates hits the same place of the mesh however it stands.
TEST(Markers, TheBodyMayStandAnyWay) {
  const Skeleton truth = test::standing_figure();
  for (const double quarter : {0.0, 0.5, 1.0}) {
    Affine3d turn = Affine3d::Identity();
    turn.linear() = (Eigen::AngleAxisd(quarter * std::numbers::pi, Vec3d::UnitY()) *
                     Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3d::UnitX()))
                        .toRotationMatrix();
    TriangleMesh mesh = test::person();
    for (Vec3f& p : mesh.positions) p = (turn * p.cast<double>()).cast<float>();
    FitOptions options = any_fit();
    options.markers = {{"elbow.L", turn * Vec3d(0.44, 1.45, 0)},
                       {"chin", turn * Vec3d(0, 1.57, 0.05)},
                       {"groin", turn * Vec3d(0, 0.85, 0)}};
    const FitResult fit = fit_skeleton(mesh, truth, options);
    EXPECT_EQ(joint_place(fit.skeleton, "LeftForeArm"), options.markers[0].position);
    EXPECT_LT((joint_place(fit.skeleton, "RightHand") - turn * joint_place(truth, "RightHand")).norm(), 0.09);
    EXPECT_GT(fit.frame.up.dot(turn * Vec3d::UnitY()), 0.98);
    EXPECT_GT(fit.frame.forward.dot(turn * Vec3d::UnitZ()), 0.98);
  }
}

// A body whose arms and legs do not show: only markers say where they are.
TEST(Markers, ABodyThatShowsNoLimbsIsFitted) {
  const Skeleton truth = test::standing_figure();
  Skeleton robe;
  const int middle = add_joint(robe, "a", -1, test::place(0, 0.25, 0));
  add_joint(robe, "b", middle, test::place(0, 1.35, 0));
  add_joint(robe, "head", 1, test::place(0, 1.75, 0));
  const TriangleMesh mesh = test::flesh(robe, {{"b", 0.25}}, 0.12);
  EXPECT_THROW(fit_skeleton(mesh, truth, any_fit()), Error);
  FitOptions options = any_fit();
  options.markers = {
      {"wrist.L", {0.2, 0.9, 0.05}}, {"groin", {0, 0.85, 0}}, {"knee.L", {0.1, 0.5, 0.02}}, {"chin", {0, 1.5, 0.05}}};
  const FitResult fit = fit_skeleton(mesh, truth, options);
  EXPECT_TRUE(warns_of(fit, "placed-by-markers"));
  EXPECT_EQ(joint_place(fit.skeleton, "LeftHand"), options.markers[0].position);
  EXPECT_EQ(joint_place(fit.skeleton, "LeftLeg"), options.markers[2].position);
  EXPECT_LT((joint_place(fit.skeleton, "RightLeg") - Vec3d(-0.1, 0.5, 0.02)).norm(), 0.02);
  EXPECT_GT(fit.frame.forward.z(), 0.98);
  // A skeleton in order from the ground to the crown.
  const auto height = [&](const char* name) { return joint_place(fit.skeleton, name).y(); };
  EXPECT_LT(height("LeftFoot"), 0.3);
  EXPECT_GT(height("LeftUpLeg"), 0.8);
  EXPECT_GT(height("LeftArm"), height("LeftForeArm"));
  EXPECT_GT(height("Head"), height("LeftArm"));
  // Without anything that tells where the arms are it is refused.
  options.markers = {{"groin", {0, 0.85, 0}}};
  try {
    fit_skeleton(mesh, truth, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::body_not_recognised);
    EXPECT_NE(std::string(error.what()).find("wrist.L"), std::string::npos) << error.what();
  }
}

TEST(Markers, LeftAndRightTellWhereItFaces) {
  const Skeleton truth = test::standing_figure();
  FitOptions options = any_fit();
  // The mesh's feet point along z; whoever calls its other wrist the left one is obeyed, and warned.
  options.markers = {{"wrist.L", {-0.7, 1.45, 0}}};
  const FitResult fit = fit_skeleton(test::person(), truth, options);
  EXPECT_EQ(joint_place(fit.skeleton, "LeftHand"), options.markers[0].position);
  EXPECT_LT(fit.frame.forward.z(), -0.98);
  EXPECT_TRUE(warns_of(fit, "markers-contradict-feet"));
}

TEST(Markers, ContradictionsNameTheMarkers) {
  const Skeleton truth = test::standing_figure();
  const TriangleMesh mesh = test::person();
  const auto refusal = [&](std::vector<FitMarker> markers, const Vec3d& forward = Vec3d::Zero()) {
    FitOptions options = any_fit();
    options.markers = std::move(markers);
    options.forward = forward;
    return refusal_of([&] { fit_skeleton(mesh, truth, options); });
  };
  EXPECT_NE(refusal({{"wrist.L", {5, 1, 0}}}).find("'wrist.L' at (5, 1, 0) lies outside the mesh"), std::string::npos);
  EXPECT_NE(refusal({{"wrist", {0.7, 1.45, 0}}}).find("which side"), std::string::npos);
  EXPECT_NE(refusal({{"chin.L", {0, 1.5, 0}}}).find("no sides"), std::string::npos);
  EXPECT_NE(refusal({{"wirst.L", {0.7, 1.45, 0}}}).find("neither a marker nor a joint"), std::string::npos);
  EXPECT_NE(refusal({{"knee.L", {0.1, 0.5, 0}}, {"left knee", {0.1, 0.6, 0}}}).find("two places"), std::string::npos);
  EXPECT_NE(refusal({{"knee.L", {0.1, 0.5, 0}}, {"ankle.L", {0.1, 0.5, 0}}}).find("same place"), std::string::npos);
  EXPECT_NE(refusal({{"knee.L", {0.1, 0.5, 0}},
                     {"knee.R", {-0.1, 0.5, 0}},
                     {"elbow.L", {-0.45, 1.45, 0}},
                     {"elbow.R", {0.45, 1.45, 0}}})
                .find("swapped"),
            std::string::npos);
  EXPECT_NE(refusal({{"wrist.L", {-0.7, 1.45, 0}}}, Vec3d::UnitZ()).find("'wrist.L' lies on the body's right"),
            std::string::npos);
  EXPECT_NE(refusal({{"wrist.L", {std::nan(""), 0, 0}}}).find("not finite"), std::string::npos);
}

TEST(Markers, ReadFromJson) {
  const std::vector<FitMarker> markers = read_markers(R"({"chin": [0, 1.5, 0.1], "wrist.L": [1, 2, 3]})");
  ASSERT_EQ(markers.size(), 2u);
  EXPECT_EQ(markers[1].name, "wrist.L");
  EXPECT_EQ(markers[1].position, Vec3d(1, 2, 3));
  for (const char* wrong :
       {"", "[]", "{\"chin\": 1}", "{\"chin\": [1, 2]}", "{\"chin\": [1, 2, \"3\"]}", "{\"chin\":"}) {
    EXPECT_THROW(read_markers(wrong), Error) << wrong;
  }
  EXPECT_TRUE(marker_has_sides("wrist"));
  EXPECT_FALSE(marker_has_sides("chin"));
  EXPECT_EQ(marker_names().size(), 14u);
}

TEST(Markers, APlaceOnTheSkinMeansTheMiddleOfTheLimb) {
  const TriangleMesh mesh = test::person();
  // Forearms are round, 0.045 thick, around y = 1.45 and z = 0.
  for (const Vec3d& click : {Vec3d(0.58, 1.495, 0), Vec3d(0.58, 1.45, 0.045), Vec3d(0.58, 1.418, -0.032)}) {
    const Vec3d middle = middle_of_limb(mesh, click);
    EXPECT_LT((middle - Vec3d(0.58, 1.45, 0)).norm(), 0.012) << click.transpose() << " → " << middle.transpose();
  }
  EXPECT_THROW(middle_of_limb(mesh, Vec3d(0.6, 0.5, 0.5)), Error);
  FitOptions options = any_fit();
  options.markers = {{"elbow.L", {0.45, 1.495, 0}, true}};
  const FitResult fit = fit_skeleton(mesh, test::standing_figure(), options);
  EXPECT_LT((joint_place(fit.skeleton, "LeftForeArm") - Vec3d(0.45, 1.45, 0)).norm(), 0.015);
}

TEST(Markers, IgnoredPiecesSayNothingAboutTheBody) {
  Character character;
  character.mesh = test::person();
  const std::size_t body = character.mesh.positions.size();
  // A sword: a piece of its own, far out.
  const auto first = static_cast<std::uint32_t>(body);
  for (const Vec3f& p : {Vec3f(0.8f, 1.4f, 0), Vec3f(0.8f, 1.4f, 2), Vec3f(0.85f, 1.45f, 1), Vec3f(0.8f, 1.5f, 1)}) {
    character.mesh.positions.push_back(p);
  }
  character.mesh.triangles.push_back({first, first + 1, first + 2});
  character.mesh.triangles.push_back({first, first + 2, first + 3});
  EXPECT_EQ(mesh_to_fit(character).positions.size(), body + 4);
  const TriangleMesh left = mesh_to_fit(character, {"#2"});
  EXPECT_EQ(left.positions.size(), body);
  EXPECT_EQ(left.triangles.size(), character.mesh.triangles.size() - 2);
  EXPECT_THROW(mesh_to_fit(character, {"#3"}), Error);
  EXPECT_THROW(mesh_to_fit(character, {"Sword"}), Error);
  EXPECT_THROW(mesh_to_fit(character, {"#1", "#2"}), Error);
  character.parts = {{"Body", "skin", 0, body, 0, character.mesh.triangles.size() - 2},
                     {"Sword", "steel", body, 4, character.mesh.triangles.size() - 2, 2}};
  for (const char* name : {"Sword", "steel", "Sw*", "#2"}) {
    EXPECT_EQ(mesh_to_fit(character, {name}).positions.size(), body) << name;
  }
}

}  // namespace
}  // namespace sinew
