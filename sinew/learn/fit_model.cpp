#include "sinew/learn/fit_model.h"

#include <algorithm>
#include <cmath>

#include "sinew/error.h"

namespace sinew {
namespace {

constexpr std::size_t place_count = 1024;

MeshInputs inputs_of_vertices(const TriangleMesh& mesh, const NetMatrix& features) {
  MeshInputs inputs(static_cast<Eigen::Index>(mesh.positions.size()), 6 + features.cols());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    auto row = inputs.row(static_cast<Eigen::Index>(v));
    row.head<3>() = mesh.positions[v].transpose();
    row.segment<3>(3) = mesh.normals[v].transpose();
    row.tail(features.cols()) = features.row(static_cast<Eigen::Index>(v));
  }
  return inputs;
}

MeshInputs inputs_of_places(const TriangleMesh& mesh, const MeshInputs& vertices) {
  Random random(1);
  const std::vector<SurfaceSample> samples = sample_surface(mesh, place_count, random);
  MeshInputs inputs = MeshInputs::Zero(static_cast<Eigen::Index>(samples.size()), vertices.cols());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      inputs.row(static_cast<Eigen::Index>(i)) +=
          samples[i].share[k] * vertices.row(mesh.triangles[samples[i].triangle][k]);
    }
  }
  return inputs;
}

// Mirrored bodies: places, and what the project's own features say of them (x of body coordinates comes first).
MeshCode mirrored_code(const FitNetwork& network, const NeuralBody& body) {
  MeshInputs inputs = inputs_of_places(body.mesh, inputs_of_vertices(body.mesh, body.features));
  inputs.col(0) *= -1;
  inputs.col(3) *= -1;
  if (inputs.cols() > 6) inputs.col(6) *= -1;
  return network.encode(inputs);
}

}  // namespace

FitModel::FitModel(const NetworkFile& file, const std::filesystem::path& script)
    : description_(file.description), network_(file) {
  if (!script.empty()) {
    features_.emplace(script);
  } else if (file.arrays.contains("image.out.w")) {
    features_.emplace(ImageNetwork(file));
  } else {
    throw Error(ErrorCode::network_invalid, "the network file has no image network of its own",
                "give the image network that it was trained with")
        .about("features");
  }
}

NeuralBody FitModel::look_at(const TriangleMesh& mesh, const BodyFrame& frame, Pictures pictures) const {
  NeuralBody body;
  body.space = body_space(mesh, frame);
  body.mesh = to_body_space(mesh, body.space);
  const auto vertices = static_cast<Eigen::Index>(body.mesh.positions.size());
  if (pictures == Pictures::with) {
    body.features = features_->of_vertices(body.mesh);
    if (body.features.cols() != network_.feature_count()) {
      throw Error(ErrorCode::network_invalid, "the image network gives " + std::to_string(body.features.cols() - 1) +
                                                  " features, but the fitting network was trained with " +
                                                  std::to_string(network_.feature_count() - 1));
    }
  } else {
    body.features = NetMatrix::Zero(vertices, network_.feature_count());
  }
  body.code = network_.encode(inputs_of_places(body.mesh, inputs_of_vertices(body.mesh, body.features)));
  return body;
}

std::vector<Vec3d> FitModel::place_joints(const NeuralBody& body, const SkeletonGraph& graph) const {
  std::vector<Vec3d> places = network_.place_joints(body.code, graph);
  SkeletonGraph mirrored = graph;
  for (Vec3d& p : mirrored.positions) p.x() = -p.x();
  const std::vector<Vec3d> others = network_.place_joints(mirrored_code(network_, body), mirrored);
  for (std::size_t j = 0; j < places.size(); ++j) {
    const Vec3d other(-others[j].x(), others[j].y(), others[j].z());
    places[j] = body.space.from_body(0.5 * (places[j] + other));
  }
  return places;
}

}  // namespace sinew
