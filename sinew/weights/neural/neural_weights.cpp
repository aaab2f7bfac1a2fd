#include "sinew/weights/neural/neural_weights.h"

#include <algorithm>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/learn/fit_model.h"

namespace sinew {
namespace {

bool is_person(const std::vector<JointIdentity>& joints) {
  const auto has = [&](JointRole role) {
    return std::any_of(joints.begin(), joints.end(), [&](const JointIdentity& j) { return j.role == role; });
  };
  return has(JointRole::upper_arm) && has(JointRole::thigh) && has(JointRole::head);
}

// The bones of the graph's joints, counted as there; a joint without bones gets its position.
std::vector<Bone> bones_of_graph(const SkeletonGraph& graph, const std::vector<Bone>& bones) {
  std::vector<Bone> result;
  for (int g = 0; g < graph.count(); ++g) {
    const std::size_t before = result.size();
    for (const Bone& bone : bones) {
      if (bone.joint == graph.joints[g]) result.push_back({g, bone.head, bone.tail});
    }
    if (result.size() == before) result.push_back({g, graph.positions[g], graph.positions[g]});
  }
  return result;
}

SkinWeights neural_weights(const BindInput& input, const FitModel& model, const Progress& progress,
                           Warnings& warnings) {
  if (input.mesh.is_point_cloud()) {
    throw Error(ErrorCode::surface_missing, "the neural method needs triangles and the mesh is a point cloud",
                "use another method, for example heat")
        .about("method");
  }
  const std::vector<JointIdentity> joints = identify_joints_anyhow(input.skeleton);
  if (!is_person(joints)) {
    warnings.push_back(
        {"not-a-person", "the neural weights were learned from people; this skeleton does not look like a person's"});
  }
  progress(0.0, "looking at the mesh");
  const NeuralBody body = model.look_at(input.mesh, body_frame(input.skeleton, joints));
  const SkeletonGraph graph = graph_of(input.skeleton, input.takes_weight);
  progress(0.6, "weights");
  const NetMatrix dense = model.weights(body, graph, bones_of_graph(graph, input.bones));
  SkinWeights result = make_skin_weights(input.vertex_count(), input.max_influences);
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    std::vector<Influence> influences;
    // Softmax never reaches zero; what no one would see is left out.
    const double least = std::min(0.01, 0.5 * dense.row(static_cast<Eigen::Index>(v)).maxCoeff());
    for (int g = 0; g < graph.count(); ++g) {
      const double weight = dense(static_cast<Eigen::Index>(v), g);
      if (weight > least) influences.push_back({static_cast<std::uint16_t>(graph.joints[g]), weight});
    }
    set_influences(result, v, influences);
  }
  return result;
}

}  // namespace

WeightMethod neural_method() {
  WeightMethod method;
  method.name = "neural";
  method.summary = "learned from rigged people: attention between vertices and joints";
  method.inputs = {MethodInput::networks};
  method.solve = [](const BindInput& input, const MethodInputs& inputs, const OptionValues&, const Progress& progress) {
    MethodResult result;
    const FitModel& model = inputs.networks ? *inputs.networks : FitModel::shipped();
    result.weights = neural_weights(input, model, progress, result.warnings);
    return result;
  };
  return method;
}

}  // namespace sinew
