// sinew info: what files hold and what is wrong with them.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "commands.h"
#include "files.h"
#include "fit_source.h"
#include "sinew/asset/summary.h"
#include "sinew/mesh/diagnose.h"
#include "sinew/mesh/pieces.h"
#include "sinew/pipeline/report_json.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t shown_motions = 8, shown_pieces = 100;

struct InfoArguments {
  std::vector<std::string> files;
  bool quick = false;
};

struct Report {
  std::string file, format;
  std::uint64_t bytes = 0;
  Character character;
  SkinSummary skin;
  MeshDefects defects;
  LengthUnit unit = LengthUnit::unknown;
  bool looked_for_intersections = false;
  std::optional<RecognisedBody> body;
};

// 1234567 → 1,234,567
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

// "3 joints", "1 joint"
std::string counted(std::uint64_t number, const std::string& one, const std::string& many = {}) {
  return grouped(number) + " " + (number == 1 ? one : many.empty() ? one + "s" : many);
}

std::string file_size_text(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  if (bytes < 1000000) return fmt::format("{:.0f} kB", static_cast<double>(bytes) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

// Nothing for files without a mesh, and for meshes without an inside.
std::optional<RecognisedBody> body_of(const Character& character) {
  if (character.mesh.positions.empty()) return std::nullopt;
  try {
    return recognise_body(character);
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::bad_input) throw;
    return std::nullopt;
  }
}

// "y", "-z", or "0.71 0 0.71" where it is no axis.
std::string direction_text(const Vec3d& direction) {
  int axis = 0;
  direction.cwiseAbs().maxCoeff(&axis);
  if (std::abs(direction[axis]) < 0.999) {
    return fmt::format("{:.2f} {:.2f} {:.2f}", direction.x(), direction.y(), direction.z());
  }
  return std::string(direction[axis] < 0 ? "-" : "") + "xyz"[axis];
}

Report report_on(const std::string& file, const InfoArguments& options, Session& session) {
  Report report;
  report.file = file;
  if (is_standard_stream(file)) {
    std::vector<std::byte> bytes = read_input(file, session);
    report.bytes = bytes.size();
    report.character = load_bytes(std::move(bytes), file);
  } else {
    report.character = load_file(file, session);
    std::error_code ignored;
    report.bytes = fs::file_size(file, ignored);
  }
  report.format = format_name(*report.character.format);
  report.skin = summarise_skin(report.character);
  report.unit = guess_unit(report.character);
  report.looked_for_intersections = !options.quick;
  if (!options.quick) report.body = body_of(report.character);
  report.defects = diagnose(report.character.mesh, {.self_intersections = !options.quick});
  if (report.unit == LengthUnit::centimetres || report.unit == LengthUnit::millimetres) {
    report.character.warnings.push_back(
        {"unit", fmt::format("by its size the file is probably in {}", unit_name(report.unit))});
  }
  return report;
}

class TextReport {
 public:
  TextReport(const Report& report, bool verbose) : report_(report), verbose_(verbose) {}

  std::string write() {
    text_ = fmt::format("{}  ({}, {})\n", report_.file, report_.format, file_size_text(report_.bytes));
    mesh();
    skeleton();
    motions();
    for (const Warning& warning : report_.character.warnings) line("warning", warning.message);
    return text_;
  }

 private:
  void line(const std::string& label, const std::string& content) {
    text_ += fmt::format("  {:<10} {}\n", label, content);
  }

  void mesh() {
    const Character& c = report_.character;
    const AABBd box = extent_of(c);
    if (c.mesh.vertex_count() > 0) {
      std::string counts = counted(c.mesh.vertex_count(), c.mesh.is_point_cloud() ? "point" : "vertex",
                                   c.mesh.is_point_cloud() ? "points" : "vertices");
      if (report_.defects.welded_vertices != c.mesh.vertex_count()) {
        counts += fmt::format(" ({} places)", grouped(report_.defects.welded_vertices));
      }
      if (!c.mesh.is_point_cloud()) counts += ", " + counted(c.mesh.triangles.size(), "triangle");
      if (c.parts.size() > 1) counts += ", " + counted(c.parts.size(), "part");
      for (const auto& [present, name] :
           {std::pair{!c.mesh.normals.empty(), "normals"}, std::pair{!c.mesh.uvs.empty(), "UVs"},
            std::pair{!c.mesh.colors.empty(), "colours"}}) {
        if (present) counts += std::string(", ") + name;
      }
      line(c.mesh.is_point_cloud() ? "cloud" : "mesh", counts);
    }
    if (verbose_ && c.parts.size() > 1) {
      for (const Part& part : c.parts) {
        constexpr const char* bindings[] = {"skinned", "attached", "fixed"};
        line("", fmt::format("{} [{}], {}, {}", part.name.empty() ? "part" : part.name, part.material,
                             counted(part.triangle_count, "triangle"), bindings[static_cast<int>(part.binding)]));
      }
    }
    if (!box.isEmpty()) {
      const Vec3d size = box.sizes();
      const std::string unit = report_.unit == LengthUnit::unknown ? "units"
                               : report_.unit == LengthUnit::metres
                                   ? "m"
                                   : fmt::format("units, probably {}", unit_name(report_.unit));
      line("size", fmt::format("{:.4g} × {:.4g} × {:.4g} {}", size.x(), size.y(), size.z(), unit));
    }
    if (!c.mesh.is_point_cloud()) surface();
    if (report_.body) body(*report_.body);
  }

  void body(const RecognisedBody& body) {
    std::string words = kind_text(body) + ", " + direction_text(body.frame.up) + " is up";
    if (body.kind != CreatureKind::not_a_creature) words += ", faces " + direction_text(body.frame.forward);
    if (body.pose && *body.pose != RestPose::other) {
      words += fmt::format(
          ", {}", *body.pose == RestPose::arms_down ? "arms down" : fmt::format("{} pose", pose_name(*body.pose)));
    }
    line("body", words);
  }

  void surface() {
    const MeshDefects& d = report_.defects;
    std::vector<std::string> found;
    const auto add = [&](std::size_t count, const char* one, const char* many) {
      if (count > 0) found.push_back(counted(count, one, many));
    };
    add(d.boundary_edges, "open edge", "open edges");
    add(d.non_manifold_edges, "non-manifold edge", "non-manifold edges");
    add(d.inconsistent_edges, "flipped edge", "flipped edges");
    add(d.degenerate_triangles, "triangle without area", "triangles without area");
    add(d.duplicate_triangles, "double triangle", "double triangles");
    add(d.isolated_vertices, "isolated vertex", "isolated vertices");
    add(d.intersecting_triangles, "self-intersecting triangle", "self-intersecting triangles");
    std::string surface = counted(d.components, "piece");
    if (d.is_watertight()) surface += fmt::format(", watertight, volume {:.4g}", d.volume);
    if (d.is_inside_out()) surface += ", inside out";
    line("surface", surface);
    if (verbose_ && d.components > 1) pieces();
    line("defects", found.empty() ? "none" : fmt::format("{}", fmt::join(found, ", ")));
  }

  // Numbered as --rigid and --keep of bind take them.
  void pieces() {
    const Character& c = report_.character;
    const Components found = pieces_of_mesh(c.mesh);
    std::vector<std::size_t> vertices(found.count, 0), first(found.count, 0);
    for (std::size_t v = c.mesh.vertex_count(); v-- > 0;) {
      ++vertices[found.component_of[v]];
      first[found.component_of[v]] = v;
    }
    for (std::size_t p = 0; p < std::min(found.count, shown_pieces); ++p) {
      const auto part = std::find_if(c.parts.begin(), c.parts.end(), [&](const Part& candidate) {
        return first[p] >= candidate.first_vertex && first[p] < candidate.first_vertex + candidate.vertex_count;
      });
      line("", fmt::format("#{}: {}{}", p + 1, counted(vertices[p], "vertex", "vertices"),
                           part == c.parts.end() || part->name.empty() ? "" : " of " + part->name));
    }
    if (found.count > shown_pieces) line("", fmt::format("and {} more", found.count - shown_pieces));
  }

  void skeleton() {
    const Character& c = report_.character;
    const SkinSummary& s = report_.skin;
    if (c.skeleton.empty()) return;
    std::string counts = counted(static_cast<std::uint64_t>(s.joints), "joint");
    if (c.has_skin()) counts += fmt::format(" ({} used)", s.used_joints);
    if (s.ends > 0) counts += ", " + counted(static_cast<std::uint64_t>(s.ends), "end");
    if (s.helpers > 0) counts += ", " + counted(static_cast<std::uint64_t>(s.helpers), "helper");
    const std::size_t roots = roots_of(c.skeleton).size();
    if (roots > 1) counts += fmt::format(", {} roots", roots);
    line("skeleton", counts);
    if (verbose_) joints();
    if (!c.has_skin()) return;
    std::string weights =
        fmt::format("up to {} per vertex, {:.2f} on average", counted(s.most_influences, "joint"), s.mean_influences);
    if (s.unweighted_vertices > 0)
      weights += fmt::format(", {} without", counted(s.unweighted_vertices, "vertex", "vertices"));
    line("weights", weights);
  }

  void joints() {
    const Skeleton& skeleton = report_.character.skeleton;
    std::vector<int> depth(skeleton.names.size(), 0);
    for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
      const int parent = skeleton.parents[joint];
      if (parent >= 0) depth[joint] = depth[parent] + 1;
      constexpr const char* kinds[] = {"", " (end)", " (helper)"};
      line("", std::string(2 * static_cast<std::size_t>(depth[joint]), ' ') + skeleton.names[joint] +
                   kinds[static_cast<int>(skeleton.kinds[joint])]);
    }
  }

  void motions() {
    const std::vector<Motion>& motions = report_.character.motions;
    const std::size_t shown = verbose_ ? motions.size() : std::min(motions.size(), shown_motions);
    for (std::size_t i = 0; i < shown; ++i) {
      const Motion& m = motions[i];
      line(i == 0 ? "motions" : "",
           fmt::format("{}: {} at {:.4g} per second, {:.2f} s", m.name.empty() ? "unnamed" : m.name,
                       counted(static_cast<std::uint64_t>(m.frame_count()), "frame"), m.frames_per_second,
                       m.duration()));
    }
    if (shown < motions.size()) line("", fmt::format("… and {} more (--verbose lists them)", motions.size() - shown));
  }

  const Report& report_;
  bool verbose_;
  std::string text_;
};

