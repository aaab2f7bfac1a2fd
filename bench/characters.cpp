// Every weight method against the artists' weights of real characters, beside what other tools score on them.
//
//   bench_characters [--data FOLDER] [--method NAME]… [--joints WORDS] [--set OPTION=VALUE]… [--only NAME]…
//                    [--markdown] [--show-joints] [--quality] [--folder FOLDER]… [--model FILE]
//
// The protocol of the peers' table: weights are thrown away and computed again from the file's own mesh and skeleton;
// both skins take the same poses (the file's own motions, or random ones where it has none); ADE is the mean distance
// between them over the bounding diagonal. A method that is registered appears by itself.
//
// Precision and recall of influences count weights above 0.01: exporters leave traces below it.
//
// --folder measures every rigged file of other folders instead of the development characters, subfolders included.
// --model gives the method auto another .sinewweights file.
//
// --quality adds what needs no truth: stretch and smoothness in random poses within joint limits that no method has
// seen, and how smooth the weights are; geometric means over the characters, one row per method.
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "ring_energy.h"
#include "sinew/base/file_bytes.h"
#include "sinew/bind.h"
#include "sinew/evaluate/deformation_comparison.h"
#include "sinew/evaluate/pose_quality.h"
#include "sinew/evaluate/pose_set.h"
#include "sinew/evaluate/skin_quality.h"
#include "sinew/evaluate/weight_comparison.h"
#include "sinew/io.h"
#include "sinew/train_weights.h"
#include "sinew/weights/bind_input.h"
#include "tests/support/nearest_bone.h"

