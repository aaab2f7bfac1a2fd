#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <variant>

#include "sinew/asset/fbx/fbx_node.h"
#include "sinew/asset/fbx/fbx_scene.h"
#include "sinew/asset/fbx/fbx_writer.h"
#include "sinew/asset/gltf/gltf_targets.h"
#include "sinew/base/random.h"
#include "sinew/io.h"
#include "sinew/pose_mesh.h"
#include "tests/asset/gltf_sample.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

// --- A reader of the binary form that takes nothing for granted.

using Property = std::variant<std::int64_t, double, std::string, std::vector<double>>;

struct Record {
  std::string name;
  std::vector<Property> properties;
  std::vector<Record> children;

  const Record* find(const std::string& wanted) const {
    for (const Record& child : children) {
      if (child.name == wanted) return &child;
    }
    return nullptr;
  }
  std::string text(std::size_t i) const { return std::get<std::string>(properties.at(i)); }
  std::int64_t number(std::size_t i) const { return std::get<std::int64_t>(properties.at(i)); }
  const std::vector<double>& array() const { return std::get<std::vector<double>>(properties.at(0)); }
};

class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T take() {
    T value{};
    EXPECT_LE(at_ + sizeof(T), bytes_.size());
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

  // Records up to a null record.
  std::vector<Record> list() {
    std::vector<Record> records;
    while (true) {
      const std::size_t begin = at_;
      const auto end = take<std::uint32_t>(), count = take<std::uint32_t>(), size = take<std::uint32_t>();
      const auto length = take<std::uint8_t>();
      if (end == 0) {
        EXPECT_EQ(count + size + length, 0u) << "a null record is 13 zeros";
        return records;
      }
      EXPECT_GT(end, begin);
      Record record;
      record.name = bytes_.substr(at_, length);
      at_ += length;
      const std::size_t properties = at_;
      for (std::uint32_t i = 0; i < count; ++i) record.properties.push_back(property());
      EXPECT_EQ(at_, properties + size) << record.name;
      if (at_ < end) record.children = list();
      EXPECT_EQ(at_, end) << record.name;
      records.push_back(std::move(record));
    }
  }

  std::size_t at_ = 0;

 private:
  template <typename T>
  Property array() {
    const auto count = take<std::uint32_t>(), encoding = take<std::uint32_t>(), size = take<std::uint32_t>();
    EXPECT_EQ(encoding, 0u);
    EXPECT_EQ(size, count * sizeof(T));
    std::vector<double> values;
    for (std::uint32_t i = 0; i < count; ++i) values.push_back(static_cast<double>(take<T>()));
    return values;
  }

  Property property() {
    const char type = take<char>();
    switch (type) {
      case 'C':
        return std::int64_t{take<std::uint8_t>()};
      case 'Y':
        return std::int64_t{take<std::int16_t>()};
      case 'I':
        return std::int64_t{take<std::int32_t>()};
      case 'L':
        return take<std::int64_t>();
      case 'D':
        return take<double>();
      case 'i':
        return array<std::int32_t>();
      case 'l':
        return array<std::int64_t>();
      case 'f':
        return array<float>();
      case 'd':
        return array<double>();
      default: {
        EXPECT_TRUE(type == 'S' || type == 'R') << type;
        const auto size = take<std::uint32_t>();
        const std::string text(bytes_.substr(at_, size));
        at_ += size;
        return text;
      }
    }
  }

  std::string_view bytes_;
};

std::string bytes_as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Tree {
  explicit Tree(const std::string& bytes) {
    RecordReader reader(bytes);
    EXPECT_EQ(bytes.substr(0, 23), std::string("Kaydara FBX Binary  \0\x1a\0", 23));
    reader.at_ = 23;
    EXPECT_EQ(reader.take<std::uint32_t>(), 7400u);
    root.children = reader.list();
    // Footer: 16 bytes of mark, zeros up to a multiple of 16, the version, 120 zeros, 16 bytes of mark.
    EXPECT_EQ(bytes.size() % 16, (4 + 120 + 16) % 16u);
    std::uint32_t version = 0;
    std::memcpy(&version, bytes.data() + bytes.size() - 140, 4);
    EXPECT_EQ(version, 7400u);
  }
  const Record& top(const std::string& name) const { return *root.find(name); }
  std::vector<const Record*> objects(const std::string& record, const std::string& kind) const {
    std::vector<const Record*> found;
    for (const Record& object : top("Objects").children) {
      if (object.name == record && object.text(2) == kind) found.push_back(&object);
    }
    return found;
  }
  std::set<std::int64_t> children_of(std::int64_t parent) const {
    std::set<std::int64_t> found;
    for (const Record& c : top("Connections").children) {
      if (c.number(2) == parent) found.insert(c.number(1));
    }
    return found;
  }
  Record root;
};

