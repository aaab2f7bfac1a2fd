#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sinew/check.h"
#include "sinew/check/mirrored_skin.h"
#include "sinew/pose_mesh.h"
#include "tests/support/damage.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

// A bar that bends in the middle, blended over a tenth of its length.
Character good_bar() {
  Character bar = test::bar(4, 0.25, 81, 16, 2);
  bar.weights = make_skin_weights(bar.mesh.vertex_count(), 4);
  for (std::size_t vertex = 0; vertex < bar.mesh.vertex_count(); ++vertex) {
    const double t = std::clamp((bar.mesh.positions[vertex].x() - 1.8) / 0.4, 0.0, 1.0);
    set_influences(bar.weights, vertex, {{0, 1 - t}, {1, t}});
  }
  return bar;
}

const Finding* first_of(const CheckReport& report, FindingKind kind) {
  const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                  [&](const Finding& finding) { return finding.kind == kind; });
  return found == report.findings.end() ? nullptr : &*found;
}

bool holds(const Finding& finding, std::uint32_t vertex) {
  return std::binary_search(finding.vertices.begin(), finding.vertices.end(), vertex);
}

TEST(CheckSkin, AGoodSkinHasNoFindings) {
  const CheckReport report = check_skin(good_bar());
  EXPECT_TRUE(report.findings.empty()) << report.findings.front().what;
  EXPECT_EQ(report.vertices, good_bar().mesh.vertex_count());
  EXPECT_FALSE(report.poses.empty());
}

TEST(CheckSkin, FindsVerticesWithoutWeight) {
  Character bar = good_bar();
  for (const std::uint32_t vertex : {100u, 101u}) {
    for (int slot = 0; slot < 4; ++slot) bar.weights.weights[vertex * 4 + slot] = 0;
  }
  const CheckReport report = check_skin(bar);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::unweighted);
  EXPECT_EQ(report.findings[0].vertices, (std::vector<std::uint32_t>{100, 101}));
}

TEST(CheckSkin, FindsASpikeAndSaysWhereAndWhen) {
  Character bar = good_bar();
  const std::uint32_t spike = 16 * 10 + 3;  // far on the side that stays
  set_influences(bar.weights, spike, {{1, 1.0}});
  const CheckReport report = check_skin(bar);
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.kind, FindingKind::spike);
  EXPECT_EQ(finding.joint, 1);
  EXPECT_EQ(finding.vertices, std::vector<std::uint32_t>{spike});
  ASSERT_GE(finding.pose, 0);

  // The severity is what the pose shows: the way from where the vertex should be.
  const Pose pose = check_pose(bar.skeleton, report.poses[static_cast<std::size_t>(finding.pose)]);
  const Vec3f seen = pose_positions(bar.mesh.positions, bar.weights, skinning_transforms(bar.skeleton, pose))[spike];
  EXPECT_NEAR((seen - bar.mesh.positions[spike]).norm() / bounding_diagonal(bar.mesh), finding.severity, 1e-4);
}

TEST(CheckSkin, TheSameSpikeOnBothSidesIsOneFinding) {
  Character person = test::person(6000);
  const CheckedSkin skin = make_checked_skin(person);
  const std::optional<MirroredSkin> mirrored = find_mirrored_skin(skin);
  ASSERT_TRUE(mirrored);
  const int left = find_joint(person.skeleton, "LeftHand");
  ASSERT_GE(left, 0);
  const int right = mirrored->joints[static_cast<std::size_t>(left)];
  ASSERT_NE(left, right);
  // A vertex of the left leg, far from the hand, and its image.
  const int knee = find_joint(person.skeleton, "LeftLeg");
  std::uint32_t spike = 0;
  double nearest = 1e300;
  for (std::uint32_t vertex = 0; vertex < skin.vertex_count(); ++vertex) {
    const double distance = (skin.position(vertex) - person.skeleton.position(knee)).norm();
    if (mirrored->vertices[vertex] != MirroredSkin::no_image && distance < nearest) nearest = distance, spike = vertex;
  }
  for (const std::uint32_t copy : skin.copies[spike])
    set_influences(person.weights, copy, {{static_cast<std::uint16_t>(left), 1.0}});
  for (const std::uint32_t copy : skin.copies[mirrored->vertices[spike]])
    set_influences(person.weights, copy, {{static_cast<std::uint16_t>(right), 1.0}});
  const CheckReport report = check_skin(person);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::spike);
  EXPECT_TRUE(holds(report.findings[0], skin.copies[spike][0]));
  EXPECT_TRUE(holds(report.findings[0], skin.copies[mirrored->vertices[spike]][0]));
  EXPECT_NE(report.findings[0].what.find("the same on the other side"), std::string::npos);
}

