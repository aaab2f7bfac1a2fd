// Finding by finding: try what may help, check again, keep what did.
#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/parallel.h"
#include "sinew/base/plain_text.h"
#include "sinew/check/repairs.h"
#include "sinew/fix.h"
#include "sinew/weights/heat/heat.h"

namespace sinew {
namespace {

constexpr double same_place_share = 0.25;  // of the vertices of either finding: then they are about the same place
constexpr double much_smaller = 0.6;       // of a severity
constexpr double no_worse = 1.02;          // of a severity
constexpr double pinched = 0.9;            // of a limb's thickness

bool same_place_as(const Finding& a, const Finding& b) {
  if (a.kind == FindingKind::idle_joint && b.kind == FindingKind::idle_joint) return a.joint == b.joint;
  const double both = static_cast<double>(vertices_in_common(a.vertices, b.vertices));
  return both > 0 && (both >= same_place_share * static_cast<double>(a.vertices.size()) ||
                      both >= same_place_share * static_cast<double>(b.vertices.size()));
}

double severity_left(const CheckReport& report, const Finding& finding) {
  double left = 0;
  for (const Finding& other : report.findings) {
    if (other.kind == finding.kind && same_place_as(other, finding)) left = std::max(left, other.severity);
  }
  return left;
}

bool is_gone(const CheckReport& report, const Finding& finding) {
  return std::none_of(report.findings.begin(), report.findings.end(), [&](const Finding& other) {
    return other.kind == finding.kind && same_place_as(other, finding);
  });
}

bool is_something_left(const CheckReport& report, const Finding& finding) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& other) {
    return other.kind != FindingKind::influences && same_place_as(other, finding);
  });
}

// Whether some place is worse than before: a finding that was not there, or that is more severe.
bool something_is_worse(const CheckReport& before, const CheckReport& after, const Finding& treated) {
  return std::any_of(after.findings.begin(), after.findings.end(), [&](const Finding& now) {
    if (same_place_as(now, treated) && now.severity <= much_smaller * treated.severity) return false;
    return std::none_of(before.findings.begin(), before.findings.end(), [&](const Finding& old) {
      return same_place_as(now, old) && now.severity <= no_worse * old.severity + 1e-4;
    });
  });
}

double total_severity(const CheckReport& report) {
  double sum = 0;
  for (const Finding& finding : report.findings) sum += finding.severity + 1e-3;
  return sum;
}

class Surgery {
 public:
  Surgery(const Character& character, const FixOptions& options) : character_(character), options_(options) {
    check_options_ = options.check;
    check_options_.kinds.clear();
    check_options_.threads = 0;
  }

  FixReport run(const Progress& progress) {
    FixReport result;
    result.before = result.after = check_skin(character_, check_options_, progress.part(0, 0.1));
    for (int attempt = 0; attempt < options_.max_repairs; ++attempt) {
      const Finding* next = next_finding(result);
      if (!next) break;
      const Finding finding = *next;
      progress(0.1 + 0.9 * attempt / (attempt + 4.0), "repairing");
      result.repairs.push_back(treat(finding, result.after));
    }
    add_beyond_weights(result);
    return result;
  }

  SkinWeights take_weights() { return std::move(character_.weights); }

 private:
  bool is_asked_for(FindingKind kind) const {
    const std::vector<FindingKind>& kinds = options_.check.kinds;
    return kinds.empty() || std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  }

  // In the order of kinds, which is that of how sure their repair is; then the worst.
  const Finding* next_finding(const FixReport& result) const {
    for (const FindingKind kind : all_finding_kinds()) {
      if (!is_asked_for(kind)) continue;
      for (const Finding& finding : result.after.findings) {
        const bool tried = std::any_of(result.repairs.begin(), result.repairs.end(), [&](const Repair& repair) {
          return repair.finding.kind == kind && same_place_as(repair.finding, finding);
        });
        if (finding.kind == kind && !tried) return &finding;
      }
    }
    return nullptr;
  }