std::string name_of(const Record& object) { return object.text(1).substr(0, object.text(1).find('\0')); }

const Record* property_of(const Record& object, const std::string& name) {
  const Record* properties = object.find("Properties70");
  for (const Record& p : properties->children) {
    if (p.text(0) == name) return &p;
  }
  return nullptr;
}

double real_at(const Record& record, std::size_t i) { return std::get<double>(record.properties.at(i)); }

std::string fbx_of(const Character& character) {
  return bytes_as_text(write_character(character, FileFormat::fbx).bytes);
}

Character through_fbx(const Character& character) {
  return read_character(write_character(character, FileFormat::fbx).bytes);
}

bool warns(const Warnings& warnings, const std::string& code) {
  return std::any_of(warnings.begin(), warnings.end(), [&](const Warning& w) { return w.code == code; });
}

// --- The binary form

TEST(FbxNode, RecordsAreTheBytesThatTheFormatSays) {
  FbxNode root("");
  FbxNode& record = root.child("AB");
  record.int16(-2).boolean(true).int32(7).text("x");
  record.child("C");
  const std::string bytes = fbx_bytes(root);
  const std::string properties = std::string("Y\xfe\xff", 3) + std::string("C\x01", 2) + std::string("I\x07\0\0\0", 5) +
                                 std::string("S\x01\0\0\0x", 6);
  const std::size_t begin = 27, child = begin + 13 + 2 + properties.size(), end = child + 14 + 13 + 13;
  std::string expected;
  const auto word = [&](std::size_t value) {
    for (int i = 0; i < 4; ++i) expected += static_cast<char>(value >> (8 * i) & 0xff);
  };
  for (const std::size_t value : {end, std::size_t{4}, properties.size()}) word(value);
  expected += std::string("\x02", 1) + "AB" + properties;
  for (const std::size_t value : {child + 14 + 13, std::size_t{0}, std::size_t{0}}) word(value);
  expected += std::string("\x01", 1) + "C" + std::string(13, '\0') + std::string(13, '\0');
  EXPECT_EQ(bytes.substr(begin, end - begin), expected);
  EXPECT_EQ(bytes.substr(end, 13), std::string(13, '\0'));
  EXPECT_EQ(Tree(bytes).root.children.size(), 1u);
}

TEST(FbxNode, ArraysKeepTheirNumbers) {
  FbxNode root("");
  const std::vector<double> reals{0.1, -2, 1e300};
  const std::vector<std::int32_t> ints{-1, 5};
  const std::vector<std::int64_t> longs{std::int64_t{1} << 40};
  const std::vector<float> floats{0.5f};
  root.child("d").reals(reals);
  root.child("i").int32s(ints);
  root.child("l").int64s(longs);
  root.child("f").floats(floats);
  root.child("none").reals({});
  const Tree tree(fbx_bytes(root));
  EXPECT_EQ(tree.top("d").array(), reals);
  EXPECT_EQ(tree.top("i").array(), (std::vector<double>{-1, 5}));
  EXPECT_EQ(tree.top("l").array(), (std::vector<double>{1099511627776.0}));
  EXPECT_EQ(tree.top("f").array(), (std::vector<double>{0.5}));
  EXPECT_TRUE(tree.top("none").array().empty());
}

