#include "sinew/asset/gltf/gltf_unpack.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sinew/asset/gltf/gltf_draco.h"
#include "sinew/asset/gltf/gltf_meshopt.h"

namespace sinew::gltf {
namespace {

constexpr const char* draco_name = "KHR_draco_mesh_compression";
constexpr const char* meshopt_name = "EXT_meshopt_compression";

// The object of an extension, or null.
const Json* extension_of(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto extensions = object.find("extensions");
  if (extensions == object.end() || !extensions->is_object()) return nullptr;
  const auto found = extensions->find(name);
  return found == extensions->end() ? nullptr : &*found;
}

void drop_extension(Json& object, const char* name) {
  object["extensions"].erase(name);
  if (object["extensions"].empty()) object.erase("extensions");
}

// One primitive of compressed triangles.
struct PackedPrimitive {
  std::size_t mesh = 0, primitive = 0;
  std::size_t input = 0;           // index into the Draco inputs
  int view = -1;                   // the compressed bytes
  std::vector<std::string> names;  // attributes, in the order of the input's
};

class Unpacker {
 public:
  explicit Unpacker(Document& document) : document_(document), json_(document.json) {}

  void unpack() {
    gather_primitives();
    const std::vector<DracoMesh> meshes = decode_draco(inputs_, document_.options, most_bytes());
    Json views = array_member(json_, "bufferViews", "the file");
    reserve(views, meshes);
    for (std::size_t v = 0; v < views.size(); ++v) unpack_view(views[v], static_cast<int>(v));
    auto packed = std::make_shared<PackedFile>();
    packed->json = json_;
    packed->compression = drop_names();
    if (!views.empty()) json_["bufferViews"] = std::move(views);
    for (const PackedPrimitive& packed_primitive : primitives_) unpack_primitive(packed_primitive, meshes);
    for (const auto& [mesh, primitive] : with_fallback_) drop_extension(primitive_at(mesh, primitive), draco_name);
    packed->buffers = std::move(document_.buffers);
    replace_buffers(packed->buffers);
    document_.packed = std::move(packed);
  }

 private:
  // What the whole file may become: what a file that is not compressed may be.
  std::uint64_t most_bytes() const {
    const LoadOptions& options = document_.options;
    return std::min(options.max_file_bytes, 64 * std::min(options.max_elements, std::uint64_t{1} << 50));
  }

  Json& primitive_at(std::size_t mesh, std::size_t primitive) { return json_["meshes"][mesh]["primitives"][primitive]; }

  // --- Before decoding

  void gather_primitives() {
    for (std::size_t m = 0; m < count_of(json_, "meshes"); ++m) {
      const Json& primitives =
          array_member(element(json_, "meshes", static_cast<int>(m)), "primitives", "mesh " + std::to_string(m));
      for (std::size_t p = 0; p < primitives.size(); ++p) {
        const Json* extension = extension_of(primitives[p], draco_name);
        if (extension == nullptr) continue;
        const std::string where = "mesh " + std::to_string(m) + ", primitive " + std::to_string(p);
        if (has_fallback(primitives[p], *extension)) {
          with_fallback_.emplace_back(m, p);
        } else {
          gather_primitive(primitives[p], *extension, {m, p, 0, -1, {}}, where);
        }
      }
    }
  }

  // Whether the same mesh is in the file uncompressed as well.
  bool has_fallback(const Json& primitive, const Json& extension) const {
    const std::size_t accessors = count_of(json_, "accessors");
    const auto plain = [&](const Json& owner, const char* key) {
      const int accessor = index_member(owner, key, accessors, "a primitive");
      return accessor >= 0 && element(json_, "accessors", accessor).contains("bufferView");
    };
    if (!extension.is_object() || !extension.contains("attributes") || !extension["attributes"].is_object() ||
        !primitive.contains("attributes") || !primitive["attributes"].is_object()) {
      return false;
    }
    for (const auto& [name, id] : extension["attributes"].items()) {
      if (!plain(primitive["attributes"], name.c_str())) return false;
    }
    return plain(primitive, "indices");
  }

