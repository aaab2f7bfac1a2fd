#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "sinew/base/sparse_cholesky.h"
#include "sinew/check/repairs.h"
#include "sinew/mesh/weld.h"

namespace sinew {
namespace {

constexpr double faint_weight = 0.004;      // influences below this are left out of new weights
constexpr double enough_left = 0.08;        // of a vertex's weight, to go by when a joint is taken away
constexpr int rounds_within = 6;            // of bringing weights within those around
constexpr double sticks_out = 0.02;         // half L1 distance to what is within
constexpr double tie_to_neighbours = 0.02;  // of gradients beside squared Laplacians, so that nothing floats

WeightList normalised(WeightList list) {
  std::erase_if(list, [](const Influence& entry) { return !(entry.weight > faint_weight); });
  double sum = 0;
  for (const Influence& entry : list) sum += entry.weight;
  for (Influence& entry : list) entry.weight /= sum;
  return list;
}

std::string vertices_text(std::size_t count) { return std::to_string(count) + (count == 1 ? " vertex" : " vertices"); }

// What is smooth over the region: the weights, or what they differ by from a guide.
WeightList known_at(const CheckedSkin& skin, const SkinWeights* guide, std::uint32_t vertex) {
  return guide ? difference(weights_of(skin, vertex), weights_of(*guide, vertex)) : weights_of(skin, vertex);
}

// Free vertices in one row each, and the weighted ones around them.
struct FillProblem {
  const SkinWeights* guide = nullptr;
  std::vector<int> row{};  // per vertex: -1 for known ones
  std::vector<std::uint32_t> free{};
  std::map<std::uint16_t, int> columns{};  // of the joints that known neighbours or the guide have
};

FillProblem make_problem(const CheckedSkin& skin, const std::vector<std::uint32_t>& vertices,
                         const SkinWeights* guide) {
  FillProblem problem{.guide = guide};
  problem.row.assign(skin.vertex_count(), -1);
  std::vector<char> wanted(skin.vertex_count(), 0), reached(skin.vertex_count(), 0);
  for (const std::uint32_t vertex : vertices) wanted[vertex] = 1;
  // Only what hangs together with known weights can be filled from them.
  std::vector<std::uint32_t> front;
  for (const std::uint32_t vertex : vertices) {
    for (const std::uint32_t other : skin.neighbours[vertex]) {
      if (!wanted[other] && skin.is_weighted(other) && !reached[vertex]) reached[vertex] = 1, front.push_back(vertex);
    }
  }
  for (std::size_t i = 0; i < front.size(); ++i) {
    for (const std::uint32_t other : skin.neighbours[front[i]]) {
      if (wanted[other] && !reached[other]) reached[other] = 1, front.push_back(other);
    }
  }
  for (const std::uint32_t vertex : vertices) {
    if (!reached[vertex]) continue;
    problem.row[vertex] = static_cast<int>(problem.free.size());
    problem.free.push_back(vertex);
    const auto add_joints = [&](const WeightList& list) {
      for (const Influence& entry : list) problem.columns.try_emplace(entry.joint, 0);
    };
    if (guide) add_joints(weights_of(*guide, vertex));
    for (const std::uint32_t other : skin.neighbours[vertex]) {
      if (wanted[other]) continue;
      add_joints(known_at(skin, guide, other));
      for (const std::uint32_t next : skin.neighbours[other]) {
        if (!wanted[next]) add_joints(known_at(skin, guide, next));
      }
    }
  }
  int column = 0;
  for (auto& [joint, own] : problem.columns) own = column++;
  return problem;
}

// Adds the square of one linear condition, Σ coefficient · weight = 0, to the normal equations.
class NormalEquations {
 public:
  NormalEquations(const CheckedSkin& skin, const FillProblem& problem)
      : skin_(skin),
        problem_(problem),
        right_(Eigen::MatrixXd::Zero(static_cast<int>(problem.free.size()), static_cast<int>(problem.columns.size()))) {
  }