TEST(FbxDegrees, AreTheRotationInOrderXyz) {
  const auto rotation_of = [](const Vec3d& degrees) {
    const Vec3d a = degrees * (M_PI / 180);
    return Quatd(Eigen::AngleAxisd(a.z(), Vec3d::UnitZ()) * Eigen::AngleAxisd(a.y(), Vec3d::UnitY()) *
                 Eigen::AngleAxisd(a.x(), Vec3d::UnitX()));
  };
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    Vec3d angles(360 * random.uniform() - 180, 180 * random.uniform() - 90, 360 * random.uniform() - 180);
    if (i % 5 == 0) angles.y() = i % 2 ? 90 : -90;  // where x and z turn about one axis
    const Quatd rotation = rotation_of(angles);
    const Vec3d near(1000 * random.normal(), 50 * random.normal(), 300 * random.normal());
    EXPECT_LT(rotation_of(fbx_degrees(rotation)).angularDistance(rotation), 1e-7);
    const Vec3d found = fbx_degrees(rotation, near);
    EXPECT_LT(rotation_of(found).angularDistance(rotation), 1e-7);
    EXPECT_LE((found - near).cwiseAbs().maxCoeff(), 360.0);
  }
  EXPECT_EQ(fbx_degrees(Quatd::Identity()), Vec3d::Zero());
}

// A turn by more than half a circle is one movement, not a jump back.
TEST(FbxDegrees, FollowATurn) {
  Vec3d before = Vec3d::Zero();
  for (int degrees = 0; degrees <= 1000; degrees += 20) {
    before = fbx_degrees(Quatd(Eigen::AngleAxisd(degrees * M_PI / 180, Vec3d::UnitZ())), before);
    EXPECT_NEAR(before.z(), degrees, 1e-6);
  }
}

// --- The scene

TEST(FbxWriter, SaysUnitAxesAndRate) {
  const Tree tree(fbx_of(test::sample_character()));
  const std::vector<std::string> order{
      "FBXHeaderExtension", "FileId",      "CreationTime", "Creator",     "GlobalSettings", "Documents",
      "References",         "Definitions", "Objects",      "Connections", "Takes"};
  std::vector<std::string> names;
  for (const Record& record : tree.root.children) names.push_back(record.name);
  EXPECT_EQ(names, order);
  const Record& settings = tree.top("GlobalSettings");
  EXPECT_EQ(real_at(*property_of(settings, "UnitScaleFactor"), 4), 100.0);
  EXPECT_EQ(property_of(settings, "UpAxis")->number(4), 1);
  EXPECT_EQ(property_of(settings, "FrontAxis")->number(4), 2);
  EXPECT_EQ(property_of(settings, "TimeMode")->number(4), 10) << "25 frames per second";
  std::map<std::string, std::int64_t> counts;
  for (const Record& object : tree.top("Objects").children) ++counts[object.name];
  for (const Record& type : tree.top("Definitions").children) {
    if (type.name == "ObjectType" && type.text(0) != "GlobalSettings") {
      EXPECT_EQ(type.find("Count")->number(0), counts[type.text(0)]) << type.text(0);
    }
  }
}

// Ids are unique, every connection joins two objects, and all but takes hang on the scene.
TEST(FbxWriter, ConnectionsJoinWhatIsThere) {
  const Tree tree(fbx_of(test::sample_character()));
  std::set<std::int64_t> ids{0};
  for (const Record& object : tree.top("Objects").children) EXPECT_TRUE(ids.insert(object.number(0)).second);
  std::set<std::int64_t> connected;
  for (const Record& c : tree.top("Connections").children) {
    EXPECT_TRUE(ids.contains(c.number(1)) && ids.contains(c.number(2)));
    connected.insert(c.number(1));
  }
  for (const Record& object : tree.top("Objects").children) {
    const bool free = object.name == "AnimationStack" || object.name == "Pose";
    EXPECT_EQ(connected.contains(object.number(0)), !free) << object.name;
  }
}

