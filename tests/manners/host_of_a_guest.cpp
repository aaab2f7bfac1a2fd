// A host program with a guest: uses the shared library as others do, by public headers alone, and looks after every
// step whether something about the process changed that is none of a library's business.
//   host_of_a_guest FOLDER [LOCALE]      FOLDER holds hero.glb, hero.obj and walk.bvh, and is where the program runs
#include <sinew/sinew.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "tests/manners/rude_deeds.h"

namespace {

using namespace sinew;
using namespace sinew::test;
namespace fs = std::filesystem;

std::vector<std::byte> bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

constexpr char collada[] = R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="9">0 0 0 1.5 0 0 0 1.5 0</float_array><technique_common>
<accessor source="#a" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)";

Character read_collada(bool isolate) {
  return read_character(std::as_bytes(std::span(collada, sizeof collada - 1)), {.name = "a.dae", .isolate = isolate});
}

OptionValues quick_values(const std::string& method) {
  if (method == "biharmonic") return {{"resolution", 1200}};
  if (method == "skincells") return {{"fit-steps", 20}, {"steps", 10}};
  return {};
}

// The steps of a host's work, each with public calls alone; what they make is kept to be compared.
class Work {
 public:
  std::string made;  // every number and text that came out

  std::vector<std::pair<std::string, Step>> steps(int threads) {
    std::vector<std::pair<std::string, Step>> list = {
        {"reading", [=, this] { read(threads); }},
        {"fitting", [=, this] { fit(threads); }},
        {"retargeting and rigging", [=, this] { rig(threads); }},
        {"rendering", [=, this] { render(threads); }},
        {"evaluating", [=, this] { evaluate(threads); }},
        {"painting", [=, this] { paint(threads); }},
        {"levels of detail", [this] { make_lod_chain(hero_, {.levels = 2}); }},
        {"posing", [=, this] { pose(threads); }},
        {"writing", [=, this] { write(threads); }},
        {"errors", [this] { fail(); }},
        {"COLLADA", [this] { keep(read_collada(false).mesh.positions); }},
    };
    for (const MethodInfo& method : weight_method_list()) {
      list.emplace_back("binding by " + method.name, [=, this] { bind(method.name, threads); });
    }
    return list;
  }

 private:
  template <typename Values>
  void keep(const Values& values) {
    made.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
  }
  void keep(const TriangleMesh& mesh) { keep(mesh.positions); }

  void read(int threads) {
    hero_ = load_character("hero.glb", {.threads = threads});
    bare_ = load_character("hero.obj");
    clip_ = read_character(bytes_of("walk.bvh"), {.name = "walk.bvh"});
    for (std::string& name : clip_.skeleton.names) {  // the I of SPINE has no i in Turkish
      for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    keep(bare_.mesh.positions);
  }
  void fit(int threads) {
    Character body = bare_;
    keep(fit_character(body, hero_, {.networks = &shipped_fit_model(), .threads = threads}).confidence);
  }
  void rig(int threads) {
    Character body = bare_;
    RigOptions options;
    options.threads = threads;
    made += rig_character(body, clip_, options).retarget.map.json;
    keep(body.weights.weights);
  }
  void bind(const std::string& method, int threads) {
    Character body = hero_;
    bind_character(body, {.method = method, .values = quick_values(method), .threads = threads});
    keep(body.weights.weights);
  }
  void render(int threads) {
    const PictureRequest request{
        .mode = "weights", .joint = "LeftForeArm", .width = 120, .height = 120, .samples = 1, .threads = threads};
    keep(render_character(hero_, request).png);
  }
  void evaluate(int threads) {
    EvaluateOptions options;
    options.poses_per_motion = 2;
    options.random_poses = 2;
    options.intersection_poses = 1;
    options.threads = threads;
    made += evaluate_character(hero_, &hero_, options).json;
  }
  void paint(int threads) {
    WeightPainter painter(hero_, {.method = "biharmonic", .values = quick_values("biharmonic"), .threads = threads});
    const BrushEdit edit{.strokes = {{find_joint(hero_.skeleton, "Spine"), 1, {40, 41}, {1.0f, 0.5f}}}};
    keep(painter.near(painter.brush(hero_.weights, {}, edit)).weights);
  }
  void pose(int threads) {
    keep(pose_mesh(hero_.mesh, hero_.weights, skinning(), SkinningMethod::linear_blend, threads));
  }
  void write(int threads) {
    for (const FileFormat format :
         {FileFormat::glb, FileFormat::obj, FileFormat::ply, FileFormat::stl, FileFormat::bvh}) {
      keep(write_character(hero_, format, {.threads = threads}).bytes);
    }
    save_character(hero_, "saved.glb", {.threads = threads});
    fs::remove("saved.glb");
  }
  void fail() {
    for (const char* name : {"no_such_file.glb", "walk.bvh"}) {
      try {
        Character nothing = load_character(name);
        bind_character(nothing, {.max_influences = 40});
        std::abort();
      } catch (const Error& error) {
        made += error.what();
      }
    }
    try {
      make_lod_chain(hero_, {.ratio = 1.5});
      std::abort();
    } catch (const Error& error) {
      made += error.what();
    }
  }
  std::vector<Affine3d> skinning() const {
    return skinning_transforms(hero_.skeleton, sample_motion(hero_.motions.at(0), 0.3));
  }

  Character hero_, bare_, clip_;
};

int failures = 0;

void expect_manners(const std::string& name, const Step& step, const Watch& watch = {}) {
  for (const std::string& found : misdeeds(step, watch)) {
    std::printf("%s: %s\n", name.c_str(), found.c_str());
    ++failures;
  }
}

std::string work_with_manners(int threads, const std::string& when) {
  Work work;
  for (const auto& [name, step] : work.steps(threads)) {
    expect_manners(name + when, step, {.other_thread = threads != 1});
  }
  return work.made;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2 || chdir(argv[1]) != 0) return 2;
  const std::size_t deeds = noticed_rude_deeds();
  if (deeds == 0) return 1;
  const std::string alone = work_with_manners(1, ", on one thread");
  std::string locale = "its own punctuation";
  if (argc > 2) {
    if (!std::setlocale(LC_ALL, argv[2])) return std::printf("there is no locale %s\n", argv[2]), 2;
    locale = argv[2];
  }
  use_locale("the host's");
  const std::string together = work_with_manners(64, ", asked for more threads than there are");
  if (alone != together) std::printf("threads or %s change what is computed\n", locale.c_str()), ++failures;
  std::fesetround(FE_TOWARDZERO);  // an unusual mode is the host's as well
  work_with_manners(2, ", with another rounding mode");
  std::fesetround(FE_TONEAREST);
  expect_manners("COLLADA in a process of its own", [] { read_collada(true); }, {.asked = {"fork"}});
  if (misdeeds([] { read_collada(true); }).empty())
    std::printf("nothing was forked though it was asked for\n"), ++failures;
  std::printf("%zu rude deeds noticed; the library did %d, in the locale of %s\n", deeds, failures, locale.c_str());
  return failures == 0 ? 0 : 1;
} catch (const Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
