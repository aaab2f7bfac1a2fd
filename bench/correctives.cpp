// How long correctives take beside skinning, and how large they are.
//
//   bench_correctives [FILE.sinewc]
//
// With a file: its own levels, bases and networks. Without one:
// A made-up limb of 74,742 vertices, four levels and a hundred regions. Bases and networks hold random numbers: their
// sizes, not their values, decide the time. "film": dimensions and culled regions as in the source's tables 1 and 2
// (79.7 MB there); "hand": the mean dimensions it gives for a hand, 13.1, 9.0, 5.6 and 1.1.
// Every case is timed 60 times between the others; the fastest counts, which a busy machine disturbs least. Cold: 64 MB
// of other memory are written before every call.
#include "sinew/runtime/correctives.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <string>

#include "sinew/base/file_bytes.h"
#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/correctives/corrective_model.h"
#include "sinew/correctives/corrective_regions.h"
#include "sinew/correctives/evaluate_parallel.h"
#include "sinew/rig/skin_parallel.h"

namespace sinew {
namespace {

constexpr int joints = 24;

void expect_ok(RuntimeStatus status) {
  if (status != RuntimeStatus::ok) throw Error(ErrorCode::internal, runtime_status_text(status));
}

Character limb(int rings, int sides) {
  Character character;
  character.name = "limb";
  for (int j = 0; j < joints; ++j) {
    Affine3d rest = Affine3d::Identity();
    rest.translation().x() = 4.0 * j / joints;
    add_joint(character.skeleton, "joint" + std::to_string(j), j - 1, rest);
  }
  character.weights = make_skin_weights(static_cast<std::size_t>(rings) * sides, 4);
  for (int i = 0; i < rings; ++i) {
    for (int k = 0; k < sides; ++k) {
      const double x = 4.0 * i / (rings - 1), angle = 6.283185307 * k / sides, at = x * joints / 4.0;
      const double radius = 0.4 + 0.05 * std::sin(5 * x) + 0.01 * std::sin(40 * x) * std::cos(7 * angle);
      const std::size_t v = character.mesh.positions.size();
      character.mesh.positions.push_back(Vec3d(x, radius * std::cos(angle), radius * std::sin(angle)).cast<float>());
      const auto j = static_cast<std::uint16_t>(std::clamp(static_cast<int>(at), 1, joints - 3));
      const double t = at - std::floor(at);
      set_influences(character.weights, v,
                     {{j, 0.6 - 0.4 * t},
                      {static_cast<std::uint16_t>(j + 1), 0.2 + 0.4 * t},
                      {static_cast<std::uint16_t>(j - 1), 0.15},
                      {static_cast<std::uint16_t>(j + 2), 0.05}});
    }
  }
  const auto at = [&](int i, int k) { return static_cast<std::uint32_t>(i * sides + k % sides); };
  for (int i = 0; i + 1 < rings; ++i) {
    for (int k = 0; k < sides; ++k) {
      character.mesh.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k)});
      character.mesh.triangles.push_back({at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)});
    }
  }
  return character;
}

struct Plan {
  const char* name;
  double kept[4];     // share of the regions that are not culled, finest first
  int dimensions[4];  // of those
};

