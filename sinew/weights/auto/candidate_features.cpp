#include "sinew/weights/auto/candidate_features.h"

#include <algorithm>
#include <cmath>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/base/parallel.h"
#include "sinew/weights/heat/heat.h"

namespace sinew {
namespace {

constexpr int heat_slots = 12;
constexpr double soft_strength = 0.5;
constexpr float least_heat = 1e-4f;  // below it heat tells nothing
constexpr double least_radius = 0.004;
constexpr std::size_t always_near = 2;  // nearest bones that are candidates, warm or cold
constexpr int few_candidates = 5;       // more of them are added up to so many candidates

// Kinds of joints that artists treat alike; the number is a column.
int role_group(JointRole role) {
  switch (role) {
    case JointRole::unknown:
      return 0;
    case JointRole::root:
    case JointRole::hips:
    case JointRole::hip_joint:
      return 1;
    case JointRole::spine:
    case JointRole::chest:
      return 2;
    case JointRole::neck:
      return 3;
    case JointRole::head:
      return 4;
    case JointRole::jaw:
    case JointRole::eye:
      return 5;
    case JointRole::ear:
    case JointRole::face:
      return 6;
    case JointRole::clavicle:
      return 7;
    case JointRole::upper_arm:
      return 8;
    case JointRole::forearm:
      return 9;
    case JointRole::hand:
      return 10;
    case JointRole::thumb:
    case JointRole::index_finger:
    case JointRole::middle_finger:
    case JointRole::ring_finger:
    case JointRole::little_finger:
      return 11;
    case JointRole::thigh:
      return 12;
    case JointRole::shin:
      return 13;
    case JointRole::foot:
      return 14;
    case JointRole::toe:
      return 15;
    case JointRole::tail:
    case JointRole::wing:
      return 16;
    case JointRole::twist:
    case JointRole::control:
    case JointRole::prop:
      return 17;
  }
  return 0;
}

// Parents come before their children.
void find_chains(std::vector<JointFacts>& joints) {
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const int parent = joints[j].parent;
    if (parent >= 0 && joints[parent].children.size() == 1) joints[j].chain_place = joints[parent].chain_place + 1;
    joints[j].chain_length = joints[j].chain_place + 1;
  }
  for (std::size_t j = joints.size(); j-- > 0;) {
    if (joints[j].chain_place > 0) joints[joints[j].parent].chain_length = joints[j].chain_length;
  }
}

std::vector<float> mean_edge_lengths(const TriangleMesh& mesh) {
  std::vector<float> length(mesh.vertex_count(), 0.0f), count(mesh.vertex_count(), 0.0f);
  for (const Triangle& triangle : mesh.triangles) {
    for (int side = 0; side < 3; ++side) {
      const std::uint32_t a = triangle[side], b = triangle[(side + 1) % 3];
      const float edge = (mesh.positions[a] - mesh.positions[b]).norm();
      for (const std::uint32_t v : {a, b}) {
        length[v] += edge;
        count[v] += 1;
      }
    }
  }
  for (std::size_t v = 0; v < length.size(); ++v) length[v] /= std::max(count[v], 1.0f);
  return length;
}

std::vector<JointFacts> facts_of_joints(const BindInput& input, const SkinWeights& heat) {
  const Skeleton& skeleton = input.skeleton;
  std::vector<JointFacts> joints(skeleton.joint_count());
  const std::vector<JointIdentity> identities = identify_joints_anyhow(skeleton);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    joints[j].identity = identities[j];
    for (int above = skeleton.parents[j]; above >= 0; above = skeleton.parents[above]) {
      if (!input.takes_weight[above]) continue;
      joints[j].parent = above;
      joints[j].depth = joints[above].depth + 1;
      if (input.takes_weight[j]) joints[above].children.push_back(j);
      break;
    }
  }
  for (const Bone& bone : input.bones) joints[bone.joint].bones.push_back(bone);
  find_chains(joints);
  for (JointFacts& joint : joints) {
    for (const Bone& bone : joint.bones) {
      const auto next = std::find_if(joint.children.begin(), joint.children.end(),
                                     [&](int c) { return (skeleton.position(c) - bone.tail).norm() < 1e-6; });
      joint.next.push_back(next == joint.children.end() ? -1 : *next);
    }
  }
  // Thickness of limbs, as their skin shows it.
  std::vector<double> sum(joints.size(), 0.0), weight(joints.size(), 0.0);
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    const std::size_t first = v * heat.influences;
    const int j = heat.joints[first];
    if (heat.weights[first] < 0.5f) continue;
    double nearest = 1e30;
    for (const Bone& bone : joints[j].bones) {
      nearest = std::min(nearest, closest_point_on_bone(bone, input.mesh.positions[v].cast<double>()).distance);
    }
    if (nearest > 1) continue;
    sum[j] += nearest;
    weight[j] += 1;
  }
  for (std::size_t j = 0; j < joints.size(); ++j) {
    double length = 0;
    for (const Bone& bone : joints[j].bones) length = std::max(length, bone.length());
    joints[j].radius = std::max(weight[j] > 0 ? sum[j] / weight[j] : 0.25 * length, least_radius);
  }
  return joints;
}

