#include "sinew/asset/plain/ply.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "sinew/asset/plain/ply_mesh.h"
#include "sinew/asset/plain/text_scanner.h"
#include "sinew/asset/plain/text_writer.h"
#include "sinew/base/plain_text.h"

namespace sinew {
namespace {

constexpr std::string_view joint_mark = "comment sinew_joint";
constexpr std::string_view kind_names[] = {"joint", "end", "helper"};
constexpr int max_slots = 64;

std::string slot_name(const char* what, int slot) { return what + ("_" + std::to_string(slot)); }

Skeleton skeleton_of(const PlyDocument& document) {
  Skeleton skeleton;
  for (const std::string& comment : document.comments) {
    if (!comment.starts_with(joint_mark)) continue;
    TextScanner scanner(std::string_view(comment).substr(joint_mark.size()));
    std::int64_t index = 0, parent = 0;
    const bool numbered = scanner.try_integer(index) && scanner.try_integer(parent);
    const auto kind = std::find(std::begin(kind_names), std::end(kind_names), scanner.word());
    Affine3d rest = Affine3d::Identity();
    bool complete = numbered && kind != std::end(kind_names) && index == skeleton.joint_count() && parent < index;
    for (int i = 0; i < 12 && complete; ++i) complete = scanner.try_number(rest.matrix()(i / 4, i % 4));
    if (!complete) {
      throw Error(ErrorCode::file_damaged, "the header line " + shown(comment) + " does not describe a joint");
    }
    add_joint(skeleton, std::string(scanner.rest_of_line()), static_cast<int>(parent), rest,
              static_cast<JointKind>(kind - std::begin(kind_names)));
  }
  check_skeleton(skeleton);
  return skeleton;
}

SkinWeights weights_of(const PlyDocument& document, int joint_count) {
  const PlyElement& vertex = *document.find("vertex");
  std::vector<std::pair<const PlyProperty*, const PlyProperty*>> slots;
  for (int slot = 0; slot < max_slots; ++slot) {
    const PlyProperty* joint = vertex.find(slot_name("joint", slot));
    const PlyProperty* weight = vertex.find(slot_name("weight", slot));
    if (!joint || !weight || joint->is_list || weight->is_list) break;
    slots.emplace_back(joint, weight);
  }
  if (slots.empty() || joint_count == 0) return {};
  SkinWeights weights = make_skin_weights(vertex.count, static_cast<int>(slots.size()));
  std::vector<Influence> influences;
  for (std::size_t i = 0; i < vertex.count; ++i) {
    influences.clear();
    for (const auto& [joint, weight] : slots) {
      const double index = joint->number(i);
      if (!(weight->number(i) > 0)) continue;
      if (!(index >= 0) || index >= joint_count) {
        throw Error(ErrorCode::file_damaged,
                    "vertex " + std::to_string(i) + " follows joint " + number_text(index) + ", which does not exist");
      }
      influences.push_back({static_cast<std::uint16_t>(index), weight->number(i)});
    }
    set_influences(weights, i, influences);
  }
  return weights;
}

void set_skin(PlyDocument& document, const Skeleton& skeleton, const SkinWeights& weights) {
  std::erase_if(document.comments, [](const std::string& line) { return line.starts_with(joint_mark); });
  PlyElement& vertex = *std::find_if(document.elements.begin(), document.elements.end(),
                                     [](const PlyElement& e) { return e.name == "vertex"; });
  for (int slot = 0; slot < max_slots; ++slot) {
    std::erase_if(vertex.properties, [&](const PlyProperty& p) {
      return p.name == slot_name("joint", slot) || p.name == slot_name("weight", slot);
    });
  }
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    TextWriter line;
    line << joint_mark << ' ' << joint << ' ' << skeleton.parents[joint] << ' '
         << kind_names[static_cast<int>(skeleton.kinds[joint])];
    for (int i = 0; i < 12; ++i) line << ' ' << skeleton.rest[joint].matrix()(i / 4, i % 4);
    line << ' ' << line_name(skeleton.names[joint], "joint");
    document.comments.push_back(line.take());
  }
  for (int slot = 0; slot < weights.influences && !weights.empty(); ++slot) {
    PlyProperty& joints = add_property(vertex, slot_name("joint", slot), PlyType::uint16);
    for (std::size_t i = 0; i < vertex.count; ++i) joints.set_number(i, weights.joints[i * weights.influences + slot]);
    PlyProperty& values = add_property(vertex, slot_name("weight", slot), PlyType::float32);
    for (std::size_t i = 0; i < vertex.count; ++i) values.set_number(i, weights.weights[i * weights.influences + slot]);
  }
}

}  // namespace

Character read_ply(std::span<const std::byte> bytes, const LoadOptions& options) {
  auto document = std::make_shared<PlyDocument>(read_ply_document(bytes, options));
  Character character;
  character.mesh = mesh_of(*document);
  character.skeleton = skeleton_of(*document);
  character.weights = weights_of(*document, character.skeleton.joint_count());
  character.source = document;
  return character;
}

std::string write_ply(const Character& character, const SaveOptions& options, Warnings& warnings) {
  PlyDocument document;
  if (const auto* source = dynamic_cast<const PlyDocument*>(character.source.get())) {
    const PlyElement* vertex = source->find("vertex");
    if (vertex && vertex->count == character.mesh.vertex_count()) {
      document = *source;
    } else {
      warnings.push_back({"lost-properties",
                          "the number of vertices changed; only positions, normals, colours, "
                          "texture coordinates and weights were written"});
    }
  }
  set_mesh(document, character.mesh);
  const bool fewer = options.max_influences > 0 && options.max_influences < character.weights.influences;
  set_skin(document, character.skeleton,
           fewer ? with_influences(character.weights, options.max_influences) : character.weights);
  return write_ply_document(document);
}

}  // namespace sinew
