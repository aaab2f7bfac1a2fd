#include "tests/support/damage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <set>

#include "sinew/base/random.h"
#include "sinew/check/bend_shape.h"
#include "sinew/check/checked_skin.h"
#include "sinew/check/mirrored_skin.h"

namespace sinew::test {
namespace {

constexpr double least_offset = 0.03;  // of the diagonal: what anybody sees
constexpr int attempts = 60;

class Breaker {
 public:
  Breaker(const Character& character, DamageKind kind, std::uint64_t seed)
      : skin_(make_checked_skin(character)), random_(Random::stream(seed, static_cast<std::uint64_t>(kind))) {}

  std::optional<DamagedSkin> run(DamageKind kind) {
    for (int attempt = 0; attempt < attempts; ++attempt) {
      changed_.clear();
      copies_.clear();
      joint_ = -1;
      if (try_once(kind) && shows(kind)) return result();
    }
    return std::nullopt;
  }

 private:
  bool try_once(DamageKind kind) {
    switch (kind) {
      case DamageKind::bleed:
        return bleed();
      case DamageKind::island:
        return island();
      case DamageKind::unweighted:
        return unweighted();
      case DamageKind::split_seam:
        return split_seam();
      case DamageKind::noise:
        return noise();
      case DamageKind::swapped_sides:
        return swapped_sides();
      case DamageKind::over_smoothed:
        return over_smoothed();
      case DamageKind::hard_border:
        return hard_border();
      case DamageKind::rigid_blended:
        return rigid_blended();
      case DamageKind::many_influences:
        return many_influences();
      case DamageKind::merged_joint:
        return merged_joint();
      case DamageKind::spikes:
        return spikes();
    }
    return false;
  }

  std::uint32_t any_vertex() {
    for (;;) {
      const std::uint32_t vertex = static_cast<std::uint32_t>(random_.below(skin_.vertex_count()));
      if (skin_.is_weighted(vertex)) return vertex;
    }
  }

  // Weighted vertices within `radius` along the edges, with their distances.
  std::map<std::uint32_t, double> patch(std::uint32_t centre, double radius) const {
    std::map<std::uint32_t, double> reached;
    std::priority_queue<std::pair<double, std::uint32_t>, std::vector<std::pair<double, std::uint32_t>>, std::greater<>>
        queue;
    queue.emplace(0.0, centre);
    while (!queue.empty()) {
      const auto [distance, vertex] = queue.top();
      queue.pop();
      if (!reached.emplace(vertex, distance).second) continue;
      for (const std::uint32_t other : skin_.neighbours[vertex]) {
        const double further = distance + (skin_.position(other) - skin_.position(vertex)).norm();
        if (further < radius && skin_.is_weighted(other)) queue.emplace(further, other);
      }
    }
    return reached;
  }

  std::map<std::uint32_t, double> random_patch(double smallest, double largest, std::size_t fewest) {
    double radius = random_.uniform(smallest, largest) * skin_.diagonal;
    std::map<std::uint32_t, double> found = patch(any_vertex(), radius);
    return found.size() < fewest || is_most_of_a_piece(found) ? std::map<std::uint32_t, double>() : found;
  }

  bool is_most_of_a_piece(const std::map<std::uint32_t, double>& vertices) const {
    const std::uint32_t piece = skin_.pieces.component_of[vertices.begin()->first];
    const auto size = std::count(skin_.pieces.component_of.begin(), skin_.pieces.component_of.end(), piece);
    return 2 * vertices.size() > static_cast<std::size_t>(size);
  }

  int depth_apart(int a, int b) const {
    const std::vector<int>& parents = skin_.character.skeleton.parents;
    std::map<int, int> above;
    for (int joint = a, steps = 0; joint >= 0; joint = parents[static_cast<std::size_t>(joint)]) above[joint] = steps++;
    for (int joint = b, steps = 0; joint >= 0; joint = parents[static_cast<std::size_t>(joint)], ++steps) {
      if (above.contains(joint)) return above[joint] + steps;
    }
    return 1000;
  }

  double bone_distance(int joint, const Vec3d& point) const {
    double nearest = 1e300;
    for (const int bone : skin_.bones_of_joint[static_cast<std::size_t>(joint)])
      nearest = std::min(nearest, closest_point_on_bone(skin_.bones[static_cast<std::size_t>(bone)], point).distance);
    return nearest;
  }