CorrectiveModel make_model(const Character& character, const LodChain& chain, const RegionPartition& partition,
                           const Plan& plan) {
  CorrectiveModel model;
  model.skeleton = character.skeleton;
  model.chain = chain;
  model.tolerance = 1;
  Random random(3);
  const auto fill = [&](auto& m) {
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = static_cast<float>(0.01 * random.normal());
  };
  for (std::size_t level = 0; level < 4; ++level) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> points;
    for (std::uint32_t p = 0; p < chain.levels[level].point_count; ++p) {
      for (const RegionWeight& w : partition.weights[level][p]) points[w.region].push_back(p);
    }
    auto& regions = model.regions.emplace_back();
    for (auto& [region, list] : points) {
      // Culled regions lie together, as the stiff parts of a body do.
      if (static_cast<double>(region) >= plan.kept[level] * static_cast<double>(partition.region_count)) continue;
      CorrectiveRegion& made = regions.emplace_back();
      made.region = region;
      made.points = list;
      made.basis.resize(3 * static_cast<Eigen::Index>(list.size()), plan.dimensions[level]);
      fill(made.basis);
      made.value_rms = Eigen::VectorXf::Ones(plan.dimensions[level]);
      for (int j = 0; j < 6; ++j) made.network.joints.push_back(static_cast<int>((region + j) % joints));
      const Eigen::Index hidden = 40;
      made.network.weights = {Eigen::MatrixXf(hidden, 18), Eigen::MatrixXf(hidden, hidden),
                              Eigen::MatrixXf(plan.dimensions[level], hidden)};
      for (int l = 0; l < 3; ++l) {
        fill(made.network.weights[l]);
        made.network.biases[l] = Eigen::VectorXf::Zero(made.network.weights[l].rows());
      }
    }
  }
  return model;
}

double now_microseconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

struct Case {
  const char* name;
  std::function<void()> work;
  double fastest = 1e30;
};

void time_file(const char* name, const CorrectiveFile& file) {
  Correctives set;
  expect_ok(open_correctives(file.bytes(), set));
  std::vector<CacheLine> storage((set.workspace_bytes() + 63) / 64);
  const auto workspace = std::as_writable_bytes(std::span(storage));
  expect_ok(prepare_workspace(set, workspace));
  const int joint_count = set.joint_count(), levels = set.level_count();
  std::vector<float> rotations(4 * static_cast<std::size_t>(joint_count), 0.0f);
  for (int j = 0; j < joint_count; ++j) rotations[4 * j] = 0.2f, rotations[4 * j + 3] = 0.98f;
  std::vector<JointMatrix> matrices(static_cast<std::size_t>(joint_count));
  for (int j = 0; j < joint_count; ++j) {
    const Eigen::Matrix4f m = Affine3d(Eigen::AngleAxisd(0.1 * j, Vec3d::UnitZ())).matrix().cast<float>();
    std::memcpy(&matrices[j], m.data(), sizeof(JointMatrix));
  }
  std::vector<std::vector<float>> positions, posed(1), normals(1);
  for (int level = 0; level < levels; ++level) positions.emplace_back(3 * set.vertex_count(level));
  posed[0].resize(positions[0].size());
  normals[0].resize(positions[0].size());
  SkinningJob job;
  expect_ok(fill_skinning_job(set, 0, job));
  job.matrices = matrices;
  job.positions = {{positions[0].data(), positions[0].size()}};
  job.posed_positions = {{posed[0].data(), posed[0].size()}};
  SkinningJob with_normals = job;
  with_normals.normals = job.positions;
  with_normals.posed_normals = {{normals[0].data(), normals[0].size()}};
  expect_ok(with_normals.validate());

  std::size_t corrective_bytes = 0;
  std::printf("\n%s: file %.1f MB", name, 1e-6 * static_cast<double>(set.file_bytes()));
  for (int level = 0; level < levels; ++level) corrective_bytes += set.level_bytes(level);
  std::printf(", correctives alone %.1f MB (source: 79.7)\n", 1e-6 * static_cast<double>(corrective_bytes));
  std::vector<char> other(64 << 20), copy(corrective_bytes);
  for (const bool cold : {false, true}) {
    for (const int threads : {1, 2}) {
      const bool alone = threads == 1;
      const auto evaluate = [&](int level) {
        expect_ok(alone ? evaluate_correctives(set, rotations, level, workspace).status
                        : evaluate_correctives_parallel(set, rotations, level, workspace));
      };
      std::vector<Case> cases = {
          {"LBS and normals of the triangles",
           [&] {
             expect_ok(alone ? skin(job) : skin_parallel(job));
             expect_ok(posed_normals(set, 0, posed[0], normals[0]));
           }},
          {"LBS and skinned normals", [&] { expect_ok(alone ? skin(with_normals) : skin_parallel(with_normals)); }},
          {"correctives, coarsest level",
           [&] {
             evaluate(levels - 1);
             expect_ok(corrected_positions(set, levels - 1, workspace, positions[levels - 1]));
           }},
          {"correctives, all levels",
           [&] {
             evaluate(0);
             for (int level = 0; level < levels; ++level) {
               expect_ok(corrected_positions(set, level, workspace, positions[level]));
             }
           }},
          {"memcpy of the correctives' bytes", [&] { std::memcpy(copy.data(), file.bytes().data(), copy.size()); }},
      };
      with_threads(threads, [&] {
        for (int round = 0; round < 60; ++round) {
          for (Case& each : cases) {
            if (cold) std::memset(other.data(), round, other.size());
            const double start = now_microseconds();
            each.work();
            each.fastest = std::min(each.fastest, now_microseconds() - start);
          }
        }
      });
      std::printf("%s cache, %d core%s\n", cold ? "cold" : "hot", threads, alone ? "" : "s");
      for (const Case& each : cases) {
        std::printf("  %-34s %8.0f us   %.2f of LBS and triangle normals, %.2f of LBS and skinned normals\n", each.name,
                    each.fastest, each.fastest / cases[0].fastest, each.fastest / cases[1].fastest);
      }
    }
  }
}