  void gather_primitive(const Json& primitive, const Json& extension, PackedPrimitive packed,
                        const std::string& where) {
    if (!extension.is_object() || !extension.contains("attributes") || !extension["attributes"].is_object() ||
        !primitive.contains("attributes") || !primitive["attributes"].is_object()) {
      throw Error(ErrorCode::file_damaged, where + ": '" + draco_name + "' is incomplete");
    }
    packed.view = index_member(extension, "bufferView", count_of(json_, "bufferViews"), where);
    if (packed.view < 0) throw Error(ErrorCode::file_damaged, where + ": '" + draco_name + "' names no bufferView");
    DracoInput input{where, view_bytes(document_, packed.view), {}};
    for (const auto& [name, id] : extension["attributes"].items()) {
      const int accessor = index_member(primitive["attributes"], name.c_str(), count_of(json_, "accessors"), where);
      if (accessor < 0) throw Error(ErrorCode::file_damaged, where + " has no accessor for its compressed " + name);
      const Json& object = element(json_, "accessors", accessor);
      DracoAttribute attribute;
      attribute.id = unsigned_member(extension["attributes"], name.c_str(), 0, where);
      attribute.component = component_type(object, where);
      attribute.components = component_count(object, where);
      if (attribute.id > 0xFFFFFFFFull || attribute.components > 4) {
        throw Error(ErrorCode::file_damaged, where + ": '" + draco_name + "' has an impossible attribute");
      }
      input.attributes.push_back(attribute);
      packed.names.push_back(name);
    }
    // Primitives that share their compressed bytes are decoded once.
    const auto [entry, is_new] = input_of_.try_emplace(extension.dump() + wanted_types(input), inputs_.size());
    if (is_new) inputs_.push_back(std::move(input));
    packed.input = entry->second;
    draco_views_.insert(packed.view);
    primitives_.push_back(std::move(packed));
  }

  static std::string wanted_types(const DracoInput& input) {
    std::string text;
    for (const DracoAttribute& attribute : input.attributes) {
      text += " " + std::to_string(static_cast<int>(attribute.component)) + "x" + std::to_string(attribute.components);
    }
    return text;
  }

  // --- Buffers and views

  // About what the new buffer will hold.
  void reserve(const Json& views, const std::vector<DracoMesh>& meshes) {
    std::uint64_t size = 0;
    for (const Buffer& buffer : document_.buffers) size += buffer.bytes.size();
    for (std::size_t v = 0; v < views.size(); ++v) {
      const Json* extension = extension_of(views[v], meshopt_name);
      if (extension != nullptr) size += meshopt_view(document_, *extension, static_cast<int>(v)).decoded_bytes();
    }
    for (const DracoMesh& mesh : meshes) {
      for (const Bytes& rows : mesh.attributes) size += rows.size() + 4;
      size += 4 * mesh.indices.size();
    }
    storage_.reserve(std::min({size, most_bytes(), std::uint64_t{1} << 30}));
  }

  // Puts room for a view into the new buffer; returns where it begins.
  std::size_t place_room(std::uint64_t size) {
    const std::size_t offset = (storage_.size() + 3) / 4 * 4;
    if (size > document_.options.max_file_bytes || offset + size > document_.options.max_file_bytes) {
      throw Error(ErrorCode::too_large, "the file becomes larger than " +
                                            std::to_string(document_.options.max_file_bytes) +
                                            " bytes when it is decompressed");
    }
    storage_.resize(offset + size);
    return offset;
  }

  // The same for bytes that are there.
  std::size_t place(std::span<const std::byte> bytes) {
    const std::size_t offset = place_room(0);
    if (bytes.size() > document_.options.max_file_bytes - offset) place_room(bytes.size());  // throws
    storage_.insert(storage_.end(), bytes.begin(), bytes.end());
    return offset;
  }

  void set_place(Json& view, std::size_t offset, std::uint64_t length) const {
    view["buffer"] = 0u;
    view["byteOffset"] = offset;
    view["byteLength"] = length;
  }

  void unpack_view(Json& view, int index) {
    const Json* extension = extension_of(view, meshopt_name);
    if (draco_views_.contains(index) && !used_elsewhere(index)) {
      free_views_.insert(index);  // becomes the first decoded view that is made of it
      return;
    }
    if (extension == nullptr) {
      const std::span<const std::byte> bytes = view_bytes(document_, index);
      const std::size_t offset = place(bytes);
      set_place(view, offset, bytes.size());
      return;
    }
    const MeshoptView packed = meshopt_view(document_, *extension, index);
    const std::uint64_t size = packed.decoded_bytes();
    decoded_ += size;
    if (decoded_ > most_bytes()) {
      throw Error(ErrorCode::too_large, "the file becomes larger than the limits allow when it is decompressed");
    }
    const std::size_t offset = place_room(size);
    decode_meshopt(
        packed, document_.buffers[static_cast<std::size_t>(packed.buffer)].bytes.subspan(packed.offset, packed.length),
        std::span(storage_).subspan(offset, size));
    set_place(view, offset, size);
    drop_extension(view, meshopt_name);
  }

