#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/io.h"
#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew::test {
namespace {

const char* const bvh =
    "HIERARCHY\nROOT Hips\n{\nOFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "JOINT Head\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 0.2 0\n}\n}\n}\n"
    "MOTION\nFrames: 2\nFrame Time: 0.04\n0 1 0 0 0 0 10 0 0\n0 1 0.5 90 0 0 0 20 0\n";

TEST(ConvertCommand, AMeshThroughEveryFormat) {
  const TemporaryFolder folder;
  write_file(folder / "0.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const std::vector<std::string> chain{"0.obj", "1.ply", "2.off", "3.glb", "4.gltf", "5.stl", "6.obj"};
  for (std::size_t i = 1; i < chain.size(); ++i) {
    const ProgramResult result = run_sinew({"convert", folder / chain[i - 1], folder / chain[i]});
    ASSERT_EQ(result.exit_code, 0) << chain[i] << ": " << result.err;
    EXPECT_NE(result.out.find(chain[i]), std::string::npos);
  }
  const Character first = load_character(folder / "0.obj"), last = load_character(folder / "6.obj");
  ASSERT_EQ(last.mesh.triangles.size(), first.mesh.triangles.size());
  for (std::size_t t = 0; t < first.mesh.triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(last.mesh.positions[last.mesh.triangles[t][k]], first.mesh.positions[first.mesh.triangles[t][k]]);
    }
  }
}

TEST(ConvertCommand, NamesOfOtherPrograms) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_sinew({"make-character", folder / "hero.glb", "--vertices", "1500", "-q"}).exit_code, 0);
  for (const char* output : {"hero_unreal.glb", "hero_unreal.fbx"}) {
    const ProgramResult run = run_sinew({"convert", folder / "hero.glb", folder / output, "--names", "unreal"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const Character named = load_character(folder / output);
    for (const char* joint : {"pelvis", "upperarm_l", "calf_r", "head"}) {
      EXPECT_GE(find_joint(named.skeleton, joint), 0) << output << joint;
    }
  }
  const ProgramResult wrong = run_sinew({"convert", folder / "hero.glb", folder / "x.glb", "--names", "maya"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("mixamo"), std::string::npos) << wrong.err;

  const ProgramResult vrm =
      run_sinew({"convert", folder / "hero.glb", folder / "hero.vrm", "--vrm-author", "Ada", "--vrm-name", "Hero"});
  ASSERT_EQ(vrm.exit_code, 0) << vrm.err;
  EXPECT_EQ(vrm.err.find("author"), std::string::npos) << vrm.err;
  EXPECT_NE(read_file(folder / "hero.vrm").find("\"authors\":[\"Ada\"]"), std::string::npos);
  EXPECT_EQ(run_sinew({"convert", folder / "hero.glb", "-", "--to", "vrm"}).exit_code, 0);
}

TEST(ConvertCommand, AMotionThroughGlbAndBack) {
  const TemporaryFolder folder;
  write_file(folder / "walk.bvh", bvh);
  ASSERT_EQ(run_sinew({"convert", folder / "walk.bvh", folder / "walk.glb"}).exit_code, 0);
  ASSERT_EQ(run_sinew({"convert", folder / "walk.glb", folder / "back.bvh"}).exit_code, 0);
  const Character before = load_character(folder / "walk.bvh"), after = load_character(folder / "back.bvh");
  ASSERT_EQ(after.motions.size(), 1u);
  ASSERT_EQ(after.motions[0].frame_count(), 2);
  for (int frame = 0; frame < 2; ++frame) {
    const auto a = global_transforms(before.skeleton, frame_pose(before.motions[0], frame));
    const auto b = global_transforms(after.skeleton, frame_pose(after.motions[0], frame));
    for (const char* name : {"Hips", "Head"}) {
      EXPECT_TRUE(a[find_joint(before.skeleton, name)].isApprox(b[find_joint(after.skeleton, name)], 1e-5)) << name;
    }
  }
}

TEST(ConvertCommand, SaysWhatTheFormatCannotHold) {
  const TemporaryFolder folder;
  write_file(folder / "walk.bvh", bvh);
  ASSERT_EQ(run_sinew({"convert", folder / "walk.bvh", folder / "walk.glb"}).exit_code, 0);
  const ProgramResult none = run_sinew({"convert", folder / "walk.glb", folder / "walk.obj"});
  EXPECT_EQ(none.exit_code, 2);  // there is no mesh at all
  EXPECT_NE(none.err.find("no mesh"), std::string::npos) << none.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "walk.obj"));
}

