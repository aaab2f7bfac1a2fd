#include "sinew/check_page.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/base64.h"
#include "sinew/base/parallel.h"
#include "sinew/base/plain_text.h"
#include "sinew/draw/picture.h"
#include "sinew/draw/sheet.h"

namespace sinew {
namespace {

constexpr double least_seen = 0.15;  // of the diagonal around the place, so that one knows where it is

// The side from which most of the vertices face the eye; the front where they face everywhere.
View view_of(const TriangleMesh& posed, const std::vector<std::uint32_t>& vertices) {
  const std::vector<Vec3f> normals = vertex_normals(posed.positions, posed.triangles);
  Vec3d sum = Vec3d::Zero();
  for (const std::uint32_t vertex : vertices) sum += normals[vertex].cast<double>();
  if (!(sum.norm() > 0.2 * static_cast<double>(vertices.size()))) return three_quarter_view;
  sum.normalize();
  const double to_degrees = 180 / M_PI;
  return {std::atan2(sum.x(), sum.z()) * to_degrees, std::clamp(std::asin(sum.y()) * to_degrees, -60.0, 60.0)};
}

// The place and some of its surroundings.
std::vector<Vec3f> points_around(const TriangleMesh& posed, const std::vector<std::uint32_t>& vertices,
                                 double diagonal) {
  AABBf box;
  for (const std::uint32_t vertex : vertices) box.extend(posed.positions[vertex]);
  const Vec3f half = (0.6f * box.sizes()).cwiseMax(Vec3f::Constant(static_cast<float>(0.5 * least_seen * diagonal)));
  std::vector<Vec3f> corners;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3f sign(corner & 1 ? 1.f : -1.f, corner & 2 ? 1.f : -1.f, corner & 4 ? 1.f : -1.f);
    corners.push_back(box.center() + half.cwiseProduct(sign));
  }
  return corners;
}

Image draw_finding(const Character& character, const CheckReport& report, const Finding& finding,
                   const FindingPicture& picture, Warnings& warnings, const Progress& progress) {
  const PosedCharacter posed =
      finding.pose < 0 ? pose_character(character)
                       : pose_character(character, check_pose(character.skeleton,
                                                              report.poses[static_cast<std::size_t>(finding.pose)]));
  PictureOptions options;
  options.mode = PictureMode::values;
  options.map = ColorMap::error;
  options.values.assign(character.mesh.vertex_count(), 0.0f);
  for (const std::uint32_t vertex : finding.vertices) options.values[vertex] = 0.85f;
  options.joint = finding.joint;
  options.legend = false;
  options.warnings = &warnings;
  options.render.width = picture.width / 2;
  options.render.height = picture.height;
  options.render.samples = picture.samples;
  const FramingOptions framing{.width = options.render.width, .height = options.render.height};
  const View view = finding.vertices.empty() ? three_quarter_view : view_of(posed.mesh, finding.vertices);
  const std::vector<Vec3f> whole = framing_points(character, posed);
  std::vector<Tile> tiles;
  tiles.push_back(
      {draw_character(character, posed, frame_points(whole, view, framing), options, progress.part(0, 0.5)), {}});
  std::vector<Vec3f> near;
  if (!finding.vertices.empty()) {
    near = points_around(posed.mesh, finding.vertices, bounding_diagonal(character.mesh));
  } else {
    near = finding.joint >= 0 ? framing_points(character, posed, finding.joint) : whole;
  }
  options.floor = false;
  options.skeleton = finding.vertices.empty();
  tiles.push_back(
      {draw_character(character, posed, frame_points(near, view, framing), options, progress.part(0.5, 1)), {}});
  return compose_sheet(tiles, {.columns = 2, .gap = 0});
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

constexpr const char* page_style =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1c2530}"
    "article{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,1fr);gap:1rem;border-top:1px solid #d5dbe2;"
    "padding:1rem 0}img{width:100%;height:auto;border-radius:4px}h2{font-size:1rem;margin:0}"
    "dl{display:grid;grid-template-columns:auto 1fr;gap:0 .8rem;margin:.5rem 0}dt{color:#5b6876}dd{margin:0}"
    "@media(max-width:40rem){article{grid-template-columns:1fr}}"
    "@media(prefers-color-scheme:dark){body{background:#14181d;color:#dfe5ec}article{border-color:#333c46}"
    "dt{color:#93a0ae}}";

std::string article(const Character& character, const CheckReport& report, const Finding& finding,
                    const std::vector<std::byte>& png) {
  const std::span<const std::byte> piece(png);
  std::string text = "<article><img alt=\"" + escaped(finding.what) + "\" src=\"data:image/png;base64," +
                     encode_base64(std::span(&piece, 1)) + "\"><div><h2>" +
                     std::string(finding_kind_name(finding.kind)) + "</h2><p>" + escaped(finding.what) + ".</p><dl>";
  const auto row = [&](const char* name, const std::string& value) {
    text += std::string("<dt>") + name + "</dt><dd>" + escaped(value) + "</dd>";
  };
  row("off by", fixed_number_text(100 * finding.severity, 1) + " % of the character's size");
  if (finding.pose >= 0) row("pose", report.poses[static_cast<std::size_t>(finding.pose)].name);
  if (finding.joint >= 0) row("joint", character.skeleton.names[static_cast<std::size_t>(finding.joint)]);
  if (finding.part >= 0) row("part", character.parts[static_cast<std::size_t>(finding.part)].name);
  row("vertices", std::to_string(finding.vertices.size()));
  row("remedy", finding.remedy);
  return text + "</dl></div></article>\n";
}

}  // namespace

RenderedPicture picture_finding(const Character& character, const CheckReport& report, std::size_t finding,
                                const FindingPicture& options, const Progress& progress) {
  if (finding >= report.findings.size())
    throw Error(ErrorCode::choice_unknown, "the report has no finding " + std::to_string(finding));
  RenderedPicture result;
  with_threads(options.threads, progress, [&] {
    result.png =
        encode_png(draw_finding(character, report, report.findings[finding], options, result.warnings, progress));
  });
  return result;
}

std::string check_page(const Character& character, const CheckReport& report, const FindingPicture& options,
                       const Progress& progress) {
  const std::string name = escaped(character.name.empty() ? "character" : character.name);
  std::string page = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + name +
                     ": skin check</title><meta name=\"viewport\" content=\"width=device-width\"><style>" + page_style +
                     "</style></head><body>\n<h1>" + name + "</h1>\n<p>" + std::to_string(report.findings.size()) +
                     (report.findings.size() == 1 ? " finding" : " findings") + " in " +
                     std::to_string(report.poses.size()) + " poses of " + std::to_string(report.vertices) +
                     " vertices.";
  if (!report.findings.empty()) {
    page +=
        " Pictures show the pose of a finding, the whole character and the place from near; what was found is red, "
        "worst first.";
  }
  page += "</p>\n";
  const double count = static_cast<double>(report.findings.size());
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const Progress part = progress.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
    page += article(character, report, report.findings[i], picture_finding(character, report, i, options, part).png);
  }
  return page + "</body></html>\n";
}

}  // namespace sinew
