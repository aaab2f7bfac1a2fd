#include "sinew/weights/atlas/atlas.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/support/shapes.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

BindInput input_of(const Character& character, int max_influences = 4) {
  BindOptions options;
  options.max_influences = max_influences;
  Warnings warnings;
  return make_bind_input(character, options, warnings);
}

double x_of(const BindInput& input, std::size_t vertex) {
  return input.mesh.positions[vertex].x() * input.scale + input.centre.x();
}

// Vertices with more than one influence.
std::set<std::size_t> overlap(const SkinWeights& weights) {
  std::set<std::size_t> found;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    if (weights.weights[v * weights.influences + 1] > 0) found.insert(v);
  }
  return found;
}

TEST(AtlasCuts, GoStraightAcrossATube) {
  const double radius = 0.25;
  const BindInput input = input_of(test::bar(4, radius, 80, 32, 2));
  const auto cuts = find_cuts(input, atlas_parents(input), 32);
  ASSERT_EQ(cuts.size(), 1u);
  EXPECT_TRUE(cuts[0].closed);
  EXPECT_EQ(cuts[0].joint, 1);
  EXPECT_EQ(cuts[0].parent, 0);
  EXPECT_GT(cuts[0].normal.x(), 0.99);
  EXPECT_NEAR(cuts[0].length * input.scale, 2 * M_PI * radius, 0.02);
}

TEST(AtlasCuts, AreOpenOnAnOpenMeshAndSeparatePerPiece) {
  // Without one strip along its whole length the inner tube has no closed curve; the outer one is whole.
  Character character = test::bar(4, 0.25, 80, 32, 2);
  std::erase_if(character.mesh.triangles, [](const Triangle& t) {
    int in_strip = 0;
    for (std::uint32_t v : t) in_strip += v < 80 * 32 && (v % 32 == 5 || v % 32 == 6);
    return in_strip == 3;
  });
  test::append(character.mesh, test::tube(4.2, 0.35, 80, 16), Vec3f(-0.1f, 0, 0));
  const BindInput input = input_of(character);
  const auto cuts = find_cuts(input, atlas_parents(input), 16);
  ASSERT_EQ(cuts.size(), 2u);
  EXPECT_NE(cuts[0].component, cuts[1].component);
  EXPECT_NE(cuts[0].closed, cuts[1].closed);
}

TEST(Atlas, IsTheHermiteCurveAcrossTheOverlapOfATube) {
  const double radius = 0.25, joint = 2.0;
  AtlasSolver solver(input_of(test::bar(4, radius, 161, 32, 2)), {});
  for (double k : {0.3, 0.5, 1.0}) {
    const double reach = k * 2 * radius;  // K · 2πr / π
    for (AtlasTransition transition : {AtlasTransition::hermite, AtlasTransition::linear}) {
      const SkinWeights weights = solver.solve({k, {}, transition, AtlasScale::overlap});
      double worst = 0;
      for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
        const double x = x_of(solver.input(), v);
        if (x < 0.1 || x > 3.9) continue;  // the caps are not straight
        const double u = std::clamp(0.5 + (x - joint) / (2 * reach), 0.0, 1.0);
        const double expected = transition == AtlasTransition::hermite ? u * u * (3 - 2 * u) : u;
        worst = std::max(worst, std::abs(weights.weight_of(v, 1) - expected));
      }
      EXPECT_LT(worst, 0.04) << k;
    }
  }
}

TEST(Atlas, MeasuresRegionsAsThePaperDoes) {
  // Both regions of the bar are alike, so dividing by their largest distance still meets at one half.
  AtlasSolver solver(input_of(test::bar(4, 0.25, 81, 16, 2)), {});
  const SkinWeights weights = solver.solve({0.5, {}, AtlasTransition::hermite, AtlasScale::region});
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const double x = x_of(solver.input(), v);
    if (std::abs(x - 2) < 1e-4) {
      EXPECT_NEAR(weights.weight_of(v, 0), 0.5, 0.05);
    }
    if (x < 1.7) {
      EXPECT_EQ(weights.weight_of(v, 0), 1.0f);
    }
    if (x > 2.3) {
      EXPECT_EQ(weights.weight_of(v, 1), 1.0f);
    }
  }
}

