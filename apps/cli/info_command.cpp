// sinew info: what files hold and what is wrong with them.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "commands.h"
#include "files.h"
#include "fit_source.h"
#include "info_report.h"
#include "sinew/anatomy/naming_convention.h"
#include "sinew/mesh/diagnose.h"
#include "sinew/mesh/pieces.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t shown_motions = 8, shown_pieces = 100, shown_names = 8;

struct InfoArguments {
  std::vector<std::string> files;
  bool quick = false;
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

InfoReport report_on(const std::string& file, const InfoArguments& options, Session& session) {
  InfoReport report;
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
  report.looks = summarise_looks(report.character);
  report.convention = naming_convention(report.character.skeleton);
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
  TextReport(const InfoReport& report, bool verbose) : report_(report), verbose_(verbose) {}

  std::string write() {
    text_ = fmt::format("{}  ({}, {})\n", report_.file, report_.format, file_size_text(report_.bytes));
    mesh();
    looks();
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
      std::string bounds = fmt::format("{:.4g} × {:.4g} × {:.4g} {}", size.x(), size.y(), size.z(), unit);
      if (const double scale = metres_in(report_.unit); scale > 0 && scale != 1) {
        bounds += fmt::format(": {:.4g} × {:.4g} × {:.4g} m", scale * size.x(), scale * size.y(), scale * size.z());
      }
      line("size", bounds);
    }
    if (!c.mesh.is_point_cloud()) surface();
    if (report_.body) body(*report_.body);
  }

  void names(const std::string& label, const std::vector<std::string>& list) {
    if (list.empty()) return;
    const std::size_t shown = verbose_ ? list.size() : std::min(list.size(), shown_names);
    std::string words = grouped(list.size());
    for (std::size_t i = 0; i < shown; ++i) {
      words += (i == 0 ? ": " : ", ") + (list[i].empty() ? "unnamed" : list[i]);
    }
    line(label, words + (shown < list.size() ? ", …" : ""));
  }

  void looks() {
    const LookSummary& looks = report_.looks;
    names("materials", looks.materials);
    if (!looks.textures.empty()) {
      std::uint64_t bytes = 0;
      std::map<std::string, int> kinds;
      for (const LookSummary::Picture& picture : looks.textures) {
        bytes += picture.bytes;
        ++kinds[picture.kind.empty() ? "unknown" : picture.kind];
      }
      std::string words = grouped(looks.textures.size()) + ":";
      for (const auto& [kind, count] : kinds) words += fmt::format(" {} {},", count, kind);
      line("textures", words + " " + file_size_text(bytes));
      for (std::size_t i = 0; verbose_ && i < looks.textures.size(); ++i) {
        const LookSummary::Picture& picture = looks.textures[i];
        line("", fmt::format("{} ({}, {})", picture.name.empty() ? "unnamed" : picture.name, picture.kind,
                             file_size_text(picture.bytes)));
      }
    }
    names("morphs", looks.shape_keys);
    names("extensions", looks.extensions);
    names("extras", looks.extras);
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
    if (!report_.convention.empty()) counts += ", names as in " + report_.convention;
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

  const InfoReport& report_;
  bool verbose_;
  std::string text_;
};

void run_info(const InfoArguments& options, Session& session) {
  Json files = Json::array();
  std::string text;
  const Progress progress = session.progress();
  for (std::size_t i = 0; i < options.files.size(); ++i) {
    progress(static_cast<double>(i) / static_cast<double>(options.files.size()), "reading " + options.files[i]);
    try {
      const InfoReport report = report_on(options.files[i], options, session);
      files.push_back(info_json(report));
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