float clipped(double value, double limit = 4.0) { return static_cast<float>(std::clamp(value, -limit, limit)); }
float log_heat(float heat) { return std::log(std::max(heat, least_heat)); }

int tree_distance(const std::vector<JointFacts>& joints, int a, int b) {
  int steps = 0;
  while (a != b && steps < 12) {
    if (a < 0 || b < 0) return 12;
    int& deeper = joints[a].depth >= joints[b].depth ? a : b;
    deeper = joints[deeper].parent;
    ++steps;
  }
  return steps;
}

void offer(VertexCandidates& set, int joint, float heat) {
  if (joint < 0 || set.count == most_candidates) return;
  const auto end = set.joints.begin() + set.count;
  if (std::find(set.joints.begin(), end, static_cast<std::uint16_t>(joint)) != end) return;
  set.joints[set.count] = static_cast<std::uint16_t>(joint);
  set.heat[set.count++] = heat;
}

// The strongest entries of a vector per joint, strongest first.
template <int count>
std::array<int, count> strongest(const std::vector<float>& values) {
  std::array<int, count> best;
  best.fill(-1);
  for (int j = 0; j < static_cast<int>(values.size()); ++j) {
    if (values[j] <= 0.02f) continue;
    int candidate = j;
    for (int& place : best) {
      if (place < 0 || values[candidate] > values[place]) std::swap(place, candidate);
      if (candidate < 0) break;
    }
  }
  return best;
}

}  // namespace

// Writes numbers one after the other.
class CandidateFeatures::Row {
 public:
  explicit Row(std::span<float> numbers) : numbers_(numbers) {}
  void add(double value) { numbers_[count_++] = static_cast<float>(value); }
  void add_choice(int which, int count) {
    for (int i = 0; i < count; ++i) add(i == which ? 1 : 0);
  }

 private:
  std::span<float> numbers_;
  std::size_t count_ = 0;
};

// A vertex seen from one joint: relative to that of its bones which is nearest.
struct CandidateFeatures::Sight {
  double distance = 1e30;
  int bone = -1;
  double along = 0;  // 0 at the head, 1 at the tail
  Vec3d closest = Vec3d::Zero();
};

CandidateFeatures::Sight CandidateFeatures::look_at(std::size_t vertex, int joint) const {
  const Vec3d point = input_.mesh.positions[vertex].cast<double>();
  Sight best;
  const std::vector<Bone>& bones = joints_[joint].bones;
  for (int b = 0; b < static_cast<int>(bones.size()); ++b) {
    const PointOnBone there = closest_point_on_bone(bones[b], point);
    if (there.distance < best.distance) best = {there.distance, b, there.along, there.position};
  }
  return best;
}

CandidateFeatures::CandidateFeatures(const BindInput& input, const Progress& progress, Warnings& warnings)
    : input_(input) {
  const HeatSystem system = make_heat_system(input, progress.part(0.0, 0.4));
  heat_ = heat_weights(input, system, {}, heat_slots, progress.part(0.4, 0.65), warnings);
  Warnings again;  // of the second solve: the same as of the first
  soft_ = heat_weights(input, system, {soft_strength}, heat_slots, progress.part(0.65, 0.9), again);
  progress(0.9, "looking at pieces");
  pieces_ = find_piece_contacts(input, heat_);
  joints_ = facts_of_joints(input, heat_);
  edge_length_ = mean_edge_lengths(input.mesh);
}

VertexCandidates CandidateFeatures::candidates(std::size_t vertex) const {
  VertexCandidates set;
  const std::size_t first = vertex * heat_slots;
  for (int slot = 0; slot < 6 && heat_.weights[first + slot] > 0.002f; ++slot) {
    offer(set, heat_.joints[first + slot], heat_.weights[first + slot]);
  }
  const auto heat_of = [&](int joint) { return joint < 0 ? 0.0f : heat_.weight_of(vertex, joint); };
  const PieceFacts& piece = pieces_[input_.components.component_of[vertex]];
  for (const int joint : strongest<2>(piece.touched)) offer(set, joint, heat_of(joint));
  for (const int joint : strongest<1>(piece.heat)) offer(set, joint, heat_of(joint));
  std::array<std::pair<double, int>, few_candidates> nearest;
  nearest.fill({1e30, -1});
  for (int j = 0; j < input_.joint_count(); ++j) {
    if (!input_.takes_weight[j]) continue;
    std::pair<double, int> entry{look_at(vertex, j).distance, j};
    for (auto& place : nearest) {
      if (entry < place) std::swap(place, entry);
    }
  }
  for (std::size_t i = 0; i < nearest.size() && (i < always_near || set.count < few_candidates); ++i) {
    offer(set, nearest[i].second, heat_of(nearest[i].second));
  }
  return set;
}