  void prepare() {
    if (skin_) return;
    skin_.emplace(make_checked_skin(character_));
    mirrored_ = find_mirrored_skin(*skin_);
  }

  // Bone heat at the vertices of the skin, of the joints that have weight and of one more, if it is given.
  const SkinWeights* heat(int joint) {
    const auto [known, first_time] = heat_.try_emplace(joint);
    if (first_time) {
      try {
        Warnings ignored;
        const std::string joints =
            "weighted" + (joint < 0 ? "" : "," + character_.skeleton.names[static_cast<std::size_t>(joint)]);
        const BindInput input = make_bind_input(character_, {.max_influences = 4, .joints = joints}, ignored);
        known->second = to_character_weights(character_, input, heat_weights(input, {}, {}, ignored));
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::cancelled) throw;
        known->second = {};  // bone heat is only one of the means
      }
    }
    if (known->second.empty()) return nullptr;
    std::vector<std::uint32_t> first;
    for (std::size_t vertex = 0; vertex < skin_->vertex_count(); ++vertex) first.push_back(skin_->copies[vertex][0]);
    heat_of_skin_ = scatter(known->second, first);
    return &heat_of_skin_;
  }

  std::vector<std::uint32_t> in_skin(const std::vector<std::uint32_t>& vertices) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t vertex = 0; vertex < skin_->vertex_count(); ++vertex) {
      const auto copies = skin_->copies[vertex];
      const bool in = std::any_of(copies.begin(), copies.end(), [&](std::uint32_t copy) {
        return std::binary_search(vertices.begin(), vertices.end(), copy);
      });
      if (in) found.push_back(vertex);
    }
    return found;
  }

  std::vector<char> suspected_vertices(const CheckReport& report) const {
    std::vector<char> suspected(skin_->vertex_count(), 0);
    for (const Finding& finding : report.findings) {
      if (finding.kind == FindingKind::side_difference || finding.kind == FindingKind::influences) continue;
      for (const std::uint32_t vertex : in_skin(finding.vertices)) suspected[vertex] = 1;
    }
    return suspected;
  }

  SkinWeights with(const Cure& cure) const {
    std::size_t most = 0;
    for (const auto& [vertex, list] : cure.weights) most = std::max(most, list.size());
    const int slots = std::max(
        character_.weights.influences,
        static_cast<int>(std::min<std::size_t>({most, 4, static_cast<std::size_t>(options_.check.max_influences)})));
    SkinWeights weights = with_influences(character_.weights, slots);
    for (const auto& [vertex, list] : cure.weights) {
      for (const std::uint32_t copy : skin_->copies[vertex]) set_influences(weights, copy, list);
    }
    return weights;
  }

  Repair treat(const Finding& finding, CheckReport& report) {
    prepare();
    const std::vector<char> suspected = suspected_vertices(report);
    const Patient patient{*skin_,
                          mirrored_,
                          finding,
                          in_skin(finding.vertices),
                          suspected,
                          [this](int joint) { return heat(joint); },
                          options_.check.max_influences};
    Repair repair{.finding = finding};
    repair.severity = finding.severity;
    Character trial = character_;
    std::optional<SkinWeights> best;
    CheckReport best_report;
    for (const Cure& cure : cures_for(patient)) {
      trial.weights = with(cure);
      CheckReport after = check_skin(trial, check_options_);
      const double left = severity_left(after, finding);
      const bool gone = is_gone(after, finding);
      if (!(gone || left <= much_smaller * finding.severity) || something_is_worse(report, after, finding)) continue;
      if (best && total_severity(after) >= total_severity(best_report) - 1e-6) continue;
      best = trial.weights;
      best_report = std::move(after);
      repair.outcome = gone ? RepairOutcome::repaired : RepairOutcome::improved;
      repair.severity = left;
      repair.how = cure.how;
      // What comes later is dearer or less likely to be right.
      if (gone && !is_something_left(best_report, finding)) break;
    }
    if (!best) {
      repair.how = why_left_alone(finding);
      return repair;
    }
    repair.vertices = changed_vertices(*best);
    character_.weights = *std::move(best);
    report = std::move(best_report);
    skin_.reset();
    return repair;
  }

  static std::string why_left_alone(const Finding& finding) {
    if (finding.kind == FindingKind::side_difference) return "left alone: which side is right cannot be told";
    if (finding.kind == FindingKind::collapse)
      return "left alone: shorter blends make it worse; a corrective or a twist joint can keep the volume";
    return "left alone: nothing made it better without making something else worse";
  }

  std::vector<std::uint32_t> changed_vertices(const SkinWeights& now) const {
    std::vector<std::uint32_t> changed;
    const SkinWeights before = with_influences(character_.weights, now.influences);
    const std::size_t slots = static_cast<std::size_t>(now.influences);
    for (std::uint32_t vertex = 0; vertex < now.vertex_count(); ++vertex) {
      for (std::size_t slot = vertex * slots; slot < (vertex + 1) * slots; ++slot) {
        if (before.joints[slot] == now.joints[slot] && before.weights[slot] == now.weights[slot]) continue;
        changed.push_back(vertex);
        break;
      }
    }
    return changed;
  }

  // Turned by an angle about the bone, a place that follows both sides by half is as thick as its cosine of half of it.
  void add_beyond_weights(FixReport& result) {
    prepare();
    for (const CheckPose& pose : skin_->poses) {
      const std::size_t joint = static_cast<std::size_t>(pose.joint);
      const JointRole role = skin_->roles[joint].role;
      if (role != JointRole::forearm && role != JointRole::upper_arm && role != JointRole::thigh) continue;
      if (pose.name.find("twisted") == std::string::npos || has_twist_joint(pose.joint)) continue;
      const double thickness = std::cos(0.5 * std::abs(pose.degrees) * M_PI / 180);
      const std::vector<float> shares = shares_of(*skin_, pose.joint);
      const auto halves = std::count_if(shares.begin(), shares.end(), [](float s) { return s > 0.3f && s < 0.7f; });
      if (thickness > pinched || halves < 4) continue;
      result.beyond_weights.push_back("'" + pose.name + "' pinches the limb to " +
                                      fixed_number_text(100 * thickness, 0) +
                                      " % of its thickness, whatever the weights; a " + "twist joint at '" +
                                      character_.skeleton.names[joint] + "' or a corrective keeps it");
    }
  }

  bool has_twist_joint(int joint) const {
    const std::vector<int>& parents = character_.skeleton.parents;
    for (std::size_t other = 0; other < parents.size(); ++other) {
      const bool near = parents[other] == joint || parents[other] == parents[static_cast<std::size_t>(joint)];
      if (near && skin_->roles[other].role == JointRole::twist && skin_->drives[other]) return true;
    }
    return false;
  }

  Character character_;
  FixOptions options_;
  CheckOptions check_options_;
  std::optional<CheckedSkin> skin_;  // of the weights as they are now
  std::optional<MirroredSkin> mirrored_;
  std::map<int, SkinWeights> heat_;  // by the joint that was asked for besides
  SkinWeights heat_of_skin_;
};

}  // namespace

std::string_view repair_outcome_name(RepairOutcome outcome) noexcept {
  switch (outcome) {
    case RepairOutcome::repaired:
      return "repaired";
    case RepairOutcome::improved:
      return "improved";
    case RepairOutcome::left_alone:
      return "left-alone";
  }
  return {};
}

FixReport fix_skin(Character& character, const FixOptions& options, const Progress& progress) {
  if (options.max_repairs < 1) {
    throw Error(ErrorCode::option_out_of_range,
                "max_repairs must be at least 1, got " + std::to_string(options.max_repairs))
        .about("max_repairs");
  }
  check_character(character);
  return with_threads(options.threads, progress, [&] {
    Surgery surgery(character, options);
    FixReport report = surgery.run(progress);
    character.weights = surgery.take_weights();
    return report;
  });
}

}  // namespace sinew
