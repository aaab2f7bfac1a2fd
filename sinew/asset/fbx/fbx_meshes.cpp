#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>

#include "sinew/asset/fbx/fbx_scene.h"
#include "sinew/base/numbering.h"

namespace sinew {
namespace {

// One object of the file: parts that differ in their material alone.
struct PartGroup {
  std::string name;
  PartBinding binding = PartBinding::fixed;
  int carrier = -1;
  std::vector<std::size_t> parts;
};

int carrier_joint(const FbxScene& scene, const Part& part) {
  const std::size_t slot = part.first_vertex * static_cast<std::size_t>(scene.weights.influences);
  const bool held = part.vertex_count > 0 && slot < scene.weights.weights.size() && scene.weights.weights[slot] > 0;
  return part.binding == PartBinding::attached && held ? scene.weights.joints[slot] : -1;
}

// "Body.0" → "Body" when the part is number 0 of its object.
std::string name_without_number(const std::string& name, std::size_t number) {
  const std::string ending = "." + std::to_string(number);
  return name.size() > ending.size() && name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : "";
}

std::vector<PartGroup> part_groups(const FbxScene& scene, const std::vector<Part>& parts) {
  std::vector<PartGroup> groups;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    const int carrier = carrier_joint(scene, part);
    PartBinding binding = part.binding;
    if (binding == PartBinding::skinned && scene.weights.empty()) binding = PartBinding::fixed;
    if (!groups.empty() && groups.back().binding == binding && groups.back().carrier == carrier) {
      PartGroup& group = groups.back();
      const Part& first = parts[group.parts[0]];
      const std::string stem = name_without_number(first.name, 0);
      const bool numbered = !stem.empty() && name_without_number(part.name, group.parts.size()) == stem;
      if (part.name == first.name || numbered) {
        group.parts.push_back(i);
        if (numbered) group.name = stem;
        continue;
      }
    }
    groups.push_back({part.name.empty() ? "mesh" : part.name, binding, carrier, {i}});
  }
  return groups;
}

struct ObjectCorner {
  std::uint32_t vertex;  // of the character
  std::uint32_t point;   // of the object
};

struct PointKey {
  std::string bytes;
  bool operator==(const PointKey&) const = default;
};
struct PointHash {
  std::size_t operator()(const PointKey& key) const { return std::hash<std::string>()(key.bytes); }
};

struct Bits2 {
  std::uint32_t a, b;
  bool operator==(const Bits2&) const = default;
};
struct Bits4 {
  std::array<std::uint32_t, 4> c;
  bool operator==(const Bits4&) const = default;
};
struct BitsHash {
  std::size_t operator()(const Bits2& k) const { return KeyHash()(std::uint64_t{k.a} << 32 | k.b); }
  std::size_t operator()(const Bits4& k) const {
    return KeyHash()((std::uint64_t{k.c[0]} << 32 | k.c[1]) * 0x9e3779b97f4a7c15ull + (std::uint64_t{k.c[2]} << 32) +
                     k.c[3]);
  }
};

class MeshWriter {
 public:
  MeshWriter(FbxScene& scene, const std::vector<Part>& parts)
      : scene_(scene), parts_(parts), mesh_(scene.character.mesh) {
    shape_of_vertex_.resize(mesh_.vertex_count());
    for (std::size_t key = 0; key < scene.shapes.keys.size(); ++key) {
      const std::vector<std::uint32_t>& vertices = scene.shapes.keys[key].vertices;
      for (std::size_t i = 0; i < vertices.size(); ++i) {
        shape_of_vertex_[vertices[i]].push_back({static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(i)});
      }
    }
  }

