#include "sinew/asset/plain/off.h"

#include <algorithm>

#include "sinew/asset/color_space.h"
#include "sinew/asset/plain/polygon.h"
#include "sinew/asset/plain/text_scanner.h"
#include "sinew/asset/plain/text_writer.h"

namespace sinew {
namespace {

class OffParser {
 public:
  OffParser(std::string_view text, const LoadOptions& options) : scanner_(text), options_(options) {}

  Character parse() {
    header();
    Character character;
    vertices(character.mesh);
    faces(character);
    return character;
  }

 private:
  void header() {
    TextScanner before = scanner_;
    std::string_view word = scanner_.word_anywhere('#');
    const auto starts = [&](std::string_view prefix) {
      const bool yes = word.starts_with(prefix);
      if (yes) word.remove_prefix(prefix.size());
      return yes;
    };
    double number = 0;
    if (parse_number(word, number)) {
      scanner_ = before;  // the keyword may be left out
    } else {
      has_uvs_ = starts("ST");
      has_colors_ = starts("C");
      has_normals_ = starts("N");
      if (word == "4OFF" || word == "nOFF" || word == "4nOFF") {
        throw scanner_.error(ErrorCode::format_unsupported, "vertices of more than three dimensions are not supported");
      }
      if (word != "OFF") throw scanner_.error("an OFF file begins with 'OFF', not with " + shown(word));
      if (TextScanner(scanner_).word() == "BINARY") {
        throw scanner_.error(ErrorCode::format_unsupported, "binary OFF is not supported",
                             "save it as text OFF or PLY");
      }
    }
    vertex_count_ = count("vertices");
    face_count_ = count("faces");
    if (!scanner_.at_line_end() && TextScanner(scanner_).word()[0] != '#') count("edges");
    // A vertex takes six characters at least, a face two.
    if (vertex_count_ > scanner_.bytes_left() / 6 + 1 || face_count_ > scanner_.bytes_left() / 2 + 1) {
      throw scanner_.error("it declares " + std::to_string(vertex_count_) + " vertices and " +
                               std::to_string(face_count_) + " faces, but ends before",
                           "it is truncated: copy or export it again");
    }
    scanner_.next_line();
  }

  std::size_t count(const char* what) {
    std::int64_t value = 0;
    const std::string_view word = scanner_.word_anywhere('#');
    if (!parse_integer(word, value) || value < 0) {
      throw scanner_.error(std::string("expected the number of ") + what + ", found " + shown(word));
    }
    if (static_cast<std::uint64_t>(value) > options_.max_elements) {
      throw scanner_.error(ErrorCode::too_large, std::string("more ") + what + " than the limit allows");
    }
    return static_cast<std::size_t>(value);
  }

  double number(const char* what) {
    double value = 0;
    const std::string_view word = scanner_.word_anywhere('#');
    if (!parse_number(word, value)) {
      throw scanner_.error(std::string(what) + " needs a number, found " + (word.empty() ? "the end" : shown(word)));
    }
    return value;
  }

  void vertices(TriangleMesh& mesh) {
    mesh.positions.reserve(vertex_count_);
    bool bytes_seen = false;
    for (std::size_t i = 0; i < vertex_count_; ++i) {
      Vec3d position, normal;
      for (int axis = 0; axis < 3; ++axis) position[axis] = number("a vertex");
      mesh.positions.push_back(position.cast<float>());
      for (int axis = 0; axis < 3 && has_normals_; ++axis) normal[axis] = number("a normal");
      if (has_normals_) mesh.normals.push_back(normal.cast<float>());
      if (has_colors_) mesh.colors.push_back(color(bytes_seen));
      if (has_uvs_) {
        const double u = number("a texture coordinate"), v = number("a texture coordinate");
        mesh.uvs.emplace_back(static_cast<float>(u), static_cast<float>(1.0 - v));
      }
      scanner_.next_line();
    }
    for (Vec4f& c : mesh.colors) {
      if (bytes_seen) c /= 255.0f;
      for (int channel = 0; channel < 3; ++channel) c[channel] = linear_from_srgb(c[channel]);
    }
  }

