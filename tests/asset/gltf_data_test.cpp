// The real files beside the project: every one loads, and means here what it means as glTF. The judge is a second,
// straightforward evaluation of the file by the formulas of the specification, in double precision.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "sinew/io.h"
#include "tests/asset/gltf_sample.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using nlohmann::json;

std::vector<std::filesystem::path> real_files() {
  std::vector<std::filesystem::path> files = test::data_files("characters", {".glb"});
  for (const auto& path : test::data_files("motion/kaykit", {".glb"})) files.push_back(path);
  return files;
}

// A GLB as plain arrays; no checks, no sparse accessors: only for files known to be good.
struct PlainGlb {
  json document;
  std::string chunk;

  explicit PlainGlb(const std::filesystem::path& path) {
    const std::string bytes = test::read_file(path);
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data() + 12, 4);
    document = json::parse(bytes.substr(20, size));
    chunk = bytes.substr(28 + size);
  }

  std::vector<double> numbers(int accessor) const {
    const json& a = document["accessors"][accessor];
    const json& view = document["bufferViews"][a["bufferView"].get<int>()];
    const std::map<std::string, int> components{{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    const int n = components.at(a["type"]), type = a["componentType"];
    const int size = type == 5126 || type == 5125 ? 4 : type == 5123 || type == 5122 ? 2 : 1;
    const int stride = view.value("byteStride", n * size);
    const std::size_t base = view.value("byteOffset", 0u) + a.value("byteOffset", 0u);
    std::vector<double> result;
    for (int i = 0; i < a["count"].get<int>(); ++i) {
      for (int c = 0; c < n; ++c) {
        const char* at = chunk.data() + base + static_cast<std::size_t>(i * stride + c * size);
        float f = 0;
        std::uint32_t u = 0;
        std::memcpy(&u, at, static_cast<std::size_t>(size));
        std::memcpy(&f, &u, 4);
        const double scale = !a.value("normalized", false) ? 1.0 : type == 5121 ? 255.0 : 65535.0;
        result.push_back(type == 5126 ? f : u / scale);
      }
    }
    return result;
  }
};

using Locals = std::vector<Transform>;

Locals node_locals(const PlainGlb& glb) {
  Locals locals;
  for (const json& node : glb.document["nodes"]) {
    Transform local;
    if (node.contains("matrix")) {
      const auto m = node["matrix"].get<std::vector<double>>();
      local = Transform::from_matrix(Affine3d(Eigen::Map<const Mat4d>(m.data())));
    }
    const auto get = [&](const char* key, std::vector<double> otherwise) {
      return node.contains(key) ? node[key].get<std::vector<double>>() : otherwise;
    };
    if (!node.contains("matrix")) {
      const auto t = get("translation", {0, 0, 0}), r = get("rotation", {0, 0, 0, 1}), s = get("scale", {1, 1, 1});
      local = {Vec3d(t[0], t[1], t[2]), Quatd(r[3], r[0], r[1], r[2]).normalized(), Vec3d(s[0], s[1], s[2])};
    }
    locals.push_back(local);
  }
  return locals;
}

// LINEAR, STEP and CUBICSPLINE at a key time exactly: the key's value. Only frames on which every sampler has a key or
// is constant around it are used by the test, so no interpolation is judged here (three.js does that).
bool apply_keys(const PlainGlb& glb, const json& animation, double time, Locals& locals) {
  for (const json& channel : animation["channels"]) {
    const std::string path = channel["target"]["path"];
    if (path == "weights") continue;
    const json& sampler = animation["samplers"][channel["sampler"].get<int>()];
    const std::vector<double> times = glb.numbers(sampler["input"]), values = glb.numbers(sampler["output"]);
    const std::size_t n = path == "rotation" ? 4 : 3;
    const bool cubic = sampler.value("interpolation", "LINEAR") == "CUBICSPLINE";
    std::size_t key = 0;
    while (key + 1 < times.size() && times[key + 1] <= time + 1e-4) ++key;
    const bool outside = time <= times.front() || time >= times.back();
    if (!outside && std::abs(times[key] - time) > 1e-4) return false;
    const double* value = values.data() + (cubic ? 3 * key + 1 : key) * n;
    Transform& local = locals[channel["target"]["node"].get<std::size_t>()];
    if (path == "rotation") local.rotation = Quatd(value[3], value[0], value[1], value[2]).normalized();
    if (path == "translation") local.translation = Vec3d(value[0], value[1], value[2]);
    if (path == "scale") local.scale = Vec3d(value[0], value[1], value[2]);
  }
  return true;
}

std::vector<Affine3d> node_globals(const PlainGlb& glb, const Locals& locals) {
  std::vector<int> parent(locals.size(), -1);
  for (std::size_t i = 0; i < locals.size(); ++i) {
    for (const json& child : glb.document["nodes"][i].value("children", json::array()))
      parent[child] = static_cast<int>(i);
  }
  std::vector<Affine3d> globals;
  for (std::size_t i = 0; i < locals.size(); ++i) {
    Affine3d global = locals[i].matrix();
    for (int p = parent[i]; p >= 0; p = parent[p]) global = locals[p].matrix() * global;
    globals.push_back(global);
  }
  return globals;
}

// Where the specification puts every vertex: nodes depth first, primitives in order, as the library orders its parts.
std::vector<Vec3d> scene_positions(const PlainGlb& glb, const std::vector<Affine3d>& globals) {
  std::vector<Vec3d> result;
  const auto show = [&](const auto& self, int index) -> void {
    const json& node = glb.document["nodes"][index];
    if (node.contains("mesh")) {
      for (const json& primitive : glb.document["meshes"][node["mesh"].get<int>()]["primitives"]) {
        const std::vector<double> p = glb.numbers(primitive["attributes"]["POSITION"]);
        std::vector<double> joints, weights, binds;
        if (node.contains("skin")) {
          joints = glb.numbers(primitive["attributes"]["JOINTS_0"]);
          weights = glb.numbers(primitive["attributes"]["WEIGHTS_0"]);
          binds = glb.numbers(glb.document["skins"][node["skin"].get<int>()]["inverseBindMatrices"]);
        }
        for (std::size_t v = 0; v < p.size() / 3; ++v) {
          const Vec3d point(p[3 * v], p[3 * v + 1], p[3 * v + 2]);
          if (!node.contains("skin")) {
            result.push_back(globals[index] * point);
            continue;
          }
          Vec3d blended = Vec3d::Zero();
          double sum = 0;
          for (std::size_t k = 4 * v; k < 4 * v + 4; ++k) {
            const auto joint = static_cast<std::size_t>(joints[k]);
            const int joint_node = glb.document["skins"][node["skin"].get<int>()]["joints"][joint];
            const Affine3d bind(Eigen::Map<const Mat4d>(binds.data() + 16 * joint));
            blended += weights[k] * (globals[joint_node] * (bind * point));
            sum += weights[k];
          }
          result.push_back(blended / sum);
        }
      }
    }
    for (const json& child : node.value("children", json::array())) self(self, child);
  };
  for (const json& root : glb.document["scenes"][glb.document.value("scene", 0)]["nodes"]) show(show, root);
  return result;
}

TEST(GltfData, PosesMeanWhatTheSpecificationSays) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  int compared = 0;
  for (const auto& path : test::data_files("characters", {".glb"})) {
    SCOPED_TRACE(path.filename().string());
    const Character character = load_character(path);
    const PlainGlb glb(path);
    const double diagonal = bounding_diagonal(character.mesh);
    for (std::size_t m = 0; m < character.motions.size(); m += 1 + character.motions.size() / 5) {
      const Motion& motion = character.motions[m];
      const json& animation = glb.document["animations"][m];
      double begin = 1e300;
      for (const json& sampler : animation["samplers"]) begin = std::min(begin, glb.numbers(sampler["input"])[0]);
      for (const int frame : {0, motion.frame_count() / 2, motion.frame_count() - 1}) {
        Locals locals = node_locals(glb);
        if (!apply_keys(glb, animation, begin + frame / motion.frames_per_second, locals)) continue;
        const std::vector<Vec3d> expected = scene_positions(glb, node_globals(glb, locals));
        const std::vector<Vec3d> posed = test::posed_positions(character, frame_pose(motion, frame));
        ASSERT_EQ(posed.size(), expected.size());
        double worst = 0;
        for (std::size_t i = 0; i < posed.size(); ++i) worst = std::max(worst, (posed[i] - expected[i]).norm());
        EXPECT_LE(worst, 2e-5 * diagonal) << motion.name << ", frame " << frame;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 30);
}

TEST(GltfData, EveryFileLoadsAndComesBackAsAFreshFile) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  test::TemporaryFolder folder;
  for (const auto& path : real_files()) {
    SCOPED_TRACE(path.filename().string());
    Character character = load_character(path);
    character.source.reset();
    save_character(character, folder / "fresh.glb");
    const Character again = load_character(folder / "fresh.glb");
    EXPECT_EQ(again.mesh.vertex_count(), character.mesh.vertex_count());
    EXPECT_EQ(again.skeleton.joint_count(), character.skeleton.joint_count());
    ASSERT_EQ(again.motions.size(), character.motions.size());
    for (std::size_t i = 0; i < again.motions.size(); ++i) {
      EXPECT_EQ(again.motions[i].frame_count(), character.motions[i].frame_count()) << again.motions[i].name;
      EXPECT_NEAR(again.motions[i].frames_per_second, character.motions[i].frames_per_second, 1e-9);
    }
  }
}

TEST(GltfData, TheRestPoseIsTheBindPose) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  for (const auto& path : test::data_files("characters", {".glb"})) {
    SCOPED_TRACE(path.filename().string());
    const Character character = load_character(path);
    const std::vector<Vec3d> posed = test::posed_positions(character, rest_pose(character.skeleton));
    for (std::size_t i = 0; i < posed.size(); ++i) {
      ASSERT_LE((posed[i] - character.mesh.positions[i].cast<double>()).norm(),
                1e-4 * bounding_diagonal(character.mesh));
    }
    const bool differs = std::any_of(character.warnings.begin(), character.warnings.end(),
                                     [](const Warning& w) { return w.code == "node-pose-differs"; });
    EXPECT_EQ(differs, path.filename() == "quaternius_Wolf.glb" || path.filename() == "quaternius_Trex.glb");
  }
}

}  // namespace
}  // namespace sinew
