#include "sinew/builtin/builtin_character.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "sinew/base/disjoint_sets.h"
#include "sinew/base/parallel.h"
#include "sinew/error.h"
#include "sinew/mesh/ray_scene.h"

namespace sinew {
namespace {

constexpr BuiltinKind all_kinds[] = {BuiltinKind::adult, BuiltinKind::child, BuiltinKind::toon, BuiltinKind::bulky,
                                     BuiltinKind::quadruped};

Character make(BuiltinKind kind, std::uint64_t seed, std::size_t vertices = 3000,
               BuiltinGarment garment = BuiltinGarment::bare, BuiltinPose pose = BuiltinPose::t) {
  BuiltinOptions options;
  options.kind = kind;
  options.seed = seed;
  options.vertex_budget = vertices;
  options.garment = garment;
  options.pose = pose;
  return make_builtin_character(options);
}

// The body alone in T pose: made once, looked at by many tests.
const Character& bare(BuiltinKind kind) {
  static std::map<BuiltinKind, Character> made;
  if (!made.contains(kind)) made[kind] = make(kind, 11, 5000);
  return made[kind];
}

struct Topology {
  int boundary_edges = 0;
  int bad_edges = 0;  // used more than twice, or twice in the same direction
  int euler_characteristic = 0;
  int components = 0;
  double volume = 0;
};

Topology topology_of(const TriangleMesh& mesh, const Part& part) {
  Topology result;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> directed;
  DisjointSets pieces(mesh.positions.size());
  for (std::size_t i = part.first_triangle; i < part.first_triangle + part.triangle_count; ++i) {
    const Triangle& t = mesh.triangles[i];
    for (int k = 0; k < 3; ++k) {
      ++directed[{t[k], t[(k + 1) % 3]}];
      pieces.join(t[k], t[(k + 1) % 3]);
    }
    result.volume += mesh.positions[t[0]].cast<double>().dot(
                         mesh.positions[t[1]].cast<double>().cross(mesh.positions[t[2]].cast<double>())) /
                     6;
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const auto& [edge, uses] : directed) {
    result.bad_edges += uses > 1;
    result.boundary_edges += !directed.contains({edge.second, edge.first});
    edges.insert(std::minmax(edge.first, edge.second));
  }
  std::set<std::uint32_t> roots;
  for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
    roots.insert(pieces.find(static_cast<std::uint32_t>(v)));
  }
  result.components = static_cast<int>(roots.size());
  result.euler_characteristic =
      static_cast<int>(part.vertex_count) - static_cast<int>(edges.size()) + static_cast<int>(part.triangle_count);
  return result;
}

bool inside(const RayScene& scene, const Vec3f& point) {
  // An odd number of crossings in a direction that meets no edge in particular.
  const Vec3f direction = Vec3f(0.171f, 0.943f, 0.285f).normalized();
  int crossings = 0;
  RayHit hit;
  float from = 0;
  while (scene.intersect(point, direction, hit, from)) {
    ++crossings;
    from = hit.distance + 1e-5f;
  }
  return crossings % 2 == 1;
}

TEST(BuiltinCharacter, BodiesAreWatertightSpheresOfEveryKind) {
  std::vector<Character> characters;
  for (const BuiltinKind kind : all_kinds) characters.push_back(bare(kind));
  for (const BuiltinKind kind : {BuiltinKind::toon, BuiltinKind::bulky}) {
    characters.push_back(make(kind, 11, 4000, BuiltinGarment::bare, BuiltinPose::a));
  }
  for (const Character& character : characters) {
    SCOPED_TRACE(character.name);
    check_character(character);
    ASSERT_EQ(character.parts.size(), 1u);
    const Topology body = topology_of(character.mesh, character.parts[0]);
    EXPECT_EQ(body.boundary_edges, 0);
    EXPECT_EQ(body.bad_edges, 0);
    EXPECT_EQ(body.euler_characteristic, 2);
    EXPECT_EQ(body.components, 1);
    EXPECT_GT(body.volume, 0.003);
    EXPECT_NEAR(bounding_box(character.mesh).min().y(), 0.0, 0.01);
    check_skin_weights(character.weights, character.mesh.vertex_count(), character.skeleton.joint_count());
  }
}

TEST(BuiltinCharacter, ClothesAreClosedPartsAndTheSkirtAnOpenOne) {
  for (const BuiltinGarment garment : {BuiltinGarment::sport, BuiltinGarment::jacket, BuiltinGarment::skirt}) {
    const Character character = make(BuiltinKind::adult, 4, 5000, garment);
    check_character(character);
    for (const Part& part : character.parts) {
      SCOPED_TRACE(part.name);
      const Topology topology = topology_of(character.mesh, part);
      EXPECT_EQ(topology.bad_edges, 0);
      EXPECT_EQ(topology.boundary_edges > 0, part.name == "Skirt");
      if (part.name != "Skirt") {
        EXPECT_GT(topology.volume, 0);
      }
    }
    EXPECT_EQ(find_joint(character.skeleton, "LeftSkirtSide3") >= 0, garment == BuiltinGarment::skirt);
  }
}

TEST(BuiltinCharacter, HitsTheVertexBudget) {
  for (const std::size_t budget : {1000u, 15000u}) {
    const Character character = make(BuiltinKind::adult, 3, budget, BuiltinGarment::automatic);
    EXPECT_NEAR(static_cast<double>(character.mesh.vertex_count()), budget, 0.02 * budget);
  }
  EXPECT_THROW(make(BuiltinKind::adult, 1, 999), Error);
  EXPECT_THROW(make(BuiltinKind::adult, 1, 500001), Error);
}

TEST(BuiltinCharacter, IsItsOwnMirrorImage) {
  const Character character = make(BuiltinKind::bulky, 5, 4000, BuiltinGarment::sport);
  std::map<std::array<float, 3>, std::uint32_t> at;
  const auto& p = character.mesh.positions;
  for (std::uint32_t v = 0; v < p.size(); ++v) at[{p[v].x(), p[v].y(), p[v].z()}] = v;
  for (std::uint32_t v = 0; v < p.size(); ++v) {
    const auto twin = at.find({p[v].x() == 0 ? 0.0f : -p[v].x(), p[v].y(), p[v].z()});
    ASSERT_NE(twin, at.end());
    if (p[v].x() == 0) continue;
    const int left = find_joint(character.skeleton, "LeftArm"), right = find_joint(character.skeleton, "RightArm");
    EXPECT_EQ(character.weights.weight_of(v, left), character.weights.weight_of(twin->second, right));
  }
}

TEST(BuiltinCharacter, JointsLieInsideTheBody) {
  for (const BuiltinKind kind : all_kinds) {
    const Character& character = bare(kind);
    const RayScene scene(character.mesh.positions, character.mesh.triangles);
    for (int j = 0; j < character.skeleton.joint_count(); ++j) {
      if (character.skeleton.kinds[j] != JointKind::joint) continue;
      EXPECT_TRUE(inside(scene, character.skeleton.position(j).cast<float>()))
          << kind_name(kind) << " " << character.skeleton.names[j];
    }
  }
}

TEST(BuiltinCharacter, WeightsDoNotLeakThroughTheAir) {
  const Character& character = bare(BuiltinKind::adult);
  const int ring = find_joint(character.skeleton, "LeftHandRing2"),
            index = find_joint(character.skeleton, "LeftHandIndex2");
  const int left = find_joint(character.skeleton, "LeftLeg"), right = find_joint(character.skeleton, "RightLeg");
  const int arm = find_joint(character.skeleton, "LeftArm"), hips = find_joint(character.skeleton, "Hips");
  int tips = 0;
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const SkinWeights& w = character.weights;
    EXPECT_EQ(w.weight_of(v, ring) * w.weight_of(v, index), 0);
    EXPECT_EQ(w.weight_of(v, left) * w.weight_of(v, right), 0);
    EXPECT_EQ(w.weight_of(v, arm) * w.weight_of(v, hips), 0);
    tips += w.weight_of(v, ring) > 0.9f;
  }
  EXPECT_GT(tips, 5);
}