TEST(FbxWriter, BindPoseHoldsEveryModelAndAgreesWithTheClusters) {
  const Character character = test::sample_character();
  const Tree tree(fbx_of(character));
  std::map<std::int64_t, std::vector<double>> pose;
  const Record* record = tree.objects("Pose", "BindPose").at(0);
  for (const Record& entry : record->children) {
    if (entry.name == "PoseNode") pose[entry.find("Node")->number(0)] = entry.find("Matrix")->array();
  }
  std::size_t models = 0;
  for (const Record& object : tree.top("Objects").children) {
    if (object.name != "Model") continue;
    ++models;
    EXPECT_TRUE(pose.contains(object.number(0))) << name_of(object);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(real_at(*property_of(object, "Lcl Scaling"), 4 + axis), 1.0, 1e-12) << name_of(object);
      EXPECT_EQ(real_at(*property_of(object, "Lcl Rotation"), 4 + axis), 0.0);
    }
  }
  EXPECT_EQ(models, pose.size());
  EXPECT_EQ(record->find("NbPoseNodes")->number(0), static_cast<std::int64_t>(models));
  const auto clusters = tree.objects("Deformer", "Cluster");
  EXPECT_EQ(clusters.size(), 6u) << "every joint, and not the helper";
  for (const Record* cluster : clusters) {
    const Mat4d link = Eigen::Map<const Mat4d>(cluster->find("TransformLink")->array().data());
    const Mat4d transform = Eigen::Map<const Mat4d>(cluster->find("Transform")->array().data());
    EXPECT_LT((link * transform - Mat4d::Identity()).cwiseAbs().maxCoeff(), 1e-12);
    const auto bones = tree.children_of(cluster->number(0));
    ASSERT_EQ(bones.size(), 1u);
    EXPECT_EQ(pose.at(*bones.begin()), cluster->find("TransformLink")->array());
    const Record* weights = cluster->find("Weights");
    ASSERT_TRUE(weights);
    EXPECT_EQ(weights->array().size(), cluster->find("Indexes")->array().size());
  }
}

TEST(FbxWriter, ReadsBackAsItWas) {
  const Character character = test::sample_character();
  const Character again = through_fbx(character);
  EXPECT_EQ(again.skeleton.names, character.skeleton.names);
  EXPECT_EQ(again.skeleton.parents, character.skeleton.parents);
  EXPECT_EQ(again.skeleton.kinds, character.skeleton.kinds);
  ASSERT_EQ(again.parts.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto same = std::find_if(again.parts.begin(), again.parts.end(),
                                   [&](const Part& part) { return part.name == character.parts[i].name; });
    ASSERT_NE(same, again.parts.end()) << character.parts[i].name;
    EXPECT_EQ(same->material, character.parts[i].material);
    EXPECT_EQ(same->binding, character.parts[i].binding);
    EXPECT_EQ(same->triangle_count, character.parts[i].triangle_count);
    for (std::size_t t = 0; t < same->triangle_count; ++t) {
      for (int c = 0; c < 3; ++c) {
        const std::size_t a = character.mesh.triangles[character.parts[i].first_triangle + t][c];
        const std::size_t b = again.mesh.triangles[same->first_triangle + t][c];
        EXPECT_LT((character.mesh.positions[a] - again.mesh.positions[b]).norm(), 1e-5f);
        EXPECT_LT((character.mesh.normals[a] - again.mesh.normals[b]).norm(), 1e-5f);
        EXPECT_LT((character.mesh.uvs[a] - again.mesh.uvs[b]).norm(), 1e-6f);
        EXPECT_LT((character.mesh.colors[a] - again.mesh.colors[b]).norm(), 1e-6f);
        for (int joint = 0; joint < character.skeleton.joint_count(); ++joint) {
          EXPECT_NEAR(character.weights.weight_of(a, joint), again.weights.weight_of(b, joint), 1e-6);
        }
      }
    }
  }
  ASSERT_EQ(again.motions.size(), 1u);
  EXPECT_EQ(again.motions[0].name, "wave");
  EXPECT_EQ(again.motions[0].frames_per_second, 25.0);
  EXPECT_EQ(again.motions[0].frame_count(), 20);
}

TEST(FbxWriter, IsTheSameEveryTime) { EXPECT_EQ(fbx_of(test::sample_character()), fbx_of(test::sample_character())); }

TEST(FbxWriter, TheHelperAtTheTopIsAGroupOthersAreBones) {
  Character character = test::sample_character();
  character.skeleton.kinds[1] = JointKind::helper;
  const Tree tree(fbx_of(character));
  const auto groups = tree.objects("Model", "Null");
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(name_of(*groups[0]), "armature");
  EXPECT_EQ(tree.objects("Model", "LimbNode").size(), 6u);
}