  // Three or four numbers: 0 … 1, or 0 … 255 when any of the file's is larger than 1.
  Vec4f color(bool& bytes_seen) {
    double values[4] = {0, 0, 0, -1};
    for (int channel = 0; channel < 3; ++channel) values[channel] = number("a colour");
    TextScanner ahead = scanner_;
    double alpha = 0;
    int left = 0;
    while (ahead.try_number(alpha)) ++left;
    if (left > (has_uvs_ ? 2 : 0)) scanner_.try_number(values[3]);
    for (double value : values) bytes_seen = bytes_seen || value > 1.0;
    if (values[3] < 0) values[3] = bytes_seen ? 255 : 1;
    return Vec4d(values[0], values[1], values[2], values[3]).cast<float>();
  }

  void faces(Character& character) {
    TriangleMesh& mesh = character.mesh;
    mesh.triangles.reserve(face_count_);
    std::vector<std::uint32_t> polygon;
    std::vector<Vec3f> outline;
    std::vector<std::array<std::uint32_t, 3>> cut;
    std::size_t short_polygons = 0;
    for (std::size_t f = 0; f < face_count_; ++f) {
      polygon.clear();
      const std::size_t corners = count("corners of a face");
      if (corners > scanner_.bytes_left()) throw scanner_.error("a face of " + std::to_string(corners) + " corners");
      for (std::size_t c = 0; c < corners; ++c) {
        const std::size_t index = count("a vertex");
        if (index >= mesh.vertex_count()) {
          throw scanner_.error("a face uses vertex " + std::to_string(index) + ", but there are " +
                               std::to_string(mesh.vertex_count()));
        }
        polygon.push_back(static_cast<std::uint32_t>(index));
      }
      scanner_.next_line();  // a colour may follow
      short_polygons += corners < 3;
      outline.clear();
      for (std::uint32_t corner : polygon) outline.push_back(mesh.positions[corner]);
      triangulate_polygon(outline, cut);
      for (const auto& t : cut) mesh.triangles.push_back({polygon[t[0]], polygon[t[1]], polygon[t[2]]});
    }
    if (short_polygons > 0) {
      character.warnings.push_back(
          {"short-polygons", std::to_string(short_polygons) + " faces with fewer than three corners were ignored"});
    }
  }

  TextScanner scanner_;
  const LoadOptions& options_;
  std::size_t vertex_count_ = 0, face_count_ = 0;
  bool has_uvs_ = false, has_colors_ = false, has_normals_ = false;
};

}  // namespace

Character read_off(std::span<const std::byte> bytes, const LoadOptions& options) {
  return OffParser(as_text(bytes), options).parse();
}

std::string write_off(const Character& character) {
  const TriangleMesh& mesh = character.mesh;
  TextWriter out;
  out.reserve(mesh.vertex_count() * 40 + mesh.triangles.size() * 24);
  out << (mesh.colors.empty() ? "" : "C") << (mesh.normals.empty() ? "" : "N") << "OFF\n"
      << mesh.vertex_count() << ' ' << mesh.triangles.size() << " 0\n";
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
    const Vec3f& p = mesh.positions[i];
    out << p.x() << ' ' << p.y() << ' ' << p.z();
    if (!mesh.normals.empty()) {
      out << ' ' << mesh.normals[i].x() << ' ' << mesh.normals[i].y() << ' ' << mesh.normals[i].z();
    }
    if (!mesh.colors.empty()) {
      for (int channel = 0; channel < 3; ++channel) out << ' ' << srgb_from_linear(mesh.colors[i][channel]);
      out << ' ' << std::clamp(mesh.colors[i][3], 0.0f, 1.0f);
    }
    out << '\n';
  }
  for (const Triangle& t : mesh.triangles) out << "3 " << t[0] << ' ' << t[1] << ' ' << t[2] << '\n';
  return out.take();
}

}  // namespace sinew