TEST(Atlas, IsRigidAtZeroAndOverlapsMoreAsItGetsSofter) {
  for (AtlasDistance distance : {AtlasDistance::euclidean, AtlasDistance::geodesic, AtlasDistance::harmonic}) {
    AtlasSolver solver(input_of(test::bar(4, 0.25, 61, 12, 3)), {distance, 16, true});
    EXPECT_TRUE(overlap(solver.solve({0.0})).empty());
    std::set<std::size_t> last;
    for (double k : {0.1, 0.3, 0.5, 1.0, 2.0, 5.0}) {
      const std::set<std::size_t> now = overlap(solver.solve({k}));
      EXPECT_TRUE(std::includes(now.begin(), now.end(), last.begin(), last.end())) << k;
      last = now;
    }
    EXPECT_GT(last.size(), solver.input().vertex_count() / 2);
  }
}

TEST(Atlas, ANewSoftnessIsTheSameAsAFreshSolve) {
  const BindInput input = input_of(test::bar(4, 0.25, 61, 12, 3));
  AtlasSolver kept(input, {});
  kept.solve({0.2});
  kept.solve({4.0});  // beyond what was measured first
  for (double k : {0.5, 3.0}) {
    const SkinWeights again = kept.solve({k}), fresh = atlas_weights(input, {}, {k});
    EXPECT_EQ(again.joints, fresh.joints);
    EXPECT_EQ(again.weights, fresh.weights);
  }
}

TEST(Atlas, ARegionMaySwallowItsNeighbour) {
  // The middle bone is short: at K = 2 its neighbours reach across it to each other.
  Character character = test::bar(4, 0.25, 81, 12, 1);
  character.skeleton = test::chain({0.04, 1.9, 2.1, 3.96});
  AtlasSolver solver(input_of(character), {});
  const SkinWeights weights = solver.solve({2.0});
  std::size_t both = 0;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    both += weights.weight_of(v, 0) > 0 && weights.weight_of(v, 2) > 0;
  }
  EXPECT_GT(both, 0u);
  EXPECT_EQ(count_unweighted(weights), 0u);
}

TEST(Atlas, EveryRegionIsConnected) {
  Random random(11);
  for (int trial = 0; trial < 5; ++trial) {
    Character character = test::bar(4, 0.3, 30, 10, 2 + trial);
    for (Vec3f& p : character.mesh.positions) {
      for (int axis = 0; axis < 3; ++axis) p[axis] += static_cast<float>(random.uniform(-0.04, 0.04));
    }
    character.mesh.triangles.erase(character.mesh.triangles.begin() + 100, character.mesh.triangles.begin() + 130);
    AtlasSolver solver(input_of(character), {});
    std::vector<Triangle> inside;
    const auto& region = solver.regions().region_of;
    // Joined by edges, not only by whole triangles: a degenerate triangle per edge says so.
    for (const Triangle& t : solver.input().mesh.triangles) {
      for (int s = 0; s < 3; ++s) {
        if (region[t[s]] == region[t[(s + 1) % 3]]) inside.push_back({t[s], t[(s + 1) % 3], t[s]});
      }
    }
    const Components components = connected_components(region.size(), inside);
    EXPECT_EQ(components.count, solver.regions().regions.size());
    for (const AtlasBoundary& boundary : solver.regions().boundaries) {
      EXPECT_GT(boundary.length, 0.0);
      EXPECT_LT(boundary.regions[0], boundary.regions[1]);
    }
  }
}