  // Whether anything but compressed primitives reads the view.
  bool used_elsewhere(int view) const {
    const auto uses = [view](const Json& object) {
      const auto found = object.is_object() ? object.find("bufferView") : object.end();
      return object.is_object() && found != object.end() && *found == view;
    };
    for (const char* list : {"accessors", "images"}) {
      const Json& objects = array_member(json_, list, "the file");
      if (std::any_of(objects.begin(), objects.end(), uses)) return true;
    }
    return extension_of(json_["bufferViews"][static_cast<std::size_t>(view)], meshopt_name) != nullptr;
  }

  void replace_buffers(const std::vector<Buffer>& before) {
    document_.buffers.clear();
    json_.erase("buffers");
    if (storage_.empty()) return;
    json_["buffers"] = Json::array({{{"byteLength", storage_.size()}}});
    Buffer& buffer = document_.buffers.emplace_back();
    buffer.kind = document_.binary                                            ? BufferKind::glb_chunk
                  : !before.empty() && before[0].kind == BufferKind::data_uri ? BufferKind::data_uri
                                                                              : BufferKind::file;
    buffer.storage = std::move(storage_);
    buffer.bytes = buffer.storage;
  }

  // The names of the extensions leave the lists; returns them.
  std::string drop_names() {
    std::set<std::string> dropped;
    for (const char* key : {"extensionsUsed", "extensionsRequired"}) {
      if (!json_.contains(key)) continue;
      Json kept = Json::array();
      for (const Json& name : array_member(json_, key, "the file")) {
        if (name == draco_name || name == meshopt_name) {
          dropped.insert(name.get<std::string>());
        } else {
          kept.push_back(name);
        }
      }
      json_[key] = std::move(kept);
      if (json_[key].empty()) json_.erase(key);
    }
    std::string text;
    for (const std::string& name : dropped) text += (text.empty() ? "" : " and ") + name;
    return text;
  }

  // --- Decoded primitives. Numbers are unsigned, as those of a file that was parsed are: the readers look.

  int add_view(int packed_view, std::span<const std::byte> bytes, std::size_t stride, int target) {
    const std::size_t offset = place(bytes);
    Json view = Json::object();
    set_place(view, offset, bytes.size());
    if (stride > 0) view["byteStride"] = stride;
    view["target"] = target;
    Json& views = json_["bufferViews"];
    if (free_views_.erase(packed_view) > 0) {
      views[static_cast<std::size_t>(packed_view)] = std::move(view);
      return packed_view;
    }
    views.push_back(std::move(view));
    return static_cast<int>(views.size()) - 1;
  }

  // The accessor for decoded data: the file's own where nobody else has it, else a copy.
  int claim(int accessor, std::size_t input) {
    const auto [known, is_new] = claimed_.try_emplace({accessor, input}, accessor);
    if (!is_new) return known->second;
    const bool taken = !owned_.insert(accessor).second ||
                       json_["accessors"][static_cast<std::size_t>(accessor)].contains("bufferView");
    if (taken) {
      const Json copy = json_["accessors"][static_cast<std::size_t>(accessor)];
      json_["accessors"].push_back(copy);
      known->second = static_cast<int>(json_["accessors"].size()) - 1;
    }
    fresh_.insert(known->second);
    return known->second;
  }

  void unpack_primitive(const PackedPrimitive& packed, const std::vector<DracoMesh>& meshes) {
    const DracoMesh& mesh = meshes[packed.input];
    const DracoInput& input = inputs_[packed.input];
    for (std::size_t i = 0; i < packed.names.size(); ++i) {
      const int from = primitive_at(packed.mesh, packed.primitive)["attributes"][packed.names[i]].get<int>();
      const int accessor = claim(from, packed.input);
      primitive_at(packed.mesh, packed.primitive)["attributes"][packed.names[i]] = static_cast<unsigned>(accessor);
      if (fresh_.erase(accessor) == 0) continue;
      const std::size_t stride = draco_stride(input.attributes[i]);
      const int view = add_view(packed.view, mesh.attributes[i], stride, 34962);
      Json& object = json_["accessors"][static_cast<std::size_t>(accessor)];
      object["bufferView"] = static_cast<unsigned>(view);
      object.erase("byteOffset");
      object["count"] = mesh.points;
      if (packed.names[i] == "POSITION") set_bounds(object, input.attributes[i], mesh.attributes[i]);
    }
    unpack_indices(packed, mesh);
    Json& primitive = primitive_at(packed.mesh, packed.primitive);
    primitive.erase("mode");  // strips come out as triangles
    drop_extension(primitive, draco_name);
  }