  void write(const PartGroup& group) {
    corners_.clear();
    points_.clear();
    number_points(group);
    if (corners_.empty()) {
      for (const std::size_t part : group.parts) lost_points += parts_[part].vertex_count;
      return;
    }
    // An attached part stands in its joint's space, so that the file needs no transform that might have shear.
    to_model_ = group.carrier < 0 ? Affine3d::Identity() : scene_.joints[group.carrier].global.inverse();
    const std::int64_t parent = group.carrier < 0 ? 0 : scene_.joints[group.carrier].id;
    const std::string name = scene_.unique_name(group.name);
    const std::int64_t model = scene_.add_model(name, "Mesh", parent, {}), geometry = scene_.new_id();
    scene_.models.push_back({model, Affine3d(to_model_.inverse())});
    FbxNode& record = scene_.add_object("Geometry", geometry, name, "Geometry", "Mesh");
    scene_.connect(geometry, model);
    write_surface(record);
    write_layers(record, group, model);
    if (group.binding == PartBinding::skinned) write_skin(name, geometry);
    write_shapes(name, geometry);
  }

  std::size_t unweighted = 0, lost_points = 0, shapes_written = 0;

 private:
  // Vertices that only a seam keeps apart are one point, unless that made a triangle collapse or two triangles one:
  // readers throw such triangles away.
  void number_points(const PartGroup& group) {
    std::set<std::uint32_t> apart;
    for (int round = 0; round < 2; ++round) {
      Numbering<PointKey, PointHash> numbering;
      corners_.clear();
      points_.clear();
      std::vector<std::uint32_t> point_of(mesh_.vertex_count(), none);
      std::set<std::array<std::uint32_t, 3>> seen;
      const std::size_t apart_before = apart.size();
      for (const std::size_t index : group.parts) {
        const Part& part = parts_[index];
        for (std::size_t t = part.first_triangle; t < part.first_triangle + part.triangle_count; ++t) {
          std::array<std::uint32_t, 3> points;
          for (int c = 0; c < 3; ++c) {
            const std::uint32_t vertex = mesh_.triangles[t][c];
            if (point_of[vertex] == none) point_of[vertex] = point_number(numbering, vertex, apart.contains(vertex));
            points[c] = point_of[vertex];
            corners_.push_back({vertex, points[c]});
          }
          std::sort(points.begin(), points.end());
          const bool collapsed = points[0] == points[1] || points[1] == points[2];
          if (collapsed || !seen.insert(points).second) {
            for (const std::uint32_t vertex : mesh_.triangles[t]) apart.insert(vertex);
          }
        }
      }
      if (apart.size() == apart_before) return;
    }
  }

  std::uint32_t point_number(Numbering<PointKey, PointHash>& numbering, std::uint32_t vertex, bool apart) {
    PointKey key;
    const auto append = [&](const auto* values, std::size_t count) {
      key.bytes.append(reinterpret_cast<const char*>(values), count * sizeof(*values));
    };
    append(mesh_.positions[vertex].data(), 3);
    if (apart) append(&vertex, 1);
    const auto n = static_cast<std::size_t>(scene_.weights.influences);
    if (n > 0) {
      append(scene_.weights.joints.data() + vertex * n, n);
      append(scene_.weights.weights.data() + vertex * n, n);
    }
    for (const auto& [shape, place] : shape_of_vertex_[vertex]) {
      append(&shape, 1);
      append(scene_.shapes.keys[shape].offsets[place].data(), 3);
    }
    const std::uint32_t number = numbering.number(key);
    if (number == points_.size()) points_.push_back(vertex);
    return number;
  }

  void write_surface(FbxNode& record) {
    record.child("GeometryVersion").int32(124);
    std::vector<double> positions;
    for (const std::uint32_t vertex : points_) {
      const Vec3d p = to_model_ * mesh_.positions[vertex].cast<double>();
      positions.insert(positions.end(), p.data(), p.data() + 3);
    }
    if (to_model_.linear().determinant() < 0) {  // a joint that mirrors
      for (std::size_t c = 0; c < corners_.size(); c += 3) std::swap(corners_[c + 1], corners_[c + 2]);
    }
    std::vector<std::int32_t> polygons;
    for (std::size_t c = 0; c < corners_.size(); ++c) {
      const auto point = static_cast<std::int32_t>(corners_[c].point);
      polygons.push_back(c % 3 == 2 ? ~point : point);  // the last corner of a polygon is marked so
    }
    record.child("Vertices").reals(positions);
    record.child("PolygonVertexIndex").int32s(polygons);
  }

