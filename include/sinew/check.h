// What a lead artist would send back: a skin is posed through a range of motion and looked over, without any reference.
//
//   CheckReport report = check_skin(hero);
//   for (const Finding& finding : report.findings) {
//     std::puts(finding.what.c_str());      // "the left hand moves 34 vertices of the belly …"
//     std::puts(finding.remedy.c_str());    // "remove the influence of 'hand.L' from these vertices"
//   }
//   TriangleMesh seen = pose_mesh(hero.mesh, hero.weights, skinning_transforms(hero.skeleton,
//       check_pose(hero.skeleton, report.poses[report.findings[0].pose])));
//
// Every finding is measured in the same unit: how far skin is from where it should be in the worst pose, as a share of
// the bounding diagonal at rest. docs/check.md says what the kinds mean and how the limits were chosen.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/character.h"
#include "sinew/export.h"
#include "sinew/gates.h"
#include "sinew/progress.h"

namespace sinew {

enum class FindingKind : std::uint8_t {
  unweighted,       // vertices of a skinned part that no joint moves
  split_seam,       // copies of one place with other weights: the surface tears open
  spike,            // single vertices that follow another joint than everything around them
  bleed,            // a region moves with a joint that it does not belong to
  noise,            // weights that jump up and down from vertex to vertex
  hard_edge,        // weights that change from one joint to the next between two vertices of a fine mesh: it stretches
  collapse,         // weights blended over so much of a limb that it loses its volume when it bends
  side_difference,  // left and right deform differently although mesh and skeleton are the same on both sides
  rigid_bends,      // a piece that should move as one, and does not
  influences,       // more joints per vertex than asked for
  idle_joint,       // a joint of the body that moves nothing
};

// "split-seam": stable, for reports and gates.
SINEW_API std::string_view finding_kind_name(FindingKind kind) noexcept;
SINEW_API std::optional<FindingKind> find_finding_kind(std::string_view name) noexcept;
SINEW_API std::vector<FindingKind> all_finding_kinds();

// One joint turned about one axis; all others as in the bind pose.
struct CheckPose {
  std::string name;  // "left elbow bent 90°"
  int joint = 0;
  Vec3d axis = Vec3d::UnitX();  // character space, unit length, through the joint
  double degrees = 0;           // counter-clockwise seen against the axis
};

// The same as a pose of the whole skeleton.
SINEW_API Pose check_pose(const Skeleton& skeleton, const CheckPose& pose);

// The named poses of a skeleton: what each joint does in a body (elbows bend, heads turn), within its limits; joints
// whose role nobody knows bend both ways and twist. Joints that cannot deform the skin have none.
SINEW_API std::vector<CheckPose> range_of_motion(const Skeleton& skeleton);

struct Finding {
  FindingKind kind = FindingKind::bleed;
  int joint = -1;  // whose influence is wrong, or at which it is wrong; -1: of no one joint
  int part = -1;   // of the character, where most of the vertices are; -1: the character has none
  std::vector<std::uint32_t> vertices{};  // of the character's mesh, in rising order; all copies of a place
  int pose = -1;                          // in CheckReport::poses: where it shows most; -1: none does
  double severity = 0;                    // how far skin is off in that pose, as a share of the bounding diagonal
  std::string what{};                     // one sentence: what is wrong and where
  std::string remedy{};                   // one sentence: what to do about it
};

struct CheckOptions {
  int max_influences = 8;            // per vertex; more is a finding
  double tolerance = 0.02;           // severities below this are not reported; 0 … 1
  std::vector<FindingKind> kinds{};  // look for these only; empty: for all
  int threads = 0;                   // 0: all cores
};

struct CheckReport {
  std::vector<Finding> findings;  // worst first
  std::vector<CheckPose> poses;   // in which the character was looked at
  std::size_t vertices = 0;       // that were looked at
  bool sides_compared = false;    // whether mesh and skeleton are alike on both sides
  std::vector<Metric> metrics;    // for gates: "findings", "worst", and one per kind ("bleed", …): how many
  Warnings warnings;              // what could not be looked at
};

// Reads nothing but mesh, skeleton and weights; motions do not matter. Throws Error(bad_input) for a character without
// skin or skeleton, Error(usage) for options out of range.
SINEW_API CheckReport check_skin(const Character& character, const CheckOptions& options = {},
                                 const Progress& progress = {});

// Every name in CheckReport::metrics, so that a mistyped gate is found before the work (check_gate_names).
SINEW_API std::vector<std::string> check_metric_names();

// The report as one JSON object: docs/check.md.
SINEW_API std::string check_json(const Character& character, const CheckReport& report);

}  // namespace sinew