namespace {
using namespace sinew;
namespace fs = std::filesystem;

constexpr int poses_per_motion = 24;
constexpr std::size_t most_poses = 60;
constexpr int random_poses = 48;
constexpr double random_degrees = 20.0;
constexpr double least_influence = 0.01;
constexpr int unseen_poses = 24;
constexpr std::uint64_t unseen_seed = 4711;  // methods draw from seed 1
// Its joints lie in another pose than its mesh: a case of bad input, not a truth to compare with.
constexpr const char* not_a_truth = "momentum_human";

struct Arguments {
  fs::path data = fs::path(SINEW_PROJECT_DIR) / ".." / "shared" / "data";
  std::vector<std::string> methods;
  std::string joints = "auto";
  std::vector<std::string> only;  // parts of file names; empty: all
  std::map<std::string, std::string> options;
  std::vector<fs::path> folders;  // instead of the development characters
  std::shared_ptr<const WeightModel> model;
  bool markdown = false;
  bool show_joints = false;
  bool quality = false;
};

struct Score {
  double ade = 0, mde = 0;
  double precision = 0, recall = 0, influences = 0;
  double mde_share = 0;  // mde over that of nearest-bone weights in the same poses: random poses differ in hardness
  // Only with --quality: in unseen poses, and of the weights (pose_quality.h, ring_energy.h, skin_quality.h).
  double stretch = 0, stretch_p95 = 0, elastic = 0, bumps = 0, roughness = 0, dirichlet = 0;
  double seconds = 0;  // of processor time, which a busy machine disturbs less than the clock on the wall
  std::size_t unweighted = 0;
  std::string failure;
};

// Names of the peers' columns in peers.json, as people know them. Others are left out: variants of these.
const std::map<std::string, std::string>& peer_names() {
  static const std::map<std::string, std::string> names = {{"blender_heat", "Blender 3.4 bone heat"},
                                                           {"shd", "Surface Heat Diffuse"},
                                                           {"pinocchio", "Pinocchio"},
                                                           {"bbw_ftetwild", "fTetWild + BBW"},
                                                           {"nearest", "nearest bone"}};
  return names;
}

// File → column → score, columns in order of `columns`.
struct Table {
  std::vector<std::string> files;
  std::vector<std::string> columns;
  std::map<std::string, std::map<std::string, Score>> cells;
  std::map<std::string, bool> random;  // whether the file was posed at random
};

std::vector<Pose> poses_of(const Character& truth, bool& random) {
  std::vector<Pose> poses = motion_poses(truth.skeleton, truth.motions, poses_per_motion).poses;
  random = poses.size() < 3;
  if (random) return normal_poses(truth.skeleton, random_poses, random_degrees, 1).poses;
  // A file with 76 motions is known well enough from a part of its poses.
  std::vector<Pose> kept;
  const std::size_t count = std::min(poses.size(), most_poses);
  for (std::size_t i = 0; i < count; ++i) kept.push_back(poses[i * poses.size() / count]);
  return kept;
}

void add_quality(const Character& candidate, Score& score) {
  const std::vector<Pose> poses = limit_poses(candidate.skeleton, unseen_poses, unseen_seed).poses;
  const PoseQuality moving = assess_poses(candidate, poses, {.intersection_poses = 0});
  const bench::RingEnergy energy = bench::ring_energy(candidate, poses);
  const SkinQuality skin = assess_skin(candidate);
  score.stretch = moving.stretch_mean;
  score.stretch_p95 = moving.stretch_p95;
  score.elastic = energy.elastic;
  score.bumps = energy.bumps;
  score.roughness = skin.roughness;
  score.dirichlet = skin.dirichlet;
}

double nearest_bone_mde(const Character& truth, const std::vector<Pose>& poses) {
  Character nearest = truth;
  nearest.weights = test::nearest_bone_weights(truth);
  return compare_deformation(pair_skins(nearest, truth), poses).mde;
}

Score measure(const Character& truth, const std::vector<Pose>& poses, const MethodInfo& method,
              const Arguments& arguments) {
  Score score;
  try {
    BindOptions options;
    options.method = method.name;
    for (const MethodOption& known : method.options) {
      const auto given = arguments.options.find(known.name);
      if (given != arguments.options.end()) options.values[known.name] = parse_option(known, given->second);
    }
    options.joints = arguments.joints;
    if (method.takes(MethodInput::weight_model)) options.weight_model = arguments.model.get();
    Character candidate = truth;
    const std::clock_t start = std::clock();
    const BindReport report = bind_character(candidate, options);
    score.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    score.unweighted = report.unweighted;
    const SkinPair pair = pair_skins(candidate, truth);
    const DeformationComparison compared = compare_deformation(pair, poses);
    score.ade = compared.ade;
    score.mde = compared.mde;
    const WeightComparison weights = compare_weights(pair, least_influence);
    score.precision = weights.precision;
    score.recall = weights.recall;
    score.influences = weights.candidate.mean;
    if (arguments.quality) add_quality(candidate, score);
  } catch (const Error& error) {
    score.failure = error.what();
  }
  return score;
}

void read_peers(const fs::path& file, Table& table) {
  std::ifstream stream(file);
  if (!stream) return;
  const auto peers = nlohmann::json::parse(stream, nullptr, false);
  if (!peers.is_array()) return;
  for (const auto& row : peers) {
    const std::string input = row.value("input", "");
    const auto name = peer_names().find(row.value("peer", ""));
    if (name == peer_names().end() || std::find(table.files.begin(), table.files.end(), input) == table.files.end()) {
      continue;
    }
    const std::string& peer = name->second;
    if (std::find(table.columns.begin(), table.columns.end(), peer) == table.columns.end()) {
      table.columns.push_back(peer);
    }
    Score score;
    if (row.value("hard_fail", false) || !row.contains("ADE_4") || !row["ADE_4"].is_number()) {
      score.failure = row.value("fail", "failed");
    } else {
      score.ade = row["ADE_4"];
      score.mde = row.value("MDE_4", 0.0);
      score.seconds = row.value("time", 0.0);
      score.unweighted = row.value("zero", 0);
    }
    table.cells[input][peer] = score;
  }
  for (auto& [input, cells] : table.cells) {
    const double nearest_mde = cells[peer_names().at("nearest")].mde;
    for (auto& [column, score] : cells) {
      if (score.mde_share == 0) score.mde_share = score.mde / nearest_mde;
    }
  }
}

struct Summary {
  double mean = 0;  // geometric, over the files that did not fail
  int failures = 0;
  int incomplete = 0;
};

Summary summarise(const Table& table, const std::string& column, double Score::*figure = &Score::ade) {
  Summary summary;
  double logarithms = 0;
  int count = 0;
  for (const std::string& file : table.files) {
    const auto cell = table.cells.at(file).find(column);
    if (cell == table.cells.at(file).end() || !cell->second.failure.empty()) {
      ++summary.failures;
      continue;
    }
    summary.incomplete += cell->second.unweighted > 0;
    logarithms += std::log(std::max(1e-12, cell->second.*figure));
    ++count;
  }
  summary.mean = count > 0 ? std::exp(logarithms / count) : 0;
  return summary;
}

void print_markdown(const Table& table) {
  const std::vector<MethodInfo> methods = weight_method_list();
  std::printf("| character |");
  for (const std::string& column : table.columns) {
    const bool ours =
        std::any_of(methods.begin(), methods.end(), [&](const MethodInfo& method) { return method.name == column; });
    std::printf(ours ? " **sinew %s** |" : " %s |", column.c_str());
  }
  std::printf("\n|---|");
  for (std::size_t i = 0; i < table.columns.size(); ++i) std::printf("---|");
  for (const std::string& file : table.files) {
    std::printf("\n| %s%s |", file.c_str(), table.random.at(file) ? " †" : "");
    for (const std::string& column : table.columns) {
      const auto cell = table.cells.at(file).find(column);
      if (cell == table.cells.at(file).end() || !cell->second.failure.empty()) {
        std::printf(" FAIL |");
        continue;
      }
      const Score& score = cell->second;
      std::printf(" %.5f / %.3f / %.2g", score.ade, score.mde, score.seconds);
      if (score.unweighted > 0) std::printf(" (%zu)", score.unweighted);
      std::printf(" |");
    }
  }
  std::printf("\n| **geometric mean ADE** |");
  for (const std::string& column : table.columns) {
    const Summary summary = summarise(table, column);
    std::printf(" **%.5f**", summary.mean);
    if (summary.failures > 0) std::printf(" (%d fail)", summary.failures);
    if (summary.incomplete > 0) std::printf(" (%d partly unweighted)", summary.incomplete);
    std::printf(" |");
  }
  std::printf("\n");
}

void print_plain(const Table& table) {
  std::printf("%-28s", "ADE x 1e5 / MDE / seconds");
  for (const std::string& column : table.columns) std::printf(" %22s", column.c_str());
  for (const std::string& file : table.files) {
    std::printf("\n%-28s", (file + (table.random.at(file) ? " +" : "")).c_str());
    for (const std::string& column : table.columns) {
      const auto cell = table.cells.at(file).find(column);
      if (cell == table.cells.at(file).end() || !cell->second.failure.empty()) {
        std::printf(" %22s", "FAIL");
      } else {
        std::printf(" %7.0f/%6.3f/%7.3f", cell->second.ade * 1e5, cell->second.mde, cell->second.seconds);
      }
    }
  }
  std::printf("\n%-28s", "geometric mean ADE");
  for (const std::string& column : table.columns) {
    const Summary summary = summarise(table, column);
    std::printf(" %11.5f (%d, %d) ", summary.mean, summary.failures, summary.incomplete);
  }
  std::printf("\n");
}

struct Figure {
  const char* name;
  double Score::*of;
};

// Beside the mean ADE: the largest errors, the influences, and how each method compares with heat file by file.
void print_summary(const Table& table, const std::vector<std::string>& methods) {
  constexpr Figure columns[] = {{"ADE", &Score::ade},
                                {"MDE", &Score::mde},
                                {"precision", &Score::precision},
                                {"recall", &Score::recall},
                                {"influences", &Score::influences}};
  std::printf("\n| geometric means |");
  for (const Figure& column : columns) std::printf(" %s |", column.name);
  std::printf(" ADE over heat | worst file | above 1.05 | above 1.1 |\n|---|");
  for (std::size_t i = 0; i < std::size(columns) + 4; ++i) std::printf("---|");
  const bool has_heat = std::find(methods.begin(), methods.end(), "heat") != methods.end();
  for (const std::string& method : methods) {
    std::printf("\n| %s |", method.c_str());
    for (const Figure& column : columns) std::printf(" %.5f |", summarise(table, method, column.of).mean);
    if (!has_heat) continue;
    double worst = 0;
    int above_5 = 0, above_10 = 0;
    std::string where;
    for (const std::string& file : table.files) {
      const auto& cells = table.cells.at(file);
      if (!cells.at(method).failure.empty() || !cells.at("heat").failure.empty()) continue;
      const double ratio = cells.at(method).ade / std::max(1e-12, cells.at("heat").ade);
      above_5 += ratio > 1.05;
      above_10 += ratio > 1.1;
      if (ratio <= worst) continue;
      worst = ratio;
      where = file;
    }
    std::printf(" %.3f | %.2f %s | %d | %d |", summarise(table, method).mean / summarise(table, "heat").mean, worst,
                where.c_str(), above_5, above_10);
  }
  std::printf("\n");
}

constexpr Figure figures[] = {{"ADE", &Score::ade},
                              {"MDE", &Score::mde},
                              {"stretch", &Score::stretch},
                              {"stretch, 95 %", &Score::stretch_p95},
                              {"elastic energy", &Score::elastic},
                              {"bumps", &Score::bumps},
                              {"roughness of weights", &Score::roughness},
                              {"Dirichlet energy of weights", &Score::dirichlet}};

// Geometric means over all characters, then every character by itself.
void print_quality(const Table& table, const std::vector<std::string>& methods) {
  std::printf("\n| |");
  for (const Figure& figure : figures) std::printf(" %s |", figure.name);
  std::printf("\n|---|");
  for (std::size_t i = 0; i < std::size(figures); ++i) std::printf("---|");
  for (const std::string& method : methods) {
    std::printf("\n| **%s** |", method.c_str());
    for (const Figure& figure : figures) std::printf(" **%.5f** |", summarise(table, method, figure.of).mean);
  }
  for (const std::string& file : table.files) {
    for (const std::string& method : methods) {
      std::printf("\n| %s, %s |", file.c_str(), method.c_str());
      for (const Figure& figure : figures) std::printf(" %.5f |", table.cells.at(file).at(method).*figure.of);
    }
  }
  std::printf("\n");
}

// A figure of each method over the files that a peer manages, beside that peer's own: failures must not flatter.
void print_beside_peers(const Table& table, const std::vector<std::string>& methods, const Figure& figure) {
  std::printf("\n| %s, geometric mean over the peer's files | files | peer |", figure.name);
  for (const std::string& method : methods) std::printf(" %s |", method.c_str());
  std::printf("\n|---|---|---|");
  for (std::size_t i = 0; i < methods.size(); ++i) std::printf("---|");
  for (const std::string& peer : table.columns) {
    if (std::find(methods.begin(), methods.end(), peer) != methods.end()) continue;
    Table managed = table;
    std::erase_if(managed.files, [&](const std::string& file) {
      const auto cell = table.cells.at(file).find(peer);
      return cell == table.cells.at(file).end() || !cell->second.failure.empty();
    });
    std::printf("\n| %s | %zu | %.4f |", peer.c_str(), managed.files.size(), summarise(managed, peer, figure.of).mean);
    for (const std::string& method : methods) std::printf(" %.4f |", summarise(managed, method, figure.of).mean);
  }
  std::printf("\n");
}

// Which joints the artist used and we do not, and the other way round.
void print_joints(const Character& truth, const std::string& words) {
  BindOptions options;
  options.joints = words;
  Warnings warnings;
  const BindInput ours = make_bind_input(truth, options, warnings);
  options.joints = "weighted";
  const BindInput artist = make_bind_input(truth, options, warnings);
  std::string missed, extra;
  int used = 0;
  for (int j = 0; j < ours.joint_count(); ++j) {
    used += artist.takes_weight[j];
    if (artist.takes_weight[j] && !ours.takes_weight[j]) missed += " " + truth.skeleton.names[j];
    if (!artist.takes_weight[j] && ours.takes_weight[j]) extra += " " + truth.skeleton.names[j];
  }
  std::fprintf(stderr, "  artist's %d; missed:%s; extra:%s\n", used, missed.c_str(), extra.c_str());
  for (const Warning& warning : warnings) std::fprintf(stderr, "  %s\n", warning.message.c_str());
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "--data") {
      arguments.data = next();
    } else if (word == "--method") {
      arguments.methods.push_back(next());
    } else if (word == "--joints") {
      arguments.joints = next();
    } else if (word == "--only") {
      arguments.only.push_back(next());
    } else if (word == "--markdown") {
      arguments.markdown = true;
    } else if (word == "--show-joints") {
      arguments.show_joints = true;
    } else if (word == "--quality") {
      arguments.quality = true;
    } else if (word == "--folder") {
      arguments.folders.push_back(next());
    } else if (word == "--model") {
      arguments.model = read_weight_model(read_file_bytes(next()));
    } else if (word == "--set") {
      const std::string pair = next();
      arguments.options[pair.substr(0, pair.find('='))] = pair.substr(pair.find('=') + 1);
    } else {
      throw Error(ErrorCode::option_unknown, "unknown argument '" + word + "'");
    }
  }
  if (arguments.methods.empty()) {
    for (const MethodInfo& method : weight_method_list()) arguments.methods.push_back(method.name);
  }
  return arguments;
}

