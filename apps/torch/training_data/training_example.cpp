#include "apps/torch/training_data/training_example.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "apps/torch/training_data/bone_pairs.h"
#include "sinew/learn/body_space.h"
#include "sinew/learn/fit_network.h"

namespace sinew {
namespace {

constexpr double degree = std::numbers::pi / 180;

bool is_face(JointRole role) {
  return role == JointRole::jaw || role == JointRole::eye || role == JointRole::ear || role == JointRole::face;
}

// Which joints of a body this lesson's skeleton has. What is decided for a role holds for both sides.
std::vector<char> choose_joints(const TrainingBody& body, int most, Random& random) {
  const bool fingers = random.uniform() < 0.35, faces = random.uniform() < 0.15, twists = random.uniform() < 0.3,
             unknown = random.uniform() < 0.4, toes = random.uniform() < 0.7, clavicles = random.uniform() < 0.85,
             others = random.uniform() < 0.6;
  const auto keep = [&](const JointIdentity& joint, bool with_fingers) {
    if (is_finger(joint.role)) return with_fingers;
    if (is_face(joint.role)) return faces;
    switch (joint.role) {
      case JointRole::twist:
        return twists;
      case JointRole::unknown:
        return unknown;
      case JointRole::toe:
        return toes;
      case JointRole::clavicle:
        return clavicles;
      case JointRole::hip_joint:
      case JointRole::tail:
      case JointRole::wing:
        return others;
      case JointRole::spine:
        return random.uniform() > 0.25;
      default:
        return true;
    }
  };
  std::vector<char> kept(body.identities.size(), 0);
  for (const bool with_fingers : {fingers, false}) {
    int count = 0;
    for (std::size_t j = 0; j < kept.size(); ++j) count += kept[j] = keep(body.identities[j], with_fingers);
    if (count <= most) break;
  }
  if (body.graph.parents[0] < 0) kept[0] = 1;
  return kept;
}

struct Lesson {
  SkeletonGraph graph;                    // in the body
  std::vector<JointIdentity> identities;  // per joint of the graph
  std::vector<int> graph_of;              // per joint of the body: its joint here, or that of the nearest ancestor
};

Lesson kept_joints(const TrainingBody& body, const std::vector<char>& kept) {
  Lesson lesson;
  lesson.graph_of.assign(kept.size(), 0);
  for (std::size_t j = 0; j < kept.size(); ++j) {
    const int parent = body.graph.parents[j];
    const int above = parent >= 0 ? lesson.graph_of[parent] : -1;
    if (!kept[j]) {
      lesson.graph_of[j] = std::max(above, 0);
      continue;
    }
    lesson.graph_of[j] = lesson.graph.count();
    lesson.graph.joints.push_back(static_cast<int>(j));
    lesson.graph.parents.push_back(above);
    lesson.graph.positions.push_back(body.graph.positions[j]);
    lesson.identities.push_back(body.identities[j]);
  }
  return lesson;
}

// Turns of all joints in a pose, in body space.
std::vector<Mat3d> random_turns(const SkeletonGraph& graph, Random& random) {
  std::vector<Mat3d> turns(graph.count(), Mat3d::Identity());
  for (int j = 0; j < graph.count(); ++j) {
    if (graph.parents[j] < 0) continue;
    const Vec3d axis(random.normal(), random.normal(), random.normal());
    turns[j] = turns[graph.parents[j]] *
               Eigen::AngleAxisd(25 * degree * random.normal(), axis.normalized()).toRotationMatrix();
  }
  return turns;
}

std::vector<Vec3d> posed_joints(const SkeletonGraph& graph, const std::vector<Mat3d>& turns) {
  std::vector<Vec3d> posed(graph.positions);
  for (int j = 0; j < graph.count(); ++j) {
    const int parent = graph.parents[j];
    if (parent >= 0) posed[j] = posed[parent] + turns[parent] * (graph.positions[j] - graph.positions[parent]);
  }
  return posed;
}

// A joint in the middle of some bones, on both sides alike: parents keep preceding children.
void add_joints(Lesson& lesson, std::vector<Mat3d>& turns, const std::vector<int>& partners, Random& random) {
  std::vector<char> split(lesson.graph.count(), 0);
  for (int j = 0; j < lesson.graph.count(); ++j) {
    const int parent = lesson.graph.parents[j];
    if (parent < 0 || (lesson.graph.positions[j] - lesson.graph.positions[parent]).norm() < 0.08) continue;
    if (random.uniform() < 0.2) split[j] = 1;
    if (partners[j] >= 0 && partners[j] < j) split[j] = split[partners[j]];
  }
  Lesson grown;
  std::vector<Mat3d> grown_turns;
  std::vector<int> index(lesson.graph.count());
  const auto add = [&](int joint, int parent, const Vec3d& place, const JointIdentity& identity, const Mat3d& turn) {
    grown.graph.joints.push_back(joint);
    grown.graph.parents.push_back(parent);
    grown.graph.positions.push_back(place);
    grown.identities.push_back(identity);
    grown_turns.push_back(turn);
    return grown.graph.count() - 1;
  };
  for (int j = 0; j < lesson.graph.count(); ++j) {
    const int parent = lesson.graph.parents[j];
    int above = parent >= 0 ? index[parent] : -1;
    if (split[j]) {
      const Vec3d middle = 0.5 * (lesson.graph.positions[j] + lesson.graph.positions[parent]);
      above = add(-1, above, middle, {}, turns[parent]);
    }
    index[j] = add(lesson.graph.joints[j], above, lesson.graph.positions[j], lesson.identities[j], turns[j]);
  }
  lesson = std::move(grown);
  turns = std::move(grown_turns);
}

// Other bone lengths and limb angles, alike on both sides; then stood up as a user's skeleton would be.
SkeletonGraph misfit(const Lesson& lesson, const std::vector<int>& partners, Random& random) {
  SkeletonGraph graph = lesson.graph;
  std::map<int, double> factors;
  const double arms = random.uniform(-60, 60) * degree, legs = random.uniform(-10, 10) * degree;
  const double spread = random.uniform(0.1, 0.45);
  std::vector<Mat3d> turns(graph.count(), Mat3d::Identity());
  for (int j = 0; j < graph.count(); ++j) {
    const int parent = graph.parents[j];
    if (parent < 0) continue;
    const int key = partners[j] >= 0 ? std::min(j, partners[j]) : j;
    if (!factors.contains(key)) factors[key] = std::exp(spread * random.uniform(-1, 1));
    graph.positions[j] = graph.positions[parent] +
                         factors[key] * (turns[parent] * (lesson.graph.positions[j] - lesson.graph.positions[parent]));
    const JointIdentity& identity = lesson.identities[j];
    const double side = identity.side == BodySide::right ? -1.0 : 1.0;
    const double angle = identity.index != 1                     ? 0.0
                         : identity.role == JointRole::upper_arm ? side * arms
                         : identity.role == JointRole::thigh     ? side * legs
                                                                 : 0.0;
    turns[j] = turns[parent] * Eigen::AngleAxisd(angle, Vec3d::UnitZ()).toRotationMatrix();
  }
  stand_in_body_space(graph, Mat3d::Identity());
  return graph;
}

// posed = chain · rest, all joints' coordinates in one column.
NetMatrix chain_matrix(const SkeletonGraph& graph, const std::vector<Mat3d>& turns) {
  const int count = graph.count();
  NetMatrix chain = NetMatrix::Zero(3 * count, 3 * count);
  for (int j = 0; j < count; ++j) {
    const int parent = graph.parents[j];
    if (parent < 0) {
      chain.block<3, 3>(3 * j, 3 * j).setIdentity();
      continue;
    }
    chain.middleRows<3>(3 * j) = chain.middleRows<3>(3 * parent);
    const Eigen::Matrix3f turn = turns[parent].cast<float>();
    chain.block<3, 3>(3 * j, 3 * j) += turn;
    chain.block<3, 3>(3 * j, 3 * parent) -= turn;
  }
  return chain;
}

// Shape changes that keep a body a body; mirror images swap left and right.
struct Change {
  Vec3d scale, shift;
  Mat3d turn;
  double noise;
  bool flip_normals, exact;

