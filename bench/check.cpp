// How well sinew check tells broken skins from good ones, on every rigged file of folders of characters.
//
//   bench_check FOLDER… [--only NAME] [--seeds N] [--first-seed N] [--every N] [--show] [--bends] [--no-damage] [--fix]
//       [--base METHOD] [--save FOLDER]
//
// Findings in the files as they are: artists' own work, so all of them count against the check. Then every file is
// damaged in twelve ways (tests/support/damage.h): a damage is found when a finding holds vertices of it that no finding
// of that kind held before. A finding is false when it is new and touches neither damage nor what is beside it.
//
// --fix repairs every damage instead, and compares with the artist (bench/check/fix_measure.h). --base: which
// weights beside the artist's, auto unless told. --first-seed: of the damages, so that tuning and reporting use others.
#include "sinew/check.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "bench/check/fix_measure.h"
#include "sinew/check/bend_shape.h"
#include "sinew/check/checked_skin.h"
#include "sinew/io.h"
#include "tests/support/damage.h"

namespace {
using namespace sinew;
namespace fs = std::filesystem;

struct Arguments {
  std::vector<fs::path> folders;
  std::vector<std::string> only;
  fs::path save;
  std::string base = "auto";  // method of bind, whose weights are damaged too
  int seeds = 1, first_seed = 1, every = 1;
  bool show = false, bends = false, damage = true, fix = false;
};

struct Tally {
  int tried = 0, found = 0, by_name = 0, fresh = 0, wrong = 0;
};

struct Totals {
  int characters = 0, findings = 0, clean = 0;
  std::map<std::string, int> kinds;
  std::map<std::string, Tally> damages;
  bench::FixTotals fixes;
  double worst_seconds = 0;
  std::string slowest;
};

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
    return old.kind == finding.kind &&
           (vertices_in_common(old.vertices, finding.vertices) * 3 > old.vertices.size() ||
            vertices_in_common(old.vertices, finding.vertices) * 3 > finding.vertices.size() ||
            (old.vertices.empty() && old.joint == finding.joint));
  });
}

// The vertices of a finding that no finding of its kind had before.
std::vector<std::uint32_t> new_vertices(const Finding& finding, const CheckReport& before) {
  std::vector<std::uint32_t> left = finding.vertices;
  for (const Finding& old : before.findings) {
    if (old.kind != finding.kind) continue;
    std::vector<std::uint32_t> rest;
    std::set_difference(left.begin(), left.end(), old.vertices.begin(), old.vertices.end(), std::back_inserter(rest));
    left = std::move(rest);
  }
  return left;
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

void measure_damages(const std::string& name, const Character& character, const CheckReport& before,
                     const Arguments& arguments, Totals& totals) {
  for (const test::DamageKind kind : test::all_damage_kinds()) {
    for (int seed = arguments.first_seed; seed < arguments.first_seed + arguments.seeds; ++seed) {
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
        const bool known = is_known(finding, before);
        const bool touches =
            vertices_in_common(known ? new_vertices(finding, before) : finding.vertices, damage->vertices) > 0 ||
            (!known && finding.kind == FindingKind::idle_joint && lost_weight(character, *damage, finding.joint));
        found |= touches;
        by_name |= touches && names_of(kind).contains(finding.kind);
        if (known) continue;
        ++tally.fresh;
        const bool beside = touches || vertices_in_common(finding.vertices, around) > 0;
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
  if (arguments.fix)
    bench::measure_fixes(character, arguments.base, static_cast<std::uint64_t>(arguments.first_seed), arguments.show,
                         totals.fixes);
  else if (arguments.damage)
    measure_damages(name, character, report, arguments, totals);
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
    else if (word == "--first-seed" && i + 1 < argc)
      arguments.first_seed = std::atoi(argv[++i]);
    else if (word == "--base" && i + 1 < argc)
      arguments.base = argv[++i];
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
  if (arguments.fix) bench::print_fixes(totals.fixes);
  return 0;
}