  void unpack_indices(const PackedPrimitive& packed, const DracoMesh& mesh) {
    const std::size_t accessors = count_of(json_, "accessors");
    const std::string& where = inputs_[packed.input].where;
    int accessor = index_member(primitive_at(packed.mesh, packed.primitive), "indices", accessors, where);
    if (accessor < 0) {
      json_["accessors"].push_back({{"type", "SCALAR"}});
      accessor = static_cast<int>(accessors);
    }
    accessor = claim(accessor, packed.input);
    primitive_at(packed.mesh, packed.primitive)["indices"] = static_cast<unsigned>(accessor);
    if (fresh_.erase(accessor) == 0) return;
    const bool small = mesh.points <= 65535;
    std::vector<std::uint16_t> narrow;
    if (small) narrow.assign(mesh.indices.begin(), mesh.indices.end());
    const auto bytes = small ? std::as_bytes(std::span(narrow)) : std::as_bytes(std::span(mesh.indices));
    const int view = add_view(packed.view, bytes, 0, 34963);
    Json& object = json_["accessors"][static_cast<std::size_t>(accessor)];
    for (const char* key : {"byteOffset", "min", "max"}) object.erase(key);
    object["bufferView"] = static_cast<unsigned>(view);
    object["componentType"] = static_cast<unsigned>(small ? Component::u16 : Component::u32);
    object["count"] = mesh.indices.size();
  }

  // What the encoder rounded lies elsewhere than what it was given.
  static void set_bounds(Json& accessor, const DracoAttribute& attribute, const Bytes& rows) {
    AccessorView view;
    view.data = rows.data();
    view.stride = draco_stride(attribute);
    view.count = rows.size() / view.stride;
    view.component = attribute.component;
    view.components = attribute.components;
    const std::vector<float> values = read_floats(view, attribute.components);
    const auto n = static_cast<std::size_t>(attribute.components);
    if (values.empty() || !std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); })) return;
    std::vector<float> low(values.begin(), values.begin() + attribute.components), high = low;
    for (std::size_t i = 0; i < values.size(); ++i) {
      low[i % n] = std::min(low[i % n], values[i]);
      high[i % n] = std::max(high[i % n], values[i]);
    }
    if (attribute.component == Component::f32) {
      accessor["min"] = low;
      accessor["max"] = high;
    } else {  // whole numbers are written as such
      accessor["min"] = std::vector<std::int64_t>(low.begin(), low.end());
      accessor["max"] = std::vector<std::int64_t>(high.begin(), high.end());
    }
  }

  Document& document_;
  Json& json_;
  std::vector<DracoInput> inputs_;
  std::map<std::string, std::size_t> input_of_;
  std::vector<PackedPrimitive> primitives_;
  std::vector<std::pair<std::size_t, std::size_t>> with_fallback_;
  std::set<int> draco_views_, free_views_;
  std::map<std::pair<int, std::size_t>, int> claimed_;  // accessor and input → accessor
  std::set<int> owned_, fresh_;
  Bytes storage_;
  std::uint64_t decoded_ = 0;
};

bool is_compressed(const Json& json) {
  for (const Json& view : array_member(json, "bufferViews", "the file")) {
    if (extension_of(view, meshopt_name) != nullptr) return true;
  }
  for (const Json& mesh : array_member(json, "meshes", "the file")) {
    if (!mesh.is_object()) continue;
    for (const Json& primitive : array_member(mesh, "primitives", "a mesh")) {
      if (extension_of(primitive, draco_name) != nullptr) return true;
    }
  }
  return false;
}

}  // namespace

bool is_fallback(const Json& buffer) {
  const Json* extension = extension_of(buffer, meshopt_name);
  return extension != nullptr && extension->is_object() && bool_member(*extension, "fallback", false, "a buffer");
}

void unpack(Document& document) {
  if (is_compressed(document.json)) Unpacker(document).unpack();
}

}  // namespace sinew::gltf