TEST(BuiltinCharacter, TheSameWeightsAtAnyResolution) {
  const Character& coarse = bare(BuiltinKind::adult);
  const Character fine = make(BuiltinKind::adult, 11, 12000);
  const RayScene scene(fine.mesh.positions, fine.mesh.triangles);
  const Eigen::MatrixXd dense = densify(fine.weights, fine.skeleton.joint_count());
  const Eigen::MatrixXd own = densify(coarse.weights, coarse.skeleton.joint_count());
  double sum = 0;
  for (std::size_t v = 0; v < coarse.mesh.vertex_count(); ++v) {
    ClosestPoint closest;
    ASSERT_TRUE(scene.closest_point(coarse.mesh.positions[v], closest));
    const Triangle& t = fine.mesh.triangles[closest.triangle];
    Eigen::RowVectorXd there = Eigen::RowVectorXd::Zero(dense.cols());
    for (int k = 0; k < 3; ++k) there += static_cast<double>(closest.barycentric[k]) * dense.row(t[k]);
    sum += (there - own.row(static_cast<Eigen::Index>(v))).lpNorm<1>();
  }
  EXPECT_LT(sum / static_cast<double>(coarse.mesh.vertex_count()), 0.05);
}

TEST(BuiltinCharacter, TheRigAloneIsThatOfTheCharacter) {
  for (const BuiltinKind kind : {BuiltinKind::adult, BuiltinKind::quadruped}) {
    BuiltinOptions options;
    options.kind = kind;
    options.seed = 3;
    options.garment = BuiltinGarment::bare;
    options.vertex_budget = 1000;
    const Character whole = make_builtin_character(options), rig = make_builtin_rig(options);
    EXPECT_TRUE(rig.mesh.positions.empty());
    EXPECT_EQ(rig.skeleton.names, whole.skeleton.names);
    for (std::size_t j = 0; j < rig.skeleton.rest.size(); ++j) {
      EXPECT_EQ(rig.skeleton.rest[j].matrix(), whole.skeleton.rest[j].matrix());
    }
    ASSERT_EQ(rig.motions.size(), whole.motions.size());
    EXPECT_EQ(rig.motions[0].frame_count(), whole.motions[0].frame_count());
  }
}

