#include <nlohmann/json.hpp>

#include "info_report.h"
#include "sinew/pipeline/report_json.h"

namespace sinew::cli {
namespace {

using Json = nlohmann::json;

Json warnings_json(const Warnings& warnings) {
  Json list = Json::array();
  for (const Warning& warning : warnings) list.push_back({{"code", warning.code}, {"message", warning.message}});
  return list;
}

}  // namespace

double metres_in(LengthUnit unit) {
  switch (unit) {
    case LengthUnit::metres:
      return 1;
    case LengthUnit::centimetres:
      return 0.01;
    case LengthUnit::millimetres:
      return 0.001;
    case LengthUnit::unknown:
      break;
  }
  return 0;
}

Json info_json(const InfoReport& report) {
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
  if (const double scale = metres_in(report.unit); scale > 0 && !box.isEmpty()) {
    const Vec3d size = scale * box.sizes();
    result["size_metres"] = {size.x(), size.y(), size.z()};
  }
  result["materials"] = report.looks.materials;
  result["textures"] = Json::array();
  for (const LookSummary::Picture& picture : report.looks.textures) {
    result["textures"].push_back({{"name", picture.name}, {"format", picture.kind}, {"bytes", picture.bytes}});
  }
  result["morphs"] = report.looks.shape_keys;
  result["extensions"] = report.looks.extensions;
  result["extras"] = report.looks.extras;
  result["skeleton"] = {{"joints", s.joints},
                        {"ends", s.ends},
                        {"helpers", s.helpers},
                        {"roots", roots_of(c.skeleton).size()},
                        {"names", c.skeleton.names},
                        {"parents", c.skeleton.parents},
                        {"convention", report.convention}};
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
  result["file_warnings"] = warnings_json(c.warnings);
  return result;
}

}  // namespace sinew::cli
