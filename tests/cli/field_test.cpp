// sinew bind --method skincells and sinew field, end to end.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sinew/io.h"
#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using test::run_sinew;

// One small character, bound once with few steps; all tests of the file use it.
class Field : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    const auto made = run_sinew({"make-character", path("hero.glb"), "--vertices", "2000", "--garment", "bare"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const auto bound =
        run_sinew({"bind", path("hero.glb"), "-o", path("bound.glb"), "--method", "skincells", "--fit-steps", "60",
                   "--steps", "10", "--random-poses", "16", "--field", path("hero.skincells"), "--embed-field"});
    ASSERT_EQ(bound.exit_code, 0) << bound.err;
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  static std::string path(const std::string& name) { return (*folder_ / name).string(); }

  static inline test::TemporaryFolder* folder_ = nullptr;
};

TEST_F(Field, IsSmallAndGivesAnotherLevelOfDetailItsWeights) {
  const Character bound = load_character(path("bound.glb"));
  EXPECT_LT(std::filesystem::file_size(path("hero.skincells")), 300u * bound.skeleton.names.size());
  ASSERT_EQ(run_sinew({"make-character", path("fine.glb"), "--vertices", "8000", "--garment", "bare"}).exit_code, 0);
  const auto applied =
      run_sinew({"field", path("hero.skincells"), path("fine.glb"), "-o", path("fine_bound.glb"), "--json"});
  ASSERT_EQ(applied.exit_code, 0) << applied.err;
  const Character fine = load_character(path("fine_bound.glb"));
  EXPECT_EQ(nlohmann::json::parse(applied.out)["vertices"], fine.mesh.vertex_count());
  EXPECT_NO_THROW(check_skin_weights(fine.weights, fine.mesh.vertex_count(), fine.skeleton.joint_count()));
}

TEST_F(Field, InsideAGlbServesACloudAndBringsTheSkeleton) {
  Character cloud = load_character(path("hero.glb"));
  cloud.mesh.triangles.clear();
  cloud.mesh.normals.clear();
  cloud.parts.clear();
  cloud.weights = {};
  cloud.skeleton = {};
  cloud.motions.clear();
  cloud.source.reset();
  save_character(cloud, path("cloud.ply"));
  const auto applied = run_sinew({"field", path("bound.glb"), path("cloud.ply"), "-o", path("cloud_bound.ply")});
  ASSERT_EQ(applied.exit_code, 0) << applied.err;
  const Character back = load_character(path("cloud_bound.ply"));
  EXPECT_EQ(back.mesh.vertex_count(), cloud.mesh.vertex_count());
  EXPECT_TRUE(back.has_skin());
}

// Gaussian splats on the skin of a character, as training programs write them.
std::string splats_on(const Character& character) {
  std::vector<std::string> names = {"x",       "y",       "z",       "f_dc_0", "f_dc_1", "f_dc_2", "opacity",
                                    "scale_0", "scale_1", "scale_2", "rot_0",  "rot_1",  "rot_2",  "rot_3"};
  std::string text =
      "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(character.mesh.vertex_count()) + "\n";
  for (const std::string& name : names) text += "property float " + name + "\n";
  text += "end_header\n";
  for (const Vec3f& p : character.mesh.positions) {
    const float values[] = {p.x(), p.y(), p.z(), 0.5f, 0.1f, -0.2f, 3.0f, -5.0f, -5.0f, -6.0f, 1.0f, 0.0f, 0.0f, 0.0f};
    text.append(reinterpret_cast<const char*>(values), sizeof values);
  }
  return text;
}

TEST_F(Field, GaussianSplatsKeepTheirPropertiesAndMoveLikeTheMesh) {
  const Character hero = load_character(path("hero.glb"));
  test::write_file(path("splats.ply"), splats_on(hero));
  const auto applied = run_sinew({"field", path("hero.skincells"), path("splats.ply"), "--skeleton", path("hero.glb"),
                                  "-o", path("splats_bound.ply")});
  ASSERT_EQ(applied.exit_code, 0) << applied.err;
  const std::string written = test::read_file(path("splats_bound.ply"));
  const std::string header = written.substr(0, written.find("end_header"));
  for (const char* name : {"f_dc_0", "opacity", "scale_2", "rot_3"}) {
    EXPECT_NE(header.find(std::string("property float ") + name), std::string::npos) << name;
  }
  // The same points, the same field: the same weights as the mesh that the field was made for.
  const Character splats = load_character(path("splats_bound.ply")), bound = load_character(path("bound.glb"));
  ASSERT_EQ(splats.mesh.vertex_count(), bound.mesh.vertex_count());
  for (std::size_t v = 0; v < bound.mesh.vertex_count(); ++v) {
    for (int joint = 0; joint < bound.skeleton.joint_count(); ++joint) {
      const int same = find_joint(splats.skeleton, bound.skeleton.names[joint]);
      ASSERT_NEAR(splats.weights.weight_of(v, same), bound.weights.weight_of(v, joint), 1e-4) << v;
    }
  }
}

TEST_F(Field, SplatsAndCloudsAreOptimisedWithoutAMesh) {
  const Character hero = load_character(path("hero.glb"));
  test::write_file(path("own_splats.ply"), splats_on(hero));
  const auto bound = run_sinew({"bind", path("own_splats.ply"), "--skeleton", path("hero.glb"), "-o",
                                path("own_splats_bound.ply"), "--method", "skincells", "--fit-steps", "60", "--steps",
                                "10", "--random-poses", "16", "--field", path("splats.skincells")});
  ASSERT_EQ(bound.exit_code, 0) << bound.err;
  const Character splats = load_character(path("own_splats_bound.ply"));
  EXPECT_NO_THROW(check_skin_weights(splats.weights, splats.mesh.vertex_count(), splats.skeleton.joint_count()));
  // The field of the splats serves the mesh in turn, and agrees with the mesh's own about who drives what.
  const auto applied = run_sinew({"field", path("splats.skincells"), path("hero.glb"), "-o", path("by_splats.glb")});
  ASSERT_EQ(applied.exit_code, 0) << applied.err;
  const Character by_splats = load_character(path("by_splats.glb")), by_mesh = load_character(path("bound.glb"));
  std::size_t same = 0;
  for (std::size_t v = 0; v < by_mesh.mesh.vertex_count(); ++v) {
    const auto slot = [v](const Character& c) { return v * static_cast<std::size_t>(c.weights.influences); };
    same += by_splats.weights.joints[slot(by_splats)] == by_mesh.weights.joints[slot(by_mesh)];
  }
  EXPECT_GT(static_cast<double>(same), 0.8 * static_cast<double>(by_mesh.mesh.vertex_count()));
}

TEST_F(Field, ServesASimilarGarment) {
  ASSERT_EQ(run_sinew({"make-character", path("dressed.glb"), "--vertices", "3000", "--garment", "sport"}).exit_code,
            0);
  const auto applied = run_sinew({"field", path("hero.skincells"), path("dressed.glb"), "--skeleton", path("hero.glb"),
                                  "-o", path("dressed_bound.glb")});
  ASSERT_EQ(applied.exit_code, 0) << applied.err;
  EXPECT_EQ(applied.err.find("guesses"), std::string::npos) << applied.err;
  // Clothes follow the body under them: nearly always the joint that drives the true weights.
  const auto compared = run_sinew({"evaluate", path("dressed_bound.glb"), path("dressed.glb"), "--json",
                                   "--random-poses", "8", "--poses-per-motion", "4", "--intersection-poses", "0"});
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_LT(nlohmann::json::parse(compared.out)["deformation"]["limits"]["ade"].get<double>(), 0.01);
}

TEST_F(Field, PaintedWeightsAndGivenPosesAreHeard) {
  const Character hero = load_character(path("hero.glb"));
  std::size_t top = 0;
  for (std::size_t v = 0; v < hero.mesh.vertex_count(); ++v) {
    if (hero.mesh.positions[v].y() > hero.mesh.positions[top].y()) top = v;
  }
  test::write_file(path("pins.json"),
                   "{\"pins\": [{\"vertex\": " + std::to_string(top) + ", \"weights\": {\"Hips\": 1}}]}");
  const std::vector<std::string> command = {"bind",      path("hero.glb"), "-o",     path("painted.glb"), "--method",
                                            "skincells", "--fit-steps",    "60",     "--steps",           "10",
                                            "--poses",   path("hero.glb"), "--pins", path("pins.json")};
  const auto painted = run_sinew(command);
  ASSERT_EQ(painted.exit_code, 0) << painted.err;
  const int hips = find_joint(hero.skeleton, "Hips");
  EXPECT_LT(load_character(path("bound.glb")).weights.weight_of(top, hips), 0.2f);
  EXPECT_GT(load_character(path("painted.glb")).weights.weight_of(top, hips), 0.5f);

  test::write_file(path("bad_pins.json"), "{\"pins\": [{\"vertex\": 1, \"weights\": {\"NoSuchJoint\": 1}}]}");
  EXPECT_EQ(run_sinew({"bind", path("hero.glb"), "-o", path("x.glb"), "--method", "skincells", "--pins",
                       path("bad_pins.json")})
                .exit_code,
            3);
  EXPECT_EQ(
      run_sinew({"bind", path("hero.glb"), "-o", path("x.glb"), "--method", "skincells", "--poses", path("splats.ply")})
          .exit_code,
      3);
  EXPECT_FALSE(std::filesystem::exists(path("x.glb")));
}

TEST_F(Field, AnInterruptedBindGoesOnFromItsCheckpoint) {
  const auto command = [](const std::string& output) {
    return std::vector<std::string>{
        "bind", path("hero.glb"), "-o",  output,        "--method", "skincells",      "--steps", "60", "--fit-samples",
        "400",  "--samples",      "200", "--fit-steps", "500",      "--random-poses", "16"};
  };
  ASSERT_EQ(run_sinew(command(path("whole.glb"))).exit_code, 0);
  std::vector<std::string> with_checkpoint = command(path("resumed.glb"));
  with_checkpoint.insert(with_checkpoint.end(), {"--checkpoint", path("state")});
  // Stopped as soon as it has saved something; again when it was quicker than we are.
  std::vector<std::string> interrupted = {
      "-c", "state=$1; shift; \"$@\" & while [ ! -e \"$state\" ]; do sleep 0.01; done; kill -INT $!; wait $!", "bash",
      path("state"), SINEW_PROGRAM};
  interrupted.insert(interrupted.end(), with_checkpoint.begin(), with_checkpoint.end());
  int exit_code = 0;
  for (int attempt = 0; attempt < 5 && exit_code == 0; ++attempt) {
    std::filesystem::remove(path("state"));
    exit_code = test::run_program("/bin/bash", interrupted).exit_code;
  }
  EXPECT_EQ(exit_code, 130);
  EXPECT_TRUE(std::filesystem::exists(path("state")));
  EXPECT_FALSE(std::filesystem::exists(path("resumed.glb")));
  const auto resumed = run_sinew(with_checkpoint);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  const Character whole = load_character(path("whole.glb")), again = load_character(path("resumed.glb"));
  EXPECT_EQ(whole.weights.weights, again.weights.weights);
  EXPECT_EQ(whole.weights.joints, again.weights.joints);
}

TEST_F(Field, RefusesWhatItCannotUse) {
  test::write_file(path("broken.skincells"), test::read_file(path("hero.skincells")).substr(0, 100));
  EXPECT_EQ(run_sinew({"field", path("broken.skincells"), path("hero.glb"), "-o", path("x.glb")}).exit_code, 3);
  EXPECT_EQ(run_sinew({"field", path("hero.glb"), path("hero.glb"), "-o", path("x.glb")}).exit_code, 3);
  EXPECT_EQ(run_sinew({"field", path("hero.skincells"), path("hero.glb")}).exit_code, 2);
  EXPECT_EQ(run_sinew({"bind", path("hero.glb"), "-o", path("x.glb"), "--embed-field"}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(path("x.glb")));
}

TEST_F(Field, SkirtAndBodyComeAsFilesOfTheirOwnAndBindTogether) {
  const auto make = [](const std::string& name, const std::string& parts) {
    return run_sinew({"make-character", path(name), "--vertices", "1000", "--garment", "skirt", "--parts", parts})
        .exit_code;
  };
  ASSERT_EQ(make("skirt.glb", "Skirt"), 0);
  ASSERT_EQ(make("body.glb", "-Skirt"), 0);
  EXPECT_EQ(make("none.glb", "Hat"), 2);
  const auto share_of_thighs = [](const std::string& output, const std::vector<std::string>& more) {
    std::vector<std::string> command = {
        "bind",     path("skirt.glb"),     "-o",      path(output), "--method",       "skincells",
        "--joints", "Hips,*UpLeg,*Skirt*", "--steps", "10",         "--random-poses", "8"};
    command.insert(command.end(), more.begin(), more.end());
    const auto bound = run_sinew(command);
    EXPECT_EQ(bound.exit_code, 0) << bound.err;
    const Character skirt = load_character(path(output));
    double sum = 0;
    for (const char* thigh : {"LeftUpLeg", "RightUpLeg"}) {
      const int joint = find_joint(skirt.skeleton, thigh);
      for (std::size_t v = 0; v < skirt.mesh.vertex_count(); ++v) sum += skirt.weights.weight_of(v, joint);
    }
    return sum / static_cast<double>(skirt.mesh.vertex_count());
  };
  // Legs that come through lend the skirt their weights.
  EXPECT_GT(share_of_thighs("with_body.glb", {"--body", path("body.glb")}), share_of_thighs("alone.glb", {}) + 0.05);
  EXPECT_EQ(run_sinew({"bind", path("skirt.glb"), "-o", path("x.glb"), "--method", "skincells", "--body",
                       path("skirt.skincells")})
                .exit_code,
            3);
}

}  // namespace
}  // namespace sinew