  void add(const std::vector<std::pair<std::uint32_t, double>>& condition, double weight) {
    Eigen::RowVectorXd known = Eigen::RowVectorXd::Zero(right_.cols());
    for (const auto& [vertex, coefficient] : condition) {
      if (problem_.row[vertex] >= 0) continue;
      for (const Influence& entry : known_at(skin_, problem_.guide, vertex)) {
        const auto column = problem_.columns.find(entry.joint);
        if (column != problem_.columns.end()) known[column->second] += coefficient * entry.weight;
      }
    }
    for (const auto& [a, coefficient] : condition) {
      const int row = problem_.row[a];
      if (row < 0) continue;
      right_.row(row) -= weight * coefficient * known;
      for (const auto& [b, other] : condition) {
        if (problem_.row[b] >= 0 && problem_.row[b] <= row)
          entries_.emplace_back(row, problem_.row[b], weight * coefficient * other);
      }
    }
  }

  Eigen::MatrixXd solve() const {
    Eigen::SparseMatrix<double> matrix(right_.rows(), right_.rows());
    matrix.setFromTriplets(entries_.begin(), entries_.end());
    const SparseCholesky factor(matrix);
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(right_.rows(), right_.cols());
    if (!factor.succeeded()) return result;
    for (int column = 0; column < right_.cols(); ++column) result.col(column) = factor.solve(right_.col(column));
    return result;
  }

