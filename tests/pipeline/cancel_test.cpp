// Every call that takes a Progress: reports come from the caller's thread and never go back, it can be stopped anywhere,
// leaves nothing half done, and does the same afterwards as if it had never been stopped.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <set>
#include <thread>

#include "sinew/base/file_bytes.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/correctives/training_shapes.h"
#include "sinew/sinew.h"
#include "tests/support/shapes.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

template <typename T>
void append(std::string& bytes, const T* data, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(data), count * sizeof(T));
}

std::string bytes_of(const SkinWeights& weights) {
  std::string bytes;
  append(bytes, weights.joints.data(), weights.joints.size());
  append(bytes, weights.weights.data(), weights.weights.size());
  return bytes;
}

std::string bytes_of(const Character& character) {
  std::string bytes = bytes_of(character.weights);
  append(bytes, character.mesh.positions.data(), character.mesh.positions.size());
  for (const Affine3d& rest : character.skeleton.rest) append(bytes, rest.data(), 16);
  for (const Motion& motion : character.motions) {
    for (const Transform& t : motion.transforms) {
      append(bytes, t.translation.data(), 3);
      append(bytes, t.rotation.coeffs().data(), 4);
      append(bytes, t.scale.data(), 3);
    }
  }
  return bytes;
}

const Character& person() {
  static const Character made = [] {
    BuiltinOptions options;
    options.vertex_budget = 1500;
    return make_builtin_character(options);
  }();
  return made;
}

// Gives the bytes of what it made; the same every time.
using LongCall = std::function<std::string(const Progress&)>;

// A call that changes a character, or leaves it as it was when it throws.
LongCall changing(const Character& before, std::function<void(Character&, const Progress&)> change) {
  return [before, change = std::move(change)](const Progress& progress) {
    Character character = before;
    try {
      change(character, progress);
    } catch (const Error&) {
      EXPECT_EQ(bytes_of(character), bytes_of(before));
      throw;
    }
    return bytes_of(character);
  };
}

// Runs to the end and checks what is reported.
std::string listen(const LongCall& call, int& reports) {
  const std::thread::id caller = std::this_thread::get_id();
  double last = 0;
  reports = 0;
  std::string bytes = call(Progress([&](double fraction, std::string_view stage) {
    ++reports;
    EXPECT_EQ(std::this_thread::get_id(), caller) << stage;
    EXPECT_GE(fraction, last - 1e-12) << stage;
    EXPECT_LE(fraction, 1 + 1e-12) << stage;
    EXPECT_FALSE(stage.empty());
    last = fraction;
  }));
  EXPECT_NEAR(last, 1.0, 1e-12) << "the last report says that it is done";
  EXPECT_GE(reports, 3);
  return bytes;
}

void cancel_at_report(const LongCall& call, int stop_at) {
  std::atomic<bool> cancel{false};
  int reports = 0;
  try {
    call(Progress([&](double, std::string_view) { cancel = ++reports >= stop_at; }, &cancel));
    // How often parallel loops report depends on the moment: this time there may have been fewer.
    EXPECT_LE(reports, stop_at) << "went on after the request";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what();
    EXPECT_EQ(reports, stop_at) << "no report after the request";
  }
}

// Wherever it happens to be then. A call that is over already must have given what it always gives.
void cancel_after(const LongCall& call, std::chrono::duration<double> pause, const std::string& expected) {
  std::atomic<bool> cancel{false};
  std::thread impatient([&] {
    std::this_thread::sleep_for(pause);
    cancel = true;
  });
  try {
    EXPECT_EQ(call(Progress(nullptr, &cancel)), expected);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what();
  }
  impatient.join();
}

void expect_cancellable(const LongCall& call) {
  int reports = 0;
  const auto start = std::chrono::steady_clock::now();
  const std::string expected = listen(call, reports);
  const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - start;
  for (const int stop_at : std::set<int>{1, 2, reports / 3, reports / 2, reports - 1}) {
    if (stop_at > 0 && stop_at < reports) cancel_at_report(call, stop_at);
  }
  for (const double moment : {0.02, 0.15, 0.35, 0.55, 0.75, 0.93}) cancel_after(call, moment * duration, expected);
  EXPECT_EQ(call({}), expected) << "after all these";
}

LongCall binding(const Character& character, const BindOptions& options) {
  return changing(character, [options](Character& c, const Progress& progress) {
    const BindReport report = bind_character(c, options, progress);
    EXPECT_EQ(report.unweighted, 0u);
  });
}

TEST(Cancel, Fit) {
  const Character &whole = person(), clip = test::clip_of(whole);
  expect_cancellable(
      changing(test::bare(whole), [&](Character& c, const Progress& p) { fit_character(c, clip, {}, p); }));
}