  Change(bool symmetric, Random& random) {
    exact = symmetric && random.uniform() < 0.5;
    const double mirror = random.uniform() < 0.5 ? -1.0 : 1.0;
    scale = Vec3d(mirror * std::exp(random.uniform(-0.15, 0.15)), 1.0, std::exp(random.uniform(-0.15, 0.15)));
    shift = exact ? Vec3d(0, 0, 0) : Vec3d(0.015 * random.normal(), 0.0, 0.015 * random.normal());
    turn = Eigen::AngleAxisd(exact ? 0.0 : 5 * degree * random.normal(), Vec3d::UnitY()).toRotationMatrix();
    noise = random.uniform() < 0.5 ? 0.0 : 0.004 * random.uniform();
    flip_normals = random.uniform() < 0.05;
  }
  Vec3d point(const Vec3d& p) const { return turn * scale.cwiseProduct(p) + shift; }
  Vec3d normal(const Vec3d& n) const {
    const Vec3d changed = turn * n.cwiseQuotient(scale);
    return (flip_normals ? -1.0 : 1.0) * (changed.norm() > 0 ? Vec3d(changed.normalized()) : n);
  }
};

// Places of the surface, and the weights they have there.
void take_places(const TrainingBody& body, const Lesson& lesson, const ExampleOptions& options, const Change& change,
                 bool with_features, Random& random, TrainingExample& example) {
  const std::vector<SurfaceSample> samples = sample_surface(body.mesh, options.places, random);
  const auto count = static_cast<Eigen::Index>(samples.size());
  const Eigen::Index features = body.features.cols();
  example.inputs = NetMatrix::Zero(count, 6 + features);
  example.weights = NetMatrix::Zero(count, lesson.graph.count());
  for (Eigen::Index i = 0; i < count; ++i) {
    const SurfaceSample& sample = samples[static_cast<std::size_t>(i)];
    Vec3d position = Vec3d::Zero(), normal = Vec3d::Zero();
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t v = body.mesh.triangles[sample.triangle][k];
      position += sample.share[k] * body.mesh.positions[v].cast<double>();
      normal += sample.share[k] * body.mesh.normals[v].cast<double>();
      if (with_features) example.inputs.row(i).tail(features) += sample.share[k] * body.features.row(v);
      for (int slot = 0; slot < body.weights.influences; ++slot) {
        const std::size_t at = static_cast<std::size_t>(v) * body.weights.influences + slot;
        example.weights(i, lesson.graph_of[body.weights.joints[at]]) += sample.share[k] * body.weights.weights[at];
      }
    }
    position = change.point(position) + change.noise * Vec3d(random.normal(), random.normal(), random.normal());
    example.inputs.row(i).head<3>() = position.transpose().cast<float>();
    example.inputs.row(i).segment<3>(3) = change.normal(normal).transpose().cast<float>();
    // A mirrored body is seen as one: x of its body coordinates changes sign.
    if (with_features && features > 0 && change.scale.x() < 0) example.inputs(i, 6) = -example.inputs(i, 6);
  }
}

void pose_places(const SkeletonGraph& graph, const std::vector<Mat3d>& turns, TrainingExample& example) {
  const std::vector<Vec3d> joints = posed_joints(graph, turns);
  example.posed = NetMatrix::Zero(example.inputs.rows(), 3);
  for (Eigen::Index i = 0; i < example.inputs.rows(); ++i) {
    const Vec3d p = example.inputs.row(i).head<3>().transpose().cast<double>();
    Vec3d sum = Vec3d::Zero();
    for (int j = 0; j < graph.count(); ++j) {
      const double w = example.weights(i, j);
      if (w > 0) sum += w * (turns[j] * (p - graph.positions[j]) + joints[j]);
    }
    example.posed.row(i) = sum.transpose().cast<float>();
  }
}

std::vector<int> nearest_places(const NetMatrix& inputs) {
  std::vector<int> result(inputs.rows(), 0);
  for (Eigen::Index i = 0; i < inputs.rows(); ++i) {
    float least = 1e30f;
    for (Eigen::Index j = 0; j < inputs.rows(); ++j) {
      const float away = (inputs.row(i).head<3>() - inputs.row(j).head<3>()).squaredNorm();
      if (j != i && away < least) {
        least = away;
        result[static_cast<std::size_t>(i)] = static_cast<int>(j);
      }
    }
  }
  return result;
}

}  // namespace