TEST(FbxWriter, SeveralRootsGetOneAndNamesDiffer) {
  Character character = test::sample_character();
  character.skeleton.parents[1] = -1;
  for (std::string& name : character.skeleton.names) name = "bone";
  character.parts[0].name = "bone";
  const WrittenCharacter written = write_character(character, FileFormat::fbx);
  EXPECT_TRUE(warns(written.warnings, "names-made-unique"));
  const Tree tree(bytes_as_text(written.bytes));
  std::set<std::string> names;
  std::size_t models = 0, bones_at_top = 0;
  const std::set<std::int64_t> at_top = tree.children_of(0);
  for (const Record& object : tree.top("Objects").children) {
    if (object.name != "Model") continue;
    ++models;
    names.insert(name_of(object));
    bones_at_top += object.text(2) != "Mesh" && at_top.contains(object.number(0));
  }
  EXPECT_EQ(names.size(), models);
  EXPECT_EQ(bones_at_top, 1u);
}

// The hundredfold armature of other exporters: sizes go into the joints' places.
TEST(FbxWriter, ScaledHelpersBecomePlain) {
  Character character = test::sample_character();
  character.skeleton.rest[0].linear() *= 100.0;
  character.motions.clear();
  Motion still;
  still.name = "still";
  still.joint_count = character.skeleton.joint_count();
  still.transforms = rest_pose(character.skeleton);
  for (const Transform& key : rest_pose(character.skeleton)) still.transforms.push_back(key);
  still.transforms.back().rotation = still.transforms.back().rotation * Quatd(0.8, 0.6, 0, 0);
  character.motions.push_back(still);
  const Tree tree(fbx_of(character));
  for (const Record* model : tree.objects("Model", "LimbNode")) {
    EXPECT_NEAR(real_at(*property_of(*model, "Lcl Scaling"), 4), 1.0, 1e-9);
  }
  const Character again = through_fbx(character);
  const auto corners = [](const Character& c, int frame) {
    std::map<std::string, std::vector<Vec3d>> result;
    const std::vector<Vec3d> posed = test::posed_positions(c, frame_pose(c.motions.at(0), frame));
    for (const Part& part : c.parts) {
      for (std::size_t t = part.first_triangle; t < part.first_triangle + part.triangle_count; ++t) {
        for (const std::uint32_t v : c.mesh.triangles[t]) result[part.name].push_back(posed[v]);
      }
    }
    return result;
  };
  const auto ours = corners(character, 1), theirs = corners(again, 1);
  for (const auto& [name, places] : ours) {
    ASSERT_EQ(places.size(), theirs.at(name).size());
    for (std::size_t i = 0; i < places.size(); ++i) EXPECT_LT((places[i] - theirs.at(name)[i]).norm(), 1e-5);
  }
}

TEST(FbxWriter, KeepsTrianglesThatLieBackToBack) {
  Character character;
  for (const Vec3f& p : {Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(0, 1, 0), Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(0, 1, 0),
                         Vec3f(1, 1, 0)}) {
    character.mesh.positions.push_back(p);
  }
  character.mesh.triangles = {{0, 1, 2}, {3, 5, 4}, {1, 6, 2}};
  const Tree tree(fbx_of(character));
  const Record* geometry = tree.objects("Geometry", "Mesh").at(0);
  EXPECT_EQ(geometry->find("PolygonVertexIndex")->array().size(), 9u);
  EXPECT_EQ(geometry->find("Vertices")->array().size() / 3, 7u) << "joined, the first two would be one to Blender";
  character.mesh.triangles[1] = {3, 4, 6};
  const Tree joined(fbx_of(character));
  EXPECT_EQ(joined.objects("Geometry", "Mesh").at(0)->find("Vertices")->array().size() / 3, 4u);
}

