#include <algorithm>
#include <numeric>

#include "sinew/asset/color_space.h"
#include "sinew/asset/plain/mtl.h"
#include "sinew/asset/plain/obj.h"
#include "sinew/asset/plain/polygon.h"
#include "sinew/asset/plain/text_scanner.h"
#include "sinew/base/numbering.h"

namespace sinew {
namespace {

constexpr std::int32_t none = -1;

struct Corner {
  std::int32_t position = none, uv = none, normal = none;
  bool operator==(const Corner&) const = default;
};

// A run of triangles with one name and one material.
struct Run {
  std::string group, material;
  std::size_t first_triangle = 0;
};

struct ObjText {
  std::vector<Vec3f> positions, normals;
  std::vector<Vec2f> uvs;
  std::vector<Vec4f> colors;    // as many as positions once the first colour was seen
  std::vector<Corner> corners;  // three per triangle
  std::vector<Run> runs;
  std::vector<std::string> libraries;  // .mtl files
  std::size_t ignored_elements = 0, short_polygons = 0;
};

class ObjParser {
 public:
  ObjParser(std::string_view text, const LoadOptions& options) : scanner_(text), options_(options) {
    obj_.positions.reserve(std::min<std::size_t>(text.size() / 64, options.max_elements));
    obj_.corners.reserve(std::min<std::size_t>(text.size() / 24, options.max_elements));
  }

  ObjText parse() {
    while (!scanner_.at_end()) {
      const std::string_view keyword = scanner_.word();
      if (!keyword.empty() && keyword[0] != '#') statement(keyword);
      scanner_.next_line();
    }
    return std::move(obj_);
  }

 private:
  void statement(std::string_view keyword) {
    if (keyword == "v") {
      position();
    } else if (keyword == "vt") {
      double u = 0, v = 0;
      if (!scanner_.try_number(u)) throw scanner_.error("a texture coordinate without a number");
      scanner_.try_number(v);
      obj_.uvs.emplace_back(static_cast<float>(u), static_cast<float>(1.0 - v));
    } else if (keyword == "vn") {
      obj_.normals.push_back(three_numbers("a normal").cast<float>());
    } else if (keyword == "f" || keyword == "fo") {
      face();
    } else if (keyword == "o" || keyword == "g") {
      group_ = name_of_statement();
    } else if (keyword == "usemtl") {
      material_ = name_of_statement();
    } else if (keyword == "mtllib") {
      libraries(name_of_statement());
    } else if (keyword == "l" || keyword == "p" || keyword == "curv" || keyword == "curv2" || keyword == "surf") {
      ++obj_.ignored_elements;
    }
  }

  // One name, which may hold blanks, or several.
  void libraries(std::string names) {
    while (!names.empty() && obj_.libraries.size() < 100) {
      const std::size_t next = names.find(".mtl ");
      obj_.libraries.push_back(names.substr(0, next == std::string::npos ? next : next + 4));
      names = next == std::string::npos ? "" : names.substr(next + 5);
    }
  }

  Vec3d three_numbers(const char* what) {
    Vec3d result;
    for (int axis = 0; axis < 3; ++axis) {
      if (!scanner_.try_number(result[axis])) throw scanner_.error(std::string(what) + " needs three numbers");
    }
    return result;
  }

  void position() {
    if (obj_.positions.size() >= options_.max_elements) {
      throw scanner_.error(ErrorCode::too_large, "more vertices than the limit allows");
    }
    obj_.positions.push_back(three_numbers("a vertex").cast<float>());
    double extra[4];
    int count = 0;
    while (count < 4 && scanner_.try_number(extra[count])) ++count;
    // x y z [w] or x y z r g b: one extra number is a weight that polygons do not use.
    const bool colored = count >= 3;
    if (colored && obj_.colors.empty()) obj_.colors.assign(obj_.positions.size() - 1, Vec4f::Ones());
    if (!colored && obj_.colors.empty()) return;
    Vec4f color = Vec4f::Ones();
    for (int channel = 0; colored && channel < 3; ++channel) {
      color[channel] = linear_from_srgb(static_cast<float>(extra[channel + (count == 4 ? 1 : 0)]));
    }
    obj_.colors.push_back(color);
  }

  // A 1-based or negative (counted from the last) index to a 0-based one.
  std::int32_t resolve(std::int64_t index, std::size_t count, const char* what) const {
    const auto size = static_cast<std::int64_t>(count);
    const std::int64_t resolved = index > 0 ? index - 1 : size + index;
    if (index == 0 || resolved < 0 || resolved >= size) {
      throw scanner_.error("a face uses " + std::string(what) + " " + std::to_string(index) + ", but there are " +
                           std::to_string(count) + " so far");
    }
    return static_cast<std::int32_t>(resolved);
  }

