// Biharmonic weights as a method of `sinew bind`.
#include <algorithm>
#include <map>

#include "sinew/weights/biharmonic/biharmonic.h"
#include "sinew/weights/pins.h"

namespace sinew {

JointHandles joint_handles(const BindInput& input) {
  JointHandles result;
  std::vector<int> handle_of(input.joint_count(), -1);
  for (const Bone& bone : input.bones) {
    if (handle_of[bone.joint] < 0) {
      handle_of[bone.joint] = static_cast<int>(result.handles.size());
      result.handles.emplace_back();
      result.joint_of.push_back(bone.joint);
    }
    result.handles[handle_of[bone.joint]].bones.push_back(bone);
  }
  return result;
}

TriangleMesh solver_mesh(const BindInput& input) {
  TriangleMesh mesh = input.mesh;
  const bool has_normals = std::any_of(input.normals.begin(), input.normals.end(),
                                       [](const Vec3f& normal) { return normal.squaredNorm() > 0.5f; });
  if (mesh.is_point_cloud() && has_normals) mesh.normals = input.normals;
  return mesh;
}

std::vector<BiharmonicPin> handle_pins(const std::vector<WeldedPin>& pins, const JointHandles& bones) {
  std::map<int, int> handle_of;
  for (std::size_t h = 0; h < bones.joint_of.size(); ++h) handle_of[bones.joint_of[h]] = static_cast<int>(h);
  std::vector<BiharmonicPin> result;
  for (const WeldedPin& pin : pins) {
    result.push_back({pin.vertex, pin.weights});
    for (auto& [joint, weight] : result.back().weights) joint = handle_of.at(joint);
  }
  return result;
}

SkinWeights joint_weights(const Eigen::MatrixXd& dense, const std::vector<int>& joint_of, int influences) {
  SkinWeights weights = make_skin_weights(static_cast<std::size_t>(dense.rows()), influences);
  std::vector<Influence> found;
  for (Eigen::Index v = 0; v < dense.rows(); ++v) {
    found.clear();
    for (Eigen::Index h = 0; h < dense.cols(); ++h) {
      if (dense(v, h) > 0.0) found.push_back({static_cast<std::uint16_t>(joint_of[h]), dense(v, h)});
    }
    set_influences(weights, static_cast<std::size_t>(v), found);
  }
  return weights;
}

SkinWeights biharmonic_weights(const BindInput& input, const BiharmonicOptions& options,
                               const std::vector<WeldedPin>& pins, const Progress& progress, Warnings& warnings) {
  JointHandles bones = joint_handles(input);
  const std::vector<BiharmonicPin> pinned = handle_pins(pins, bones);
  BiharmonicSolver solver(solver_mesh(input), std::move(bones.handles), options, progress.part(0.0, 0.4));
  solver.solve(pinned, progress.part(0.4, 1.0));
  const Warnings found = solver.warnings();
  warnings.insert(warnings.end(), found.begin(), found.end());
  return joint_weights(solver.vertex_weights(), bones.joint_of, input.max_influences);
}

BiharmonicOptions biharmonic_options(const BindInput& input, const OptionValues& values) {
  BiharmonicOptions options;
  options.resolution = option<int>(values, "resolution");
  options.boundary =
      option<std::string>(values, "boundary") == "natural" ? BiharmonicBoundary::natural : BiharmonicBoundary::neumann;
  options.max_influences = input.max_influences;
  options.seed = input.seed;
  return options;
}

WeightMethod biharmonic_method() {
  WeightMethod method;
  method.name = "biharmonic";
  method.summary = "the smoothest bounded weights through the volume; works on soups, scans and point clouds";
  method.options = {{"resolution",
                     BiharmonicOptions{}.resolution,
                     "points inside the shape; 0: as many as the skeleton asks for",
                     0,
                     1e6,
                     {}},
                    {"boundary",
                     std::string("neumann"),
                     "at the surface: natural, or neumann (classic)",
                     0,
                     0,
                     {"natural", "neumann"}}};
  method.inputs = {MethodInput::pins};
  method.solve = [](const BindInput& input, const MethodInputs& inputs, const OptionValues& values,
                    const Progress& progress) {
    MethodResult result;
    result.weights =
        biharmonic_weights(input, biharmonic_options(input, values), inputs.pins, progress, result.warnings);
    return result;
  };
  return method;
}

}  // namespace sinew
