// sinew bind --method skincells and sinew field, end to end.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sinew/asset/file.h"
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

TEST_F(Field, RefusesWhatItCannotUse) {
  test::write_file(path("broken.skincells"), test::read_file(path("hero.skincells")).substr(0, 100));
  EXPECT_EQ(run_sinew({"field", path("broken.skincells"), path("hero.glb"), "-o", path("x.glb")}).exit_code, 3);
  EXPECT_EQ(run_sinew({"field", path("hero.glb"), path("hero.glb"), "-o", path("x.glb")}).exit_code, 3);
  EXPECT_EQ(run_sinew({"field", path("hero.skincells"), path("hero.glb")}).exit_code, 2);
  EXPECT_EQ(run_sinew({"bind", path("hero.glb"), "-o", path("x.glb"), "--embed-field"}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(path("x.glb")));
}

TEST_F(Field, SkirtAndBodyComeAsFilesOfTheirOwnAndBindTogether) {
  ASSERT_EQ(
      run_sinew({"make-character", path("skirt.glb"), "--vertices", "2000", "--garment", "skirt", "--parts", "Skirt"})
          .exit_code,
      0);
  ASSERT_EQ(
      run_sinew({"make-character", path("body.glb"), "--vertices", "2000", "--garment", "skirt", "--parts", "-Skirt"})
          .exit_code,
      0);
  const auto bound =
      run_sinew({"bind", path("skirt.glb"), "-o", path("skirt_bound.glb"), "--method", "skincells", "--fit-steps", "40",
                 "--steps", "10", "--random-poses", "8", "--body", path("body.glb")});
  EXPECT_EQ(bound.exit_code, 0) << bound.err;
  EXPECT_EQ(run_sinew({"make-character", path("none.glb"), "--parts", "Hat"}).exit_code, 2);
}

}  // namespace
}  // namespace sinew
