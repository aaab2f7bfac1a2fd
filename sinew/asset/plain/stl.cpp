#include "sinew/asset/plain/stl.h"

#include <cstring>

#include "sinew/asset/file_format.h"
#include "sinew/asset/plain/polygon.h"
#include "sinew/asset/plain/text_scanner.h"
#include "sinew/mesh/weld.h"

namespace sinew {
namespace {

constexpr std::size_t header_bytes = 80, triangle_bytes = 50;

// Loose corners of one solid, three per triangle.
struct Solid {
  std::string name;
  std::vector<Vec3f> corners;
};

std::vector<Solid> read_binary(std::span<const std::byte> bytes, const LoadOptions& options) {
  std::uint32_t count = 0;
  if (bytes.size() >= header_bytes + sizeof count) std::memcpy(&count, bytes.data() + header_bytes, sizeof count);
  const std::span<const std::byte> body = bytes.subspan(std::min(bytes.size(), header_bytes + sizeof count));
  if (count == 0 || count > body.size() / triangle_bytes) {
    throw Error(ErrorCode::file_damaged,
                "it declares " + std::to_string(count) + " triangles but has bytes for " +
                    std::to_string(body.size() / triangle_bytes),
                "it is truncated, or not an STL file");
  }
  if (count > options.max_elements) throw Error(ErrorCode::too_large, "more triangles than the limit allows");
  std::vector<Solid> solids(1);
  solids[0].corners.resize(std::size_t{3} * count);
  for (std::size_t t = 0; t < count; ++t) {
    // A normal, three corners, two bytes of attributes.
    std::memcpy(static_cast<void*>(&solids[0].corners[3 * t]), body.data() + t * triangle_bytes + sizeof(Vec3f),
                3 * sizeof(Vec3f));
  }
  return solids;
}

std::vector<Solid> read_text(std::string_view text, const LoadOptions& options) {
  TextScanner scanner(text);
  std::vector<Solid> solids;
  std::vector<Vec3f> loop;
  std::vector<std::array<std::uint32_t, 3>> cut;
  bool complete = true;
  for (std::string_view word = scanner.word_anywhere(); !word.empty(); word = scanner.word_anywhere()) {
    if (word == "solid") {
      solids.push_back({std::string(scanner.rest_of_line()), {}});
    } else if (word == "vertex") {
      Vec3d corner;
      for (int axis = 0; axis < 3; ++axis) {
        if (!scanner.try_number(corner[axis])) throw scanner.error("a vertex needs three numbers");
      }
      loop.push_back(corner.cast<float>());
      complete = false;
    } else if (word == "endloop") {
      if (loop.size() < 3) throw scanner.error("a facet of fewer than three corners");
      if (solids.empty()) throw scanner.error("a facet outside a solid");
      triangulate_polygon(loop, cut);
      for (const auto& t : cut) {
        for (std::uint32_t corner : t) solids.back().corners.push_back(loop[corner]);
      }
      if (solids.back().corners.size() > 3 * options.max_elements) {
        throw scanner.error(ErrorCode::too_large, "more triangles than the limit allows");
      }
      loop.clear();
      complete = true;
    } else if (word == "endsolid") {
      scanner.next_line();
    } else if (word != "facet" && word != "normal" && word != "outer" && word != "loop" && word != "endfacet") {
      double ignored_normal = 0;
      if (!parse_number(word, ignored_normal)) throw scanner.error("unknown word " + shown(word));
    }
  }
  if (!complete) throw scanner.error("the file ends inside a facet", "it is truncated: copy or export it again");
  return solids;
}

}  // namespace

Character read_stl(std::span<const std::byte> bytes, const LoadOptions& options) {
  const std::string_view text = as_text(bytes);
  const bool is_text = !is_binary_stl(bytes) && TextScanner(text).word_anywhere() == "solid";
  const std::vector<Solid> solids = is_text ? read_text(text, options) : read_binary(bytes, options);
  Character character;
  TriangleMesh& mesh = character.mesh;
  for (const Solid& solid : solids) {
    const Weld weld = weld_positions(solid.corners);
    Part part;
    part.name = solid.name;
    part.first_vertex = mesh.positions.size();
    part.vertex_count = weld.welded_count();
    part.first_triangle = mesh.triangles.size();
    part.triangle_count = solid.corners.size() / 3;
    for (std::uint32_t corner : weld.representative) mesh.positions.push_back(solid.corners[corner]);
    const auto first = static_cast<std::uint32_t>(part.first_vertex);
    for (std::size_t c = 0; c < solid.corners.size(); c += 3) {
      mesh.triangles.push_back(
          {first + weld.welded_of[c], first + weld.welded_of[c + 1], first + weld.welded_of[c + 2]});
    }
    character.parts.push_back(std::move(part));
  }
  if (mesh.triangles.empty()) throw Error(ErrorCode::file_empty, "it holds no triangles");
  return character;
}

std::string write_stl(const Character& character) {
  const TriangleMesh& mesh = character.mesh;
  std::string out(header_bytes, ' ');
  constexpr std::string_view title = "binary STL written by sinew";
  std::copy(title.begin(), title.end(), out.begin());
  const auto put = [&](const void* bytes, std::size_t size) { out.append(static_cast<const char*>(bytes), size); };
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  out.reserve(header_bytes + sizeof count + mesh.triangles.size() * triangle_bytes);
  put(&count, sizeof count);
  for (const Triangle& t : mesh.triangles) {
    const Vec3d a = mesh.positions[t[0]].cast<double>();
    const Vec3d cross = (mesh.positions[t[1]].cast<double>() - a).cross(mesh.positions[t[2]].cast<double>() - a);
    const Vec3f normal = cross.stableNormalized().cast<float>();
    put(normal.data(), sizeof normal);
    for (std::uint32_t vertex : t) put(mesh.positions[vertex].data(), sizeof(Vec3f));
    const std::uint16_t attributes = 0;
    put(&attributes, sizeof attributes);
  }
  return out;
}

}  // namespace sinew
