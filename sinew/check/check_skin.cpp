// The steps of a check in order, and what was found put together.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sinew/base/parallel.h"
#include "sinew/check/describe.h"
#include "sinew/check/detectors.h"

namespace sinew {
namespace {

struct NamedKind {
  FindingKind kind;
  std::string_view name;
};

// In this order a place that is wrong in several ways is called by the first.
constexpr std::array named_kinds = {
    NamedKind{FindingKind::unweighted, "unweighted"},
    NamedKind{FindingKind::split_seam, "split-seam"},
    NamedKind{FindingKind::noise, "noise"},
    NamedKind{FindingKind::spike, "spike"},
    NamedKind{FindingKind::bleed, "bleed"},
    NamedKind{FindingKind::idle_joint, "idle-joint"},
    NamedKind{FindingKind::rigid_bends, "rigid-bends"},
    NamedKind{FindingKind::hard_edge, "hard-edge"},
    NamedKind{FindingKind::collapse, "collapse"},
    NamedKind{FindingKind::side_difference, "side-difference"},
    NamedKind{FindingKind::influences, "influences"},
};

constexpr double same_region = 0.5;  // of the vertices of the smaller one, or of the later one
// Noise hides what it looks like from close by, single vertices that follow other joints; but not what is much worse.
constexpr double noise_hides = 2.5;  // times its own severity

// Both sides of a character are somebody's work: that they differ by little is nothing to send back.
constexpr double side_tolerance = 1.5;  // times the tolerance

double tolerance_of(FindingKind kind, double tolerance) {
  return kind == FindingKind::side_difference ? side_tolerance * tolerance : tolerance;
}

// Wrong however little it moves.
bool always_counts(FindingKind kind) { return kind == FindingKind::unweighted || kind == FindingKind::influences; }

void join(Suspicion& into, const Suspicion& other) {
  std::vector<std::uint32_t> both;
  std::set_union(into.vertices.begin(), into.vertices.end(), other.vertices.begin(), other.vertices.end(),
                 std::back_inserter(both));
  into.vertices = std::move(both);
  if (other.offset.distance > into.offset.distance) into.offset = other.offset, into.joint = other.joint;
}

// Whether two suspicions are one and the same on the left and on the right. Only of kinds whose repair looks at places
// and not at the joint.
bool are_counterparts(const std::optional<MirroredSkin>& mirrored, const Suspicion& a, const Suspicion& b) {
  const bool of_places =
      a.kind == FindingKind::spike || a.kind == FindingKind::noise || a.kind == FindingKind::hard_edge;
  if (!mirrored || !of_places || a.joint < 0 || b.joint < 0) return false;
  if (mirrored->joints[static_cast<std::size_t>(a.joint)] != b.joint || a.joint == b.joint) return false;
  std::vector<std::uint32_t> images;
  for (const std::uint32_t vertex : a.vertices) {
    if (mirrored->vertices[vertex] != MirroredSkin::no_image) images.push_back(mirrored->vertices[vertex]);
  }
  std::sort(images.begin(), images.end());
  return static_cast<double>(vertices_in_common(images, b.vertices)) >
         same_region * static_cast<double>(std::min(a.vertices.size(), b.vertices.size()));
}

// The same region seen in several poses is one finding, and so are the spikes that follow one joint, and what is the
// same on both sides.
Suspicions joined(const std::optional<MirroredSkin>& mirrored, const Suspicions& all, FindingKind kind) {
  Suspicions result;
  for (const Suspicion& own : all) {
    if (own.kind != kind) continue;
    const auto same = std::find_if(result.begin(), result.end(), [&](const Suspicion& other) {
      if (kind == FindingKind::spike || kind == FindingKind::split_seam || kind == FindingKind::unweighted)
        return kind != FindingKind::spike || other.joint == own.joint;
      const std::size_t smaller = std::min(own.vertices.size(), other.vertices.size());
      return static_cast<double>(vertices_in_common(own.vertices, other.vertices)) >
             same_region * static_cast<double>(smaller);
    });
    if (same == result.end()) {
      result.push_back(own);
    } else {
      join(*same, own);
    }
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    for (std::size_t k = result.size(); k-- > i + 1;) {
      if (!are_counterparts(mirrored, result[i], result[k])) continue;
      join(result[i], result[k]);
      result[i].both_sides = true;
      result.erase(result.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
  return result;
}

// Leaves out what is only another sight of a finding that comes before it.
Suspicions without_repetitions(const CheckedSkin& skin, const std::optional<MirroredSkin>& mirrored,
                               const Suspicions& all) {
  std::vector<char> covered(skin.vertex_count(), 0);
  std::vector<double> noise(skin.vertex_count(), std::numeric_limits<double>::infinity());  // severity that it hides
  Suspicions kept;
  for (const NamedKind& kind : named_kinds) {
    std::vector<std::uint32_t> cover;
    for (Suspicion& own : joined(mirrored, all, kind.kind)) {
      const auto known = std::count_if(own.vertices.begin(), own.vertices.end(), [&](std::uint32_t vertex) {
        return covered[vertex] != 0 && noise[vertex] >= own.offset.distance;
      });
      if (kind.kind != FindingKind::influences && kind.kind != FindingKind::idle_joint &&
          static_cast<double>(known) > same_region * static_cast<double>(own.vertices.size()))
        continue;
      cover.insert(cover.end(), own.vertices.begin(), own.vertices.end());
      if (kind.kind == FindingKind::noise) {
        for (const std::uint32_t vertex : own.vertices) noise[vertex] = noise_hides * own.offset.distance;
      }
      kept.push_back(std::move(own));
    }
    for (const std::uint32_t vertex : cover) {
      covered[vertex] = 1;
      for (const std::uint32_t other : skin.neighbours[vertex]) covered[other] = 1;
    }
    for (const std::uint32_t vertex : cover) {
      if (!mirrored || mirrored->vertices[vertex] == MirroredSkin::no_image) continue;
      covered[mirrored->vertices[vertex]] = 1;
      for (const std::uint32_t other : skin.neighbours[mirrored->vertices[vertex]]) covered[other] = 1;
    }
  }
  return kept;
}

bool is_wanted(const CheckOptions& options, FindingKind kind) {
  return options.kinds.empty() || std::find(options.kinds.begin(), options.kinds.end(), kind) != options.kinds.end();
}

Suspicions look(const CheckedSkin& skin, const std::optional<MirroredSkin>& mirrored, const CheckOptions& options,
                const Progress& progress) {
  Suspicions found;
  progress(0.3, "looking at single vertices");
  find_unweighted(skin, found);
  find_split_seams(skin, found);
  find_spikes_and_noise(skin, found);
  find_many_influences(skin, options.max_influences, found);
  progress(0.5, "bending joints");
  find_bleed(skin, found);
  progress(0.7, "bending joints");
  find_bad_bends(skin, mirrored, found);
  find_idle_joints(skin, mirrored, found);
  progress(0.85, "comparing pieces and sides");
  find_bending_pieces(skin, found);
  if (mirrored) find_side_differences(skin, *mirrored, found);
  std::erase_if(found, [&](const Suspicion& own) {
    return !always_counts(own.kind) && !(own.offset.distance >= tolerance_of(own.kind, options.tolerance));
  });
  return without_repetitions(skin, mirrored, found);
}

void add_metrics(CheckReport& report) {
  double worst = 0;
  for (const Finding& finding : report.findings) worst = std::max(worst, finding.severity);
  report.metrics = {{"findings", static_cast<double>(report.findings.size())}, {"worst", worst}};
  for (const NamedKind& kind : named_kinds) {
    const auto count = std::count_if(report.findings.begin(), report.findings.end(),
                                     [&](const Finding& finding) { return finding.kind == kind.kind; });
    report.metrics.push_back({std::string(kind.name), static_cast<double>(count)});
  }
}

CheckReport checked(const Character& character, const CheckOptions& options, const Progress& progress) {
  progress(0, "preparing the surface");
  const CheckedSkin skin = make_checked_skin(character);
  progress(0.2, "comparing the sides");
  const std::optional<MirroredSkin> mirrored = find_mirrored_skin(skin);
  CheckReport report;
  report.poses = skin.poses;
  report.vertices = skin.copies.items.size();
  report.sides_compared = mirrored.has_value();
  for (const Suspicion& own : look(skin, mirrored, options, progress)) {
    if (is_wanted(options, own.kind)) report.findings.push_back(describe(skin, own));
  }
  std::stable_sort(report.findings.begin(), report.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  add_metrics(report);
  progress(1, "checked");
  return report;
}

}  // namespace

std::string_view finding_kind_name(FindingKind kind) noexcept {
  for (const NamedKind& known : named_kinds) {
    if (known.kind == kind) return known.name;
  }
  return {};
}

std::optional<FindingKind> find_finding_kind(std::string_view name) noexcept {
  for (const NamedKind& known : named_kinds) {
    if (known.name == name) return known.kind;
  }
  return std::nullopt;
}

std::vector<FindingKind> all_finding_kinds() {
  std::vector<FindingKind> kinds;
  for (const NamedKind& known : named_kinds) kinds.push_back(known.kind);
  return kinds;
}

std::vector<std::string> check_metric_names() {
  std::vector<std::string> names = {"findings", "worst"};
  for (const NamedKind& known : named_kinds) names.emplace_back(known.name);
  return names;
}

CheckReport check_skin(const Character& character, const CheckOptions& options, const Progress& progress) {
  if (options.max_influences < 1) {
    throw Error(ErrorCode::option_out_of_range,
                "max_influences must be at least 1, got " + std::to_string(options.max_influences))
        .about("max_influences");
  }
  if (!(options.tolerance >= 0 && options.tolerance <= 1)) {
    throw Error(ErrorCode::option_out_of_range, "tolerance must be 0 … 1, a share of the character's size")
        .about("tolerance");
  }
  check_character(character);
  return with_threads(options.threads, progress, [&] { return checked(character, options, progress); });
}

}  // namespace sinew