TEST(FbxWriter, PartsOfOneNameAreOneObjectWithSeveralMaterials) {
  Character character = test::sample_character();
  character.weights = {};
  character.skeleton = {};
  character.motions.clear();
  for (std::size_t i = 0; i < 3; ++i) {
    character.parts[i].binding = PartBinding::fixed;
    character.parts[i].name = "body." + std::to_string(i);
  }
  const Tree tree(fbx_of(character));
  const auto meshes = tree.objects("Model", "Mesh");
  ASSERT_EQ(meshes.size(), 1u);
  EXPECT_EQ(name_of(*meshes[0]), "body");
  EXPECT_EQ(tree.objects("Material", "").size(), 3u);
  const Record* geometry = tree.objects("Geometry", "Mesh").at(0);
  const std::vector<double>& slots = geometry->find("LayerElementMaterial")->find("Materials")->array();
  ASSERT_EQ(slots.size(), character.mesh.triangles.size());
  EXPECT_EQ(slots.front(), 0.0);
  EXPECT_EQ(slots.back(), 2.0);
  EXPECT_EQ(through_fbx(character).parts.size(), 3u) << "a reader that splits by material finds them again";
}

// A GLB with all that materials can hold, and what FBX cannot.
Character textured_character(const test::TemporaryFolder& folder) {
  save_character(test::sample_character(), folder / "plain.gltf");
  std::string json = test::read_file(folder / "plain.gltf");
  const std::string materials = R"("materials":[{"name":"skin","alphaMode":"MASK","emissiveFactor":[0.5,0.25,0],
    "pbrMetallicRoughness":{"baseColorFactor":[1,0.5,0.25,0.5],"baseColorTexture":{"index":0},
    "metallicRoughnessTexture":{"index":1}},"normalTexture":{"index":1},"emissiveTexture":{"index":0},
    "occlusionTexture":{"index":1},"extensions":{"KHR_materials_clearcoat":{}}},{"name":"b"},{"name":"c"}],
    "textures":[{"source":0},{"source":1}],"images":[{"uri":"colour.png"},{"name":"bumps","uri":"n.png"}],
    "extensionsUsed":["KHR_materials_clearcoat"],"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":1}}],)";
  const std::size_t old = json.find("\"materials\"");
  int depth = 0;
  std::size_t end = json.find('[', old);
  do {
    depth += json[end] == '[' ? 1 : json[end] == ']' ? -1 : 0;
    ++end;
  } while (depth > 0);
  json.replace(old, end - old + 1, materials);
  test::write_file(folder / "plain.gltf", json);
  test::write_file(folder / "colour.png", "\x89PNG colour");
  test::write_file(folder / "n.png", "\x89PNG bumps");
  return load_character(folder / "plain.gltf");
}

TEST(FbxWriter, PicturesComeAlongAndLossesAreNamed) {
  test::TemporaryFolder folder;
  const Character character = textured_character(folder);
  const WrittenCharacter written = write_character(character, FileFormat::fbx);
  const Tree tree(bytes_as_text(written.bytes));
  const auto videos = tree.objects("Video", "Clip");
  ASSERT_EQ(videos.size(), 2u);
  EXPECT_EQ(videos[0]->find("Content")->text(0), "\x89PNG colour");
  EXPECT_EQ(videos[0]->find("RelativeFilename")->text(0), "colour.png");
  EXPECT_EQ(videos[1]->find("RelativeFilename")->text(0), "bumps.png");
  std::multiset<std::string> uses;
  for (const Record& c : tree.top("Connections").children) {
    if (c.text(0) == "OP" && c.text(3).find("Lcl") == std::string::npos && c.text(3)[0] != 'd') uses.insert(c.text(3));
  }
  EXPECT_EQ(uses, (std::multiset<std::string>{"DiffuseColor", "EmissiveColor", "NormalMap", "TransparentColor"}));
  const auto materials = tree.objects("Material", "");
  const auto found = std::find_if(materials.begin(), materials.end(),
                                  [](const Record* material) { return name_of(*material) == "skin"; });
  ASSERT_NE(found, materials.end());
  const Record* skin = *found;
  EXPECT_EQ(real_at(*property_of(*skin, "DiffuseColor"), 5), 0.5);
  EXPECT_EQ(real_at(*property_of(*skin, "Opacity"), 4), 0.5);
  EXPECT_TRUE(warns(written.warnings, "lost-textures"));
  ASSERT_TRUE(warns(written.warnings, "lost-extras"));
  for (const Warning& warning : written.warnings) {
    if (warning.code == "lost-extras") {
      EXPECT_EQ(warning.message, "FBX cannot hold 1 camera, KHR_materials_clearcoat");
    }
  }
}