TEST(Cancel, FitOfWhatSuits) {
  expect_cancellable(
      changing(test::bare(person()), [](Character& c, const Progress& p) { fit_suitable_skeleton(c, {}, {}, p); }));
}

TEST(Cancel, FitWithNetworks) {
  const Character &whole = person(), clip = test::clip_of(whole);
  const FitOptions options{.networks = &shipped_fit_model()};
  expect_cancellable(
      changing(test::bare(whole), [&](Character& c, const Progress& p) { fit_character(c, clip, options, p); }));
}

TEST(Cancel, FitOfASkeletonAlone) {
  const Character& whole = person();
  expect_cancellable([&](const Progress& progress) {
    Character fitted;
    fitted.skeleton = fit_skeleton(whole.mesh, whole.skeleton, {}, progress).skeleton;
    return bytes_of(fitted);
  });
}

TEST(Cancel, Retarget) {
  const Character &whole = person(), clip = test::clip_of(whole);
  expect_cancellable(changing(whole, [&](Character& c, const Progress& p) { retarget_motions(clip, c, {}, p); }));
}

TEST(Cancel, Rig) {
  const Character &whole = person(), clip = test::clip_of(whole);
  expect_cancellable(
      changing(test::bare(whole), [&](Character& c, const Progress& p) { rig_character(c, clip, {}, p); }));
}

TEST(Cancel, EveryWeightMethod) {
  const Character& character = person();
  for (const MethodInfo& method : weight_method_list()) {
    SCOPED_TRACE(method.name);
    BindOptions options{.method = method.name};
    if (method.name == "biharmonic") options.values = {{"resolution", 600}};
    if (method.name == "skincells") options.values = {{"steps", 40}, {"fit-steps", 40}, {"samples", 300}};
    expect_cancellable(binding(character, options));
  }
  SCOPED_TRACE("harmonic");
  expect_cancellable(binding(character, {.method = "atlas", .values = {{"distance", std::string("harmonic")}}}));
}

TEST(Cancel, TrainWeights) {
  WeightTrainer trainer({.vertices = 100, .epochs = 4, .members = 2});
  Warnings warnings;
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(trainer.add(person(), "people", warnings));
  expect_cancellable([&](const Progress& progress) {
    const std::vector<std::byte> model = trainer.train(progress).model;
    return std::string(reinterpret_cast<const char*>(model.data()), model.size());
  });
}

TEST(Cancel, ABinderThatRemembers) {
  const Character& character = person();
  Binder binder;
  double softness = 0.5;
  const LongCall call = changing(character, [&](Character& c, const Progress& progress) {
    binder.bind(c, {.method = "atlas", .values = {{"softness", softness}}}, progress);
  });
  expect_cancellable(call);
  // A softness beyond what was measured: the kept distances are replaced as a whole or not at all.
  softness = 5;
  for (const double milliseconds : {1.0, 5.0, 20.0}) {
    std::atomic<bool> cancel{false};
    std::thread impatient([&] {
      std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
      cancel = true;
    });
    try {
      call(Progress(nullptr, &cancel));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::cancelled);
    }
    impatient.join();
  }
  Character fresh = character;
  bind_character(fresh, {.method = "atlas", .values = {{"softness", softness}}});
  EXPECT_EQ(call({}), bytes_of(fresh));
}

TEST(Cancel, ASavedStateGoesOnFromWhereItWasStopped) {
  const Character bar = test::bar(4, 0.25, 21, 8, 2);
  BindOptions options{.method = "skincells", .values = {{"steps", 60}, {"fit-steps", 60}}};
  Character whole = bar;
  bind_character(whole, options);
  std::vector<std::byte> state;
  options.save_state = [&](std::span<const std::byte> bytes) { state.assign(bytes.begin(), bytes.end()); };
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::atomic<bool> cancel{false};
    std::thread impatient([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20 + 10 * attempt));
      cancel = true;
    });
    Character again = bar;
    const std::vector<std::byte> resume = state;
    options.resume = resume;
    bool done = false;
    try {
      bind_character(again, options, Progress(nullptr, &cancel));
      done = true;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::cancelled) << error.what();
    }
    impatient.join();
    if (!done) continue;
    EXPECT_EQ(bytes_of(again), bytes_of(whole));
    return;
  }
  FAIL() << "never came to the end";
}

