#include "sinew/asset/character_bytes.h"

#include "sinew/asset/archive.h"
#include "sinew/asset/materials.h"

namespace sinew {
namespace {

template <typename Archive, typename C>
void archive_character(Archive& archive, C& c) {
  const auto text = [&](auto& value) { archive_array(archive, value); };
  text(c.name);
  archive_array(archive, c.mesh.positions);
  archive_array(archive, c.mesh.normals);
  archive_array(archive, c.mesh.tangents);
  archive_array(archive, c.mesh.uvs);
  archive_array(archive, c.mesh.colors);
  archive_array(archive, c.mesh.triangles);
  archive_list(archive, c.parts, [&](auto& part) {
    text(part.name);
    text(part.material);
    archive_value(archive, part.first_vertex);
    archive_value(archive, part.vertex_count);
    archive_value(archive, part.first_triangle);
    archive_value(archive, part.triangle_count);
    archive_value(archive, part.binding);
  });
  archive_list(archive, c.skeleton.names, text);
  archive_array(archive, c.skeleton.parents);
  archive_array(archive, c.skeleton.rest);
  archive_array(archive, c.skeleton.kinds);
  archive_value(archive, c.weights.influences);
  archive_array(archive, c.weights.joints);
  archive_array(archive, c.weights.weights);
  archive_list(archive, c.motions, [&](auto& motion) {
    text(motion.name);
    archive_value(archive, motion.frames_per_second);
    archive_value(archive, motion.joint_count);
    archive_array(archive, motion.transforms);
  });
  archive_list(archive, c.warnings, [&](auto& warning) {
    text(warning.code);
    text(warning.message);
  });
}

template <typename Archive, typename Look>
void archive_look(Archive& archive, Look& look) {
  const auto text = [&](auto& value) { archive_array(archive, value); };
  archive_list(archive, look.materials.materials, [&](auto& material) {
    text(material.name);
    archive_value(archive, material.base_color);
    archive_value(archive, material.alpha);
    archive_value(archive, material.emissive);
    archive_value(archive, material.metallic);
    archive_value(archive, material.roughness);
    archive_value(archive, material.alpha_mode);
    for (auto* texture :
         {&material.base, &material.normal, &material.glow, &material.metal_rough, &material.occlusion}) {
      archive_value(archive, texture->image);
      archive_value(archive, texture->uv_to_image);
    }
  });
  archive_list(archive, look.materials.images, [&](auto& image) {
    text(image.name);
    archive_array(archive, image.bytes);
  });
  archive_array(archive, look.materials.of_part);
  archive_list(archive, look.shape_keys, [&](auto& key) {
    text(key.name);
    archive_value(archive, key.value);
    archive_array(archive, key.vertices);
    archive_array(archive, key.offsets);
    archive_array(archive, key.normals);
  });
  archive_value(archive, look.vertex_count);
}

}  // namespace

std::string character_to_bytes(const Character& character) {
  ArchiveWriter writer;
  archive_character(writer, character);
  const auto* look = dynamic_cast<const LookSource*>(character.source.get());
  const std::uint64_t has_look = look != nullptr;
  archive_value(writer, has_look);
  if (look != nullptr) archive_look(writer, *look);
  return std::move(writer.bytes);
}

Character character_from_bytes(std::string_view bytes) {
  ArchiveReader reader(bytes);
  Character character;
  archive_character(reader, character);
  std::uint64_t has_look = 0;
  archive_value(reader, has_look);
  if (has_look != 0) {
    auto look = std::make_shared<LookSource>();
    archive_look(reader, *look);
    character.source = std::move(look);
  }
  return character;
}

}  // namespace sinew