namespace {

// Sum and largest of a field over some joints.
struct Family {
  float parent = 0, children = 0, siblings = 0;
};
Family family_of(const SkinWeights& field, std::size_t vertex, const std::vector<JointFacts>& joints, int joint) {
  Family family;
  const int parent = joints[joint].parent;
  for (int slot = 0; slot < field.influences; ++slot) {
    const std::size_t at = vertex * field.influences + slot;
    const float weight = field.weights[at];
    const int other = field.joints[at];
    if (weight <= 0 || other == joint) continue;
    if (other == parent) {
      family.parent += weight;
    } else if (joints[other].parent == joint) {
      family.children += weight;
    } else if (parent >= 0 && joints[other].parent == parent) {
      family.siblings += weight;
    }
  }
  return family;
}

// Where the vertex lies beside the planes in which a limb bends, in units of its thickness.
template <typename Row>
void describe_bend(Row& row, const Vec3d& point, const Vec3d& before, const Vec3d& at, const Vec3d& after,
                   double radius) {
  const Vec3d offset = (point - at) / radius;
  Vec3d through = before + after, inside = after - before;
  through = through.norm() > 1e-6 ? through.normalized() : after;
  const double bend = inside.norm();
  inside = bend > 1e-6 ? Vec3d(inside / bend) : Vec3d(Vec3d::Zero());
  const double across = offset.dot(through);
  row.add(clipped(across, 6));
  row.add(std::tanh(across));
  row.add(clipped(offset.dot(inside)));
  row.add(bend);
}

}  // namespace

// A vertex and its candidates, as every part of the description needs them.
struct CandidateFeatures::View {
  std::size_t vertex;
  const VertexCandidates& set;
  std::array<Sight, most_candidates> sights;
  double nearest;  // bone of any candidate

  int top() const { return set.joints[0]; }
};

// Heat of the joint and its relatives, at two strengths.
void CandidateFeatures::describe_heat(const View& view, int candidate, Row& row) const {
  const int joint = view.set.joints[candidate];
  const float heat = view.set.heat[candidate], soft = soft_.weight_of(view.vertex, joint);
  row.add(heat);
  row.add(log_heat(heat));
  row.add(soft);
  row.add(log_heat(soft));
  row.add(heat / std::max(view.set.heat[0], 1e-3f));
  for (const SkinWeights* field : {&heat_, &soft_}) {
    const Family family = family_of(*field, view.vertex, joints_, joint);
    row.add(family.parent);
    row.add(family.children);
    row.add(family.siblings);
  }
  int rank = 0, rank_near = 0;
  for (int other = 0; other < view.set.count; ++other) {
    rank += view.set.heat[other] > heat;
    rank_near += view.sights[other].distance < view.sights[candidate].distance;
  }
  row.add(1.0 / (1 + rank));
  row.add(1.0 / (1 + rank_near));
}

// What the piece as a whole and what it touches say of the joint.
void CandidateFeatures::describe_piece(const View& view, int candidate, Row& row) const {
  const PieceFacts& piece = pieces_[input_.components.component_of[view.vertex]];
  const int joint = view.set.joints[candidate];
  const float purity = *std::max_element(piece.heat.begin(), piece.heat.end());
  const float touched_purity =
      piece.touched.empty() ? 0.0f : *std::max_element(piece.touched.begin(), piece.touched.end());
  const float heat = piece.heat[joint], touched = piece.touched.empty() ? 0.0f : piece.touched[joint];
  row.add(heat);
  row.add(log_heat(heat));
  row.add(heat >= purity ? 1 : 0);
  row.add(touched);
  row.add(log_heat(touched));
  row.add(touched > 0 && touched >= touched_purity ? 1 : 0);
  row.add(purity);
  row.add(touched_purity);
  row.add(piece.size);
  row.add(std::log(static_cast<double>(piece.vertices) / static_cast<double>(input_.vertex_count())));
  row.add(piece.spread);
  row.add(piece.holds_bone[joint]);
  row.add(clipped(piece.size / std::max(joints_[joint].radius, 1e-4) * 0.1));
  row.add(clipped(piece.contact_distance, 0.1) * 10);
  row.add(piece.contact_share);
  row.add(std::log(static_cast<double>(input_.components.count)));
}