 private:
  const CheckedSkin& skin_;
  const FillProblem& problem_;
  std::vector<Eigen::Triplet<double>> entries_;
  Eigen::MatrixXd right_;
};

double conductance(const CheckedSkin& skin, std::uint32_t a, std::uint32_t b) {
  return 1 / std::max((skin.position(a) - skin.position(b)).norm(), 1e-6 * skin.diagonal);
}

void add_conditions(const CheckedSkin& skin, const FillProblem& problem, bool rounded, NormalEquations& equations) {
  for (const std::uint32_t vertex : problem.free) {
    for (const std::uint32_t other : skin.neighbours[vertex]) {
      if (!skin.is_weighted(other) && problem.row[other] < 0) continue;
      if (problem.row[other] >= 0 && other < vertex) continue;
      const double weight = (rounded ? tie_to_neighbours : 1.0) * conductance(skin, vertex, other) * skin.diagonal;
      equations.add({{vertex, 1.0}, {other, -1.0}}, weight);
    }
  }
  if (!rounded) return;
  std::vector<std::uint32_t> centres = problem.free;
  for (const std::uint32_t vertex : problem.free) {
    for (const std::uint32_t other : skin.neighbours[vertex]) {
      if (problem.row[other] < 0 && skin.is_weighted(other)) centres.push_back(other);
    }
  }
  std::sort(centres.begin(), centres.end());
  centres.erase(std::unique(centres.begin(), centres.end()), centres.end());
  for (const std::uint32_t centre : centres) {
    std::vector<std::pair<std::uint32_t, double>> condition;
    double sum = 0;
    bool whole = true;
    for (const std::uint32_t other : skin.neighbours[centre]) {
      whole = whole && (problem.row[other] >= 0 || skin.is_weighted(other));
      condition.emplace_back(other, -conductance(skin, centre, other));
      sum += conductance(skin, centre, other);
    }
    if (!whole || condition.empty()) continue;
    for (auto& [vertex, coefficient] : condition) coefficient /= sum;
    condition.emplace_back(centre, 1.0);
    equations.add(condition, 10.0);
  }
}

}  // namespace

Cure fill(const CheckedSkin& skin, const std::vector<std::uint32_t>& free, bool rounded, const SkinWeights* guide) {
  Cure cure{"gave " + vertices_text(free.size()) + " weights that go on from those around them", {}};
  if (guide) cure.how = "bound " + vertices_text(free.size()) + " anew by bone heat, joined to the weights around them";
  const FillProblem problem = make_problem(skin, free, guide);
  if (!problem.free.empty()) {
    NormalEquations equations(skin, problem);
    add_conditions(skin, problem, rounded, equations);
    const Eigen::MatrixXd solution = equations.solve();
    for (const std::uint32_t vertex : problem.free) {
      WeightList list;
      for (const auto& [joint, column] : problem.columns) {
        const double guided = guide ? guide->weight_of(vertex, joint) : 0.0;
        list.push_back({joint, guided + solution(problem.row[vertex], column)});
      }
      list = normalised(std::move(list));
      if (!list.empty()) cure.weights[vertex] = std::move(list);
    }
  }
  // A piece without any weight follows what is nearest to it, as one.
  std::vector<char> in(skin.vertex_count(), 0);
  for (const std::uint32_t vertex : free) in[vertex] = !cure.weights.contains(vertex);
  for (const std::vector<std::uint32_t>& group : connected_groups(skin, in)) {
    double nearest = 1e300;
    std::uint32_t model = 0;
    for (std::uint32_t other = 0; other < skin.vertex_count(); ++other) {
      if (in[other] || !skin.is_weighted(other)) continue;
      const double distance = (skin.position(other) - skin.position(group.front())).squaredNorm();
      if (distance < nearest) nearest = distance, model = other;
    }
    if (nearest == 1e300) continue;
    for (const std::uint32_t vertex : group) cure.weights[vertex] = normalised(weights_of(skin, model));
  }
  return cure;
}

Cure without_joint(const CheckedSkin& skin, const std::vector<std::uint32_t>& region, int joint) {
  std::vector<std::uint32_t> reached = region;
  std::vector<char> known(skin.vertex_count(), 0);
  for (const std::uint32_t vertex : region) known[vertex] = 1;
  const std::size_t most = 4 * region.size() + 64;  // a faint rest, not the way to where the joint belongs
  for (std::size_t i = 0; i < reached.size() && reached.size() < most; ++i) {
    for (const std::uint32_t other : skin.neighbours[reached[i]]) {
      if (known[other] || skin.weights.weight_of(other, joint) <= 0) continue;
      known[other] = 1;
      reached.push_back(other);
    }
  }
  if (reached.size() >= most) reached = region;
  Cure cure;
  std::vector<std::uint32_t> empty;
  for (const std::uint32_t vertex : reached) {
    WeightList list = weights_of(skin, vertex);
    std::erase_if(list, [&](const Influence& entry) { return entry.joint == joint; });
    double left = 0;
    for (const Influence& entry : list) left += entry.weight;
    if (left < enough_left) {
      empty.push_back(vertex);
    } else {
      for (Influence& entry : list) entry.weight /= left;
      cure.weights[vertex] = std::move(list);
    }
  }
  if (!empty.empty()) {
    std::sort(empty.begin(), empty.end());
    for (auto& [vertex, list] : fill(skin, empty, true).weights) cure.weights[vertex] = std::move(list);
  }
  cure.how = "took '" + skin.character.skeleton.names[static_cast<std::size_t>(joint)] + "' away from " +
             vertices_text(cure.weights.size());
  return cure;
}

Cure median(const CheckedSkin& skin, const std::vector<std::uint32_t>& region) {
  Cure cure{"took the middle of the weights around each of " + vertices_text(region.size()), {}};
  for (const std::uint32_t vertex : region) {
    std::vector<std::uint32_t> around = {vertex};
    for (const std::uint32_t other : skin.neighbours[vertex]) around.push_back(other);
    for (std::size_t i = 1, ring = around.size(); i < ring; ++i) {
      for (const std::uint32_t next : skin.neighbours[around[i]]) around.push_back(next);
    }
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    std::map<std::uint16_t, std::vector<double>> values;
    for (const std::uint32_t other : around) {
      for (const Influence& entry : weights_of(skin, other)) values[entry.joint].push_back(entry.weight);
    }
    WeightList list;
    for (auto& [joint, own] : values) {
      own.resize(around.size(), 0.0);
      std::nth_element(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2), own.end());
      list.push_back({joint, own[own.size() / 2]});
    }
    list = normalised(std::move(list));
    if (!list.empty()) cure.weights[vertex] = std::move(list);
  }
  return cure;
}