TEST(FbxWriter, MorphTargetsBecomeShapeKeys) {
  const Character character = test::sample_character();
  MorphTargets targets;
  targets.motion = "wave";
  for (int k = 0; k < 2; ++k) {
    std::vector<Vec3f> offsets(character.mesh.vertex_count(), Vec3f::Zero());
    for (std::size_t v = 5; v < 9; ++v) offsets[v] = Vec3f(0.1f, 0.0f, 0.2f * k);
    targets.offsets.push_back(offsets);
  }
  targets.times = {0, 1};
  targets.weights = Eigen::MatrixXf::Identity(2, 2);
  Character whole = test::sample_character();
  for (Part& part : whole.parts) part.binding = PartBinding::skinned;
  const Character moved = read_character(write_gltf_targets(whole, targets, FileFormat::glb).bytes);
  const ShapeKeys keys = read_shape_keys(moved);
  ASSERT_GE(keys.keys.size(), 2u);
  std::vector<std::uint32_t> shifted;  // beside those whose normal alone turns
  for (std::size_t i = 0; i < keys.keys[1].vertices.size(); ++i) {
    if (keys.keys[1].offsets[i].isZero(0.0f)) continue;
    shifted.push_back(keys.keys[1].vertices[i]);
    EXPECT_LT((keys.keys[1].offsets[i] - Vec3f(0.1f, 0, 0.2f)).norm(), 1e-6f);
  }
  EXPECT_EQ(shifted, (std::vector<std::uint32_t>{5, 6, 7, 8}));
  const WrittenCharacter written = write_character(moved, FileFormat::fbx);
  EXPECT_TRUE(warns(written.warnings, "lost-extras")) << "the animation of the targets";
  const Tree tree(bytes_as_text(written.bytes));
  const auto shapes = tree.objects("Geometry", "Shape");
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(tree.objects("Deformer", "BlendShapeChannel").size(), 2u);
  EXPECT_EQ(tree.objects("Deformer", "BlendShape").size(), 1u);
  EXPECT_EQ(name_of(*shapes[0]), "target 0");
  const std::vector<double>& offsets = shapes[1]->find("Vertices")->array();
  EXPECT_EQ(offsets.size(), 3 * shapes[1]->find("Indexes")->array().size());
  EXPECT_NEAR(*std::max_element(offsets.begin(), offsets.end()), 0.2, 1e-6);
  EXPECT_NEAR(std::accumulate(offsets.begin(), offsets.end(), 0.0), 4 * 0.3, 1e-5);
  Character edited = moved;  // fewer vertices: the keys cannot fit
  edited.parts[0].vertex_count += edited.parts[1].vertex_count + edited.parts[2].vertex_count;
  edited.parts[0].triangle_count = edited.mesh.triangles.size();
  edited.parts.resize(1);
  EXPECT_TRUE(warns(write_character(edited, FileFormat::fbx).warnings, "lost-shapes"));
}

TEST(FbxWriter, SkeletonsAloneAndPoints) {
  Character bones = test::sample_character();
  bones.mesh = {};
  bones.parts.clear();
  bones.weights = {};
  const Character again = through_fbx(bones);
  EXPECT_EQ(again.skeleton.names, bones.skeleton.names);
  EXPECT_EQ(again.motions.size(), 1u);
  Character points = test::sample_character();
  points.mesh.triangles.clear();
  for (Part& part : points.parts) part.first_triangle = part.triangle_count = 0;
  EXPECT_TRUE(warns(write_character(points, FileFormat::fbx).warnings, "lost-points"));
  points.skeleton = {};
  points.weights = {};
  points.motions.clear();
  for (Part& part : points.parts) part.binding = PartBinding::fixed;
  EXPECT_THROW(write_character(points, FileFormat::fbx), Error) << "an empty file is no success";
}

TEST(FbxWriter, LimitsInfluences) {
  SaveOptions options;
  options.max_influences = 2;
  const Character again = read_character(write_character(test::sample_character(), FileFormat::fbx, options).bytes);
  EXPECT_EQ(again.weights.influences, 2);
}

}  // namespace
}  // namespace sinew
