// How soon long calls stop when they are asked to, and how often they report.
//
//   bench_cancel [--vertices N] [--moments N] [--only NAME]
//
// Every call of the library that takes a Progress, on the built-in adult with about N vertices (100,000 when not said).
// Each runs to its end once, and then as many times as there are moments (10), spread evenly over its duration, at which
// another thread asks it to stop. "stops" is the time from that request to the exception, median and worst. "gap" is the
// longest time between two reports. Fails when a report comes from another thread than the caller's, when a fraction is
// less than the one before, or when a call ends otherwise than whole or with Error(cancelled).
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sinew/builtin/builtin_character.h"
#include "sinew/correctives/training_shapes.h"
#include "sinew/sinew.h"

namespace {
using namespace sinew;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

struct Arguments {
  std::size_t vertices = 100'000;
  int moments = 10;
  std::string only;
};

struct LongCall {
  std::string name;
  std::function<void(const Progress&)> run;
  std::function<void()> make_ready{};  // once, before it is timed
};

// Removed when the program ends.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("sinew_bench_cancel_" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

Character bare(const Character& character) {
  Character mesh;
  mesh.name = "bare";
  mesh.mesh.positions = character.mesh.positions;
  mesh.mesh.triangles = character.mesh.triangles;
  return mesh;
}

// The character's motions over and over, to the length of a long session of motion capture.
Character long_clip(const Character& character, std::size_t frames) {
  Character clip;
  clip.name = "clip";
  clip.skeleton = character.skeleton;
  Motion motion = character.motions.front();
  const std::vector<Transform> once = motion.transforms;
  while (static_cast<std::size_t>(motion.frame_count()) < frames) {
    motion.transforms.insert(motion.transforms.end(), once.begin(), once.end());
  }
  clip.motions = {motion};
  return clip;
}

// Shapes to train on without simulating them: dual quaternions, which linear blend skinning is to be corrected to.
void write_shapes(const Character& character, const fs::path& folder) {
  TrainingShapesWriter writer(folder, character);
  for (const Motion& motion : character.motions) {
    const int step = std::max(1, motion.frame_count() / 40);
    for (int frame = 0; frame < motion.frame_count(); frame += step) {
      const Pose pose = frame_pose(motion, frame);
      writer.append({motion.name, frame, pose,
                     pose_mesh(character.mesh, character.weights, skinning_transforms(character.skeleton, pose),
                               SkinningMethod::dual_quaternion)
                         .positions});
    }
  }
}

struct Reports {
  int count = 0;
  double longest_gap = 0;
};

// Runs to the end; exits when a report breaks a promise.
Reports listen(const LongCall& call, double& seconds) {
  Reports reports;
  const std::thread::id caller = std::this_thread::get_id();
  double last = 0;
  const Clock::time_point start = Clock::now();
  Clock::time_point before = start;
  const auto pause = [&] {
    const Clock::time_point now = Clock::now();
    reports.longest_gap = std::max(reports.longest_gap, seconds_between(before, now));
    before = now;
  };
  const auto check = [&](double fraction, std::string_view stage) {
    pause();
    ++reports.count;
    if (std::this_thread::get_id() != caller || fraction < last - 1e-12 || fraction > 1 + 1e-12) {
      std::printf("%s: '%s' at %.6f after %.6f%s\n", call.name.c_str(), std::string(stage).c_str(), fraction, last,
                  std::this_thread::get_id() == caller ? "" : ", from another thread");
      std::exit(1);
    }
    last = fraction;
  };
  const std::atomic<bool> never{false};
  call.run(Progress(check, &never));
  pause();
  seconds = seconds_between(start, before);
  return reports;
}

// Seconds from the request to the exception; negative when the call was over before.
double stop_after(const LongCall& call, double seconds) {
  std::atomic<bool> cancel = false;
  Clock::time_point asked;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    asked = Clock::now();
    cancel = true;
  });
  Clock::time_point stopped{};
  try {
    call.run(Progress(nullptr, &cancel));
  } catch (const Error& error) {
    stopped = Clock::now();
    if (error.kind() != ErrorKind::cancelled) {
      std::printf("%s: %s\n", call.name.c_str(), error.what());
      std::exit(1);
    }
  }
  other.join();
  return stopped == Clock::time_point{} ? -1 : seconds_between(asked, stopped);
}

void measure(const LongCall& call, int moments) {
  double seconds = 0;
  if (call.make_ready) call.make_ready();
  const Reports reports = listen(call, seconds);
  std::vector<double> stops;
  for (int i = 0; i < moments; ++i) {
    const double stop = stop_after(call, seconds * (i + 0.5) / moments);
    if (stop >= 0) stops.push_back(stop);
  }
  std::sort(stops.begin(), stops.end());
  const double median = stops.empty() ? 0 : stops[stops.size() / 2], worst = stops.empty() ? 0 : stops.back();
  std::printf("| %s | %.2f | %d | %.2f | %.3f | %.3f |\n", call.name.c_str(), seconds, reports.count,
              reports.longest_gap, median, worst);
  std::fflush(stdout);
}