TEST(Atlas, EveryGrownRegionIsConnected) {
  // A U: the two ends are close in space, far along the skin. Growing must not jump across.
  Character character = test::bar(4, 0.2, 81, 12, 4);
  const auto bend = [](const Vec3d& p) {
    const double angle = M_PI * p.x() / 4, r = 0.6 + p.y();
    return Vec3d(-r * std::cos(angle), r * std::sin(angle), p.z());
  };
  for (Vec3f& p : character.mesh.positions) p = bend(p.cast<double>()).cast<float>();
  for (Affine3d& rest : character.skeleton.rest) rest.translation() = bend(rest.translation());
  for (AtlasDistance distance : {AtlasDistance::euclidean, AtlasDistance::geodesic, AtlasDistance::harmonic}) {
    AtlasSolver solver(input_of(character, 16), {distance, 16, true});
    for (double k : {0.5, 1.5}) {
      const SkinWeights weights = solver.solve({k});
      for (int joint = 0; joint < 4; ++joint) {
        std::vector<Triangle> held;
        std::size_t members = 0;
        for (std::size_t v = 0; v < weights.vertex_count(); ++v) members += weights.weight_of(v, joint) > 0;
        for (const Triangle& t : solver.input().mesh.triangles) {
          for (int s = 0; s < 3; ++s) {
            if (weights.weight_of(t[s], joint) > 0 && weights.weight_of(t[(s + 1) % 3], joint) > 0) {
              held.push_back({t[s], t[(s + 1) % 3], t[s]});
            }
          }
        }
        const Components components = connected_components(weights.vertex_count(), held);
        EXPECT_EQ(components.count, weights.vertex_count() - members + 1) << "joint " << joint << " K " << k;
      }
    }
  }
}

TEST(Atlas, TakesASoftnessPerJoint) {
  AtlasSolver solver(input_of(test::bar(4, 0.2, 121, 12, 3)), {});
  const auto width_at = [&](const SkinWeights& weights, double place) {
    double widest = 0;
    for (std::size_t v : overlap(weights)) {
      const double offset = std::abs(x_of(solver.input(), v) - place);
      if (offset < 0.6) widest = std::max(widest, offset);
    }
    return widest;
  };
  const SkinWeights weights = solver.solve({0.2, {{"Bone2", 1.0}}, {}, {}});
  EXPECT_NEAR(width_at(weights, 0.04 + 4 * 0.98 / 3), 0.2 * 0.4, 0.05);
  EXPECT_NEAR(width_at(weights, 0.04 + 8 * 0.98 / 3), 1.0 * 0.4, 0.05);
  EXPECT_THROW(solver.solve({0.2, {{"Nobody", 1.0}}, {}, {}}), Error);
  EXPECT_THROW(solver.solve({-0.2}), Error);
}

TEST(Atlas, ReadsSoftnessFromJson) {
  const std::map<std::string, double> softness = read_joint_softness(R"({"default": 0.3, "Bone1": 1.5})");
  EXPECT_EQ(softness, (std::map<std::string, double>{{"default", 0.3}, {"Bone1", 1.5}}));
  for (const char* bad : {"", "[1]", "{\"Bone1\": \"soft\"}", "{\"Bone1\": -1}", "{\"a\":", "nonsense"}) {
    EXPECT_THROW(read_joint_softness(bad), Error) << bad;
  }
}

TEST(Atlas, JoinsASecondRootWhereItsBoneBegins) {
  Character character = test::bar(4, 0.25, 81, 12, 1);
  character.skeleton = test::chain({0.04, 2.0, 3.0});
  Affine3d rest = Affine3d::Identity();
  rest.translation() = Vec3d(3.0, 0, 0);
  const int foot = add_joint(character.skeleton, "Foot", -1, rest);
  rest.translation() = Vec3d(3.9, 0, 0);
  add_joint(character.skeleton, "Foot_End", foot, rest, JointKind::end);
  const BindInput input = input_of(character);
  EXPECT_EQ(atlas_parents(input)[foot], 1);
  AtlasSolver solver(input, {});
  const SkinWeights weights = solver.solve({0.5});
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    if (x_of(input, v) > 3.5) {
      EXPECT_GT(weights.weight_of(v, foot), 0.9f);
    }
  }
}

}  // namespace
}  // namespace sinew
