// Damaged files of every format: an Error or a valid character, never a crash, a hang or a huge allocation.
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "sinew/base/random.h"
#include "sinew/base/sandboxed_process.h"
#include "sinew/io.h"
#include "tests/asset/samples.h"
#include "tests/support/shapes.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

struct Outcome {
  int read = 0, refused = 0;
};

class BadInput : public testing::Test {
 protected:
  static void try_to_read(const std::string& name, const std::string& bytes, Outcome& outcome) {
    LoadOptions options;
    options.max_elements = 1'000'000;
    options.name = name;
    options.isolate = true;
    try {
      check_character(read_character(std::as_bytes(std::span(bytes)), options));
      ++outcome.read;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_input) << error.what();
      ++outcome.refused;
    }
  }

  void damage(const std::string& name, const std::string& bytes, int rounds) {
    Outcome outcome;
    try_to_read(name, bytes, outcome);
    ASSERT_EQ(outcome.read, 1) << name << " is not readable to begin with";
    for (int round = 0; round < rounds; ++round) {
      Random random = Random::stream(99, static_cast<std::uint64_t>(round));
      std::string damaged = bytes;
      switch (round % 4) {
        case 0:
          damaged.resize(random.below(damaged.size()));
          break;
        case 1:
          damaged[random.below(damaged.size())] ^= static_cast<char>(1 << random.below(8));
          break;
        case 2:
          for (int i = 0; i < 8; ++i) damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
          break;
        default: {
          // A piece of the file again somewhere else: numbers where words belong, and counts that lie.
          const std::size_t from = random.below(damaged.size()), to = random.below(damaged.size());
          damaged.insert(to, damaged.substr(from, 1 + random.below(24)));
        }
      }
      try_to_read(name, damaged, outcome);
    }
    EXPECT_GT(outcome.refused, rounds / 20) << name;
  }

  test::TemporaryFolder folder_;
};

TEST_F(BadInput, DamagedFilesOfEveryFormat) {
  for (const test::Sample& sample : test::samples()) {
    SCOPED_TRACE(sample.name);
    damage(sample.name, sample.bytes, sample.name == "a.dae" ? 60 : 600);
  }
}

TEST_F(BadInput, EveryTruncation) {
  for (const test::Sample& sample : test::samples()) {
    if (sample.name == "a.dae") continue;
    Outcome outcome;
    for (std::size_t size = 0; size < sample.bytes.size(); ++size) {
      try_to_read(sample.name, sample.bytes.substr(0, size), outcome);
    }
  }
}

TEST_F(BadInput, DamagedFbx) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  damage("a.fbx", test::read_file(test::data_folder() / "characters" / "pm_029_Skelly.fbx"), 60);
}

// Numbers that lie about what follows must not make us allocate.
TEST_F(BadInput, HugeCountsAreRefusedAtOnce) {
  const std::pair<const char*, std::string> liars[] = {
      {"a.ply",
       "ply\nformat binary_little_endian 1.0\nelement vertex 999999\nproperty float x\nproperty float "
       "y\nproperty float z\nend_header\n"},
      {"b.ply",
       "ply\nformat ascii 1.0\nelement vertex 999999\nproperty float x\nproperty float y\nproperty float "
       "z\nend_header\n0 0 0\n"},
      {"c.ply",
       "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty list uint double x\nend_header\n"
       "\xff\xff\xff\x7f"},
      {"a.off", "OFF\n999999 999999 0\n0 0 0\n"},
      {"a.bvh",
       "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\nMOTION\nFrames: "
       "999999999\nFrame Time: 0.1\n1 2\n"},
      {"a.pcd", "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nPOINTS 999999\nDATA binary\nabc"}};
  for (const auto& [name, bytes] : liars) {
    Outcome outcome;
    try_to_read(name, bytes, outcome);
    EXPECT_EQ(outcome.refused, 1) << name;
  }
}

// docs/bad-input.md promises one answer for all formats.
TEST_F(BadInput, PositionsThatAreNotFiniteAreRefused) {
  const std::pair<const char*, std::string> files[] = {
      {"nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n"},
      {"inf.obj", "v 0 0 0\nv 1e999 0 0\nv 0 1 0\nf 1 2 3\n"},
      {"far.obj", "v 0 0 0\nv 1e30 0 0\nv 0 1 0\nf 1 2 3\n"},
      {"nan.off", "OFF\n3 1 0\n0 0 0\nnan 0 0\n0 1 0\n3 0 1 2\n"},
      {"nan.ply",
       "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float "
       "z\nend_header\n0 nan 0\n"},
      {"nan.stl",
       "solid a\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex nan 0 0\nvertex 0 1 "
       "0\nendloop\nendfacet\nendsolid\n"}};
  for (const auto& [name, bytes] : files) {
    Outcome outcome;
    try_to_read(name, bytes, outcome);
    EXPECT_EQ(outcome.refused, 1) << name;
  }
}

