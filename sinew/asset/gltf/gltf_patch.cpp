#include "sinew/asset/gltf/gltf_patch.h"

#include <algorithm>
#include <array>

#include "sinew/asset/beside_files.h"
#include "sinew/asset/gltf/gltf_fingerprint.h"
#include "sinew/asset/gltf/gltf_vrm.h"

namespace sinew::gltf {
namespace fs = std::filesystem;
namespace {

// Whether the file will be saved in the folder that its source was read from.
bool same_folder(const Patch& patch) {
  const fs::path &a = patch.source.path, &b = patch.context.options.destination;
  if (a.empty() || b.empty()) return false;
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(a).parent_path(), error) ==
         fs::weakly_canonical(fs::absolute(b).parent_path(), error);
}

bool is_external(const std::string& uri) { return !uri.empty() && !uri.starts_with("data:"); }

Warning not_brought(const std::string& uri, const Error& error) {
  return {"file-not-copied", "'" + uri + "' could not be brought along: " + error.what()};
}

// Files that the output still names must be reachable from it. `known`: the file's bytes, where they are there already.
void bring_file(const Patch& patch, const std::string& uri, std::span<const std::byte> known, Output& output) {
  if (same_folder(patch)) return;
  try {
    const std::string name = name_of_uri(uri);
    const auto same_name = [&](const OutputFile& file) { return file.name == name; };
    if (std::any_of(output.beside.begin(), output.beside.end(), same_name)) return;
    output.beside.push_back({name, {known.empty() ? output.keep(read_uri(patch.source, uri, "an image")) : known}});
  } catch (const Error& error) {
    output.warnings.push_back(not_brought(uri, error));
  }
}

// All buffer files that the source names.
void bring_buffers(const Patch& patch, Output& output) {
  const std::vector<Buffer>& buffers = buffers_as_read(patch.source);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const std::string uri = json_as_read(patch.source).at("buffers").at(i).value("uri", "");
    if (is_external(uri)) bring_file(patch, uri, buffers[i].storage, output);
  }
}

std::string mime_type(const fs::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".png") return "image/png";
  if (extension == ".jpg" || extension == ".jpeg") return "image/jpeg";
  if (extension == ".webp") return "image/webp";
  if (extension == ".ktx2") return "image/ktx2";
  return "";
}

// Images beside the source move into the file, or come along as files.
void carry_images(Patch& patch, bool embed, Output& output) {
  if (!patch.json.contains("images")) return;
  for (Json& image : patch.json["images"]) {
    const std::string uri = string_member(image, "uri", "", "an image");
    if (!is_external(uri)) continue;
    const std::string type = mime_type(uri);
    if (!embed || type.empty()) {
      bring_file(patch, uri, {}, output);
      continue;
    }
    try {
      auto bytes = std::make_shared<const Bytes>(read_uri(patch.source, uri, "an image"));
      patch.builder.owners.push_back(bytes);
      const Json view = {{"buffer", patch.builder.buffer},
                         {"byteOffset", patch.builder.append(*bytes)},
                         {"byteLength", bytes->size()}};
      image.erase("uri");
      image["bufferView"] = patch.builder.push("bufferViews", view);
      image["mimeType"] = type;
      patch.changed = true;
    } catch (const Error& error) {
      output.warnings.push_back(not_brought(uri, error));
    }
  }
}

// A GLB has one chunk: all buffers go into it, one behind the other.
void merge_buffers(Json& json, std::vector<OutputBuffer>& buffers) {
  static const std::array<std::byte, 4> zeros{};
  if (buffers.size() < 2) return;
  std::vector<std::size_t> base;
  OutputBuffer all;
  std::size_t size = 0;
  for (const OutputBuffer& buffer : buffers) {
    if (size % 4 != 0) {
      all.pieces.push_back(std::span(zeros).first(4 - size % 4));
      size += 4 - size % 4;
    }
    base.push_back(size);
    for (const auto piece : buffer.pieces) {
      all.pieces.push_back(piece);
      size += piece.size();
    }
  }
  if (json.contains("bufferViews")) {
    for (Json& view : json["bufferViews"]) {
      const auto buffer = view["buffer"].get<std::size_t>();
      view["byteOffset"] = view.value("byteOffset", std::size_t{0}) + base[buffer];
      view["buffer"] = 0;
    }
  }
  json["buffers"].erase(json["buffers"].begin() + 1, json["buffers"].end());
  buffers = {std::move(all)};
}

std::vector<OutputBuffer> output_buffers(Patch& patch) {
  static const std::array<std::byte, 4> zeros{};
  std::vector<OutputBuffer> buffers;
  for (std::size_t i = 0; i < patch.source.buffers.size(); ++i) {
    const Buffer& buffer = patch.source.buffers[i];
    OutputBuffer output{buffer.kind, "", {buffer.bytes}};
    if (buffer.kind == BufferKind::file) output.uri = patch.json["buffers"][i].value("uri", "");
    buffers.push_back(std::move(output));
  }
  if (patch.builder.added.empty()) return buffers;
  if (buffers.empty()) {
    buffers.emplace_back();
    patch.json["buffers"] = Json::array({Json::object()});
  }
  OutputBuffer& grown = buffers[0];
  const std::size_t before = patch.source.buffers.empty() ? 0 : patch.source.buffers[0].bytes.size();
  grown.uri.clear();
  grown.pieces.push_back(std::span(zeros).first(patch.builder.base - before));
  grown.pieces.insert(grown.pieces.end(), patch.builder.added.begin(), patch.builder.added.end());
  return buffers;
}

