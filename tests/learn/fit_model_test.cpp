#include "sinew/learn/fit_model.h"

#include <gtest/gtest.h>

#include "sinew/anatomy/joint_structure.h"
#include "tests/learn/box_figure.h"

namespace sinew {
namespace {

// The shipped networks know this figure, which nobody trained them on, from every side of a mirror.
TEST(ShippedModel, PlacesTheFigure) {
  const Character character = test::box_figure();
  const FitModel& model = FitModel::shipped();
  const std::vector<JointIdentity> joints = identify_joints_anyhow(character.skeleton);
  const NeuralBody body = model.look_at(character.mesh, body_frame(character.skeleton, joints));
  SkeletonGraph graph = body_graph(character.skeleton, joints);
  stand_in_body_space(graph, Mat3d::Identity());
  const std::vector<Vec3d> places = model.place_joints(body, graph);
  double mean = 0;
  for (int g = 0; g < graph.count(); ++g) {
    mean += (places[g] - character.skeleton.position(graph.joints[g])).norm() / graph.count();
  }
  EXPECT_LT(mean / body.space.height, 0.08);
  const std::vector<int> partners = mirror_partners(graph);
  for (int g = 0; g < graph.count(); ++g) {
    const Vec3d other = body.space.to_body(places[partners[g]]), own = body.space.to_body(places[g]);
    EXPECT_LT((Vec3d(-other.x(), other.y(), other.z()) - own).norm(), 0.06)
        << character.skeleton.names[graph.joints[g]];
  }
}

}  // namespace
}  // namespace sinew