  void write_layers(FbxNode& record, const PartGroup& group, std::int64_t model) {
    std::vector<std::pair<const char*, int>> layers;
    if (!mesh_.normals.empty()) {
      std::vector<double> normals;
      const Mat3d turn = to_model_.linear().inverse().transpose();
      for (const ObjectCorner& corner : corners_) {
        const Vec3d n = (turn * mesh_.normals[corner.vertex].cast<double>()).stableNormalized();
        normals.insert(normals.end(), n.data(), n.data() + 3);
      }
      FbxNode& layer = add_layer(record, "LayerElementNormal", "", "ByPolygonVertex", "Direct");
      layer.child("Normals").reals(normals);
      layers.push_back({"LayerElementNormal", 0});
    }
    if (!mesh_.uvs.empty()) {
      FbxNode& layer = add_layer(record, "LayerElementUV", "UVMap", "ByPolygonVertex", "IndexToDirect");
      write_uvs(layer, group);
      layers.push_back({"LayerElementUV", 0});
    }
    if (!mesh_.colors.empty()) {
      FbxNode& layer = add_layer(record, "LayerElementColor", "Color", "ByPolygonVertex", "IndexToDirect");
      write_colors(layer);
      layers.push_back({"LayerElementColor", 0});
    }
    std::vector<std::int32_t> slots;
    std::vector<int> used;  // material of every slot
    for (const std::size_t part : group.parts) {
      const int material = scene_.looks.of_part.empty() ? -1 : scene_.looks.of_part[part];
      auto found = std::find(used.begin(), used.end(), material);
      if (found == used.end()) found = used.insert(used.end(), material);
      slots.insert(slots.end(), parts_[part].triangle_count, static_cast<std::int32_t>(found - used.begin()));
    }
    const bool any = std::any_of(used.begin(), used.end(), [](int material) { return material >= 0; });
    if (any) {
      const bool same = used.size() == 1;
      if (same) slots.assign(1, 0);
      FbxNode& layer = add_layer(record, "LayerElementMaterial", "", same ? "AllSame" : "ByPolygon", "IndexToDirect");
      layer.child("Materials").int32s(slots);
      layers.push_back({"LayerElementMaterial", 0});
      for (const int material : used)
        scene_.connect(material < 0 ? plain_material() : scene_.materials[material], model);
    }
    FbxNode& layer = record.child("Layer").int32(0);
    layer.child("Version").int32(100);
    for (const auto& [type, index] : layers) {
      FbxNode& element = layer.child("LayerElement");
      element.child("Type").text(type);
      element.child("TypedIndex").int32(index);
    }
  }

  static FbxNode& add_layer(FbxNode& record, const char* type, const char* name, const char* mapping,
                            const char* reference) {
    FbxNode& layer = record.child(type).int32(0);
    layer.child("Version").int32(101);
    layer.child("Name").text(name);
    layer.child("MappingInformationType").text(mapping);
    layer.child("ReferenceInformationType").text(reference);
    return layer;
  }

  // For parts without a material in an object that has some: every slot needs one.
  std::int64_t plain_material() {
    if (plain_material_ == 0) {
      plain_material_ = scene_.new_id();
      FbxNode& record = scene_.add_object("Material", plain_material_, "no material", "Material", "");
      record.child("ShadingModel").text("Phong");
      record.child("Properties70");
    }
    return plain_material_;
  }

