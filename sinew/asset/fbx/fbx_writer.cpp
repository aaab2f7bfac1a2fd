#include "sinew/asset/fbx/fbx_writer.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/asset/fbx/fbx_scene.h"
#include "sinew/asset/gltf/gltf_alone.h"

namespace sinew {
namespace {

// Readers of Autodesk check the file's id against the time of creation. This pair is the one that is known to fit, and
// it makes files the same every time.
constexpr const char* creation_time = "1970-01-01 10:00:00:000";
constexpr unsigned char file_id[] = {0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2,
                                     0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1};

void add_header(FbxNode& root) {
  FbxNode& header = root.child("FBXHeaderExtension");
  header.child("FBXHeaderVersion").int32(1003);
  header.child("FBXVersion").int32(7400);
  header.child("EncryptionType").int32(0);
  FbxNode& stamp = header.child("CreationTimeStamp");
  stamp.child("Version").int32(1000);
  constexpr std::pair<const char*, int> parts[] = {{"Year", 1970}, {"Month", 1},  {"Day", 1},        {"Hour", 10},
                                                   {"Minute", 0},  {"Second", 0}, {"Millisecond", 0}};
  for (const auto& [name, value] : parts) stamp.child(name).int32(value);
  header.child("Creator").text("Sinew");
  FbxNode& info = header.child("SceneInfo").object_name("GlobalInfo", "SceneInfo").text("UserData");
  info.child("Type").text("UserData");
  info.child("Version").int32(100);
  FbxNode& properties = info.child("Properties70");
  properties.property("Original|ApplicationVendor", "KString", "", "").text("Sinew");
  properties.property("Original|ApplicationName", "KString", "", "").text("Sinew");
  root.child("FileId").raw(std::as_bytes(std::span(file_id)));
  root.child("CreationTime").text(creation_time);
  root.child("Creator").text("Sinew");
}

// FBX's number of a frame rate; 14 is one of its own.
int time_mode(double rate) {
  constexpr std::pair<double, int> known[] = {{24, 11}, {25, 10}, {30, 6},  {48, 4},
                                              {50, 5},  {60, 3},  {100, 2}, {120, 1}};
  for (const auto& [frames, mode] : known) {
    if (std::abs(rate - frames) < 1e-6) return mode;
  }
  return 14;
}

void add_settings(FbxNode& root, const Character& character) {
  double rate = 0, seconds = 0;  // the finest of all motions, so that frames of each fall on those of the file
  for (const Motion& motion : character.motions) {
    rate = std::max(rate, motion.frames_per_second);
    seconds = std::max(seconds, motion.duration());
  }
  if (rate == 0) rate = 30;
  FbxNode& settings = root.child("GlobalSettings");
  settings.child("Version").int32(1000);
  FbxNode& properties = settings.child("Properties70");
  constexpr std::pair<const char*, int> axes[] = {{"UpAxis", 1},         {"UpAxisSign", 1},        {"FrontAxis", 2},
                                                  {"FrontAxisSign", 1},  {"CoordAxis", 0},         {"CoordAxisSign", 1},
                                                  {"OriginalUpAxis", 1}, {"OriginalUpAxisSign", 1}};
  for (const auto& [name, value] : axes) properties.property(name, "int", "Integer", "").int32(value);
  for (const char* name : {"UnitScaleFactor", "OriginalUnitScaleFactor"}) {
    properties.property(name, "double", "Number", "").real(100.0);  // centimetres
  }
  properties.property("TimeMode", "enum", "", "").int32(time_mode(rate));
  properties.property("TimeSpanStart", "KTime", "Time", "").int64(0);
  properties.property("TimeSpanStop", "KTime", "Time", "").int64(std::llround(seconds * 46186158000.0));
  properties.property("CustomFrameRate", "double", "Number", "").real(rate);
}

void add_document(FbxNode& root, const Character& character) {
  FbxNode& documents = root.child("Documents");
  documents.child("Count").int32(1);
  FbxNode& document = documents.child("Document").int64(999'999).text(character.name).text("Scene");
  FbxNode& properties = document.child("Properties70");
  properties.property("SourceObject", "object", "", "");
  properties.property("ActiveAnimStackName", "KString", "", "")
      .text(character.motions.empty() ? "" : character.motions[0].name);
  document.child("RootNode").int64(0);
  root.child("References");
}

// How many objects there are of every kind.
void add_definitions(FbxNode& root, const FbxNode& objects) {
  std::map<std::string, int> counts;
  for (const FbxNode& object : objects.children()) ++counts[object.name()];
  FbxNode& definitions = root.child("Definitions");
  definitions.child("Version").int32(100);
  definitions.child("Count").int32(static_cast<std::int32_t>(objects.children().size()) + 1);
  definitions.child("ObjectType").text("GlobalSettings").child("Count").int32(1);
  for (const auto& [type, count] : counts) definitions.child("ObjectType").text(type).child("Count").int32(count);
}

}  // namespace

Output write_fbx(const Character& character, const SaveOptions& options) {
  check_character(character);
  FbxScene scene(character);
  if (!options.destination.empty()) scene.file = "'" + options.destination.filename().string() + "'";
  const bool fewer = options.max_influences > 0 && options.max_influences < character.weights.influences;
  scene.weights = fewer ? with_influences(character.weights, options.max_influences) : character.weights;
  scene.looks = read_materials(character);
  scene.shapes = read_shape_keys(character);
  scene.warnings = scene.looks.warnings;
  if (!character.skeleton.empty()) add_fbx_joints(scene);
  add_fbx_materials(scene);
  add_fbx_meshes(scene);
  add_fbx_bind_pose(scene);
  add_fbx_motions(scene);
  if (scene.renamed > 0) {
    scene.warnings.push_back({"names-made-unique", std::to_string(scene.renamed) +
                                                       " joints or parts had the name of another; they were numbered"});
  }
  if (scene.shapes.lost > 0) {
    scene.warnings.push_back({"lost-shapes", std::to_string(scene.shapes.lost) +
                                                 " shape keys do not fit the changed vertices and were left out"});
  }
  FbxNode root("");
  add_header(root);
  add_settings(root, character);
  add_document(root, character);
  add_definitions(root, scene.objects);
  Output output;
  const std::string unheld = gltf_alone(character);
  if (!unheld.empty()) scene.warnings.push_back({"lost-extras", scene.file + " cannot hold " + unheld});
  output.warnings = std::move(scene.warnings);
  for (FbxNode* last : {&scene.objects, &scene.connections, &scene.takes}) root.adopt(std::move(*last));
  output.pieces = {output.keep(fbx_bytes(root))};
  return output;
}

}  // namespace sinew