std::vector<Bone> graph_bones(const SkeletonGraph& graph) {
  std::vector<Bone> bones;
  for (int j = 0; j < graph.count(); ++j) {
    const std::size_t before = bones.size();
    for (int child = 0; child < graph.count(); ++child) {
      if (graph.parents[child] == j) bones.push_back({j, graph.positions[j], graph.positions[child]});
    }
    if (bones.size() > before) continue;
    const int parent = graph.parents[j];
    const Vec3d on = parent >= 0 ? Vec3d(0.5 * (graph.positions[j] - graph.positions[parent])) : Vec3d(Vec3d::Zero());
    bones.push_back({j, graph.positions[j], graph.positions[j] + on});
  }
  return bones;
}

TrainingExample make_example(const TrainingBody& body, const ExampleOptions& options, Random& random) {
  TrainingExample example;
  const Change change(body.symmetric, random);
  Lesson lesson = kept_joints(body, choose_joints(body, options.most_joints, random));
  for (Vec3d& p : lesson.graph.positions) p = change.point(p);
  take_places(body, lesson, options, change, random.uniform() < 0.85, random, example);
  std::vector<Mat3d> turns = random_turns(lesson.graph, random);
  pose_places(lesson.graph, turns, example);
  const std::vector<int> partners = mirror_partners(lesson.graph);
  if (random.uniform() < 0.3) {
    add_joints(lesson, turns, partners, random);
    example.weights.resize(0, 0);
  }
  const std::vector<int> grown_partners = mirror_partners(lesson.graph);
  // A mirrored body's left is what was its right.
  if (change.scale.x() < 0) {
    for (JointIdentity& identity : lesson.identities) {
      if (identity.side == BodySide::centre) continue;
      identity.side = identity.side == BodySide::left ? BodySide::right : BodySide::left;
    }
  }
  example.target = lesson.graph;
  example.source = misfit(lesson, grown_partners, random);
  if (change.exact) example.partners = grown_partners;
  example.pairs = bone_pairs(example.inputs.leftCols(3), graph_bones(lesson.graph));
  example.chain = chain_matrix(lesson.graph, turns);
  example.turns.resize(lesson.graph.count(), 9);
  for (int j = 0; j < lesson.graph.count(); ++j) {
    for (int k = 0; k < 9; ++k) example.turns(j, k) = static_cast<float>(turns[j](k / 3, k % 3));
  }
  example.neighbours = nearest_places(example.inputs);
  return example;
}

}  // namespace sinew
