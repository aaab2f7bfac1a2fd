// Every clip on every skeleton: which results are plausible, which are broken and accepted, which are refused.
//
//   bench_retarget --data ../shared/data --pool FOLDER [--clips TEXT] [--characters TEXT] [--every N] [--worst N]
//                  [--table FILE] [--pictures FOLDER]
//
// --data is the folder of `motion` and `characters`; --pool the unpacked train.tar.xz, of which only what may train is
// taken (splits.h). A clip goes with people or with animals, like its own skeleton; pairs of both are measured too and
// have to be refused. retarget_measure.h says what is measured, all of it on the result. --every takes every Nth pair,
// --table writes one line per pair, --pictures one picture per pair.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>

#include "bench/retarget_measure.h"
#include "bench/splits.h"
#include "sinew/error.h"
#include "sinew/io.h"
#include "sinew/render.h"

namespace {
using namespace sinew;
using namespace sinew::bench;
namespace fs = std::filesystem;

constexpr double frame_rate = 30;
constexpr int most_frames = 300;

struct Arguments {
  fs::path data, pool, table, pictures;
  std::string clips, characters;
  int every = 1, worst = 40;
};

struct Clip {
  std::string name;
  Character file;  // with one motion
};

struct Body {
  std::string name, convention;
  Character file;
};

std::vector<fs::path> files_below(const fs::path& folder, std::initializer_list<const char*> extensions) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (std::any_of(extensions.begin(), extensions.end(), [&](const char* e) { return extension == e; })) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

Motion shortened(const Motion& motion) {
  Motion result = resample_motion(motion, frame_rate);
  const auto most = static_cast<std::size_t>(most_frames) * static_cast<std::size_t>(result.joint_count);
  if (result.transforms.size() > most) result.transforms.resize(most);
  return result;
}

// Of a library of motions the first and the one in the middle; a character brings its own.
void add_clips(const fs::path& path, const std::string& folder, std::vector<Clip>& clips) {
  const Character file = load_character(path);
  const std::size_t count = file.motions.size();
  std::vector<std::size_t> chosen;
  if (count > 0) chosen.push_back(0);
  if (count > 2) chosen.push_back(count / 2);
  for (const std::size_t motion : chosen) {
    Clip clip{folder + "/" + path.stem().string() + (count > 1 ? ":" + file.motions[motion].name : ""), {}};
    clip.file.name = clip.name;
    clip.file.skeleton = file.skeleton;
    clip.file.motions = {shortened(file.motions[motion])};
    clips.push_back(std::move(clip));
  }
}

// Of the pool a few of each studio and convention, spread over its files.
std::vector<fs::path> chosen_of_pool(const fs::path& pool) {
  std::map<std::string, std::vector<fs::path>> groups;
  for (const fs::path& file : files_below(pool, {".glb", ".fbx", ".vrm"})) {
    if (split_of(file) != Split::train) continue;
    const std::string studio = file.parent_path().filename().string();
    const std::string kind = kind_of(studio_of(file), file.stem().string());
    const bool modular = file.stem().string().starts_with("modular_");
    groups[studio + (modular ? " modular " : " ") + kind].push_back(file);
  }
  std::vector<fs::path> chosen;
  for (const auto& [group, files] : groups) {
    const std::size_t wanted = std::min<std::size_t>(files.size(), group.ends_with("person") ? 8 : 3);
    for (std::size_t i = 0; i < wanted; ++i) chosen.push_back(files[i * files.size() / wanted]);
  }
  return chosen;
}

void draw(const Body& body, const Character& played, const std::string& clip, const fs::path& folder) {
  std::string stem = body.name + "__" + clip;
  for (char& c : stem) {
    if (c == '/' || c == ':' || c == '|' || c == ' ') c = '_';
  }
  const double seconds = played.motions[0].duration();
  for (int i = 0; i < 4; ++i) {
    PictureRequest request;
    request.view = "three-quarter";
    request.width = 200, request.height = 240, request.samples = 1;
    request.motion = 0;
    request.seconds = seconds * (i + 0.5) / 4;
    request.legend = false;
    const RenderedPicture picture = render_character(played, request);
    std::ofstream out(folder / (stem + "_" + std::to_string(i) + ".png"), std::ios::binary);
    out.write(reinterpret_cast<const char*>(picture.png.data()), static_cast<std::streamsize>(picture.png.size()));
  }
}

struct Row {
  std::string clip, body;
  RetargetMeasure measure;
  Verdict verdict = Verdict::refused;
  std::string why;
};

Row run_pair(const Clip& clip, const Body& body, const Arguments& arguments, double& seconds) {
  Row row{clip.name, body.name, {}, Verdict::refused, {}};
  Character played = body.file;
  played.motions.clear();
  const auto begin = std::chrono::steady_clock::now();
  try {
    const RetargetResult result = retarget_motions(clip.file, played);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    row.measure = measure_retargeting(clip.file, played, result);
    row.verdict = judge(row.measure, clip.name, row.why);
    if (!arguments.pictures.empty()) draw(body, played, clip.name, arguments.pictures);
  } catch (const Error& error) {
    row.why = error.what();
  }
  return row;
}

void print_row(std::FILE* out, const Row& row) {
  const RetargetMeasure& m = row.measure;
  std::fprintf(out, "%-9s %-44.44s %-40.40s %5.2f %6.1f %6.2f %6.3f %6.2f %6.2f %6.2f %6.2f %6.2f %6.2f  %s\n",
               verdict_name(row.verdict), row.clip.c_str(), row.body.c_str(), m.mapped, m.direction_error, m.upright,
               m.limb_stretch, m.torn, 100 * m.feet_median, 100 * m.feet_deepest, 100 * m.floor_deepest, 100 * m.slide,
               m.hips_path, row.why.substr(0, 90).c_str());
}

void print_heading(std::FILE* out) {
  std::fprintf(out, "%-9s %-44s %-40s %5s %6s %6s %6s %6s %6s %6s %6s %6s %6s  %s\n", "verdict", "clip", "character",
               "map", "degree", "uprght", "stretc", "torn", "feet", "deepst", "skin", "slide", "path", "why");
}

void print_summary(const std::vector<Row>& rows, const char* title, const std::string Row::*key) {
  std::map<std::string, std::array<int, 4>> counts;
  for (const Row& row : rows) ++counts[row.*key][static_cast<std::size_t>(row.verdict)];
  std::printf("\n%-48s %9s %9s %9s %9s\n", title, "plausible", "near", "broken", "refused");
  for (const auto& [name, count] : counts) {
    std::printf("%-48.48s %9d %9d %9d %9d\n", name.c_str(), count[0], count[1], count[2], count[3]);
  }
}

// 1,000 frames on the character that is nearest to 65 joints, on one core.
void print_speed(const std::vector<Clip>& clips, const std::vector<Body>& bodies) {
  const auto walk = std::find_if(clips.begin(), clips.end(),
                                 [](const Clip& clip) { return clip.name.find("02_01") != std::string::npos; });
  if (walk == clips.end() || bodies.empty()) return;
  const auto far = [](const Body& body) { return std::abs(body.file.skeleton.joint_count() - 65); };
  const Body& body =
      *std::min_element(bodies.begin(), bodies.end(), [&](const Body& a, const Body& b) { return far(a) < far(b); });
  Character clip = walk->file, played = body.file;
  Motion& motion = clip.motions[0];
  const int given = motion.frame_count();
  for (int f = given; f < 1000; ++f) {
    const Pose pose = frame_pose(motion, f % given);
    motion.transforms.insert(motion.transforms.end(), pose.begin(), pose.end());
  }
  RetargetOptions options;
  options.threads = 1;
  const auto begin = std::chrono::steady_clock::now();
  retarget_motions(clip, played, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%d frames on the %d joints of %s, one core: %.3f s\n", motion.frame_count(),
              played.skeleton.joint_count(), body.name.c_str(), seconds);
  std::fflush(stdout);
}

int run(const Arguments& arguments) {
  std::vector<Clip> clips;
  std::vector<Body> bodies;
  for (const fs::path& path : files_below(arguments.data / "motion", {".bvh", ".fbx", ".glb"})) {
    if (path.string().find(arguments.clips) == std::string::npos) continue;
    add_clips(path, path.parent_path().filename().string(), clips);
  }
  std::vector<fs::path> files = files_below(arguments.data / "characters", {".glb", ".fbx"});
  for (const fs::path& file : chosen_of_pool(arguments.pool)) files.push_back(file);
  for (const fs::path& path : files) {
    if (path.string().find(arguments.characters) == std::string::npos) continue;
    try {
      Body body{path.parent_path().filename().string() + "/" + path.stem().string(), {}, load_character(path)};
      body.file.name = body.name;
      if (!body.file.skeleton.empty()) bodies.push_back(std::move(body));
    } catch (const Error& error) {
      std::printf("%s: %s\n", path.c_str(), error.what());
    }
  }
  print_speed(clips, bodies);
  std::vector<Row> rows;
  double seconds = 0;
  long number = 0, frames = 0;
  for (const Body& body : bodies) {
    std::fprintf(stderr, "%s\n", body.name.c_str());
    for (const Clip& clip : clips) {
      if (number++ % arguments.every != 0) continue;
      rows.push_back(run_pair(clip, body, arguments, seconds));
      frames += clip.file.motions[0].frame_count();
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return badness(a.measure) > badness(b.measure); });
  if (!arguments.table.empty()) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(arguments.table.c_str(), "w"), std::fclose);
    if (!out) throw Error(ErrorCode::file_unwritable, "cannot write '" + arguments.table.string() + "'");
    print_heading(out.get());
    for (const Row& row : rows) print_row(out.get(), row);
  }
  print_summary(rows, "character", &Row::body);
  print_summary(rows, "clip", &Row::clip);
  std::array<int, 4> total{};
  for (const Row& row : rows) ++total[static_cast<std::size_t>(row.verdict)];
  std::printf("\nthe worst:\n");
  print_heading(stdout);
  int printed = 0;
  for (const Row& row : rows) {
    if (row.verdict == Verdict::broken && printed++ < arguments.worst) print_row(stdout, row);
  }
  std::printf(
      "\n%zu clips, %zu characters, %zu pairs: %d plausible, %d near, %d broken and accepted, %d refused; %.2f ms per "
      "frame\n",
      clips.size(), bodies.size(), rows.size(), total[0], total[1], total[2], total[3],
      1000 * seconds / static_cast<double>(std::max(1L, frames)));
  return 0;
}

}  // namespace

int main(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = values[i], value = values[i + 1];
    if (name == "--data") arguments.data = value;
    if (name == "--pool") arguments.pool = value;
    if (name == "--clips") arguments.clips = value;
    if (name == "--characters") arguments.characters = value;
    if (name == "--table") arguments.table = value;
    if (name == "--pictures") arguments.pictures = value;
    if (name == "--every") arguments.every = std::max(1, std::atoi(value.c_str()));
    if (name == "--worst") arguments.worst = std::atoi(value.c_str());
  }
  try {
    return run(arguments);
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
