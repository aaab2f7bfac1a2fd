#include <cstring>
#include <unordered_map>

#include "sinew/asset/color_space.h"
#include "sinew/asset/plain/mtl.h"
#include "sinew/asset/plain/obj.h"
#include "sinew/asset/plain/text_writer.h"

namespace sinew {
namespace {

// Numbers equal rows of floats once, from 1 as OBJ counts.
template <int Size>
class RowNumbering {
 public:
  using Row = Eigen::Matrix<float, Size, 1>;

  // Returns the row's number; `is_new` says whether it must be written.
  std::size_t number(const Row& row, bool& is_new) {
    std::string key(sizeof(float) * Size, '\0');
    std::memcpy(key.data(), row.data(), key.size());
    const auto [entry, inserted] = numbers_.try_emplace(std::move(key), numbers_.size() + 1);
    is_new = inserted;
    return entry->second;
  }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
};

struct VertexNumbers {
  std::size_t position = 0, uv = 0, normal = 0;
};

class ObjWriter {
 public:
  // `labels`: what materials of parts are called.
  ObjWriter(const Character& character, std::vector<std::string> labels)
      : character_(character), mesh_(character.mesh), labels_(std::move(labels)) {
    // Vertices that only a seam or a part boundary keeps apart are joined again; otherwise the order is kept.
    joins_ = !mesh_.uvs.empty() || !mesh_.normals.empty() || character.parts.size() > 1;
    numbers_.resize(mesh_.vertex_count());
    out_.reserve(mesh_.vertex_count() * 48 + mesh_.triangles.size() * 32);
  }

  std::string write(const std::string& library) {
    out_ << "# written by sinew\n";
    if (!library.empty()) out_ << "mtllib " << library << '\n';
    if (character_.parts.empty()) {
      write_vertices(0, mesh_.vertex_count());
      write_triangles(0, mesh_.triangles.size());
    }
    const Part* before = nullptr;
    std::string label_before;
    for (std::size_t i = 0; i < character_.parts.size(); ++i) {
      const Part& part = character_.parts[i];
      if (!part.name.empty() || character_.parts.size() > 1) {
        if (!before || before->name != part.name) out_ << "g " << line_name(part.name, "part") << '\n';
      }
      write_vertices(part.first_vertex, part.vertex_count);
      if (!labels_[i].empty() && labels_[i] != label_before) out_ << "usemtl " << labels_[i] << '\n';
      label_before = labels_[i];
      write_triangles(part.first_triangle, part.triangle_count);
      before = &part;
    }
    return out_.take();
  }

 private:
  void write_vertices(std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) write_position(i);
    for (std::size_t i = first; !mesh_.uvs.empty() && i < first + count; ++i) {
      bool is_new = false;
      numbers_[i].uv = uvs_.number(mesh_.uvs[i], is_new);
      if (is_new) out_ << "vt " << mesh_.uvs[i].x() << ' ' << 1.0f - mesh_.uvs[i].y() << '\n';
    }
    for (std::size_t i = first; !mesh_.normals.empty() && i < first + count; ++i) {
      const Vec3f& n = mesh_.normals[i];
      bool is_new = false;
      numbers_[i].normal = normals_.number(n, is_new);
      if (is_new) out_ << "vn " << n.x() << ' ' << n.y() << ' ' << n.z() << '\n';
    }
  }

  void write_position(std::size_t i) {
    const Vec3f& p = mesh_.positions[i];
    const Vec4f color = mesh_.colors.empty() ? Vec4f::Ones() : mesh_.colors[i];
    Eigen::Matrix<float, 6, 1> row;
    row << p, color.head<3>();
    bool is_new = true;
    numbers_[i].position = joins_ ? positions_.number(row, is_new) : i + 1;
    if (!is_new) return;
    out_ << "v " << p.x() << ' ' << p.y() << ' ' << p.z();
    for (int channel = 0; !mesh_.colors.empty() && channel < 3; ++channel) {
      out_ << ' ' << srgb_from_linear(color[channel]);
    }
    out_ << '\n';
  }

  void write_triangles(std::size_t first, std::size_t count) {
    for (std::size_t t = first; t < first + count; ++t) {
      out_ << 'f';
      for (std::uint32_t vertex : mesh_.triangles[t]) {
        const VertexNumbers& n = numbers_[vertex];
        out_ << ' ' << n.position;
        if (n.uv) out_ << '/' << n.uv;
        if (n.normal) out_ << (n.uv ? "/" : "//") << n.normal;
      }
      out_ << '\n';
    }
  }

  const Character& character_;
  const TriangleMesh& mesh_;
  std::vector<std::string> labels_;
  bool joins_;
  std::vector<VertexNumbers> numbers_;
  RowNumbering<6> positions_;
  RowNumbering<2> uvs_;
  RowNumbering<3> normals_;
  TextWriter out_;
};

}  // namespace

std::string write_obj(const Character& character, const SaveOptions& options, Output& output) {
  std::vector<std::string> labels;
  const std::string library = write_obj_materials(character, options, output, labels);
  return ObjWriter(character, std::move(labels)).write(library);
}

}  // namespace sinew