  Corner corner(std::string_view word) const {
    std::string_view fields[3];
    for (int field = 0; field < 3; ++field) {
      const std::size_t slash = word.find('/');
      fields[field] = word.substr(0, slash);
      if (slash == std::string_view::npos) break;
      word.remove_prefix(slash + 1);
    }
    Corner result;
    std::int64_t index = 0;
    if (!parse_integer(fields[0], index)) {
      throw scanner_.error("a face corner " + shown(fields[0]) + " is not an index");
    }
    result.position = resolve(index, obj_.positions.size(), "vertex");
    if (!fields[1].empty()) {
      if (!parse_integer(fields[1], index)) {
        throw scanner_.error("a face corner " + shown(fields[1]) + " is not an index");
      }
      result.uv = resolve(index, obj_.uvs.size(), "texture coordinate");
    }
    if (!fields[2].empty()) {
      if (!parse_integer(fields[2], index)) {
        throw scanner_.error("a face corner " + shown(fields[2]) + " is not an index");
      }
      result.normal = resolve(index, obj_.normals.size(), "normal");
    }
    return result;
  }

  void face() {
    polygon_.clear();
    for (std::string_view word = scanner_.word(); !word.empty() && word[0] != '#'; word = scanner_.word()) {
      polygon_.push_back(corner(word));
    }
    if (polygon_.size() < 3) {
      ++obj_.short_polygons;
      return;
    }
    if (obj_.corners.size() + 3 * polygon_.size() > 3 * options_.max_elements) {
      throw scanner_.error(ErrorCode::too_large, "more triangles than the limit allows");
    }
    begin_run();
    if (polygon_.size() == 3) {
      obj_.corners.insert(obj_.corners.end(), polygon_.begin(), polygon_.end());
      return;
    }
    outline_.clear();
    for (const Corner& c : polygon_) outline_.push_back(obj_.positions[c.position]);
    triangulate_polygon(outline_, triangles_);
    for (const auto& triangle : triangles_) {
      for (std::uint32_t c : triangle) obj_.corners.push_back(polygon_[c]);
    }
  }

  void begin_run() {
    if (!obj_.runs.empty() && obj_.runs.back().group == group_ && obj_.runs.back().material == material_) return;
    obj_.runs.push_back({group_, material_, obj_.corners.size() / 3});
  }

  // Names may hold blanks. rest_of_line goes to the next line, so the caller's next_line must not: look ahead only.
  std::string name_of_statement() {
    TextScanner ahead = scanner_;
    return std::string(ahead.rest_of_line());
  }

  TextScanner scanner_;
  const LoadOptions& options_;
  ObjText obj_;
  std::string group_, material_;
  std::vector<Corner> polygon_;
  std::vector<Vec3f> outline_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
};

struct CornerHash {
  std::size_t operator()(const Corner& c) const {
    std::uint64_t h = static_cast<std::uint32_t>(c.position) * 0x9e3779b97f4a7c15ull;
    h = (h ^ (h >> 29) ^ static_cast<std::uint32_t>(c.uv)) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ (h >> 32) ^ static_cast<std::uint32_t>(c.normal)) * 0x94d049bb133111ebull;
    return static_cast<std::size_t>(h ^ (h >> 31));
  }
};

// Vertices and triangles of the parts, from the parsed text.
class ObjAssembler {
 public:
  ObjAssembler(ObjText& obj, Character& character) : obj_(obj), character_(character) {
    for (const Corner& c : obj.corners) {
      has_uvs_ = has_uvs_ || c.uv != none;
      has_normals_ = has_normals_ || c.normal != none;
    }
    missing_normals_ =
        std::any_of(obj.corners.begin(), obj.corners.end(), [](const Corner& c) { return c.normal == none; });
  }

  void assemble() {
    const std::vector<std::vector<std::int32_t>> unused = unused_positions();
    if (obj_.runs.empty()) obj_.runs.push_back({});
    for (std::size_t run = 0; run < obj_.runs.size(); ++run) {
      const std::size_t last = run + 1 < obj_.runs.size() ? obj_.runs[run + 1].first_triangle : obj_.corners.size() / 3;
      add_part(obj_.runs[run], last, unused[run]);
    }
    TriangleMesh& mesh = character_.mesh;
    if (has_normals_ && missing_normals_) {
      const std::vector<Vec3f> computed = vertex_normals(mesh.positions, mesh.triangles);
      for (std::size_t i = 0; i < mesh.normals.size(); ++i) {
        if (mesh.normals[i].isZero()) mesh.normals[i] = computed[i];
      }
    }
  }