TEST(ConvertCommand, DoesNotOverwriteItsInputUnlessTold) {
  const TemporaryFolder folder;
  write_file(folder / "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::string file = folder / "a.obj";
  const ProgramResult refused = run_sinew({"convert", file, file});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("--overwrite"), std::string::npos);
  EXPECT_EQ(run_sinew({"convert", file, file, "--overwrite"}).exit_code, 0);
}

TEST(ConvertCommand, WrongExtensionsAndFolders) {
  const TemporaryFolder folder;
  write_file(folder / "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const ProgramResult unknown = run_sinew({"convert", folder / "a.obj", folder / "a.doc"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find(".glb"), std::string::npos);
  EXPECT_EQ(run_sinew({"convert", folder / "a.obj", folder / "a.dae"}).exit_code, 2);
  EXPECT_EQ(run_sinew({"convert", folder / "a.obj", folder / "nowhere/a.ply"}).exit_code, 1);
  EXPECT_EQ(run_sinew({"convert", folder / "missing.obj", folder / "a.ply"}).exit_code, 3);
}

// An FBX character as GLB poses the same: joints, weights and rest survive.
TEST(ConvertCommand, FbxCharacterToGlb) {
  const auto files = data_files("characters", {".fbx"});
  if (files.empty()) GTEST_SKIP() << "no data folder beside the project";
  const TemporaryFolder folder;
  for (const auto& file : files) {
    const std::string output = folder / (file.stem().string() + ".glb");
    const ProgramResult result = run_sinew({"convert", file, output});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const Character before = load_character(file), after = load_character(output);
    ASSERT_EQ(after.mesh.vertex_count(), before.mesh.vertex_count());
    EXPECT_EQ(after.mesh.triangles.size(), before.mesh.triangles.size());
    EXPECT_EQ(after.motions.size(), before.motions.size());
    for (std::size_t vertex = 0; vertex < before.mesh.vertex_count(); vertex += 7) {
      EXPECT_LT((after.mesh.positions[vertex] - before.mesh.positions[vertex]).norm(), 1e-6f);
      for (int slot = 0; slot < before.weights.influences; ++slot) {
        const std::size_t at = vertex * before.weights.influences + slot;
        if (before.weights.weights[at] < 0.01f) continue;
        const int joint = find_joint(after.skeleton, before.skeleton.names[before.weights.joints[at]]);
        ASSERT_GE(joint, 0);
        EXPECT_NEAR(after.weights.weight_of(vertex, joint), before.weights.weights[at], 1e-5);
      }
    }
    for (int joint = 0; joint < before.skeleton.joint_count(); ++joint) {
      const int other = find_joint(after.skeleton, before.skeleton.names[joint]);
      if (before.skeleton.kinds[joint] != JointKind::joint) continue;
      ASSERT_GE(other, 0) << before.skeleton.names[joint];
      EXPECT_LT((after.skeleton.position(other) - before.skeleton.position(joint)).norm(), 1e-5);
    }
  }
}

// A rigged character as FBX, to a file and to standard output, and back.
TEST(ConvertCommand, WritesFbx) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_sinew({"make-character", folder / "hero.glb", "--vertices", "1500"}).exit_code, 0);
  const ProgramResult result = run_sinew({"convert", folder / "hero.glb", folder / "hero.fbx"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Character before = load_character(folder / "hero.glb"), after = load_character(folder / "hero.fbx");
  EXPECT_EQ(after.format, FileFormat::fbx);
  EXPECT_EQ(after.mesh.triangles.size(), before.mesh.triangles.size());
  EXPECT_EQ(after.skeleton.names, before.skeleton.names);
  EXPECT_EQ(after.motions.size(), before.motions.size());
  EXPECT_TRUE(after.has_skin());
  const ProgramResult piped = run_sinew({"convert", folder / "hero.glb", "-", "--to", "fbx"});
  EXPECT_EQ(piped.exit_code, 0);
  EXPECT_EQ(piped.out, read_file(folder / "hero.fbx"));
  const ProgramResult bound =
      run_sinew({"bind", folder / "hero.fbx", "-o", folder / "bound.fbx", "--method", "proximity"});
  EXPECT_EQ(bound.exit_code, 0) << bound.err;
  EXPECT_EQ(load_character(folder / "bound.fbx").skeleton.names, before.skeleton.names);
}

}  // namespace
}  // namespace sinew::test