  void write_uvs(FbxNode& layer, const PartGroup& group) {
    Numbering<Bits2, BitsHash> numbering;
    std::vector<double> values;
    std::vector<std::int32_t> indices;
    std::size_t corner = 0;
    for (const std::size_t part : group.parts) {
      const int material = scene_.looks.of_part.empty() ? -1 : scene_.looks.of_part[part];
      const Eigen::Matrix3f to_image = material < 0 ? Eigen::Matrix3f(Eigen::Matrix3f::Identity())
                                                    : scene_.looks.materials[material].base.uv_to_image;
      for (const std::size_t end = corner + 3 * parts_[part].triangle_count; corner < end; ++corner) {
        const Vec2f& own = mesh_.uvs[corners_[corner].vertex];
        const Vec2f uv = to_image.isIdentity(0.0f) ? own : Vec2f((to_image * Vec3f(own.x(), own.y(), 1)).head<2>());
        Bits2 key;
        std::memcpy(&key, uv.data(), sizeof key);
        indices.push_back(static_cast<std::int32_t>(numbering.number(key)));
        if (2 * numbering.keys().size() == values.size()) continue;
        values.push_back(uv.x());
        values.push_back(1.0 - static_cast<double>(uv.y()));  // FBX counts v upwards
      }
    }
    layer.child("UV").reals(values);
    layer.child("UVIndex").int32s(indices);
  }

  void write_colors(FbxNode& layer) {
    Numbering<Bits4, BitsHash> numbering;
    std::vector<double> values;
    std::vector<std::int32_t> indices;
    for (const ObjectCorner& corner : corners_) {
      const Vec4f& color = mesh_.colors[corner.vertex];
      Bits4 key;
      std::memcpy(&key, color.data(), sizeof key);
      indices.push_back(static_cast<std::int32_t>(numbering.number(key)));
      if (4 * numbering.keys().size() == values.size()) continue;
      for (int channel = 0; channel < 4; ++channel) values.push_back(color[channel]);
    }
    layer.child("Colors").reals(values);
    layer.child("ColorIndex").int32s(indices);
  }

  void write_skin(const std::string& name, std::int64_t geometry) {
    const SkinWeights& weights = scene_.weights;
    const Skeleton& skeleton = scene_.character.skeleton;
    std::vector<std::vector<std::int32_t>> points(skeleton.names.size());
    std::vector<std::vector<double>> values(skeleton.names.size());
    const auto fallback = std::find_if(skeleton.kinds.begin(), skeleton.kinds.end(),
                                       [](JointKind kind) { return kind == JointKind::joint; });
    const auto root =
        static_cast<std::size_t>(fallback == skeleton.kinds.end() ? 0 : fallback - skeleton.kinds.begin());
    for (std::size_t point = 0; point < points_.size(); ++point) {
      bool any = false;
      for (int slot = 0; slot < weights.influences; ++slot) {
        const std::size_t at = std::size_t{points_[point]} * weights.influences + slot;
        if (!(weights.weights[at] > 0)) continue;
        points[weights.joints[at]].push_back(static_cast<std::int32_t>(point));
        values[weights.joints[at]].push_back(weights.weights[at]);
        any = true;
      }
      if (any) continue;
      ++unweighted;
      points[root].push_back(static_cast<std::int32_t>(point));
      values[root].push_back(1.0);
    }
    const std::int64_t skin = scene_.new_id();
    FbxNode& deformer = scene_.add_object("Deformer", skin, name, "Deformer", "Skin");
    deformer.child("Version").int32(101);
    deformer.child("Link_DeformAcuracy").real(50.0);
    scene_.connect(skin, geometry);
    for (std::size_t joint = 0; joint < points.size(); ++joint) {
      // Joints of the skin that move nothing are named too: it is how a reader knows that they are joints.
      if (points[joint].empty() && skeleton.kinds[joint] != JointKind::joint) continue;
      write_cluster(skeleton.names[joint], skin, scene_.joints[joint], points[joint], values[joint]);
    }
  }

  void write_cluster(const std::string& name, std::int64_t skin, const FbxModel& joint,
                     const std::vector<std::int32_t>& points, const std::vector<double>& values) {
    const std::int64_t id = scene_.new_id();
    FbxNode& cluster = scene_.add_object("Deformer", id, name, "SubDeformer", "Cluster");
    cluster.child("Version").int32(100);
    cluster.child("UserData").text("").text("");
    if (!points.empty()) {
      cluster.child("Indexes").int32s(points);
      cluster.child("Weights").reals(values);
    }
    const Affine3d mesh_to_joint = joint.global.inverse();  // skinned meshes stand at the origin
    cluster.child("Transform").reals({mesh_to_joint.matrix().data(), 16});
    cluster.child("TransformLink").reals({joint.global.matrix().data(), 16});
    scene_.connect(id, skin);
    scene_.connect(joint.id, id);
  }

