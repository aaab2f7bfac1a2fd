#include "sinew/weights/bones.h"

#include <gtest/gtest.h>

#include "sinew/io.h"
#include "sinew/weights/bind_input.h"
#include "tests/support/shapes.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

int add(Skeleton& skeleton, const std::string& name, int parent, const Vec3d& place,
        JointKind kind = JointKind::joint) {
  Affine3d rest = Affine3d::Identity();
  rest.translation() = place;
  return add_joint(skeleton, name, parent, rest, kind);
}

std::vector<std::string> chosen_names(const Skeleton& skeleton, const TriangleMesh& mesh) {
  std::vector<std::string> names;
  const BoneChoice choice = choose_bones(skeleton, Surroundings(mesh.positions, mesh.triangles));
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (choice.takes_weight[j]) names.push_back(skeleton.names[j]);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(Bones, EndMarkersTakeNoWeightAndEndTheBone) {
  const TriangleMesh mesh = test::tube(4, 0.3, 20, 12);
  Skeleton skeleton;
  const int hips = add(skeleton, "Hips", -1, {0.5, 0, 0});
  const int head = add(skeleton, "Head", hips, {2, 0, 0});
  add(skeleton, "HeadTop_End", head, {3.5, 0, 0});
  EXPECT_EQ(chosen_names(skeleton, mesh), (Names{"Hips", "Head"}));
  const BoneChoice choice = choose_bones(skeleton, Surroundings(mesh.positions, mesh.triangles));
  ASSERT_EQ(choice.bones.size(), 2u);
  EXPECT_TRUE(choice.bones[1].tail.isApprox(Vec3d(3.5, 0, 0)));
}

TEST(Bones, ALeafWithoutAMarkerIsABoneAlongTheRigsAxis) {
  const TriangleMesh mesh = test::tube(4, 0.3, 20, 12);
  Skeleton skeleton;
  int parent = -1;
  for (int i = 0; i < 4; ++i) parent = add(skeleton, "Bone" + std::to_string(i), parent, {0.5 + 0.6 * i, 0, 0});
  const BoneChoice choice = choose_bones(skeleton, Surroundings(mesh.positions, mesh.triangles));
  ASSERT_EQ(choice.bones.size(), 4u);
  EXPECT_NEAR(choice.bones[3].tail.x(), 2.3 + 0.8 * 1.7, 1e-4);
  EXPECT_NEAR(choice.bones[3].tail.y(), 0, 1e-6);
}

TEST(Bones, EveryChildGetsASegment) {
  const TriangleMesh mesh = test::tube(4, 0.5, 20, 12);
  Skeleton skeleton;
  const int palm = add(skeleton, "Palm", -1, {1, 0, 0});
  for (double y : {-0.3, 0.0, 0.3}) add(skeleton, "Finger" + std::to_string(y), palm, {2, y, 0});
  const BoneChoice choice = choose_bones(skeleton, Surroundings(mesh.positions, mesh.triangles));
  EXPECT_EQ(std::count_if(choice.bones.begin(), choice.bones.end(), [&](const auto& b) { return b.joint == palm; }), 3);
}

TEST(Bones, ControlsRootsAndStrayJointsTakeNoWeight) {
  const TriangleMesh mesh = test::tube(4, 0.3, 20, 12);
  Skeleton skeleton;
  const int armature = add(skeleton, "Armature", -1, {0, 0, 0}, JointKind::helper);
  const int root = add(skeleton, "root", armature, {1, -2, 0});
  const int hips = add(skeleton, "hips", root, {1, 0, 0});
  const int leg = add(skeleton, "leg", hips, {2, 0, 0});
  add(skeleton, "leg_end", leg, {3.8, 0, 0}, JointKind::end);
  add(skeleton, "kneeIK", root, {2, 0, 0});
  add(skeleton, "PoleTarget", root, {2, 3, 0});
  add(skeleton, "stray", hips, {2, 3, 0});
  const int twin = add(skeleton, "twin", leg, {2, 0, 0});
  add(skeleton, "foot", twin, {3, 0, 0});
  EXPECT_EQ(chosen_names(skeleton, mesh), (Names{"hips", "twin", "foot"}));  // leg has no length: its twin starts there
}

// Whatever animators pull takes no weight, wherever it lies.
TEST(Bones, ControlsOfManyRigsTakeNoWeight) {
  const TriangleMesh mesh = test::tube(4, 0.5, 20, 12);
  for (const char* name : {"FootCtrl", "FootCtrl.L", "foot_ctrl_R", "HeelRoll", "HeelRoll.L", "FootRoll.R", "IK",
                           "IK_Hand.L", "hand_ik.R", "LegIK", "kneeIK.l", "PoleTarget", "PoleTarget.L", "elbow_pole.R",
                           "KneeTarget.L", "MCH-thigh.L", "control-toe-roll.l", "CTRL_Root"}) {
    Skeleton skeleton;
    const int hips = add(skeleton, "Hips", -1, {0.5, 0, 0});
    const int spine = add(skeleton, "Spine", hips, {1.5, 0, 0});
    add(skeleton, "Head", spine, {2.5, 0, 0});
    add(skeleton, name, hips, {1.2, 0.1, 0.1});
    EXPECT_EQ(chosen_names(skeleton, mesh), (Names{"Hips", "Spine", "Head"})) << name;
  }
}

// A motion capture's own root and what hangs beside the body would stay behind when the body walks away.
TEST(Bones, ExtraRootsOfAClipTakeNoWeight) {
  const TriangleMesh mesh = test::tube(4, 0.5, 20, 12);
  Skeleton skeleton;
  const int root = add(skeleton, "Root", -1, {0.3, 0.1, 0});
  const int hips = add(skeleton, "Hips", root, {0.5, 0, 0});
  const int spine = add(skeleton, "Spine", hips, {1.5, 0, 0});
  add(skeleton, "Head", spine, {2.5, 0, 0});
  const int marker = add(skeleton, "Marker01", -1, {1.2, 0.2, 0});
  add(skeleton, "Marker02", marker, {1.6, 0.2, 0});
  EXPECT_EQ(chosen_names(skeleton, mesh), (Names{"Hips", "Spine", "Head"}));
}

TEST(Bones, AControlThatDrivesARealJointTakesWeight) {
  // Quaternius animals skin the foot to its IK target, which carries the toes.
  const TriangleMesh mesh = test::tube(4, 0.3, 20, 12);
  Skeleton skeleton;
  add(skeleton, "leg", -1, {0.5, 0, 0});
  const int foot = add(skeleton, "IKBackLeg.L", -1, {2, 0, 0});
  add(skeleton, "toes", foot, {3, 0, 0});
  EXPECT_EQ(chosen_names(skeleton, mesh), (Names{"leg", "IKBackLeg.L", "toes"}));
}

TEST(Bones, FingertipsByNumberTakeNoWeight) {
  const TriangleMesh mesh = test::tube(4, 0.3, 20, 12);
  Skeleton skeleton;
  int parent = add(skeleton, "mixamorig:LeftHand", -1, {0.3, 0, 0});
  for (int i = 1; i <= 4; ++i) {
    parent = add(skeleton, "mixamorig:LeftHandIndex" + std::to_string(i), parent, {0.3 + 0.8 * i, 0, 0});
  }
  EXPECT_EQ(chosen_names(skeleton, mesh).back(), "mixamorig:LeftHandIndex3");
}

TEST(Bones, ATwistJointStopsAtTheNextJointOfTheLimb) {
  const TriangleMesh mesh = test::tube(6, 0.3, 20, 12);
  Skeleton skeleton;
  const int upper = add(skeleton, "upper", -1, {0.5, 0, 0});
  const int twist = add(skeleton, "roll", upper, {1.5, 0, 0});
  const int lower = add(skeleton, "lower", upper, {3, 0, 0});
  add(skeleton, "hand", lower, {4.5, 0, 0});
  const BoneChoice choice = choose_bones(skeleton, Surroundings(mesh.positions, mesh.triangles));
  for (const Bone& bone : choice.bones) {
    if (bone.joint == twist) {
      EXPECT_NEAR(bone.tail.x(), 3.0, 1e-6);
    }
  }
}

TEST(Bones, AgreeWithArtistsOnRealCharacters) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  // file → joints that the artist uses and we do not, and the other way round; see docs/benchmarks.md.
  struct Case {
    const char* file;
    int missed, extra;
  };
  for (const Case& expected : {Case{"CesiumMan.glb", 0, 0}, Case{"Fox.glb", 0, 0}, Case{"aframe_hand_right.glb", 0, 0},
                               Case{"pm_003_Hexabear.glb", 0, 0}, Case{"quaternius_Wolf.glb", 0, 0},
                               Case{"mannequiny.glb", 2, 0}, Case{"raylib_robot.glb", 0, 4}}) {
    const Character character = load_character(test::data_folder() / "characters" / expected.file);
    Warnings warnings;
    BindOptions options;
    const BindInput ours = make_bind_input(character, options, warnings);
    options.joints = "weighted";
    const BindInput artist = make_bind_input(character, options, warnings);
    int missed = 0, extra = 0;
    for (int j = 0; j < ours.joint_count(); ++j) {
      missed += artist.takes_weight[j] && !ours.takes_weight[j];
      extra += !artist.takes_weight[j] && ours.takes_weight[j];
    }
    EXPECT_LE(missed, expected.missed) << expected.file;
    EXPECT_LE(extra, expected.extra) << expected.file;
  }
}

TEST(Surroundings, ASoupOfHalfTheTrianglesEnclosesWhatTheWholeMeshDoes) {
  const TriangleMesh whole = test::tube(4, 0.3, 41, 16);
  Random random(3);
  std::vector<Vec3f> positions;
  std::vector<Triangle> triangles;
  for (const Triangle& t : whole.triangles) {
    if (random.uniform() < 0.5) continue;
    const auto first = static_cast<std::uint32_t>(positions.size());
    for (const std::uint32_t v : t) {
      const Vec3d shake(random.normal(), random.normal(), random.normal());
      positions.push_back(whole.positions[v] + 0.003f * shake.cast<float>());
    }
    triangles.push_back({first, first + 1, first + 2});
  }
  const Surroundings closed(whole.positions, whole.triangles), soup(positions, triangles);
  int inside = 0;
  for (int i = 0; i < 200; ++i) {
    const Vec3d place(random.uniform(-0.5, 4.5), random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6));
    if (closed.distance(place) < 0.1) continue;  // near the wall a half-open surface is undecided
    EXPECT_EQ(soup.encloses(place), closed.encloses(place)) << place.transpose();
    inside += closed.encloses(place);
  }
  EXPECT_GT(inside, 5);
}

}  // namespace
}  // namespace sinew
