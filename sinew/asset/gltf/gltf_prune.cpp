#include <algorithm>
#include <array>
#include <functional>

#include "sinew/asset/gltf/gltf_patch.h"

namespace sinew::gltf {
namespace {

// Extensions that are known to hold no accessor or bufferView numbers of their own.
bool safe_extensions(const Json& json) {
  static constexpr std::array prefixes{"KHR_materials_", "KHR_texture_", "KHR_lights_punctual", "KHR_mesh_quantization",
                                       "EXT_texture_",   "MSFT_lod",     "MSFT_texture_dds",    "VRM"};
  for (const Json& name : array_member(json, "extensionsUsed", "the file")) {
    if (!name.is_string()) return false;
    const std::string text = name.get<std::string>();
    const auto covers = [&](const char* prefix) { return text.starts_with(prefix); };
    if (std::none_of(prefixes.begin(), prefixes.end(), covers)) return false;
  }
  return true;
}

using Visit = std::function<void(Json&)>;

void visit_members(Json& object, const Visit& visit) {
  for (const auto& [key, value] : object.items()) visit(value);
}

// Calls visit for every place that holds an accessor's number.
void for_each_accessor_reference(Json& json, const Visit& visit) {
  Json none = Json::array();
  const auto list = [&none](Json& object, const char* key) -> Json& {
    const auto found = object.find(key);
    return found == object.end() ? none : *found;
  };
  for (Json& mesh : list(json, "meshes")) {
    for (Json& primitive : list(mesh, "primitives")) {
      if (primitive.contains("attributes")) visit_members(primitive["attributes"], visit);
      if (primitive.contains("indices")) visit(primitive["indices"]);
      for (Json& target : list(primitive, "targets")) visit_members(target, visit);
    }
  }
  for (Json& skin : list(json, "skins")) {
    if (skin.contains("inverseBindMatrices")) visit(skin["inverseBindMatrices"]);
  }
  for (Json& animation : list(json, "animations")) {
    for (Json& sampler : list(animation, "samplers")) {
      if (sampler.contains("input")) visit(sampler["input"]);
      if (sampler.contains("output")) visit(sampler["output"]);
    }
  }
}

void for_each_view_reference(Json& json, const Visit& visit) {
  if (json.contains("accessors")) {
    for (Json& accessor : json["accessors"]) {
      if (accessor.contains("bufferView")) visit(accessor["bufferView"]);
      if (!accessor.contains("sparse")) continue;
      for (const char* part : {"indices", "values"}) {
        if (accessor["sparse"].contains(part)) visit(accessor["sparse"][part]["bufferView"]);
      }
    }
  }
  if (json.contains("images")) {
    for (Json& image : json["images"]) {
      if (image.contains("bufferView")) visit(image["bufferView"]);
    }
  }
}

using ForEach = void (*)(Json&, const Visit&);

std::vector<bool> used_entries(Json& json, const char* array, ForEach for_each) {
  std::vector<bool> used(count_of(json, array), false);
  for_each(json, [&](Json& reference) {
    const auto index = reference.get<std::size_t>();
    if (index < used.size()) used[index] = true;
  });
  return used;
}

// Erases entries that `before` used and that nothing uses now, and renumbers every reference. Returns what was erased.
std::vector<Json> erase_unused(Json before, Json& json, const char* array, ForEach for_each) {
  const std::vector<bool> then = used_entries(before, array, for_each);
  const std::vector<bool> now = used_entries(json, array, for_each);
  std::vector<Json> erased;
  std::vector<std::size_t> number(now.size(), 0);
  Json kept = Json::array();
  for (std::size_t i = 0; i < now.size(); ++i) {
    number[i] = kept.size();
    if (i < then.size() && then[i] && !now[i]) {
      erased.push_back(std::move(json[array][i]));
    } else {
      kept.push_back(std::move(json[array][i]));
    }
  }
  for_each(json, [&](Json& reference) { reference = number[reference.get<std::size_t>()]; });
  json[array] = std::move(kept);
  return erased;
}

struct Range {
  std::size_t begin = 0, end = 0;
};

Range range_of(const Json& view) {
  const auto begin = view.value("byteOffset", std::size_t{0});
  return {begin, begin + view["byteLength"].get<std::size_t>()};
}

// The parts of the erased views that no kept view covers, in whole words, sorted.
std::vector<Range> free_ranges(const std::vector<Json>& erased, const Json& views, std::size_t buffer) {
  std::vector<Range> free;
  for (const Json& view : erased) {
    if (view["buffer"] == buffer) free.push_back(range_of(view));
  }
  for (const Json& view : views) {
    if (view["buffer"] != buffer) continue;
    const Range kept = range_of(view);
    std::vector<Range> rest;
    for (const Range& range : free) {
      if (kept.end <= range.begin || kept.begin >= range.end) {
        rest.push_back(range);
        continue;
      }
      if (kept.begin > range.begin) rest.push_back({range.begin, kept.begin});
      if (kept.end < range.end) rest.push_back({kept.end, range.end});
    }
    free = std::move(rest);
  }
  std::sort(free.begin(), free.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::vector<Range> words;
  for (Range range : free) {
    if (!words.empty()) range.begin = std::max(range.begin, words.back().end);
    range = {(range.begin + 3) / 4 * 4, range.end / 4 * 4};
    if (range.begin < range.end) words.push_back(range);
  }
  return words;
}

std::vector<std::span<const std::byte>> without(const std::vector<std::span<const std::byte>>& pieces,
                                                const std::vector<Range>& cuts) {
  std::vector<std::span<const std::byte>> result;
  std::size_t at = 0;
  for (const std::span<const std::byte> piece : pieces) {
    std::size_t from = at;
    const std::size_t end = at + piece.size();
    for (const Range& cut : cuts) {
      if (cut.end <= from || cut.begin >= end) continue;
      if (cut.begin > from) result.push_back(piece.subspan(from - at, cut.begin - from));
      from = std::min(cut.end, end);
    }
    if (from < end) result.push_back(piece.subspan(from - at));
    at = end;
  }
  return result;
}

}  // namespace

void drop_unused(const Json& before, Json& json, std::vector<OutputBuffer>& buffers) {
  if (!safe_extensions(json) || !json.contains("accessors") || !json.contains("bufferViews")) return;
  if (erase_unused(before, json, "accessors", for_each_accessor_reference).empty()) return;
  const std::vector<Json> erased = erase_unused(before, json, "bufferViews", for_each_view_reference);
  for (std::size_t buffer = 0; buffer < buffers.size(); ++buffer) {
    const std::vector<Range> cuts = free_ranges(erased, json["bufferViews"], buffer);
    if (cuts.empty()) continue;
    buffers[buffer].pieces = without(buffers[buffer].pieces, cuts);
    buffers[buffer].uri.clear();
    for (Json& view : json["bufferViews"]) {
      if (view["buffer"] != buffer) continue;
      const std::size_t offset = range_of(view).begin;
      std::size_t removed = 0;
      for (const Range& cut : cuts) removed += cut.end <= offset ? cut.end - cut.begin : 0;
      if (removed > 0) view["byteOffset"] = offset - removed;
    }
  }
}

}  // namespace sinew::gltf