TEST(BuiltinCharacter, SameSeedSameBitsAtAnyThreadCountAndOtherSeedsDiffer) {
  const auto run = [&] { return make(BuiltinKind::toon, 21, 3000, BuiltinGarment::automatic); };
  const Character one = with_threads(1, run), two = with_threads(2, run);
  EXPECT_EQ(one.mesh.positions, two.mesh.positions);
  EXPECT_EQ(one.mesh.triangles, two.mesh.triangles);
  EXPECT_EQ(one.weights.weights, two.weights.weights);

  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const builtin::Proportions p = builtin::random_proportions(BuiltinKind::adult, seed);
    seen.insert(std::to_string(p.height) + std::to_string(p.shoulder_width) + std::to_string(p.nose));
    EXPECT_GT(p.height, 1.35);
    EXPECT_LT(p.height, 2.15);
  }
  EXPECT_EQ(seen.size(), 300u);
}

// In a walk some foot is always on the ground, and a foot on the ground stays where it is.
TEST(BuiltinCharacter, FeetOnTheGroundDoNotSlide) {
  for (const BuiltinKind kind : all_kinds) {
    const Character& character = bare(kind);
    const double height = bounding_box(character.mesh).max().y();
    for (const Motion& motion : character.motions) {
      if (motion.name == "rom") continue;
      SCOPED_TRACE(character.name + " " + motion.name);
      ASSERT_GT(motion.frame_count(), 20);
      const bool four = kind == BuiltinKind::quadruped;
      std::vector<std::string> feet{"LeftToeBase", "RightToeBase"};
      if (four) feet.insert(feet.end(), {"LeftFingers", "RightFingers"});
      int planted = 0;
      for (const std::string& foot : feet) {
        const int joint = find_joint(character.skeleton, foot);
        const double rest_y = character.skeleton.position(joint).y();
        Vec3d before(0, 1e9, 0);
        for (int frame = 0; frame < motion.frame_count(); ++frame) {
          const Vec3d now = global_transforms(character.skeleton, frame_pose(motion, frame))[joint].translation();
          // Still low in both frames means it stood between them.
          if (std::abs(now.y() - rest_y) < 0.0015 * height && std::abs(before.y() - rest_y) < 0.0015 * height) {
            EXPECT_LT((now - before).norm(), 0.01 * height) << foot << " frame " << frame;
            ++planted;
          }
          EXPECT_GT(now.y(), rest_y - 0.01 * height) << foot << " frame " << frame;
          before = now;
        }
      }
      EXPECT_GT(planted, motion.frame_count() / 2);
      // It goes forward, and the last frame is the first one a few strides on.
      const Transform& first = motion.transforms.front();
      const Transform& last =
          motion.transforms[static_cast<std::size_t>(motion.frame_count() - 1) * motion.joint_count];
      EXPECT_GT(last.translation.z() - first.translation.z(), 0.5 * height);
      EXPECT_NEAR(last.translation.y(), first.translation.y(), 1e-9);
      EXPECT_LT(last.rotation.angularDistance(first.rotation), 1e-6);
    }
  }
}

TEST(BuiltinCharacter, RangeOfMotionMovesEveryDeformingJoint) {
  for (const BuiltinKind kind : {BuiltinKind::adult, BuiltinKind::quadruped}) {
    const Character& character = bare(kind);
    const auto rom = std::find_if(character.motions.begin(), character.motions.end(),
                                  [](const Motion& motion) { return motion.name == "rom"; });
    ASSERT_NE(rom, character.motions.end());
    const Pose rest = rest_pose(character.skeleton);
    for (int j = 0; j < character.skeleton.joint_count(); ++j) {
      if (character.skeleton.kinds[j] != JointKind::joint || character.skeleton.parents[j] < 0) continue;
      double most = 0;
      for (int frame = 0; frame < rom->frame_count(); ++frame) {
        const Transform& t = rom->transforms[static_cast<std::size_t>(frame) * rom->joint_count + j];
        most = std::max(most, t.rotation.angularDistance(rest[j].rotation));
      }
      EXPECT_GT(most, 0.1) << character.skeleton.names[j];
    }
  }
}

}  // namespace
}  // namespace sinew
