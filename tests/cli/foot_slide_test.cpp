// Feet after `sinew rig` and `sinew retarget` stand where the source's feet stand, measured from the written file
// alone: the places of foot and toe joints, and of the skin of the sole, over frames in which the source's own foot
// rests. Neither the contacts nor the slide that the retargeter itself reports are used here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/io.h"
#include "sinew/pose_mesh.h"
#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

constexpr double limit = 0.01;  // of the height, per contact

// A point that touches the ground, by the joints' names in the source and in the result.
struct GroundPoint {
  std::string source, result;
  int foot;  // points of the same foot share a number
};
using GroundPoints = std::vector<GroundPoint>;

GroundPoints same_names(const std::vector<std::vector<std::string>>& feet) {
  GroundPoints points;
  for (std::size_t foot = 0; foot < feet.size(); ++foot) {
    for (const std::string& name : feet[foot]) points.push_back({name, name, static_cast<int>(foot)});
  }
  return points;
}

const GroundPoints human_feet = same_names({{"LeftFoot", "LeftToeBase"}, {"RightFoot", "RightToeBase"}});
const GroundPoints quadruped_feet = same_names({{"LeftToeBase"}, {"RightToeBase"}, {"LeftFingers"}, {"RightFingers"}});
const GroundPoints wolf_feet = same_names({{"FF.L"}, {"FF.R"}, {"FFB.L"}, {"FFB.R"}});
const GroundPoints wolf_to_quadruped = {
    {"FF.L", "LeftFingers", 0}, {"FF.R", "RightFingers", 1}, {"FFB.L", "LeftToeBase", 2}, {"FFB.R", "RightToeBase", 3}};
const GroundPoints quadruped_to_wolf = {
    {"LeftFingers", "FF.L", 0}, {"RightFingers", "FF.R", 1}, {"LeftToeBase", "FFB.L", 2}, {"RightToeBase", "FFB.R", 3}};
const GroundPoints fox_feet =
    same_names({{"b_LeftFoot02_018"}, {"b_RightFoot02_022"}, {"b_LeftHand_011"}, {"b_RightHand_08"}});
const GroundPoints human_to_robot = {{"LeftFoot", "Foot.L", 0}, {"RightFoot", "Foot.R", 1}};
const GroundPoints human_to_arnaud = {{"LeftFoot", "LeftFoot", 0}, {"RightFoot", "RightFoot", 1}};

using Path = std::vector<Vec3d>;

Path path_of(const Character& character, const Motion& motion, const std::string& name) {
  const int joint = find_joint(character.skeleton, name);
  EXPECT_GE(joint, 0) << name;
  Path path;
  for (int f = 0; f < motion.frame_count() && joint >= 0; ++f) {
    path.push_back(global_transforms(character.skeleton, frame_pose(motion, f))[joint].translation());
  }
  return path;
}

struct Run {
  int begin, end;
};

// Frames over which all points stay within 0.4 % of `height` of where the run began, no higher than 2.5 % above the
// lowest place of the first one's whole path, for a tenth of a second at least. y is up in every file used here.
std::vector<Run> resting_runs(const std::vector<Path>& paths, double height, double frames_per_second) {
  double lowest = 1e300;
  for (const Vec3d& p : paths[0]) lowest = std::min(lowest, p.y());
  const auto shortest = static_cast<int>(std::ceil(0.1 * frames_per_second));
  const int frames = static_cast<int>(paths[0].size());
  const auto rests = [&](int begin, int f) {
    return paths[0][f].y() < lowest + 0.025 * height && std::all_of(paths.begin(), paths.end(), [&](const Path& path) {
             return (path[f] - path[begin]).norm() < 0.004 * height;
           });
  };
  std::vector<Run> runs;
  for (int f = 0; f < frames;) {
    Run run{f, f};
    while (run.end < frames && rests(run.begin, run.end)) ++run.end;
    if (run.end - run.begin >= shortest) runs.push_back(run);
    f = std::max(run.end, f + 1);
  }
  return runs;
}

double slide(const Path& path, const Run& run) {
  Vec3d mean = Vec3d::Zero();
  for (int f = run.begin; f < run.end; ++f) mean += path[f] / (run.end - run.begin);
  double worst = 0;
  for (int f = run.begin; f < run.end; ++f)
    worst = std::max(worst, std::hypot(path[f].x() - mean.x(), path[f].z() - mean.z()));
  return worst;
}