 private:
  // Positions that no face uses, by the run that uses the position before them, so that they keep their place.
  std::vector<std::vector<std::int32_t>> unused_positions() const {
    std::vector<std::vector<std::int32_t>> unused(std::max<std::size_t>(1, obj_.runs.size()));
    std::vector<std::int32_t> first_run(obj_.positions.size(), none);
    for (std::size_t run = obj_.runs.size(); run-- > 0;) {
      const std::size_t end = run + 1 < obj_.runs.size() ? 3 * obj_.runs[run + 1].first_triangle : obj_.corners.size();
      for (std::size_t c = 3 * obj_.runs[run].first_triangle; c < end; ++c) {
        first_run[obj_.corners[c].position] = static_cast<std::int32_t>(run);
      }
    }
    std::int32_t current = 0;
    for (std::size_t i = 0; i < first_run.size(); ++i) {
      if (first_run[i] == none) {
        unused[current].push_back(static_cast<std::int32_t>(i));
      } else {
        current = first_run[i];
      }
    }
    return unused;
  }

  void add_part(const Run& run, std::size_t last_triangle, const std::vector<std::int32_t>& unused) {
    Numbering<Corner, CornerHash> numbering;
    std::vector<std::uint32_t> numbers;
    numbers.reserve(3 * (last_triangle - run.first_triangle));
    for (std::size_t c = 3 * run.first_triangle; c < 3 * last_triangle; ++c) {
      numbers.push_back(numbering.number(obj_.corners[c]));
    }
    for (std::int32_t position : unused) numbering.number({position, none, none});

    // Vertices in the file's order of positions; splits of one position in order of appearance.
    const std::vector<Corner>& corners = numbering.keys();
    std::vector<std::uint32_t> order(corners.size()), place(corners.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return corners[a].position < corners[b].position; });
    TriangleMesh& mesh = character_.mesh;
    Part part;
    part.name = run.group;
    part.material = run.material;
    part.first_vertex = mesh.positions.size();
    part.vertex_count = corners.size();
    part.first_triangle = mesh.triangles.size();
    part.triangle_count = numbers.size() / 3;
    for (std::size_t i = 0; i < order.size(); ++i) {
      place[order[i]] = static_cast<std::uint32_t>(part.first_vertex + i);
      add_vertex(corners[order[i]]);
    }
    for (std::size_t c = 0; c < numbers.size(); c += 3) {
      mesh.triangles.push_back({place[numbers[c]], place[numbers[c + 1]], place[numbers[c + 2]]});
    }
    character_.parts.push_back(part);
  }

  void add_vertex(const Corner& corner) {
    TriangleMesh& mesh = character_.mesh;
    mesh.positions.push_back(obj_.positions[corner.position]);
    if (!obj_.colors.empty()) mesh.colors.push_back(obj_.colors[corner.position]);
    if (has_uvs_) mesh.uvs.push_back(corner.uv == none ? Vec2f::Zero() : obj_.uvs[corner.uv]);
    if (has_normals_) {
      Vec3f normal = Vec3f::Zero();
      if (corner.normal != none) normal = obj_.normals[corner.normal];
      mesh.normals.push_back(normal);
    }
  }

  ObjText& obj_;
  Character& character_;
  bool has_uvs_ = false, has_normals_ = false, missing_normals_ = false;
};

}  // namespace

Character read_obj(std::span<const std::byte> bytes, const LoadOptions& options) {
  ObjText obj = ObjParser(as_text(bytes), options).parse();
  if (obj.positions.empty()) {
    throw Error(ErrorCode::file_empty, "it holds no vertices", "an OBJ file lists vertices as 'v x y z'");
  }
  if (!obj.colors.empty()) obj.colors.resize(obj.positions.size(), Vec4f::Ones());
  Character character;
  ObjAssembler(obj, character).assemble();
  read_obj_materials(obj.libraries, options, character);
  if (obj.ignored_elements > 0) {
    character.warnings.push_back(
        {"ignored-elements", std::to_string(obj.ignored_elements) + " lines, points or curves were ignored"});
  }
  if (obj.short_polygons > 0) {
    character.warnings.push_back(
        {"short-polygons", std::to_string(obj.short_polygons) + " faces with fewer than three corners were ignored"});
  }
  return character;
}

}  // namespace sinew