TEST(Cancel, PaintingGoesOnFromTheLastAnswer) {
  const Character bar = test::bar(4, 0.25, 41, 12, 3);
  const BindOptions options{.method = "biharmonic", .values = {{"resolution", 600}}, .joints = "all"};
  expect_cancellable([&](const Progress& progress) {
    WeightPainter painter(bar, options, progress.part(0, 0.5));
    return bytes_of(painter.settle({}, progress.part(0.5, 1)));
  });
  // One painter is disturbed all the time, its twin never.
  WeightPainter disturbed(bar, options), twin(bar, options);
  const std::vector<std::vector<WeightPin>> strokes = {
      {}, {{5, {{0, 1.0}}}}, {{5, {{0, 1.0}}}, {200, {{2, 0.5}, {1, 0.5}}}}, {{200, {{2, 1.0}}}}};
  for (const std::vector<WeightPin>& pins : strokes) {
    for (const double milliseconds : {0.1, 1.0, 3.0, 8.0}) {
      std::atomic<bool> cancel{false};
      std::thread impatient([&] {
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
        cancel = true;
      });
      const std::vector<WeightPin> other = {{100, {{1, 1.0}}}};
      bool done = false;
      try {
        disturbed.settle(other, Progress(nullptr, &cancel));
        done = true;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what();
      }
      impatient.join();
      if (done) twin.settle(other);
    }
    EXPECT_EQ(bytes_of(disturbed.near(pins)), bytes_of(twin.near(pins)));
    EXPECT_EQ(bytes_of(disturbed.settle(pins)), bytes_of(twin.settle(pins)));
  }
}

TEST(Cancel, Evaluate) {
  const Character& truth = person();
  Character candidate = truth;
  bind_character(candidate);
  const EvaluateOptions options{.poses_per_motion = 3, .random_poses = 6, .intersection_poses = 3};
  expect_cancellable([&](const Progress& p) { return evaluate_character(candidate, &truth, options, p).json; });
}

TEST(Cancel, LevelsOfDetail) {
  const Character& character = person();
  expect_cancellable([&](const Progress& progress) {
    std::string bytes;
    for (const LodLevel& level : make_lod_chain(character, {}, progress).levels) {
      bytes += bytes_of(level_character(character, level));
    }
    return bytes;
  });
}

TEST(Cancel, Render) {
  const Character& character = person();
  const PictureRequest request{.width = 200, .height = 200, .motion = 0, .skeleton = true, .samples = 4};
  expect_cancellable([&](const Progress& progress) {
    const RenderedPicture picture = render_character(character, request, progress);
    return std::string(reinterpret_cast<const char*>(picture.png.data()), picture.png.size());
  });
}

// Shapes are added to a folder one by one: a stopped simulation goes on where it was.
TEST(Cancel, Simulate) {
  const test::TemporaryFolder folder;
  const Character bar = test::bar(4, 0.25, 21, 8, 2);
  Character bound = bar;
  bind_character(bound);
  const SimulateOptions options{.poses = 6, .own_motions = false, .run_length = 3, .cells = 300, .threads = 1};
  const auto run = [&](const char* name, const Progress& progress) {
    simulate_shapes(bound, folder.path() / name, options, progress);
    const std::vector<std::byte> bytes = read_file_bytes(folder.path() / name / "shapes.sinewt");
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  int reports = 0;
  const std::string expected = listen([&](const Progress& p) { return run("whole", p); }, reports);
  for (int stop_at = 1; stop_at < reports; ++stop_at) {
    std::atomic<bool> cancel{false};
    int count = 0;
    const Progress progress([&](double, std::string_view) { cancel = ++count >= stop_at; }, &cancel);
    try {
      run("interrupted", progress);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::cancelled);
    }
  }
  EXPECT_EQ(run("interrupted", {}), expected);
}

TEST(Cancel, Train) {
  const test::TemporaryFolder folder;
  const Character& character = person();
  TrainingShapesWriter writer(folder.path() / "shapes", character);
  for (const Motion& motion : character.motions) {
    for (int frame = 0; frame < motion.frame_count(); frame += std::max(1, motion.frame_count() / 12)) {
      const Pose pose = frame_pose(motion, frame);
      const std::vector<Affine3d> transforms = skinning_transforms(character.skeleton, pose);
      writer.append(
          {motion.name, frame, pose,
           pose_mesh(character.mesh, character.weights, transforms, SkinningMethod::dual_quaternion).positions});
    }
  }
  CorrectiveTrainingOptions options;
  options.lod.levels = 2;
  options.regions = 6;
  options.tolerances = {5e-3};
  expect_cancellable([&](const Progress& progress) {
    const CorrectiveTraining trained = train_correctives_for(folder.path() / "shapes", options, progress);
    const std::vector<std::byte>& bytes = trained.runs.at(0).bytes;
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
}

}  // namespace
}  // namespace sinew