// Vertices of the sole under a joint: the lowest hundredth of the height of what this joint and those below it move,
// nearer to this joint than to any other ground point of the character.
std::vector<std::size_t> sole_under(const Character& character, const std::string& name,
                                    const std::vector<std::string>& names, double height) {
  const Skeleton& skeleton = character.skeleton;
  const int joint = find_joint(skeleton, name);
  std::vector<char> below(skeleton.joint_count(), 0);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    below[j] = j == joint || (skeleton.parents[j] >= 0 && below[skeleton.parents[j]]);
  }
  const auto across = [&](std::size_t v, int j) {
    const Vec3d p = character.mesh.positions[v].cast<double>() - skeleton.position(j);
    return std::hypot(p.x(), p.z());
  };
  std::vector<std::size_t> moved;
  double lowest = 1e300;
  for (std::size_t v = 0; v < character.mesh.positions.size(); ++v) {
    double share = 0;
    for (int i = 0; i < character.weights.influences; ++i) {
      const std::size_t slot = v * character.weights.influences + i;
      if (below[character.weights.joints[slot]]) share += character.weights.weights[slot];
    }
    const bool nearest = std::none_of(names.begin(), names.end(), [&](const std::string& other) {
      const int j = find_joint(skeleton, other);
      return j >= 0 && across(v, j) < across(v, joint);
    });
    if (share < 0.5 || !nearest) continue;
    moved.push_back(v);
    lowest = std::min<double>(lowest, character.mesh.positions[v].y());
  }
  std::erase_if(moved, [&](std::size_t v) { return character.mesh.positions[v].y() > lowest + 0.01 * height; });
  return moved;
}

struct Slides {
  int joint_contacts = 0, skin_contacts = 0;
  double joints = 0, skin = 0;  // the worst, over the height of the result
};

// Paths of vertices of the posed skin.
std::vector<Path> skin_paths(const Character& character, const Motion& motion,
                             const std::vector<std::size_t>& vertices) {
  std::vector<Path> paths(vertices.size());
  for (int f = 0; f < motion.frame_count() && !vertices.empty(); ++f) {
    const std::vector<Vec3f> posed = pose_positions(character.mesh.positions, character.weights,
                                                    skinning_transforms(character.skeleton, frame_pose(motion, f)));
    for (std::size_t i = 0; i < vertices.size(); ++i) paths[i].push_back(posed[vertices[i]].cast<double>());
  }
  return paths;
}

// Of the mesh, or of the joints where a clip has none.
double height_of(const Character& character) {
  double low = 1e300, high = -1e300;
  const auto take = [&](double y) { low = std::min(low, y), high = std::max(high, y); };
  for (const Vec3f& p : character.mesh.positions) take(p.y());
  for (int j = 0; j < character.skeleton.joint_count() && character.mesh.positions.empty(); ++j)
    take(character.skeleton.position(j).y());
  return high - low;
}

Slides measure(const Character& source, const Motion& original, const Character& result, const Motion& played,
               const GroundPoints& points) {
  Slides slides;
  EXPECT_EQ(original.frame_count(), played.frame_count());
  if (original.frame_count() != played.frame_count()) return slides;
  const double height = height_of(result);
  std::vector<std::string> source_names, result_names;
  for (const GroundPoint& point : points) {
    source_names.push_back(point.source);
    result_names.push_back(point.result);
  }
  const auto add_worst = [&](const std::vector<Path>& resting, const std::vector<Path>& moving, double& largest) {
    const std::vector<Run> runs = resting_runs(resting, height_of(source), original.frames_per_second);
    for (const Run& run : runs) {
      for (const Path& way : moving) largest = std::max(largest, slide(way, run) / height);
    }
    return static_cast<int>(runs.size());
  };
  for (const GroundPoint& point : points) {
    std::vector<Path> resting = {path_of(source, original, point.source)};
    slides.joint_contacts += add_worst(resting, {path_of(result, played, point.result)}, slides.joints);
    // The skin of a sole rests while the whole foot does, not while it rolls.
    for (const GroundPoint& other : points) {
      if (other.foot == point.foot) resting.push_back(path_of(source, original, other.source));
    }
    for (const Path& path :
         skin_paths(source, original, sole_under(source, point.source, source_names, height_of(source)))) {
      resting.push_back(path);
    }
    const std::vector<std::size_t> sole = sole_under(result, point.result, result_names, height);
    EXPECT_GT(sole.size(), 2u) << point.result;
    slides.skin_contacts += add_worst(resting, skin_paths(result, played, sole), slides.skin);
  }
  return slides;
}

