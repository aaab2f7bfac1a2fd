#include "tests/asset/samples.h"

#include <cstring>

#include "sinew/asset/plain/ply_document.h"
#include "sinew/asset/plain/stl.h"

namespace sinew::test {
namespace {

std::string obj_sample() {
  return "# two parts\nmtllib a.mtl\no body\nusemtl skin\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nv 0 1 0 1 1 1\n"
         "vt 0 0\nvt 1 0\nvn 0 0 1\nf 1/1/1 2/2/1 3/1/1 4/2/1\ng hat\nusemtl felt\nv 0 0 1\nf -1//1 1//1 2//1\nl 1 2\n";
}

std::string ply_text_sample() {
  return "ply\nformat ascii 1.0\ncomment sample\ncomment sinew_joint 0 -1 joint 1 0 0 0 0 1 0 0 0 0 1 0 root\n"
         "element vertex 4\nproperty float x\nproperty float y\nproperty double z\nproperty uchar red\n"
         "property uchar green\nproperty uchar blue\nproperty ushort joint_0\nproperty float weight_0\n"
         "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
         "0 0 0 255 0 0 0 1\n1 0 0 0 255 0 0 1\n1 1 0.5 0 0 255 0 0.5\n0 1 0 9 9 9 0 1\n3 0 1 2\n3 0 2 3\n";
}

std::string ply_sample(PlyEncoding encoding) {
  const std::string text = ply_text_sample();
  PlyDocument document = read_ply_document(std::as_bytes(std::span(text)));
  document.encoding = encoding;
  return write_ply_document(document);
}

std::string stl_binary_sample() {
  Character c;
  c.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  c.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return write_stl(c);
}

std::string bvh_sample() {
  return "HIERARCHY\nROOT Hips\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation "
         "Xrotation\n JOINT Arm\n {\n  OFFSET 2 0 0\n  CHANNELS 3 Xrotation Zrotation Yrotation\n  End Site\n  {\n   "
         "OFFSET 1 0 0\n  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.033333\n0 1 0 0 0 0 0 0 0\n5 6 7 10 20 30 40 50 "
         "60\n";
}

std::string pcd_sample(const char* encoding, const std::string& body) {
  return "# .PCD v0.7\nVERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 2\nHEIGHT 1\nVIEWPOINT 0 "
         "0 0 1 0 0 0\nPOINTS 2\nDATA " +
         std::string(encoding) + "\n" + body;
}

std::string pcd_compressed_body(const std::string& columns) {
  std::string packed(1, static_cast<char>(columns.size() - 1));
  packed += columns;
  const std::uint32_t sizes[2] = {static_cast<std::uint32_t>(packed.size()),
                                  static_cast<std::uint32_t>(columns.size())};
  return std::string(reinterpret_cast<const char*>(sizes), sizeof sizes) + packed;
}

}  // namespace

std::string collada_sample() {
  return R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="strip" name="strip"><mesh>
<source id="strip-positions"><float_array id="strip-positions-array" count="12">0 0 0 10 0 0 0 0 100 10 0 100</float_array>
<technique_common><accessor source="#strip-positions-array" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="strip-vertices"><input semantic="POSITION" source="#strip-positions"/></vertices>
<triangles count="2"><input semantic="VERTEX" source="#strip-vertices" offset="0"/><p>0 1 3 0 3 2</p></triangles>
</mesh></geometry></library_geometries>
<library_controllers><controller id="strip-skin"><skin source="#strip">
<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>
<source id="skin-joints"><Name_array id="skin-joints-array" count="2">Lower Upper</Name_array>
<technique_common><accessor source="#skin-joints-array" count="2" stride="1"><param name="JOINT" type="name"/></accessor></technique_common></source>
<source id="skin-binds"><float_array id="skin-binds-array" count="32">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 0 0 0 1 -50 0 0 0 1</float_array>
<technique_common><accessor source="#skin-binds-array" count="2" stride="16"><param name="TRANSFORM" type="float4x4"/></accessor></technique_common></source>
<source id="skin-weights"><float_array id="skin-weights-array" count="2">1 0.5</float_array>
<technique_common><accessor source="#skin-weights-array" count="2" stride="1"><param name="WEIGHT" type="float"/></accessor></technique_common></source>
<joints><input semantic="JOINT" source="#skin-joints"/><input semantic="INV_BIND_MATRIX" source="#skin-binds"/></joints>
<vertex_weights count="4"><input semantic="JOINT" source="#skin-joints" offset="0"/><input semantic="WEIGHT" source="#skin-weights" offset="1"/>
<vcount>1 1 2 1</vcount><v>0 0 0 0 0 1 1 1 1 0</v></vertex_weights>
</skin></controller></library_controllers>
<library_animations><animation id="turn">
<source id="turn-times"><float_array id="turn-times-array" count="2">0 1</float_array>
<technique_common><accessor source="#turn-times-array" count="2" stride="1"><param name="TIME" type="float"/></accessor></technique_common></source>
<source id="turn-values"><float_array id="turn-values-array" count="32">1 0 0 0 0 1 0 0 0 0 1 50 0 0 0 1 0 -1 0 0 1 0 0 0 0 0 1 50 0 0 0 1</float_array>
<technique_common><accessor source="#turn-values-array" count="2" stride="16"><param name="TRANSFORM" type="float4x4"/></accessor></technique_common></source>
<source id="turn-steps"><Name_array id="turn-steps-array" count="2">LINEAR LINEAR</Name_array>
<technique_common><accessor source="#turn-steps-array" count="2" stride="1"><param name="INTERPOLATION" type="name"/></accessor></technique_common></source>
<sampler id="turn-sampler"><input semantic="INPUT" source="#turn-times"/><input semantic="OUTPUT" source="#turn-values"/><input semantic="INTERPOLATION" source="#turn-steps"/></sampler>
<channel source="#turn-sampler" target="Upper/transform"/>
</animation></library_animations>
<library_visual_scenes><visual_scene id="scene">
<node id="Armature" name="Armature" type="NODE">
<node id="Lower" name="Lower" sid="Lower" type="JOINT"><matrix sid="transform">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
<node id="Upper" name="Upper" sid="Upper" type="JOINT"><matrix sid="transform">1 0 0 0 0 1 0 0 0 0 1 50 0 0 0 1</matrix></node>
</node>
<node id="Strip" name="Strip" type="NODE"><instance_controller url="#strip-skin"><skeleton>#Lower</skeleton></instance_controller></node>
</node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
)";
}