  void write_shapes(const std::string& name, std::int64_t geometry) {
    std::vector<std::int32_t> point_of(mesh_.vertex_count(), -1);
    for (const ObjectCorner& corner : corners_) point_of[corner.vertex] = static_cast<std::int32_t>(corner.point);
    std::int64_t blend = 0;
    for (const ShapeKey& key : scene_.shapes.keys) {
      std::vector<std::int32_t> indices;
      std::vector<double> offsets, normals;
      std::vector<bool> done(points_.size(), false);
      for (std::size_t i = 0; i < key.vertices.size(); ++i) {
        const std::int32_t point = point_of[key.vertices[i]];
        if (point < 0 || done[point]) continue;
        done[point] = true;
        indices.push_back(point);
        const Vec3d offset = to_model_.linear() * key.offsets[i].cast<double>();
        const Vec3d turn =
            to_model_.linear() * (key.normals.empty() ? Vec3d(Vec3d::Zero()) : Vec3d(key.normals[i].cast<double>()));
        offsets.insert(offsets.end(), offset.data(), offset.data() + 3);
        normals.insert(normals.end(), turn.data(), turn.data() + 3);
      }
      if (indices.empty()) continue;
      if (blend == 0) {
        blend = scene_.new_id();
        scene_.add_object("Deformer", blend, name, "Deformer", "BlendShape").child("Version").int32(100);
        scene_.connect(blend, geometry);
      }
      const std::int64_t channel = scene_.new_id(), shape = scene_.new_id();
      FbxNode& record = scene_.add_object("Deformer", channel, key.name, "SubDeformer", "BlendShapeChannel");
      record.child("Version").int32(100);
      record.child("DeformPercent").real(100.0 * key.value);
      const double full = 100.0;
      record.child("FullWeights").reals({&full, 1});
      record.child("Properties70").property("DeformPercent", "Number", "", "A").real(100.0 * key.value);
      FbxNode& target = scene_.add_object("Geometry", shape, key.name, "Geometry", "Shape");
      target.child("Version").int32(100);
      target.child("Indexes").int32s(indices);
      target.child("Vertices").reals(offsets);
      target.child("Normals").reals(normals);
      scene_.connect(channel, blend);
      scene_.connect(shape, channel);
      ++shapes_written;
    }
  }

  static constexpr std::uint32_t none = ~0u;
  FbxScene& scene_;
  const std::vector<Part>& parts_;
  const TriangleMesh& mesh_;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> shape_of_vertex_;  // shape, place in it
  // Of the object being written:
  std::vector<ObjectCorner> corners_;
  std::vector<std::uint32_t> points_;  // the first vertex of every point
  Affine3d to_model_ = Affine3d::Identity();
  std::int64_t plain_material_ = 0;
};

}  // namespace

void add_fbx_meshes(FbxScene& scene) {
  const Character& character = scene.character;
  std::vector<Part> parts = character.parts;
  if (parts.empty() && character.mesh.vertex_count() > 0) {
    Part whole;
    whole.name = character.name;
    whole.vertex_count = character.mesh.vertex_count();
    whole.triangle_count = character.mesh.triangles.size();
    whole.binding = character.has_skin() ? PartBinding::skinned : PartBinding::fixed;
    parts.push_back(whole);
  }
  MeshWriter writer(scene, parts);
  for (const PartGroup& group : part_groups(scene, parts)) writer.write(group);
  const auto warn = [&](std::size_t count, const char* code, const char* what) {
    if (count > 0) scene.warnings.push_back({code, std::to_string(count) + what});
  };
  warn(writer.unweighted, "vertices-unweighted", " vertices have no weight; written as following the root joint");
  warn(writer.lost_points, "lost-points", " vertices of parts without triangles were left out: FBX meshes are faces");
}

}  // namespace sinew
