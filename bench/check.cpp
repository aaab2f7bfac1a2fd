// How well sinew check tells broken skins from good ones, on every rigged file of folders of characters.
//
//   bench_check FOLDER… [--only NAME] [--seeds N] [--every N] [--show] [--bends] [--no-damage] [--fix] [--save FOLDER]
//
// Findings in the files as they are: artists' own work, so all of them count against the check. Then every file is
// damaged in twelve ways (tests/support/damage.h): a damage is found when a finding that the file did not have before
// touches it, and a finding is false when it is new and touches no damage or what is beside it.
//
// --fix repairs every damage. Twice, because the artist's own weights have no error to come back to: on the artist's
// weights a damage counts as undone when a fifth of it or less is left; on weights of bone heat it counts as repaired
// when the error against the artist is at most 1.2 times what it was before the damage. Errors are means over what was
// damaged or changed, of the distance in the worst pose. A region is worse when a repair made this error larger.
#include "sinew/check.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "sinew/check/bend_shape.h"
#include "sinew/check/checked_skin.h"
#include "sinew/fix.h"
#include "sinew/io.h"
#include "sinew/weights/heat/heat.h"
#include "tests/support/damage.h"

namespace {
using namespace sinew;
namespace fs = std::filesystem;

struct Arguments {
  std::vector<fs::path> folders;
  std::vector<std::string> only;
  fs::path save;
  int seeds = 1, every = 1;
  bool show = false, bends = false, damage = true, fix = false;
};

struct Tally {
  int tried = 0, found = 0, by_name = 0, fresh = 0, wrong = 0;
  int undone = 0, undone_of = 0, repaired = 0, repaired_of = 0, repairs = 0, worse = 0;
};

struct Totals {
  int characters = 0, findings = 0, clean = 0;
  std::map<std::string, int> kinds;
  std::map<std::string, Tally> damages;
  double worst_seconds = 0;
  std::string slowest;
};

std::size_t in_common(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

// The vertices and all that share a triangle with one of them.
std::vector<std::uint32_t> with_neighbours(const Character& character, const std::vector<std::uint32_t>& vertices) {
  const CheckedSkin skin = make_checked_skin(character);
  std::set<std::uint32_t> all(vertices.begin(), vertices.end());
  for (std::uint32_t vertex = 0; vertex < skin.vertex_count(); ++vertex) {
    const auto copies = skin.copies[vertex];
    if (std::none_of(copies.begin(), copies.end(),
                     [&](std::uint32_t copy) { return std::binary_search(vertices.begin(), vertices.end(), copy); }))
      continue;
    for (const std::uint32_t other : skin.neighbours[vertex]) {
      const auto theirs = skin.copies[other];
      all.insert(theirs.begin(), theirs.end());
    }
  }
  return {all.begin(), all.end()};
}

// Whether a joint had weight where the damage is: then the damage may be what left it without.
bool lost_weight(const Character& character, const test::DamagedSkin& damage, int joint) {
  return std::any_of(damage.vertices.begin(), damage.vertices.end(),
                     [&](std::uint32_t vertex) { return character.weights.weight_of(vertex, joint) > 0; });
}

bool is_known(const Finding& finding, const CheckReport& before) {
  return std::any_of(before.findings.begin(), before.findings.end(), [&](const Finding& old) {
    return old.kind == finding.kind && (in_common(old.vertices, finding.vertices) * 3 > old.vertices.size() ||
                                        in_common(old.vertices, finding.vertices) * 3 > finding.vertices.size() ||
                                        (old.vertices.empty() && old.joint == finding.joint));
  });
}

// Which kinds of findings name a damage rightly.
std::set<FindingKind> names_of(test::DamageKind kind) {
  using test::DamageKind;
  switch (kind) {
    case DamageKind::bleed:
    case DamageKind::island:
      return {FindingKind::bleed, FindingKind::spike};
    case DamageKind::unweighted:
      return {FindingKind::unweighted};
    case DamageKind::split_seam:
      return {FindingKind::split_seam};
    case DamageKind::noise:
      return {FindingKind::noise, FindingKind::spike};
    case DamageKind::swapped_sides:
      return {FindingKind::bleed, FindingKind::side_difference};
    case DamageKind::over_smoothed:
      return {FindingKind::collapse, FindingKind::side_difference};
    case DamageKind::hard_border:
      return {FindingKind::hard_edge, FindingKind::side_difference};
    case DamageKind::rigid_blended:
      return {FindingKind::rigid_bends};
    case DamageKind::many_influences:
      return {FindingKind::influences};
    case DamageKind::merged_joint:
      return {FindingKind::idle_joint};
    case DamageKind::spikes:
      return {FindingKind::spike};
  }
  return {};
}

void print_finding(const CheckReport& report, const Finding& finding) {
  std::printf("    %-16s %6.3f  %-32s %s\n", std::string(finding_kind_name(finding.kind)).c_str(), finding.severity,
              finding.pose < 0 ? "" : report.poses[static_cast<std::size_t>(finding.pose)].name.c_str(),
              finding.what.c_str());
}

void save(const Character& character, const Arguments& arguments, const std::string& name) {
  if (arguments.save.empty()) return;
  fs::create_directories(arguments.save);
  save_character(character, arguments.save / (name + ".glb"));
}

// Mean over vertices of the distance between two skins in the worst pose for each, of the diagonal.
double error(const CheckedSkin& skin, const SkinWeights& a, const SkinWeights& b,
             const std::vector<std::uint32_t>& vertices) {
  const auto list_of = [](const SkinWeights& weights, std::uint32_t vertex) {
    WeightList list;
    const std::size_t slots = static_cast<std::size_t>(weights.influences);
    for (std::size_t slot = vertex * slots; slot < (vertex + 1) * slots; ++slot) {
      if (weights.weights[slot] > 0) list.push_back({weights.joints[slot], weights.weights[slot]});
    }
    std::sort(list.begin(), list.end(), [](const Influence& x, const Influence& y) { return x.joint < y.joint; });
    return list;
  };
  double sum = 0;
  for (const std::uint32_t vertex : vertices) {
    const Vec3d place = skin.character.mesh.positions[vertex].cast<double>();
    sum += worst_offset(skin, place, difference(list_of(a, vertex), list_of(b, vertex))).distance;
  }
  return vertices.empty() ? 0 : sum / static_cast<double>(vertices.size());
}

// Damages weights, repairs them and compares with the artist's.
void measure_fix(const Character& artist, const SkinWeights& original, const test::DamagedSkin& damage, bool own,
                 const std::string& label, bool show, Tally& tally) {
  const CheckedSkin skin = make_checked_skin(artist);
  Character broken = artist;
  broken.weights = damage.weights;
  const FixReport report = fix_skin(broken);
  std::vector<std::uint32_t> region = damage.vertices;
  for (const Repair& repair : report.repairs) {
    std::vector<std::uint32_t> both;
    if (in_common(repair.vertices, damage.vertices) == 0) continue;
    std::set_union(region.begin(), region.end(), repair.vertices.begin(), repair.vertices.end(),
                   std::back_inserter(both));
    region = std::move(both);
  }
  for (const Repair& repair : report.repairs) {
    // What the artist's own weights had before has no truth to compare with.
    if (repair.vertices.empty() || (own && in_common(repair.vertices, damage.vertices) == 0)) continue;
    ++tally.repairs;
    const double before = error(skin, damage.weights, artist.weights, repair.vertices);
    const double after = error(skin, broken.weights, artist.weights, repair.vertices);
    if (after > before + 1e-3 && after > 1.05 * before) {
      ++tally.worse;
      if (show)
        std::printf("  worse with %s: %.4f -> %.4f, %s (%s)\n", label.c_str(), before, after, repair.how.c_str(),
                    repair.finding.what.c_str());
    }
  }
  const double left = error(skin, broken.weights, artist.weights, region);
  const double limit = own ? 0.2 * error(skin, damage.weights, artist.weights, region)
                           : 1.2 * error(skin, original, artist.weights, region) + 1e-4;
  const bool good = left <= limit;
  (own ? tally.undone_of : tally.repaired_of) += 1;
  (own ? tally.undone : tally.repaired) += good;
  if (show && !good) {
    std::printf("  not %s: %s, %.4f left, limit %.4f\n", own ? "undone" : "repaired", label.c_str(), left, limit);
    for (const Repair& repair : report.repairs)
      std::printf("      %s: %s; %s\n", std::string(repair_outcome_name(repair.outcome)).c_str(), repair.how.c_str(),
                  repair.finding.what.c_str());
  }
}

void measure_fixes(const Character& artist, const Arguments& arguments, Totals& totals) {
  Character heat = artist;
  try {
    Warnings ignored;
    const BindInput input = make_bind_input(artist, {.joints = "weighted"}, ignored);
    heat.weights = to_character_weights(artist, input, heat_weights(input, {}, {}, ignored));
  } catch (const Error& error) {
    std::printf("  %s\n", error.what());
    return;
  }
  for (const test::DamageKind kind : test::all_damage_kinds()) {
    const std::string label(test::damage_name(kind));
    const auto damage = test::damage_skin(artist, kind, 1);
    if (damage) measure_fix(artist, artist.weights, *damage, true, label, arguments.show, totals.damages[label]);
    const auto heat_damage = test::damage_skin(heat, kind, 1);
    if (heat_damage)
      measure_fix(artist, heat.weights, *heat_damage, false, label, arguments.show, totals.damages[label]);
  }
}

void print_fixes(const Totals& totals) {
  std::printf("\n%-16s %16s %18s %10s %8s\n", "damage", "undone (artist)", "repaired (heat)", "repairs", "worse");
  Tally all;
  const auto row = [](const char* label, const Tally& tally) {
    std::printf("%-16s %7.1f%% of %4d %9.1f%% of %4d %10d %8d\n", label,
                100.0 * tally.undone / std::max(tally.undone_of, 1), tally.undone_of,
                100.0 * tally.repaired / std::max(tally.repaired_of, 1), tally.repaired_of, tally.repairs, tally.worse);
  };
  for (const auto& [label, tally] : totals.damages) {
    row(label.c_str(), tally);
    all.undone += tally.undone, all.undone_of += tally.undone_of, all.repaired += tally.repaired;
    all.repaired_of += tally.repaired_of, all.repairs += tally.repairs, all.worse += tally.worse;
  }
  row("all", all);
}

void measure_damages(const std::string& name, const Character& character, const CheckReport& before,
                     const Arguments& arguments, Totals& totals) {
  for (const test::DamageKind kind : test::all_damage_kinds()) {
    for (int seed = 1; seed <= arguments.seeds; ++seed) {
      const auto damage = test::damage_skin(character, kind, static_cast<std::uint64_t>(seed));
      if (!damage) continue;
      Character broken = character;
      broken.weights = damage->weights;
      const std::string label = std::string(test::damage_name(kind));
      save(broken, arguments, name + "_" + label + std::to_string(seed));
      const CheckReport report = check_skin(broken);
      Tally& tally = totals.damages[label];
      ++tally.tried;
      const std::vector<std::uint32_t> around = with_neighbours(character, damage->vertices);
      bool found = false, by_name = false;
      for (const Finding& finding : report.findings) {
        if (is_known(finding, before)) continue;
        ++tally.fresh;
        const bool touches =
            in_common(finding.vertices, damage->vertices) > 0 ||
            (finding.kind == FindingKind::idle_joint && lost_weight(character, *damage, finding.joint));
        found |= touches;
        by_name |= touches && names_of(kind).contains(finding.kind);
        const bool beside = touches || in_common(finding.vertices, around) > 0;
        tally.wrong += !beside;
        if (arguments.show && !beside) {
          std::printf("  false with %s %d:\n", label.c_str(), seed);
          print_finding(report, finding);
        }
      }
      tally.found += found;
      tally.by_name += by_name;
      if (arguments.show && !found)
        std::printf("  missed %s %d: joint %s, %zu vertices\n", label.c_str(), seed,
                    damage->joint < 0 ? "-" : character.skeleton.names[static_cast<std::size_t>(damage->joint)].c_str(),
                    damage->vertices.size());
    }
  }
}

void print_bends(const std::string& name, const Character& character) {
  const CheckedSkin skin = make_checked_skin(character);
  for (int joint = 0; joint < skin.joint_count(); ++joint) {
    const auto shape = measure_bend(skin, joint);
    if (!shape) continue;
    std::printf("bend,%s,%s,%s,%.3f,%.3f,%.3f,%zu,%.3f\n", name.c_str(),
                character.skeleton.names[static_cast<std::size_t>(joint)].c_str(),
                role_name(skin.roles[static_cast<std::size_t>(joint)].role), shape->width / shape->length, shape->hard,
                shape->edge / std::max(shape->radius, 1e-9), shape->crossing, shape->sunk);
  }
}

void measure(const fs::path& file, const Arguments& arguments, Totals& totals) {
  Character character;
  CheckReport report;
  const std::string name = file.stem().string();
  try {
    character = load_character(file);
    const std::clock_t begin = std::clock();
    report = check_skin(character);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (seconds > totals.worst_seconds) {
      totals.worst_seconds = seconds;
      totals.slowest = name + ", " + std::to_string(character.mesh.vertex_count()) + " vertices";
    }
  } catch (const Error& error) {
    std::printf("%s: %s\n", name.c_str(), error.what());
    return;
  }
  ++totals.characters;
  totals.findings += static_cast<int>(report.findings.size());
  totals.clean += report.findings.empty();
  for (const Finding& finding : report.findings) ++totals.kinds[std::string(finding_kind_name(finding.kind))];
  std::printf("%s: %zu findings%s\n", name.c_str(), report.findings.size(),
              report.sides_compared ? ", sides compared" : "");
  if (arguments.show) {
    for (const Finding& finding : report.findings) print_finding(report, finding);
  }
  if (arguments.bends) print_bends(name, character);
  if (arguments.damage) measure_damages(name, character, report, arguments, totals);
  if (arguments.fix) measure_fixes(character, arguments, totals);
  std::fflush(stdout);
}

void print(const Totals& totals) {
  std::printf("\n%d characters as they are: %d findings, %.2f per character; %d without any\n", totals.characters,
              totals.findings, totals.characters ? double(totals.findings) / totals.characters : 0.0, totals.clean);
  for (const auto& [kind, count] : totals.kinds) std::printf("  %-16s %d\n", kind.c_str(), count);
  std::printf("slowest: %.2f s of processor time (%s)\n", totals.worst_seconds, totals.slowest.c_str());
  if (totals.damages.empty() || totals.damages.begin()->second.tried == 0) return;
  std::printf("\n%-16s %6s %8s %14s %8s %8s\n", "damage", "tried", "found", "by its name", "new", "false");
  Tally all;
  for (const auto& [label, tally] : totals.damages) {
    std::printf("%-16s %6d %7.1f%% %13.1f%% %8d %8d\n", label.c_str(), tally.tried, 100.0 * tally.found / tally.tried,
                100.0 * tally.by_name / tally.tried, tally.fresh, tally.wrong);
    all.tried += tally.tried, all.found += tally.found, all.by_name += tally.by_name;
    all.fresh += tally.fresh, all.wrong += tally.wrong;
  }
  std::printf("%-16s %6d %7.1f%% %13.1f%% %8d %8d = %.1f%%\n", "all", all.tried, 100.0 * all.found / all.tried,
              100.0 * all.by_name / all.tried, all.fresh, all.wrong, all.fresh ? 100.0 * all.wrong / all.fresh : 0.0);
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--only" && i + 1 < argc)
      arguments.only.push_back(argv[++i]);
    else if (word == "--seeds" && i + 1 < argc)
      arguments.seeds = std::atoi(argv[++i]);
    else if (word == "--save" && i + 1 < argc)
      arguments.save = argv[++i];
    else if (word == "--every" && i + 1 < argc)
      arguments.every = std::max(1, std::atoi(argv[++i]));
    else if (word == "--fix")
      arguments.fix = true;
    else if (word == "--show")
      arguments.show = true;
    else if (word == "--bends")
      arguments.bends = true;
    else if (word == "--no-damage")
      arguments.damage = false;
    else
      arguments.folders.push_back(word);
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv);
  std::vector<fs::path> files;
  for (const fs::path& folder : arguments.folders) {
    for (const auto& entry :
         fs::recursive_directory_iterator(folder, fs::directory_options::follow_directory_symlink)) {
      const std::string extension = entry.path().extension().string();
      const bool wanted = arguments.only.empty() ||
                          std::any_of(arguments.only.begin(), arguments.only.end(), [&](const std::string& part) {
                            return entry.path().filename().string().find(part) != std::string::npos;
                          });
      if (wanted && (extension == ".glb" || extension == ".fbx" || extension == ".gltf" || extension == ".vrm"))
        files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  Totals totals;
  for (std::size_t i = 0; i < files.size(); i += static_cast<std::size_t>(arguments.every))
    measure(files[i], arguments, totals);
  print(totals);
  if (arguments.fix) print_fixes(totals);
  return 0;
}