// Where the vertex lies beside the bone, and beside the bends at both of its ends.
void CandidateFeatures::describe_place(const View& view, int candidate, Row& row) const {
  const Vec3d point = input_.mesh.positions[view.vertex].cast<double>();
  const Vec3d normal = input_.normals[view.vertex].cast<double>();
  const JointFacts& facts = joints_[view.set.joints[candidate]];
  const Sight& sight = view.sights[candidate];
  const Bone& bone = facts.bones[sight.bone];
  const double radius = facts.radius, length = std::max(bone.length(), 1e-4);
  const Vec3d along = bone.length() > 1e-6 ? bone.direction() : Vec3d(Vec3d::Zero());
  row.add(sight.distance);
  row.add(std::log(sight.distance / view.nearest + 1e-3));
  row.add(clipped(sight.distance / radius, 6));
  row.add(clipped(sight.distance / length));
  row.add(clipped(sight.along));
  row.add(clipped((sight.along < 0 ? sight.along : std::max(sight.along - 1, 0.0)) * length / radius, 6));
  const Vec3d away = (point - sight.closest) / std::max(sight.distance, 1e-6);
  row.add(normal.dot(away));
  row.add(normal.dot(along));
  row.add(away.dot(along));
  row.add(clipped((point - bone.head).norm() / radius, 8));
  row.add(clipped((point - bone.tail).norm() / radius, 8));
  const Vec3d before = facts.parent >= 0 && (bone.head - input_.skeleton.position(facts.parent)).norm() > 1e-6
                           ? Vec3d((bone.head - input_.skeleton.position(facts.parent)).normalized())
                           : along;
  describe_bend(row, point, before, bone.head, along, radius);
  const int next = facts.next[sight.bone];
  Vec3d after = along;
  if (next >= 0 && !joints_[next].bones.empty() && joints_[next].bones[0].length() > 1e-6) {
    after = joints_[next].bones[0].direction();
  }
  describe_bend(row, point, along, bone.tail, after, radius);
}

// What kind of joint it is, also relative to the one that heat likes best.
void CandidateFeatures::describe_joint(const View& view, int candidate, Row& row) const {
  const int joint = view.set.joints[candidate], top = view.top();
  const JointFacts& facts = joints_[joint];
  const double radius = facts.radius;
  const double length = std::max(facts.bones[view.sights[candidate].bone].length(), 1e-4);
  row.add(length);
  row.add(radius);
  row.add(clipped(radius / length));
  row.add(facts.parent < 0 ? 1 : 0);
  row.add(facts.children.empty() ? 1 : 0);
  row.add(static_cast<double>(std::min<std::size_t>(facts.children.size(), 5)));
  row.add(std::min(facts.depth, 10));
  row.add(facts.parent >= 0 ? clipped(std::log(radius / joints_[facts.parent].radius)) : 0);
  row.add(std::log(static_cast<double>(facts.chain_length)));
  row.add((facts.chain_place + 0.5) / facts.chain_length);
  row.add(clipped(std::log(edge_length_[view.vertex] / radius + 1e-2)));
  row.add(joint == top ? 1 : 0);
  row.add(facts.parent == top ? 1 : 0);
  row.add(joints_[top].parent == joint ? 1 : 0);
  row.add(tree_distance(joints_, joint, top));
  const BodySide side = facts.identity.side, top_side = joints_[top].identity.side;
  row.add(side != top_side && side != BodySide::centre && top_side != BodySide::centre ? 1 : 0);
  row.add_choice(role_group(facts.identity.role), role_feature_count);
}

void CandidateFeatures::describe(std::size_t vertex, const VertexCandidates& set, std::span<float> rows) const {
  View view{vertex, set, {}, 1e30};
  double entropy = 0;
  for (int c = 0; c < set.count; ++c) {
    view.sights[c] = look_at(vertex, set.joints[c]);
    view.nearest = std::min(view.nearest, view.sights[c].distance);
    if (set.heat[c] > 0) entropy -= set.heat[c] * std::log(set.heat[c]);
  }
  view.nearest = std::max(view.nearest, 1e-4);
  for (int c = 0; c < set.count; ++c) {
    Row row(rows.subspan(static_cast<std::size_t>(c) * candidate_feature_count, candidate_feature_count));
    describe_heat(view, c, row);
    describe_piece(view, c, row);
    describe_place(view, c, row);
    describe_joint(view, c, row);
    row.add(entropy);
    row.add(view.nearest);
    row.add(std::log(static_cast<double>(input_.bones.size())));
  }
}

}  // namespace sinew
