#include "apps/torch/training_data/training_body.h"

#include <algorithm>

#include "apps/torch/training_data/body_coordinates.h"
#include "sinew/anatomy/joint_structure.h"
#include "sinew/anatomy/legs.h"
#include "sinew/error.h"
#include "sinew/learn/body_space.h"
#include "sinew/mesh/submesh.h"

namespace sinew {
namespace {

// The skinned parts of a character: mesh, and the vertices they come from.
TriangleMesh skinned_part(const Character& character, std::vector<std::uint32_t>& original) {
  std::vector<Triangle> skinned;
  if (character.parts.empty()) skinned = character.mesh.triangles;
  for (const Part& part : character.parts) {
    if (part.binding != PartBinding::skinned) continue;
    const auto first = character.mesh.triangles.begin() + static_cast<std::ptrdiff_t>(part.first_triangle);
    skinned.insert(skinned.end(), first, first + static_cast<std::ptrdiff_t>(part.triangle_count));
  }
  return submesh(character.mesh.positions, skinned, original);
}

// Weights over the graph's joints; what belonged to others goes to the nearest ancestor that is one.
SkinWeights graph_weights(const Character& character, const SkeletonGraph& graph,
                          const std::vector<std::uint32_t>& original) {
  std::vector<int> index(character.skeleton.names.size(), 0);
  std::vector<char> known(index.size(), 0);
  for (int g = 0; g < graph.count(); ++g) {
    index[graph.joints[g]] = g;
    known[graph.joints[g]] = 1;
  }
  for (int j = 0; j < character.skeleton.joint_count(); ++j) {
    if (!known[j] && character.skeleton.parents[j] >= 0) index[j] = index[character.skeleton.parents[j]];
  }
  const SkinWeights& from = character.weights;
  SkinWeights result = make_skin_weights(original.size(), from.influences);
  for (std::size_t v = 0; v < original.size(); ++v) {
    std::vector<Influence> influences;
    for (int slot = 0; slot < from.influences; ++slot) {
      const std::size_t at = static_cast<std::size_t>(original[v]) * from.influences + slot;
      if (from.weights[at] > 0) {
        influences.push_back({static_cast<std::uint16_t>(index[from.joints[at]]), from.weights[at]});
      }
    }
    set_influences(result, v, influences);
  }
  return result;
}

void require_person(const TrainingBody& body, bool four_legs) {
  if (four_legs) throw Error(ErrorCode::training_data_invalid, "goes on four legs");
  const auto mean_height = [&](JointRole role) {
    double sum = 0;
    int count = 0;
    for (int j = 0; j < body.graph.count(); ++j) {
      if (body.identities[j].role != role) continue;
      sum += body.graph.positions[j].y();
      ++count;
    }
    if (count == 0) {
      throw Error(ErrorCode::training_data_invalid, std::string("the skeleton has no ") + role_name(role));
    }
    return sum / count;
  };
  const double foot = mean_height(JointRole::foot), knee = mean_height(JointRole::shin),
               hip = mean_height(JointRole::thigh), head = mean_height(JointRole::head);
  if (!(foot < knee && knee < hip && hip < head) || foot < -0.05 || foot > 0.3 || head > 1.05) {
    throw Error(ErrorCode::training_data_invalid, "does not stand upright");
  }
  AABBd box;
  for (const Vec3f& p : body.mesh.positions) box.extend(p.cast<double>());
  box = AABBd(box.min() - Vec3d::Constant(0.05), box.max() + Vec3d::Constant(0.05));
  if (box.sizes().x() > 1.6 || box.sizes().z() > 1.2) {
    throw Error(ErrorCode::training_data_invalid, "is wider than a person");
  }
  int outside = 0;
  for (const Vec3d& p : body.graph.positions) outside += !box.contains(p);
  if (outside > body.graph.count() / 10) throw Error(ErrorCode::training_data_invalid, "has joints outside the mesh");
}

}  // namespace

TrainingBody make_training_body(const Character& character) {
  if (!character.has_skin() || character.skeleton.empty()) throw Error(ErrorCode::training_data_invalid, "has no skin");
  TrainingBody body;
  body.name = character.name;
  const std::vector<JointIdentity> joints = identify_joints_anyhow(character.skeleton);
  const std::vector<Leg> legs = legs_of(character.skeleton, joints);
  const bool four = std::any_of(legs.begin(), legs.end(), [](const Leg& leg) { return leg.front; });
  std::vector<std::uint32_t> original;
  const TriangleMesh skin = skinned_part(character, original);
  const BodySpace space = body_space(skin, body_frame(character.skeleton, joints));
  body.mesh = to_body_space(skin, space);
  body.graph = body_graph(character.skeleton, joints);
  if (body.graph.count() < 10) throw Error(ErrorCode::training_data_invalid, "has too few joints");
  for (int g = 0; g < body.graph.count(); ++g) {
    body.identities.push_back(joints[body.graph.joints[g]]);
    body.graph.positions[g] = space.to_body(body.graph.positions[g]);
  }
  require_person(body, four);
  body.weights = graph_weights(character, body.graph, original);
  body.coordinates = body_coordinates(body.mesh.positions, body.graph, body.identities, body.weights);
  return body;
}

}  // namespace sinew