Json json_of(const Warnings& warnings) {
  Json list = Json::array();
  for (const Warning& warning : warnings) list.push_back({{"code", warning.code}, {"message", warning.message}});
  return list;
}

Json json_of(const Report& report) {
  const Character& c = report.character;
  const MeshDefects& d = report.defects;
  const SkinSummary& s = report.skin;
  Json result = {{"file", report.file}, {"format", report.format}, {"bytes", report.bytes}};
  result["mesh"] = {{"vertices", c.mesh.vertex_count()},    {"welded_vertices", d.welded_vertices},
                    {"triangles", c.mesh.triangles.size()}, {"normals", !c.mesh.normals.empty()},
                    {"uvs", !c.mesh.uvs.empty()},           {"colors", !c.mesh.colors.empty()}};
  result["parts"] = Json::array();
  for (const Part& part : c.parts) {
    constexpr const char* bindings[] = {"skinned", "attached", "fixed"};
    result["parts"].push_back({{"name", part.name},
                               {"material", part.material},
                               {"vertices", part.vertex_count},
                               {"triangles", part.triangle_count},
                               {"binding", bindings[static_cast<int>(part.binding)]}});
  }
  const AABBd box = extent_of(c);
  if (!box.isEmpty()) {
    result["box"] = {{"min", {box.min().x(), box.min().y(), box.min().z()}},
                     {"max", {box.max().x(), box.max().y(), box.max().z()}}};
  }
  result["unit_guess"] = unit_name(report.unit);
  result["skeleton"] = {{"joints", s.joints},        {"ends", s.ends},
                        {"helpers", s.helpers},      {"roots", roots_of(c.skeleton).size()},
                        {"names", c.skeleton.names}, {"parents", c.skeleton.parents}};
  result["weights"] = {{"present", c.has_skin()},
                       {"used_joints", s.used_joints},
                       {"max_influences", s.most_influences},
                       {"mean_influences", s.mean_influences},
                       {"unweighted_vertices", s.unweighted_vertices}};
  result["motions"] = Json::array();
  for (const Motion& m : c.motions) {
    result["motions"].push_back({{"name", m.name},
                                 {"frames", m.frame_count()},
                                 {"frames_per_second", m.frames_per_second},
                                 {"seconds", m.duration()}});
  }
  result["surface"] = {{"components", d.components},
                       {"closed", d.is_closed()},
                       {"watertight", d.is_watertight()},
                       {"inside_out", d.is_inside_out()},
                       {"volume", d.volume},
                       {"boundary_edges", d.boundary_edges},
                       {"non_manifold_edges", d.non_manifold_edges},
                       {"inconsistent_edges", d.inconsistent_edges},
                       {"degenerate_triangles", d.degenerate_triangles},
                       {"duplicate_triangles", d.duplicate_triangles},
                       {"isolated_vertices", d.isolated_vertices}};
  if (report.body) result["body"] = report_json(*report.body);
  if (report.looked_for_intersections) result["surface"]["intersecting_triangles"] = d.intersecting_triangles;
  result["file_warnings"] = json_of(c.warnings);
  return result;
}