// A buffer written under a new name must not replace a file that the source still needs.
void keep_source_files(const Patch& patch) {
  const fs::path& path = patch.context.options.destination;
  if (!same_folder(patch) || patch.source.path.filename() == path.filename()) return;
  for (const Json& buffer : array_member(json_as_read(patch.source), "buffers", "the file")) {
    const std::string uri = buffer.value("uri", "");
    if (is_external(uri) && fs::path(uri).stem() == path.stem()) {
      throw Error(ErrorCode::would_overwrite,
                  "writing '" + path.string() + "' would replace '" + uri + "', which '" + patch.source.path.string() +
                      "' needs",
                  "choose another name");
    }
  }
}

void finish_scene(Patch& patch) {
  if (patch.context.scene_nodes.empty()) return;
  Json& scenes = patch.builder.array("scenes");
  if (scenes.empty()) {
    // Without a scene every root node was shown; now that there is one, it has to say so.
    std::vector<bool> child(patch.json["nodes"].size(), false);
    for (const Json& node : patch.json["nodes"]) {
      for (const Json& below : array_member(node, "children", "a node")) child[below.get<std::size_t>()] = true;
    }
    const auto& added = patch.context.scene_nodes;
    Json roots = Json::array();
    for (std::size_t i = 0; i < child.size(); ++i) {
      const bool is_new = std::find(added.begin(), added.end(), static_cast<int>(i)) != added.end();
      if (!child[i] && !is_new) roots.push_back(i);
    }
    scenes.push_back({{"nodes", roots}});
    patch.json["scene"] = 0;
  }
  Json& scene = scenes[patch.json.value("scene", std::size_t{0})];
  for (const int node : patch.context.scene_nodes) scene["nodes"].push_back(node);
}

}  // namespace

Patch::Patch(const Character& edited, const Document& origin, const SaveOptions& options)
    : character(edited), source(origin), json(origin.json), builder{json, 0, 0, {}, 0, {}}, context{edited, options,
                                                                                                    {},     {},
                                                                                                    {},     {}} {
  if (!source.buffers.empty()) builder.base = (source.buffers[0].bytes.size() + 3) / 4 * 4;
  const std::size_t meshes = count_of(json, "meshes");
  for (const Json& object : array_member(json, "nodes", "the file")) {
    mesh_of_node.push_back(index_member(object, "mesh", meshes, "a node"));
  }
}

Output write_patched(const Character& character, const Document& source, FileFormat format,
                     const SaveOptions& options) {
  Patch patch(character, source, options);
  patch_skeleton(patch);
  const bool vrm = options.as_vrm && format == FileFormat::glb && !is_complete_vrm(patch);
  if (vrm) {
    check_vrm_bones(character.skeleton);
    patch.changed = true;
    patch.posed = hold_arms_out(patch.json, character.skeleton, patch.context.node_of_joint);
  }
  patch_parts(patch);
  patch_motions(patch);
  finish_scene(patch);
  remove_old_joints(patch);
  if (vrm) add_vrm(patch.json, character, patch.context.node_of_joint, options.vrm, patch.context.warnings);
  return write_patch(patch, format);
}

Output write_patch(Patch& patch, FileFormat format) {
  const Document& source = patch.source;
  const SaveOptions& options = patch.context.options;
  const bool binary = format == FileFormat::glb;
  Output output;
  carry_images(patch, options.embed || (binary && !source.binary), output);
  std::vector<OutputBuffer> buffers = output_buffers(patch);
  const auto outside = [](const Buffer& buffer) { return buffer.kind == BufferKind::file && !buffer.bytes.empty(); };
  const std::vector<Buffer>& as_read = buffers_as_read(source);
  const bool pulls_in = options.embed && std::any_of(as_read.begin(), as_read.end(), outside);
  const bool verbatim = !patch.changed && binary == source.binary && !pulls_in;
  if (!verbatim) {
    if (source.packed) {
      output.warnings.push_back({"written-uncompressed", "the file was compressed with " + source.packed->compression +
                                                             "; it is written without compression"});
    }
    if (!binary && !options.embed) keep_source_files(patch);
    drop_unused(source.json, patch.json, buffers);
    if (binary) merge_buffers(patch.json, buffers);
  }
  if (!options.embed && verbatim) {
    bring_buffers(patch, output);
  } else if (!options.embed && !binary) {
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (!buffers[i].uri.empty()) bring_file(patch, buffers[i].uri, source.buffers[i].storage, output);
    }
  }
  if (verbatim) {
    output.pieces = {source.file};
  } else {
    write_document(patch.json, buffers, format, options, output);
  }
  output.owners.insert(output.owners.end(), patch.builder.owners.begin(), patch.builder.owners.end());
  output.warnings.insert(output.warnings.end(), patch.context.warnings.begin(), patch.context.warnings.end());
  return output;
}

}  // namespace sinew::gltf