  // A joint with weight elsewhere: at least three joints and `distance` of the diagonal away; -1: none.
  int far_joint(std::uint32_t from, double distance) {
    const int own = skin_.joints_at(from)[0];
    std::vector<int> far;
    for (int joint = 0; joint < skin_.joint_count(); ++joint) {
      if (!skin_.drives[static_cast<std::size_t>(joint)] ||
          skin_.poses_of_joint[static_cast<std::size_t>(joint)].empty())
        continue;
      if (depth_apart(own, joint) >= 3 && bone_distance(joint, skin_.position(from)) > distance * skin_.diagonal &&
          bone_distance(joint, skin_.position(from)) < 1e299)
        far.push_back(joint);
    }
    return far.empty() ? -1 : far[random_.below(far.size())];
  }

  static WeightList mixed(const WeightList& a, double share, const WeightList& b) {
    std::map<std::uint16_t, double> sum;
    for (const Influence& entry : a) sum[entry.joint] += (1 - share) * entry.weight;
    for (const Influence& entry : b) sum[entry.joint] += share * entry.weight;
    WeightList list;
    for (const auto& [joint, weight] : sum) {
      if (weight > 1e-5) list.push_back({joint, weight});
    }
    return list;
  }

  static WeightList only(int joint) { return {{static_cast<std::uint16_t>(joint), 1.0}}; }