void run(const Arguments& arguments) {
  std::vector<fs::path> folders = arguments.folders;
  if (folders.empty()) folders.push_back(arguments.data / "characters");
  std::vector<fs::directory_entry> entries;
  for (const fs::path& folder : folders) {
    if (!fs::is_directory(folder)) {
      std::printf("no characters in '%s': nothing to compare (give --data)\n", folder.c_str());
      return;
    }
    entries.insert(entries.end(), fs::recursive_directory_iterator(folder), fs::recursive_directory_iterator());
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : entries) {
    const std::string extension = entry.path().extension().string(), stem = entry.path().stem().string();
    if ((extension != ".glb" && extension != ".fbx") || stem == not_a_truth) continue;
    const bool chosen = arguments.only.empty() ||
                        std::any_of(arguments.only.begin(), arguments.only.end(),
                                    [&](const std::string& part) { return stem.find(part) != std::string::npos; });
    if (chosen) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  Table table;
  table.columns = arguments.methods;
  for (const fs::path& file : files) {
    const std::string name = file.stem().string();
    std::fprintf(stderr, "%s\n", name.c_str());
    try {
      const Character truth = load_character(file);
      if (arguments.show_joints) print_joints(truth, arguments.joints);
      bool random = false;
      const std::vector<Pose> poses = poses_of(truth, random);
      const double nearest_mde = nearest_bone_mde(truth, poses);
      table.files.push_back(name);
      table.random[name] = random;
      for (const std::string& method : arguments.methods) {
        Score& score = table.cells[name][method];
        score = measure(truth, poses, weight_method_info(method), arguments);
        score.mde_share = score.mde / nearest_mde;
        if (!score.failure.empty()) std::fprintf(stderr, "  %s: %s\n", method.c_str(), score.failure.c_str());
      }
    } catch (const Error& error) {
      std::fprintf(stderr, "  %s\n", error.what());
    }
  }
  read_peers(arguments.data / "peers.json", table);
  arguments.markdown ? print_markdown(table) : print_plain(table);
  if (!arguments.markdown) print_summary(table, arguments.methods);
  if (arguments.quality) {
    print_quality(table, arguments.methods);
    print_beside_peers(table, arguments.methods, {"ADE", &Score::ade});
    print_beside_peers(table, arguments.methods, {"MDE", &Score::mde});
    print_beside_peers(table, arguments.methods, {"MDE / MDE of the nearest bone", &Score::mde_share});
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(parse(argc, argv));
    return 0;
  } catch (const sinew::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return sinew::exit_code(error.kind());
  }
}
