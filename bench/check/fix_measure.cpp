#include "bench/check/fix_measure.h"

#include <algorithm>
#include <cstdio>

#include "sinew/bind.h"
#include "sinew/check/checked_skin.h"
#include "sinew/fix.h"
#include "tests/support/damage.h"

namespace sinew::bench {
namespace {

constexpr double undone_share = 0.2, repaired_factor = 1.2, nothing = 1e-4;
constexpr double worse_factor = 1.05, worse_distance = 1e-3;  // of the diagonal

using Vertices = std::vector<std::uint32_t>;

// Mean over vertices of the distance between two skins in the worst pose for each, of the diagonal.
double error(const CheckedSkin& skin, const SkinWeights& a, const SkinWeights& b, const Vertices& vertices) {
  double sum = 0;
  for (const std::uint32_t vertex : vertices) {
    const Vec3d place = skin.character.mesh.positions[vertex].cast<double>();
    sum += worst_offset(skin, place, difference(weights_of(a, vertex), weights_of(b, vertex))).distance;
  }
  return vertices.empty() ? 0 : sum / static_cast<double>(vertices.size());
}

// What hangs together of the vertices whose weights differ, as vertices of the character.
std::vector<Vertices> changed_regions(const CheckedSkin& skin, const SkinWeights& a, const SkinWeights& b) {
  std::vector<char> changed(skin.vertex_count(), 0);
  for (std::uint32_t vertex = 0; vertex < skin.vertex_count(); ++vertex) {
    for (const std::uint32_t copy : skin.copies[vertex]) {
      if (magnitude(difference(weights_of(a, copy), weights_of(b, copy))) > 1e-6) changed[vertex] = 1;
    }
  }
  std::vector<Vertices> regions;
  for (const Vertices& group : connected_groups(skin, changed)) regions.push_back(original_vertices(skin, group));
  return regions;
}

struct Trial {
  const Character& artist;
  const CheckedSkin& skin;      // of the artist
  const SkinWeights& original;  // before the damage
  const test::DamagedSkin& damage;
  bool artists_own;
  std::string label;
  bool show;
};

// Whether any region is worse than in the damaged file.
bool count_worse(const Trial& trial, const std::vector<Vertices>& regions, const SkinWeights& fixed, FixTally& tally) {
  bool any = false;
  for (const Vertices& region : regions) {
    // Elsewhere than at the damage, the artist's own weights are the truth and cannot become better.
    if (trial.artists_own && vertices_in_common(region, trial.damage.vertices) == 0) continue;
    ++tally.regions;
    const double before = error(trial.skin, trial.damage.weights, trial.artist.weights, region);
    const double after = error(trial.skin, fixed, trial.artist.weights, region);
    const auto is_worse_than = [&](double other) {
      return after > other + worse_distance && after > worse_factor * other;
    };
    if (!is_worse_than(before)) continue;
    if (!is_worse_than(error(trial.skin, trial.original, trial.artist.weights, region))) {
      ++tally.brought_back;
      continue;
    }
    ++tally.worse;
    any = true;
    if (trial.show)
      std::printf("  worse with %s: %.4f -> %.4f, %zu vertices\n", trial.label.c_str(), before, after, region.size());
  }
  return any;
}

void print_repairs(const FixReport& report) {
  for (const Repair& repair : report.repairs) {
    std::printf("      %s %s: %s; %s\n", std::string(finding_kind_name(repair.finding.kind)).c_str(),
                std::string(repair_outcome_name(repair.outcome)).c_str(), repair.how.c_str(),
                repair.finding.what.c_str());
  }
}

void measure_fix(const Trial& trial, FixTotals& totals) {
  FixTally& tally = totals.damages[trial.label];
  Character broken = trial.artist;
  broken.weights = trial.damage.weights;
  const FixReport report = fix_skin(broken);
  const std::vector<Vertices> regions = changed_regions(trial.skin, trial.damage.weights, broken.weights);
  const bool worse = count_worse(trial, regions, broken.weights, tally);
  ++totals.files;
  totals.files_with_worse += worse;
  Vertices region = trial.damage.vertices;
  for (const Vertices& changed : regions) {
    if (vertices_in_common(changed, trial.damage.vertices) == 0) continue;
    Vertices both;
    std::set_union(region.begin(), region.end(), changed.begin(), changed.end(), std::back_inserter(both));
    region = std::move(both);
  }
  const double damaged = error(trial.skin, trial.damage.weights, trial.artist.weights, region);
  const double left = error(trial.skin, broken.weights, trial.artist.weights, region);
  const double before = error(trial.skin, trial.original, trial.artist.weights, region);
  const double limit = trial.artists_own ? undone_share * damaged : repaired_factor * before + nothing;
  if (!trial.artists_own && damaged <= limit) {
    ++tally.within;
    return;
  }
  const bool good = left <= limit;
  ++(trial.artists_own ? tally.undone_of : tally.repaired_of);
  (trial.artists_own ? tally.undone : tally.repaired) += good;
  if (trial.show && !good) {
    std::printf("  not %s: %s, %.4f -> %.4f, limit %.4f\n", trial.artists_own ? "undone" : "repaired",
                trial.label.c_str(), damaged, left, limit);
  }
  if (trial.show && (worse || !good)) print_repairs(report);
}

}  // namespace

void measure_fixes(const Character& artist, const std::string& method, std::uint64_t seed, bool show,
                   FixTotals& totals) {
  totals.method = method;
  const CheckedSkin skin = make_checked_skin(artist);
  Character bound = artist;
  bool has_bound = true;
  try {
    Character copy = artist;
    bind_character(copy, {.method = method, .joints = "weighted"});
    bound.weights = std::move(copy.weights);
  } catch (const Error& error) {
    std::printf("  %s\n", error.what());
    has_bound = false;
  }
  for (const test::DamageKind kind : test::all_damage_kinds()) {
    const std::string label(test::damage_name(kind));
    const auto try_one = [&](const Character& base, bool own) {
      const auto damage = test::damage_skin(base, kind, seed);
      if (damage) measure_fix({artist, skin, base.weights, *damage, own, label, show}, totals);
    };
    try_one(artist, true);
    if (has_bound) try_one(bound, false);
  }
}

void print_fixes(const FixTotals& totals) {
  std::printf("\n%-16s %16s %18s %8s %8s %6s %6s\n", "damage", "undone (artist)",
              ("repaired (" + totals.method + ")").c_str(), "within", "regions", "back", "worse");
  FixTally all;
  const auto row = [](const char* label, const FixTally& tally) {
    std::printf("%-16s %7.1f%% of %4d %9.1f%% of %4d %8d %8d %6d %6d\n", label,
                100.0 * tally.undone / std::max(tally.undone_of, 1), tally.undone_of,
                100.0 * tally.repaired / std::max(tally.repaired_of, 1), tally.repaired_of, tally.within, tally.regions,
                tally.brought_back, tally.worse);
  };
  for (const auto& [label, tally] : totals.damages) {
    row(label.c_str(), tally);
    all.undone += tally.undone, all.undone_of += tally.undone_of, all.repaired += tally.repaired;
    all.repaired_of += tally.repaired_of, all.within += tally.within;
    all.regions += tally.regions, all.worse += tally.worse, all.brought_back += tally.brought_back;
  }
  row("all", all);
  std::printf("%d of %d damaged files with a region that is worse\n", totals.files_with_worse, totals.files);
}

}  // namespace sinew::bench