TEST(CheckSkin, FindsATornSeamButNotCopiesThatAgree) {
  const Character seams = test::with_seams(good_bar());
  EXPECT_TRUE(check_skin(seams).findings.empty());
  Character torn = seams;
  for (std::size_t vertex = 0; vertex < torn.mesh.vertex_count(); ++vertex) {
    const Vec3f& p = torn.mesh.positions[vertex];
    const bool strip = p.x() > 3.0f && p.x() < 3.5f && vertex % 3 == 0;
    if (strip) set_influences(torn.weights, vertex, {{0, 0.5}, {1, 0.5}});
  }
  EXPECT_NE(first_of(check_skin(torn), FindingKind::split_seam), nullptr);
}

TEST(CheckSkin, FindsNoise) {
  Character bar = good_bar();
  Random random(7);
  for (std::size_t vertex = 16 * 55; vertex < 16 * 70; ++vertex) {
    const double share = random.uniform(0, 0.6);
    set_influences(bar.weights, vertex, {{0, share}, {1, 1 - share}});
  }
  const CheckReport report = check_skin(bar);
  const Finding* noise = first_of(report, FindingKind::noise);
  ASSERT_NE(noise, nullptr);
  EXPECT_TRUE(holds(*noise, 16 * 60) || holds(*noise, 16 * 60 + 1));
}

TEST(CheckSkin, FindsAHardEdgeOfAFineMesh) {
  Character bar = test::bar(4, 0.5, 241, 32, 4);
  bar.weights = make_skin_weights(bar.mesh.vertex_count(), 4);
  for (std::size_t vertex = 0; vertex < bar.mesh.vertex_count(); ++vertex) {
    // Joints at 0, 1, 2, 3: soft at 1 and 3; at 2 all changes between two rings.
    const double x = bar.mesh.positions[vertex].x();
    const auto rise = [&](double place, double width) { return std::clamp((x - place) / width + 0.5, 0.0, 1.0); };
    const double one = rise(1, 0.4), two = rise(2.008, 1e-3), three = rise(3, 0.4);
    set_influences(bar.weights, vertex, {{0, 1 - one}, {1, one - two}, {2, two - three}, {3, three}});
  }
  const CheckReport report = check_skin(bar);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::hard_edge);
  EXPECT_EQ(report.findings[0].joint, 2);
}

TEST(CheckSkin, CountsInfluencesAboveTheLimit) {
  Character bar = good_bar();
  EXPECT_EQ(first_of(check_skin(bar, {.max_influences = 2}), FindingKind::influences), nullptr);
  const CheckReport report = check_skin(bar, {.max_influences = 1});
  ASSERT_NE(first_of(report, FindingKind::influences), nullptr);
}

TEST(CheckSkin, TurningOneJointMovesByShares) {
  const Character person = test::person(6000);
  const CheckedSkin skin = make_checked_skin(person);
  for (std::size_t i = 0; i < skin.poses.size(); i += 7) {
    const CheckPose& pose = skin.poses[i];
    const std::vector<Vec3f> posed = pose_positions(
        person.mesh.positions, person.weights, skinning_transforms(person.skeleton, check_pose(person.skeleton, pose)));
    const std::vector<float> shares = shares_of(skin, pose.joint);
    for (std::size_t vertex = 0; vertex < skin.vertex_count(); vertex += 97) {
      const Vec3d x = skin.position(vertex);
      const Vec3d expected = x + shares[vertex] * (skin.turns[i] * (x - person.skeleton.position(pose.joint)));
      EXPECT_LT((posed[skin.copies[vertex][0]].cast<double>() - expected).norm(), 1e-4 * skin.diagonal) << pose.name;
    }
  }
}