void run_info(const InfoArguments& options, Session& session) {
  Json files = Json::array();
  std::string text;
  const Progress progress = session.progress();
  for (std::size_t i = 0; i < options.files.size(); ++i) {
    progress(static_cast<double>(i) / static_cast<double>(options.files.size()), "reading " + options.files[i]);
    try {
      const Report report = report_on(options.files[i], options, session);
      files.push_back(json_of(report));
      text += (text.empty() ? "" : "\n") + TextReport(report, session.verbose()).write();
    } catch (const Error& error) {
      if (options.files.size() == 1 || error.kind() == ErrorKind::cancelled) throw;
      session.remember(error);
      files.push_back({{"file", options.files[i]}, {"error", session.error_json(error)}});
    }
  }
  progress(1.0, "done");
  session.finish({{"files", files}}, text);
}

}  // namespace

void add_info_command(Session& session) {
  auto options = std::make_shared<InfoArguments>();
  Command* command = session.add_command("info", "show what files hold and what is wrong with them");
  command->add_option("FILE", options->files, "meshes, characters, motions or point clouds")->required();
  command->add_flag("--quick", options->quick, "skip the search for self-intersections and for the kind of body");
  session.on_run(command, [options, &session] { run_info(*options, session); });
}

}  // namespace sinew::cli