std::vector<Sample> samples() {
  const float rows[6] = {1, 2, 3, 4, 5, 6}, columns[6] = {1, 4, 2, 5, 3, 6};
  const auto raw = [](const float(&values)[6]) {
    return std::string(reinterpret_cast<const char*>(values), sizeof values);
  };
  const std::string facet =
      "facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1e0 0\n endloop\nendfacet\n";
  return {{"a.obj", obj_sample()},
          {"text.ply", ply_text_sample()},
          {"little.ply", ply_sample(PlyEncoding::little_endian)},
          {"big.ply", ply_sample(PlyEncoding::big_endian)},
          {"text.stl", "solid a\n" + facet + facet + "endsolid a\n"},
          {"binary.stl", stl_binary_sample()},
          {"a.off", "COFF\n4 2 0\n0 0 0 255 0 0\n1 0 0 0 255 0\n1 1 0 0 0 255\n0 1 0 1 1 1\n3 0 1 2\n3 0 2 3\n"},
          {"a.bvh", bvh_sample()},
          {"text.pcd", pcd_sample("ascii", "1 2 3\n4 5 6\n")},
          {"binary.pcd", pcd_sample("binary", raw(rows))},
          {"compressed.pcd", pcd_sample("binary_compressed", pcd_compressed_body(raw(columns)))},
          {"a.dae", collada_sample()}};
}

}  // namespace sinew::test
