// The trained networks as one thing: load once, use for any number of meshes and skeletons.
//
//   const FitModel& model = FitModel::shipped();
//   NeuralBody body = model.look_at(mesh, frame);
//   std::vector<Vec3d> places = model.place_joints(body, graph);
//
// The shipped model knows people, realistic and stylised (docs/neural.md says what it was trained on); of other
// creatures its answers mean nothing.
#pragma once

#include <filesystem>

#include "sinew/learn/body_features.h"
#include "sinew/learn/body_space.h"
#include "sinew/learn/fit_network.h"

namespace sinew {

// A mesh as the networks have seen it.
struct NeuralBody {
  BodySpace space;
  TriangleMesh mesh;   // in body space, with normals
  NetMatrix features;  // per vertex
  MeshCode code;       // of places spread over the surface
};

class FitModel {
 public:
  // The one that comes with the library. Made on first use; safe from any thread.
  static const FitModel& shipped();

  // `script`: a TorchScript network to make picture features with, instead of the file's own. The fitting network must
  // have been trained with it: another number of features is Error(bad_input).
  explicit FitModel(const NetworkFile& file, const std::filesystem::path& script = {});

  const std::string& description() const { return description_; }  // JSON: how it was trained

  // Whether the first three features are body coordinates (body_coordinates.h): not with a script.
  bool sees_body_coordinates() const { return features_->is_own(); }

  // What is asked of the pictures. `without`: look at positions and normals alone (to see what features are worth).
  enum class Pictures { with, without };

  // Throws Error(bad_input) for a mesh without triangles.
  NeuralBody look_at(const TriangleMesh& mesh, const BodyFrame& frame, Pictures pictures = Pictures::with) const;

  // Where the joints of a graph (skeleton_graph.h) that stands in body space belong, in the mesh's space. Averaged with
  // the answer for the mirror images, so left and right are as alike as the mesh is.
  std::vector<Vec3d> place_joints(const NeuralBody& body, const SkeletonGraph& graph) const;

 private:
  std::string description_;
  FitNetwork network_;
  std::optional<BodyFeatures> features_;
};

}  // namespace sinew