// How well a budget is kept: the time of the call against what it was given, over many calls.
void time_budgets(const CorrectiveFile& file) {
  Correctives set;
  expect_ok(open_correctives(file.bytes(), set));
  std::vector<CacheLine> storage((set.workspace_bytes() + 63) / 64);
  const auto workspace = std::as_writable_bytes(std::span(storage));
  expect_ok(prepare_workspace(set, workspace));
  std::vector<float> rotations(4 * static_cast<std::size_t>(set.joint_count()), 0.0f);
  for (int j = 0; j < set.joint_count(); ++j) rotations[4 * j] = 0.2f, rotations[4 * j + 3] = 0.98f;
  for (int i = 0; i < 20; ++i) expect_ok(evaluate_correctives(set, rotations, 0, workspace).status);
  for (const double budget : {100.0, 200.0, 400.0, 800.0, 1600.0}) {
    std::vector<double> times;
    int finest = 0;
    for (int i = 0; i < 300; ++i) {
      const CorrectiveResult result = evaluate_correctives(set, rotations, 0, workspace, budget);
      expect_ok(result.status);
      times.push_back(result.microseconds);
      finest = result.detail_level;
    }
    std::sort(times.begin(), times.end());
    std::printf("budget %5.0f us: median %5.0f us, 95%% below %5.0f us, detail down to level %d\n", budget,
                times[times.size() / 2], times[times.size() * 95 / 100], finest);
  }
}

}  // namespace
}  // namespace sinew

int main(int count, char** arguments) {
  using namespace sinew;
  std::printf("%s instructions\n", skinning_instructions());
  if (count > 1) {
    const CorrectiveFile file(read_file_bytes(arguments[1]));
    time_file(arguments[1], file);
    time_budgets(file);
    return 0;
  }
  const Character character = limb(334, 224);
  LodOptions options;
  options.vertex_counts = {18840, 4815, 1296};
  const LodChain chain = make_lod_chain(character, options);
  const RegionPartition partition = make_regions(chain, 100);
  std::printf("%zu vertices, %zu regions\n", character.mesh.vertex_count(), partition.region_count);
  const Plan film{"film", {0.49, 0.45, 0.65, 0.70}, {20, 20, 28, 33}},
      hand{"hand", {0.5, 0.7, 0.9, 1.0}, {2, 8, 10, 13}};
  for (const Plan& plan : {film, hand}) {
    time_file(plan.name, CorrectiveFile(pack_correctives(make_model(character, chain, partition, plan))));
  }
  return 0;
}