  bool bleed() {
    const auto vertices = random_patch(0.06, 0.12, 8);
    if (vertices.empty()) return false;
    const double radius = std::max_element(vertices.begin(), vertices.end(), [](const auto& a, const auto& b) {
                            return a.second < b.second;
                          })->second;
    const auto centre = std::min_element(vertices.begin(), vertices.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
    joint_ = far_joint(centre->first, 0.2);
    if (joint_ < 0 || radius <= 0) return false;
    const double peak = random_.uniform(0.4, 0.9);
    for (const auto& [vertex, distance] : vertices) {
      const double t = 1 - distance / (1.05 * radius);
      changed_[vertex] = mixed(weights_of(skin_, vertex), peak * t * t * (3 - 2 * t), only(joint_));
    }
    return true;
  }

  bool island() {
    const auto vertices = random_patch(0.03, 0.07, 3);
    if (vertices.empty()) return false;
    joint_ = far_joint(vertices.begin()->first, 0.15);
    if (joint_ < 0) return false;
    for (const auto& [vertex, distance] : vertices) changed_[vertex] = only(joint_);
    return true;
  }

  bool unweighted() {
    const auto vertices = random_patch(0.02, 0.1, 1);
    for (const auto& [vertex, distance] : vertices) changed_[vertex] = {};
    return !vertices.empty();
  }

  // A child or the parent of a joint that has weight: what somebody would paint by mistake.
  int next_joint(int joint) {
    const std::vector<int>& parents = skin_.character.skeleton.parents;
    std::vector<int> next;
    for (int other = 0; other < skin_.joint_count(); ++other) {
      const bool near =
          parents[static_cast<std::size_t>(other)] == joint || parents[static_cast<std::size_t>(joint)] == other;
      if (near && skin_.drives[static_cast<std::size_t>(other)]) next.push_back(other);
    }
    return next.empty() ? -1 : next[random_.below(next.size())];
  }

  bool split_seam() {
    // Copies that triangles use, in connected components of the triangles as the file has them: sides of seams.
    const TriangleMesh& mesh = skin_.character.mesh;
    const Components sides = connected_components(mesh.vertex_count(), mesh.triangles);
    const std::uint32_t centre = any_vertex();
    if (skin_.copies[centre].size() < 2) return false;
    const std::uint32_t side = sides.component_of[skin_.copies[centre][0]];
    const double share = random_.uniform(0.4, 0.9);
    int other = -1;
    for (const auto& [vertex, distance] : patch(centre, random_.uniform(0.05, 0.15) * skin_.diagonal)) {
      const auto copies = skin_.copies[vertex];
      const auto here = std::count_if(copies.begin(), copies.end(),
                                      [&](std::uint32_t copy) { return sides.component_of[copy] == side; });
      if (here == 0 || static_cast<std::size_t>(here) == copies.size()) continue;
      if (other < 0) other = next_joint(skin_.joints_at(vertex)[0]);
      if (other < 0) return false;
      for (const std::uint32_t copy : copies) {
        if (sides.component_of[copy] == side) copies_[copy] = mixed(weights_of(skin_, vertex), share, only(other));
      }
      changed_[vertex] = mixed(weights_of(skin_, vertex), share, only(other));
    }
    joint_ = other;
    return copies_.size() >= 3;
  }

  bool noise() {
    const auto vertices = random_patch(0.08, 0.2, 20);
    if (vertices.empty()) return false;
    std::vector<int> palette;
    for (const auto& [vertex, distance] : vertices) {
      const int strongest = skin_.joints_at(vertex)[0];
      for (const int joint : {strongest, next_joint(strongest)}) {
        if (joint >= 0 && std::find(palette.begin(), palette.end(), joint) == palette.end()) palette.push_back(joint);
      }
      if (palette.size() > 3) break;
    }
    if (palette.size() < 2) return false;
    for (const auto& [vertex, distance] : vertices) {
      const int joint = palette[random_.below(palette.size())];
      changed_[vertex] = mixed(weights_of(skin_, vertex), random_.uniform(0, 0.6), only(joint));
    }
    joint_ = palette.front();
    return true;
  }

  bool swapped_sides() {
    const std::vector<JointIdentity>& roles = skin_.roles;
    std::vector<int> limbs;
    for (int joint = 0; joint < skin_.joint_count(); ++joint) {
      const JointRole role = roles[static_cast<std::size_t>(joint)].role;
      if (role == JointRole::upper_arm || role == JointRole::thigh || role == JointRole::hand ||
          role == JointRole::foot || role == JointRole::forearm || role == JointRole::shin)
        limbs.push_back(joint);
    }
    if (limbs.empty()) return false;
    joint_ = limbs[random_.below(limbs.size())];
    std::map<int, int> image;
    for (const int below : skin_.below[static_cast<std::size_t>(joint_)]) {
      JointIdentity wanted = roles[static_cast<std::size_t>(below)];
      if (wanted.side == BodySide::centre) continue;
      wanted.side = wanted.side == BodySide::left ? BodySide::right : BodySide::left;
      const auto found = std::find(roles.begin(), roles.end(), wanted);
      if (found != roles.end()) image[below] = static_cast<int>(found - roles.begin());
    }
    if (!image.contains(joint_)) return false;
    for (std::uint32_t vertex = 0; vertex < skin_.vertex_count(); ++vertex) {
      WeightList list = weights_of(skin_, vertex), swapped;
      bool any = false;
      for (Influence& entry : list) {
        const auto other = image.find(entry.joint);
        if (other != image.end() && entry.weight > 0.01)
          any = true, entry.joint = static_cast<std::uint16_t>(other->second);
      }
      if (any) changed_[vertex] = mixed(list, 0, {});
    }
    return !changed_.empty();
  }

  // A joint with a pose whose share blends or changes over enough vertices.
  int bending_joint() {
    std::vector<int> joints;
    for (int joint = 0; joint < skin_.joint_count(); ++joint) {
      const int parent = skin_.character.skeleton.parents[static_cast<std::size_t>(joint)];
      if (parent < 0 || !skin_.drives[static_cast<std::size_t>(joint)] ||
          !skin_.drives[static_cast<std::size_t>(parent)] ||
          skin_.poses_of_joint[static_cast<std::size_t>(joint)].empty())
        continue;
      joints.push_back(joint);
    }
    return joints.empty() ? -1 : joints[random_.below(joints.size())];
  }

  bool over_smoothed() {
    joint_ = bending_joint();
    if (joint_ < 0) return false;
    const JointRole role = skin_.roles[static_cast<std::size_t>(joint_)].role;
    if (role != JointRole::forearm && role != JointRole::shin && role != JointRole::upper_arm &&
        role != JointRole::thigh && role != JointRole::hand && role != JointRole::foot)
      return false;
    const double reach =
        1.2 * (skin_.character.skeleton.position(joint_) -
               skin_.character.skeleton.position(skin_.character.skeleton.parents[static_cast<std::size_t>(joint_)]))
                  .norm();
    const std::vector<float> shares = shares_of(skin_, joint_);
    std::vector<std::uint32_t> region;
    for (std::uint32_t vertex = 0; vertex < skin_.vertex_count(); ++vertex) {
      const bool near = (skin_.position(vertex) - skin_.character.skeleton.position(joint_)).norm() < reach;
      const bool limb =
          shares[vertex] > 0.05 ||
          skin_.weights.weight_of(vertex, skin_.character.skeleton.parents[static_cast<std::size_t>(joint_)]) > 0.3;
      if (near && limb && skin_.is_weighted(vertex)) region.push_back(vertex);
    }
    if (region.size() < 20) return false;
    smooth(region);
    return !changed_.empty();
  }

  // Means of neighbours, again and again, until some vertex is off by twice what shows.
  void smooth(const std::vector<std::uint32_t>& region) {
    std::map<std::uint16_t, int> columns;
    std::vector<int> row(skin_.vertex_count(), -1);
    for (std::size_t i = 0; i < region.size(); ++i) {
      row[region[i]] = static_cast<int>(i);
      for (const Influence& entry : weights_of(skin_, region[i])) columns.try_emplace(entry.joint, 0);
    }
    int next_column = 0;
    for (auto& [joint, column] : columns) column = next_column++;
    Eigen::MatrixXd current = Eigen::MatrixXd::Zero(static_cast<int>(region.size()), next_column), next = current;
    for (const std::uint32_t vertex : region) {
      for (const Influence& entry : weights_of(skin_, vertex))
        current(row[vertex], columns[entry.joint]) = entry.weight;
    }
    const auto list_at = [&](std::uint32_t vertex) {
      WeightList list;
      for (const auto& [joint, column] : columns) {
        if (current(row[vertex], column) >= 0.01) list.push_back({joint, current(row[vertex], column)});
      }
      return list;
    };
    for (int round = 0; round < 300; ++round) {
      for (const std::uint32_t vertex : region) {
        Eigen::RowVectorXd sum = current.row(row[vertex]);
        double count = 1;
        for (const std::uint32_t other : skin_.neighbours[vertex]) {
          if (row[other] >= 0) sum += current.row(row[other]), ++count;
        }
        next.row(row[vertex]) = sum / count;
      }
      current.swap(next);
      if (round % 8) continue;
      double worst = 0;
      for (const std::uint32_t vertex : region) {
        const WeightList change = difference(list_at(vertex), weights_of(skin_, vertex));
        worst = std::max(worst, worst_offset(skin_, skin_.position(vertex), change).distance);
      }
      if (worst > 2 * least_offset) break;
    }
    for (const std::uint32_t vertex : region) {
      const WeightList list = list_at(vertex);
      if (magnitude(difference(list, weights_of(skin_, vertex))) > 0.01) changed_[vertex] = list;
    }
  }

  bool hard_border() {
    joint_ = bending_joint();
    if (joint_ < 0) return false;
    const std::vector<float> shares = shares_of(skin_, joint_);
    for (std::uint32_t vertex = 0; vertex < skin_.vertex_count(); ++vertex) {
      if (shares[vertex] < 0.02f || shares[vertex] > 0.98f || skin_.weights_at(vertex)[0] > 0.98f) continue;
      changed_[vertex] = only(skin_.joints_at(vertex)[0]);
    }
    // Coarse limbs are bound like this by artists: edges about as long as the limb is thick cannot blend.
    const std::optional<BendShape> shape = measure_bend(skin_, joint_);
    return changed_.size() >= 24 && shape && shape->edge < 0.5 * shape->radius && shape->hard < 0.5;
  }

  bool rigid_blended() {
    std::vector<std::vector<std::uint32_t>> pieces(skin_.pieces.count);
    for (std::uint32_t vertex = 0; vertex < skin_.vertex_count(); ++vertex)
      pieces[skin_.pieces.component_of[vertex]].push_back(vertex);
    if (pieces.size() < 3) return false;
    const std::vector<std::uint32_t>& piece = pieces[random_.below(pieces.size())];
    AABBd box;
    for (const std::uint32_t vertex : piece) {
      box.extend(skin_.position(vertex));
      if (!skin_.is_weighted(vertex) ||
          magnitude(difference(weights_of(skin_, vertex), weights_of(skin_, piece.front()))) > 0.02)
        return false;
    }
    if (piece.size() < 8 || box.diagonal().norm() > 0.3 * skin_.diagonal) return false;
    const int other = next_joint(skin_.joints_at(piece.front())[0]);
    if (other < 0) return false;
    joint_ = skin_.joints_at(piece.front())[0];
    int axis = 0;
    box.sizes().maxCoeff(&axis);
    const double peak = random_.uniform(0.5, 0.9);
    for (const std::uint32_t vertex : piece) {
      const double along = (skin_.position(vertex)[axis] - box.min()[axis]) / box.sizes()[axis];
      changed_[vertex] = mixed(weights_of(skin_, vertex), peak * along, only(other));
    }
    return true;
  }

  bool many_influences() {
    std::vector<int> driving;
    for (int joint = 0; joint < skin_.joint_count(); ++joint) {
      if (skin_.drives[static_cast<std::size_t>(joint)]) driving.push_back(joint);
    }
    if (driving.size() < 12) return false;
    const auto vertices = random_patch(0.1, 0.25, 8);
    for (const auto& [vertex, distance] : vertices) {
      std::vector<int> near = driving;
      const int own = skin_.joints_at(vertex)[0];
      std::stable_sort(near.begin(), near.end(),
                       [&](int a, int b) { return depth_apart(own, a) < depth_apart(own, b); });
      WeightList extra;
      for (std::size_t i = 0; i < 12; ++i) extra.push_back({static_cast<std::uint16_t>(near[i]), 1.0 / 12});
      changed_[vertex] = mixed(weights_of(skin_, vertex), 0.15, extra);
    }
    return !vertices.empty();
  }

  bool merged_joint() {
    joint_ = bending_joint();
    if (joint_ < 0) return false;
    const int parent = skin_.character.skeleton.parents[static_cast<std::size_t>(joint_)];
    for (std::uint32_t vertex = 0; vertex < skin_.vertex_count(); ++vertex) {
      const double weight = skin_.weights.weight_of(vertex, joint_);
      if (weight <= 0) continue;
      WeightList list = weights_of(skin_, vertex);
      for (Influence& entry : list) {
        if (entry.joint == joint_) entry.joint = static_cast<std::uint16_t>(parent);
      }
      changed_[vertex] = mixed(list, 0, {});
    }
    return changed_.size() >= std::max<std::size_t>(8, skin_.vertex_count() / 100);
  }

  bool spikes() {
    const std::uint64_t count = 1 + random_.below(4);
    const std::uint32_t centre = any_vertex();
    joint_ = far_joint(centre, 0.15);
    if (joint_ < 0) return false;
    const double share = random_.uniform(0.6, 1.0);
    const auto around = patch(centre, 0.1 * skin_.diagonal);
    for (const auto& [vertex, distance] : around) {
      if (changed_.size() >= count) break;
      const auto neighbours = skin_.neighbours[vertex];
      const bool beside = std::any_of(neighbours.begin(), neighbours.end(),
                                      [&](std::uint32_t other) { return changed_.contains(other); });
      if (!beside && neighbours.size() >= 3) changed_[vertex] = mixed(weights_of(skin_, vertex), share, only(joint_));
    }
    return !changed_.empty();
  }

  // Whether a person would see it.
  bool shows(DamageKind kind) const {
    if (kind == DamageKind::many_influences) return !changed_.empty();
    for (const auto& [vertex, list] : changed_) {
      const WeightList change = difference(list, weights_of(skin_, vertex));
      if (worst_offset(skin_, skin_.position(vertex), change).distance >= least_offset) return true;
    }
    return false;
  }

  DamagedSkin result() const {
    std::size_t slots = static_cast<std::size_t>(skin_.character.weights.influences);
    for (const auto& [vertex, list] : changed_) slots = std::max(slots, list.size());
    DamagedSkin damaged;
    damaged.weights = with_influences(skin_.character.weights, static_cast<int>(slots));
    const auto write = [&](std::uint32_t vertex, const WeightList& list) {
      damaged.vertices.push_back(vertex);
      if (set_influences(damaged.weights, vertex, list)) return;
      for (std::size_t slot = vertex * slots; slot < (vertex + 1) * slots; ++slot)
        damaged.weights.joints[slot] = 0, damaged.weights.weights[slot] = 0;
    };
    if (!copies_.empty()) {
      for (const auto& [copy, list] : copies_) write(copy, list);
    } else {
      for (const auto& [vertex, list] : changed_) {
        for (const std::uint32_t copy : skin_.copies[vertex]) write(copy, list);
      }
    }
    std::sort(damaged.vertices.begin(), damaged.vertices.end());
    damaged.joint = joint_;
    return damaged;
  }

  CheckedSkin skin_;
  Random random_;
  std::map<std::uint32_t, WeightList> changed_;  // by vertex of the skin
  std::map<std::uint32_t, WeightList> copies_;   // by vertex of the character, where copies differ
  int joint_ = -1;
};

constexpr std::array damage_names = {"bleed",         "island",          "unweighted",    "split-seam",
                                     "noise",         "swapped-sides",   "over-smoothed", "hard-border",
                                     "rigid-blended", "many-influences", "merged-joint",  "spikes"};

}  // namespace

std::vector<DamageKind> all_damage_kinds() {
  std::vector<DamageKind> kinds;
  for (std::size_t i = 0; i < damage_names.size(); ++i) kinds.push_back(static_cast<DamageKind>(i));
  return kinds;
}

std::string_view damage_name(DamageKind kind) { return damage_names[static_cast<std::size_t>(kind)]; }

std::optional<DamagedSkin> damage_skin(const Character& character, DamageKind kind, std::uint64_t seed) {
  return Breaker(character, kind, seed).run(kind);
}

}  // namespace sinew::test