class FootSlide : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  // Built-in characters take seconds to make: once for all tests.
  std::string make(const std::string& kind, int seed) {
    const std::string name = (made_ / (kind + std::to_string(seed) + ".glb")).string();
    if (!std::filesystem::exists(name)) {
      EXPECT_EQ(test::run_sinew({"make-character", name, "--kind", kind, "--seed", std::to_string(seed), "--vertices",
                                 "1500", "-q"})
                    .exit_code,
                0);
    }
    return name;
  }
  std::string bare(const std::string& rigged) {
    Character character = load_character(rigged);
    Character mesh;
    mesh.mesh = character.mesh;
    save_character(mesh, rigged + ".obj");
    return rigged + ".obj";
  }
  void expect_standing(const std::vector<std::string>& arguments, const std::string& from, const std::string& clip,
                       const GroundPoints& points) {
    const std::string out = file("out.glb");
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"-o", out});
    std::string said;
    for (const std::string& word : all) said += word + " ";
    const auto run = test::run_sinew(all);
    ASSERT_EQ(run.exit_code, 0) << said << run.err;
    const Character source = load_character(from), result = load_character(out);
    for (const Motion& motion : source.motions) {
      if (motion.name != clip) continue;
      const Slides slides = measure(source, motion, result, result.motions.at(0), points);
      EXPECT_GT(slides.joint_contacts, 0) << said;
      EXPECT_GT(slides.skin_contacts, 0) << said;
      EXPECT_LT(slides.joints, limit) << said;
      EXPECT_LT(slides.skin, limit) << said;
    }
  }

  test::TemporaryFolder folder_, &made_ = shared_folder();

 private:
  static test::TemporaryFolder& shared_folder() {
    static test::TemporaryFolder folder;
    return folder;
  }
};

TEST_F(FootSlide, PeopleOfOtherProportions) {
  const std::string adult = make("adult", 1);
  for (const char* kind : {"child", "toon"}) {
    expect_standing({"rig", bare(make(kind, 7)), "--motion", adult, "--clip", "walk"}, adult, "walk", human_feet);
  }
  expect_standing({"retarget", adult, make("toon", 7), "--motion", "walk"}, adult, "walk", human_feet);
}

TEST_F(FootSlide, FourLegs) {
  const std::string animal = make("quadruped", 1), other = make("quadruped", 9);
  for (const char* clip : {"walk", "trot"}) {
    expect_standing({"rig", bare(other), "--motion", animal, "--clip", clip}, animal, clip, quadruped_feet);
    expect_standing({"retarget", animal, other, "--motion", clip}, animal, clip, quadruped_feet);
  }
}

TEST_F(FootSlide, RealCharacters) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  const auto data = [](const std::string& name) { return (test::data_folder() / name).string(); };
  const std::string animal = make("quadruped", 1), deer = data("messy/puppeteer_deer.obj"),
                    wolf = data("characters/quaternius_Wolf.glb"), fox = data("characters/Fox.glb"),
                    adult = make("adult", 1);
  for (const char* clip : {"walk", "trot"}) {
    expect_standing({"rig", deer, "--motion", animal, "--clip", clip}, animal, clip, quadruped_feet);
  }
  for (const char* clip : {"AnimalArmature|Eating", "AnimalArmature|Attack", "AnimalArmature|Idle"}) {
    expect_standing({"rig", deer, "--motion", wolf, "--clip", clip}, wolf, clip, wolf_feet);
    expect_standing({"retarget", wolf, animal, "--motion", clip}, wolf, clip, wolf_to_quadruped);
  }
  expect_standing({"retarget", animal, wolf, "--motion", "walk"}, animal, "walk", quadruped_to_wolf);
  expect_standing({"rig", deer, "--motion", fox, "--clip", "Survey"}, fox, "Survey", fox_feet);
  expect_standing({"retarget", adult, data("characters/raylib_robot.glb"), "--motion", "walk"}, adult, "walk",
                  human_to_robot);
  expect_standing({"retarget", adult, data("characters/ozz_arnaud.fbx"), "--motion", "walk"}, adult, "walk",
                  human_to_arnaud);
}

}  // namespace
}  // namespace sinew