LongCall binding(const std::string& name, const Character& character, const BindOptions& options) {
  const auto bind = [&character, options](const Progress& progress) {
    Character bound = character;
    bind_character(bound, options, progress);
  };
  return {"bind, " + name, bind};
}

// Strokes of two hundred pins, each in other places than the last.
LongCall painting(const Character& character) {
  const auto painter = std::make_shared<std::unique_ptr<WeightPainter>>();
  const auto strokes = std::make_shared<std::uint32_t>(0);
  const auto make_ready = [&character, painter] {
    *painter = std::make_unique<WeightPainter>(character, BindOptions{.method = "biharmonic"});
    (*painter)->get_ready({});
  };
  const auto settle = [&character, painter, strokes](const Progress& progress) {
    const SkinWeights& weights = character.weights;
    std::vector<WeightPin> pins;
    ++*strokes;
    for (std::uint32_t i = 0; i < 200; ++i) {
      const auto vertex = static_cast<std::uint32_t>((499 * i + 7919 * *strokes) % character.mesh.vertex_count());
      const int joint = weights.joints[std::size_t{vertex} * static_cast<std::size_t>(weights.influences)];
      pins.push_back({vertex, {{joint, 1.0}}});
    }
    (*painter)->settle(pins, progress);
  };
  return {"WeightPainter::settle", settle, make_ready};
}

std::vector<LongCall> weight_calls(const Character& character) {
  std::vector<LongCall> calls;
  for (const MethodInfo& method : weight_method_list()) {
    calls.push_back(binding(method.name, character, {.method = method.name}));
  }
  calls.push_back(
      binding("atlas, harmonic", character, {.method = "atlas", .values = {{"distance", std::string("harmonic")}}}));
  calls.push_back({"WeightPainter", [&](const Progress& progress) {
                     const WeightPainter painter(character, {.method = "biharmonic"}, progress);
                   }});
  calls.push_back(painting(character));
  return calls;
}

std::vector<LongCall> motion_calls(const Character& character, const Character& mesh, const Character& clip) {
  const auto fit = [&](FitOptions options) {
    return [&, options](const Progress& progress) {
      Character fitted = mesh;
      fit_character(fitted, clip, options, progress);
    };
  };
  return {{"fit", fit({})},
          {"fit, networks", fit({.networks = &shipped_fit_model()})},
          {"retarget, 20,000 frames",
           [&](const Progress& progress) {
             Character moved = character;
             retarget_motions(clip, moved, {}, progress);
           }},
          {"rig", [&](const Progress& progress) {
             Character rigged = mesh;
             rig_character(rigged, clip, {}, progress);
           }}};
}

std::vector<LongCall> other_calls(const Character& character, const fs::path& folder) {
  const EvaluateOptions some_poses{.poses_per_motion = 8, .random_poses = 8, .intersection_poses = 8};
  return {
      {"evaluate", [&character, some_poses](
                       const Progress& progress) { evaluate_character(character, &character, some_poses, progress); }},
      {"levels of detail", [&](const Progress& progress) { make_lod_chain(character, {}, progress); }},
      {"render", [&](const Progress& progress) { render_character(character, {.motion = 0}, progress); }},
      {"simulate, 4 poses",
       [&, folder](const Progress& progress) {
         const fs::path fresh = folder / "simulated";
         fs::remove_all(fresh);
         simulate_shapes(character, fresh, {.poses = 4, .own_motions = false, .run_length = 2}, progress);
       }},
      {"train", [folder](const Progress& progress) { train_correctives_for(folder / "shapes", {}, progress); },
       [&character, folder] { write_shapes(character, folder / "shapes"); }}};
}

Arguments parse(int count, char** words) {
  Arguments arguments;
  for (int i = 1; i < count; i += 2) {
    const std::string name = words[i], value = i + 1 < count ? words[i + 1] : "";
    if (name == "--vertices" && !value.empty()) {
      arguments.vertices = std::stoul(value);
    } else if (name == "--moments" && !value.empty()) {
      arguments.moments = std::stoi(value);
    } else if (name == "--only" && !value.empty()) {
      arguments.only = value;
    } else {
      std::fprintf(stderr, "usage: bench_cancel [--vertices N] [--moments N] [--only NAME]\n");
      std::exit(2);
    }
  }
  return arguments;
}

}  // namespace

int main(int count, char** words) {
  const Arguments arguments = parse(count, words);
  BuiltinOptions body;
  body.vertex_budget = arguments.vertices;
  const Character character = make_builtin_character(body), mesh = bare(character), clip = long_clip(character, 20'000);
  const Folder folder;
  std::vector<LongCall> calls = motion_calls(character, mesh, clip);
  for (LongCall& call : weight_calls(character)) calls.push_back(std::move(call));
  for (LongCall& call : other_calls(character, folder.path)) calls.push_back(std::move(call));
  std::printf("%zu vertices, %d moments\n", character.mesh.vertex_count(), arguments.moments);
  std::printf("| call | seconds | reports | gap, s | stops, median s | worst s |\n|---|---|---|---|---|---|\n");
  for (const LongCall& call : calls) {
    if (call.name.find(arguments.only) == std::string::npos) continue;
    measure(call, arguments.moments);
  }
  return 0;
}