Cure within_neighbours(const CheckedSkin& skin, const std::vector<std::uint32_t>& region) {
  Cure cure{"brought the vertices that stick out of a region of " + vertices_text(region.size()) +
                " within the weights around them",
            {}};
  const auto now = [&](std::uint32_t vertex) {
    const auto changed = cure.weights.find(vertex);
    return changed == cure.weights.end() ? weights_of(skin, vertex) : changed->second;
  };
  for (int round = 0; round < rounds_within; ++round) {
    std::map<std::uint32_t, WeightList> next;
    for (const std::uint32_t vertex : region) {
      if (skin.neighbours[vertex].size() < 3) continue;
      std::map<std::uint16_t, std::pair<double, double>> range;  // around, by joint
      for (const Influence& entry : now(vertex)) range[entry.joint] = {1, 0};
      for (const std::uint32_t other : skin.neighbours[vertex]) {
        for (const Influence& entry : now(other)) range[entry.joint] = {1, 0};
      }
      for (const std::uint32_t other : skin.neighbours[vertex]) {
        const WeightList list = now(other);
        for (auto& [joint, ends] : range) {
          const auto found = std::find_if(list.begin(), list.end(),
                                          [wanted = joint](const Influence& entry) { return entry.joint == wanted; });
          const double weight = found == list.end() ? 0 : found->weight;
          ends = {std::min(ends.first, weight), std::max(ends.second, weight)};
        }
      }
      const WeightList own = now(vertex);
      WeightList list;
      for (const auto& [joint, ends] : range) {
        const auto found = std::find_if(own.begin(), own.end(),
                                        [wanted = joint](const Influence& entry) { return entry.joint == wanted; });
        list.push_back({joint, std::clamp(found == own.end() ? 0.0 : found->weight, ends.first, ends.second)});
      }
      list = normalised(std::move(list));
      if (!list.empty() && magnitude(difference(list, own)) > sticks_out) next[vertex] = std::move(list);
    }
    if (next.empty()) break;
    for (auto& [vertex, list] : next) cure.weights[vertex] = std::move(list);
  }
  return cure;
}

Cure closed_seam(const CheckedSkin& skin, const std::vector<std::uint32_t>& region, const Cure& expected) {
  const Weld weld = weld_positions(skin.mesh.positions, 1e-6 * skin.diagonal);
  std::map<std::uint32_t, std::vector<std::uint32_t>> places;
  for (const std::uint32_t vertex : region) places[weld.welded_of[vertex]].push_back(vertex);
  Cure cure{"gave the copies of " + std::to_string(places.size()) + " places of a seam the same weights", {}};
  for (const auto& place : places) {
    const std::vector<std::uint32_t>& copies = place.second;
    const auto distance = [&](std::uint32_t copy) {
      double sum = 0;
      for (const std::uint32_t other : copies) {
        const auto told = expected.weights.find(other);
        if (told != expected.weights.end()) sum += magnitude(difference(weights_of(skin, copy), told->second));
      }
      return sum;
    };
    const std::uint32_t best = *std::min_element(
        copies.begin(), copies.end(), [&](std::uint32_t a, std::uint32_t b) { return distance(a) < distance(b); });
    for (const std::uint32_t copy : copies) cure.weights[copy] = weights_of(skin, best);
  }
  return cure;
}

Cure rigid(const CheckedSkin& skin, const std::vector<std::uint32_t>& piece) {
  // What the piece was blended with is the joint whose weight varies most; where it is weakest, the rest is untouched.
  std::map<std::uint16_t, std::pair<double, double>> range;
  for (const Influence& entry : mean_weights(skin, piece)) range[entry.joint] = {1, 0};
  for (auto& [joint, ends] : range) {
    for (const std::uint32_t vertex : piece) {
      const double weight = skin.weights.weight_of(vertex, joint);
      ends = {std::min(ends.first, weight), std::max(ends.second, weight)};
    }
  }
  const WeightList mean = mean_weights(skin, piece);
  int varies = -1;
  double most = 0;
  for (const auto& [joint, ends] : range) {
    // The intruder is the weaker of the two that vary.
    const auto own = std::find_if(mean.begin(), mean.end(),
                                  [wanted = joint](const Influence& entry) { return entry.joint == wanted; });
    const double score = (ends.second - ends.first) * (1 - 0.5 * own->weight);
    if (score > most) most = score, varies = joint;
  }
  Cure cure{"gave a piece of " + vertices_text(piece.size()) + " the same weights everywhere", {}};
  if (varies < 0) return cure;
  const std::uint32_t model = *std::min_element(piece.begin(), piece.end(), [&](std::uint32_t a, std::uint32_t b) {
    return skin.weights.weight_of(a, varies) < skin.weights.weight_of(b, varies);
  });
  const WeightList list = normalised(weights_of(skin, model));
  if (list.empty()) return cure;
  for (const std::uint32_t vertex : piece) cure.weights[vertex] = list;
  return cure;
}

}  // namespace sinew