TEST(CheckSkin, SameAnswerAtAnyThreadCount) {
  Character person = test::person(6000);
  const auto damage = test::damage_skin(person, test::DamageKind::bleed, 3);
  ASSERT_TRUE(damage);
  person.weights = damage->weights;
  EXPECT_EQ(check_json(person, check_skin(person, {.threads = 1})),
            check_json(person, check_skin(person, {.threads = 4})));
}

TEST(CheckSkin, TheScaleOfTheFileDoesNotMatter) {
  Character person = test::person(6000);
  const auto damage = test::damage_skin(person, test::DamageKind::island, 5);
  ASSERT_TRUE(damage);
  person.weights = damage->weights;
  Character large = person;
  test::scale(large, 100);
  const CheckReport a = check_skin(person), b = check_skin(large);
  ASSERT_EQ(a.findings.size(), b.findings.size());
  for (std::size_t i = 0; i < a.findings.size(); ++i) {
    EXPECT_EQ(a.findings[i].kind, b.findings[i].kind);
    EXPECT_NEAR(a.findings[i].severity, b.findings[i].severity, 1e-3);
  }
}

TEST(CheckSkin, GatesCountKinds) {
  Character bar = good_bar();
  set_influences(bar.weights, 163, {{1, 1.0}});
  const CheckReport report = check_skin(bar);
  EXPECT_THROW(require_gates(check_gates(parse_gates("findings=0"), report.metrics)), Error);
  require_gates(check_gates(parse_gates("findings=1,spike=1,bleed=0"), report.metrics));
  std::vector<std::string> names;
  for (const Metric& metric : report.metrics) names.push_back(metric.name);
  EXPECT_EQ(names, check_metric_names());
}

TEST(CheckSkin, ReportsAsJson) {
  Character bar = good_bar();
  set_influences(bar.weights, 163, {{1, 1.0}});
  const auto json = nlohmann::json::parse(check_json(bar, check_skin(bar)));
  ASSERT_EQ(json["findings"].size(), 1u);
  EXPECT_EQ(json["findings"][0]["kind"], "spike");
  EXPECT_EQ(json["findings"][0]["vertices"], nlohmann::json::array({163}));
  EXPECT_EQ(json["metrics"]["spike"], 1);
  EXPECT_TRUE(json["findings"][0]["pose"].contains("axis"));
}

TEST(CheckSkin, KindsHaveNames) {
  for (const FindingKind kind : all_finding_kinds()) EXPECT_EQ(find_finding_kind(finding_kind_name(kind)), kind);
  EXPECT_FALSE(find_finding_kind("no-such-kind"));
}

TEST(CheckSkin, OnlyWhatIsAskedFor) {
  Character bar = good_bar();
  set_influences(bar.weights, 163, {{1, 1.0}});
  EXPECT_TRUE(check_skin(bar, {.kinds = {FindingKind::bleed}}).findings.empty());
  EXPECT_EQ(check_skin(bar, {.kinds = {FindingKind::spike}}).findings.size(), 1u);
}

TEST(CheckSkin, RefusesWhatCannotBeChecked) {
  Character bare = good_bar();
  bare.weights = {};
  EXPECT_THROW(check_skin(bare), Error);
  EXPECT_THROW(check_skin(good_bar(), {.max_influences = 0}), Error);
  EXPECT_THROW(check_skin(good_bar(), {.tolerance = -1}), Error);
}

TEST(CheckSkin, CanBeStopped) {
  std::atomic<bool> stop{true};
  EXPECT_THROW(check_skin(good_bar(), {}, Progress({}, &stop)), Error);
}

}  // namespace
}  // namespace sinew
