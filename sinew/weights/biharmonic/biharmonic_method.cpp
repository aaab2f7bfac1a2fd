// Biharmonic weights as a method of `sinew bind`.
#include <algorithm>

#include "sinew/weights/biharmonic/biharmonic.h"
#include "sinew/weights/pins.h"

namespace sinew {

JointHandles joint_handles(const BindInput& input) {
  JointHandles result;
  std::vector<int> handle_of(input.joint_count(), -1);
  for (const BindBone& bone : input.bones) {
    if (handle_of[bone.joint] < 0) {
      handle_of[bone.joint] = static_cast<int>(result.handles.size());
      result.handles.emplace_back();
      result.joint_of.push_back(bone.joint);
    }
    result.handles[handle_of[bone.joint]].segments.emplace_back(bone.head.cast<float>(), bone.tail.cast<float>());
  }
  return result;
}

SkinWeights biharmonic_weights(const BindInput& input, const BiharmonicOptions& options,
                               const std::vector<WeightPin>& pins, const Progress& progress, Warnings& warnings) {
  JointHandles bones = joint_handles(input);
  std::vector<int> handle_of(input.joint_count(), -1);
  for (std::size_t h = 0; h < bones.joint_of.size(); ++h) handle_of[bones.joint_of[h]] = static_cast<int>(h);
  std::vector<BiharmonicPin> handle_pins;
  for (const WeightPin& pin : pins) {
    handle_pins.push_back({pin.vertex, pin.weights});
    for (auto& [joint, weight] : handle_pins.back().weights) {
      if (handle_of[joint] < 0) {
        throw Error(ErrorCode::settings_invalid,
                    "joint '" + input.skeleton.names[joint] + "' is pinned but takes no weight",
                    "pin a joint that takes weight, or let this one take weight")
            .about("joints");
      }
      joint = handle_of[joint];
    }
  }
  TriangleMesh mesh = input.mesh;
  const bool has_normals = std::any_of(input.normals.begin(), input.normals.end(),
                                       [](const Vec3f& normal) { return normal.squaredNorm() > 0.5f; });
  if (mesh.is_point_cloud() && has_normals) mesh.normals = input.normals;
  BiharmonicSolver solver(mesh, std::move(bones.handles), options, progress.part(0.0, 0.4));
  solver.solve(handle_pins, progress.part(0.4, 1.0));
  const Warnings found = solver.warnings();
  warnings.insert(warnings.end(), found.begin(), found.end());
  const Eigen::MatrixXd& dense = solver.vertex_weights();
  SkinWeights weights = make_skin_weights(input.vertex_count(), input.max_influences);
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    std::vector<Influence> influences;
    for (Eigen::Index h = 0; h < dense.cols(); ++h) {
      if (dense(v, h) > 0.0) influences.push_back({static_cast<std::uint16_t>(bones.joint_of[h]), dense(v, h)});
    }
    set_influences(weights, v, std::move(influences));
  }
  return weights;
}

WeightMethod biharmonic_method() {
  const BiharmonicOptions defaults;
  WeightMethod method;
  method.name = "biharmonic";
  method.summary = "the smoothest bounded weights through the volume; works on soups, scans and point clouds";
  method.options = {
      {"resolution", defaults.resolution, "points inside the shape; 0: as many as the skeleton asks for", 0, 1e6, {}},
      {"boundary",
       std::string("neumann"),
       "at the surface: natural, or neumann (classic)",
       -1e30,
       1e30,
       {"natural", "neumann"}},
      {"pins",
       std::string(),
       "file of vertices whose weights are given (JSON, also for painted colours)",
       -1e30,
       1e30,
       {}},
  };
  method.solve = [](const BindInput& input, const OptionValues& values, const Progress& progress, Warnings& warnings) {
    BiharmonicOptions options;
    options.resolution = option<int>(values, "resolution");
    options.boundary = option<std::string>(values, "boundary") == "natural" ? BiharmonicBoundary::natural
                                                                            : BiharmonicBoundary::neumann;
    options.max_influences = input.max_influences;
    options.seed = input.seed;
    const std::string& pins = option<std::string>(values, "pins");
    return biharmonic_weights(
        input, options, pins.empty() ? std::vector<WeightPin>{} : read_pins(pins, input, warnings), progress, warnings);
  };
  return method;
}

}  // namespace sinew