TEST_F(BadInput, ZeroAreaTrianglesAndIsolatedVerticesAreKeptWithAWarning) {
  test::write_file(folder_ / "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nv 9 9 9\nf 1 2 3\nf 1 2 4\nf 1 1 2\n");
  const Character c = load_character(folder_ / "a.obj");
  EXPECT_EQ(c.mesh.vertex_count(), 5u);
  EXPECT_EQ(c.mesh.triangles.size(), 3u);
  EXPECT_EQ(test::codes(c.warnings), (std::set<std::string>{"zero-area-triangles", "isolated-vertices"}));
}

TEST_F(BadInput, BadNormalsAndTextureCoordinatesAreRepairedWithAWarning) {
  test::write_file(folder_ / "a.obj",
                   "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 0\nvn nan 0 0\nvn 0 0 5\nvt inf 0\nf 1/1/1 2/1/2 3/1/3\n");
  const Character c = load_character(folder_ / "a.obj");
  for (const Vec3f& normal : c.mesh.normals) EXPECT_EQ(normal, Vec3f(0, 0, 1));
  EXPECT_EQ(c.mesh.uvs[0], Vec2f(0, 0));
  EXPECT_EQ(test::codes(c.warnings), (std::set<std::string>{"bad-normals", "bad-attributes"}));
}

TEST_F(BadInput, EmptyAndUnknownFiles) {
  const auto refusal = [](const std::filesystem::path& path) {
    try {
      load_character(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_input);
      // The message says which file, once.
      const std::string what = error.what(), name = "'" + path.string() + "'";
      EXPECT_NE(what.find(name), std::string::npos) << what;
      EXPECT_EQ(what.find(name), what.rfind(name)) << what;
      return true;
    }
    return false;
  };
  for (const char* name : {"a.obj", "a.ply", "a.stl", "a.off", "a.bvh", "a.pcd", "a.glb", "a.fbx", "a.dae", "a.xyz"}) {
    for (const char* content : {"", "Dear Sir or Madam,\n"}) {
      test::write_file(folder_ / name, content);
      EXPECT_TRUE(refusal(folder_ / name)) << name;
    }
  }
  EXPECT_TRUE(refusal(folder_ / "missing.obj"));
  EXPECT_TRUE(refusal(folder_.path()));
}

TEST_F(BadInput, FilesLargerThanTheLimitAreNotRead) {
  test::write_file(folder_ / "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  LoadOptions options;
  options.max_file_bytes = 10;
  EXPECT_THROW(load_character(folder_ / "a.obj", options), Error);
  options = {};
  options.max_elements = 2;
  EXPECT_THROW(load_character(folder_ / "a.obj", options), Error);
}

TEST(Isolated, ReturnsWhatTheWorkReturns) {
  const std::string large(3'000'000, 'x');
  EXPECT_EQ(run_sandboxed("test", [&] { return large; }), large);
  EXPECT_EQ(run_sandboxed("test", [] { return std::string(); }), "");
}

TEST(Isolated, PassesErrorsOn) {
  try {
    run_sandboxed("test",
                  []() -> std::string { throw Error(ErrorCode::joint_unknown, "what", "advice").about("joints"); });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::joint_unknown);
    EXPECT_STREQ(error.what(), "what");
    EXPECT_EQ(error.advice(), "advice");
    EXPECT_EQ(error.option(), "joints");
  }
}

TEST(Isolated, SurvivesCrashesHangsAndGreed) {
  const auto message = [](const std::function<std::string()>& work, const SandboxLimits& limits = {}) {
    try {
      run_sandboxed("the reader", work, limits);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_input);
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message([]() -> std::string { std::abort(); }), "the reader crashed on it");
  EXPECT_EQ(message(
                []() -> std::string {
                  std::atomic<unsigned> counter{0};
                  for (;;) ++counter;
                },
                {.cpu_seconds = 0.1}),
            "the reader took too long on it");
  EXPECT_EQ(message([]() -> std::string { throw std::bad_alloc(); }), "the reader ran out of memory on it");
}

}  // namespace
}  // namespace sinew
