#include "sinew/weights/atlas/atlas_regions.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "sinew/base/cancellation.h"
#include "sinew/base/disjoint_sets.h"
#include "sinew/mesh/edges.h"
#include "sinew/mesh/geodesics.h"
#include "sinew/weights/heat/heat_sources.h"

namespace sinew {
namespace {

// A cut parts nothing when this share of its edges has both ends in one patch.
constexpr double failed_share = 0.1;
// A patch without cuts follows one joint when this share of its area sees that joint.
constexpr double clear_majority = 0.9;
// A patch that cuts give to several joints (the plane of each thigh runs through both legs of a pair of trousers) goes
// to one of them when it has this share of what they are seen by.
constexpr double undisputed = 0.75;

// A cut is believed when this share of what it takes away sees the joint or its descendants,
// and of what sees them is taken.
constexpr double least_agreement = 0.4;

std::uint64_t edge_key(std::uint32_t a, std::uint32_t b) {
  return (static_cast<std::uint64_t>(std::min(a, b)) << 32) | std::max(a, b);
}

std::vector<double> vertex_areas(const TriangleMesh& mesh) {
  std::vector<double> areas(mesh.vertex_count(), 1e-12);  // vertices without area still have a say
  for (const Triangle& t : mesh.triangles) {
    const Vec3d a = mesh.positions[t[0]].cast<double>(), b = mesh.positions[t[1]].cast<double>(),
                c = mesh.positions[t[2]].cast<double>();
    const double area = 0.5 * (b - a).cross(c - a).norm();
    for (std::uint32_t corner : t) areas[corner] += area / 3;
  }
  return areas;
}

// Gives every vertex a joint, step by step.
class Labelling {
 public:
  Labelling(const BindInput& input, const std::vector<int>& parents, const std::vector<AtlasCut>& cuts,
            const Progress& progress)
      : input_(input),
        parents_(parents),
        areas_(vertex_areas(input.mesh)),
        edges_(unique_edges(input.mesh.triangles)),
        joint_of_(input.vertex_count(), -1) {
    const HeatSources sources = find_heat_sources(input, progress);
    votes_.assign(input.vertex_count(), -1);
    for (std::size_t v = 0; v < votes_.size(); ++v) {
      if (sources.begin[v + 1] > sources.begin[v]) votes_[v] = sources.sources[sources.begin[v]].joint;
    }
    for (const AtlasCut& cut : cuts) {
      stop_if_cancelled();
      if (!agrees_with_votes(cut)) {
        refused_.insert({cut.component, cut.joint});
        continue;
      }
      cut_joints_.insert(cut.joint);
      cuts_.push_back(&cut);
    }
    for (const AtlasCut* cut : cuts_) {
      for (const CutCrossing& crossing : cut->crossings) {
        crossings_.try_emplace(edge_key(crossing.parent_vertex, crossing.child_vertex), crossing.point);
      }
    }
  }

  std::vector<int> joints() {
    label_patches();
    for (int round = 0; round < 20 && join_scattered(); ++round) stop_if_cancelled();
    return joint_of_;
  }

  // Where a boundary crosses an edge: on the cut, or half-way.
  Vec3f crossing(std::uint32_t a, std::uint32_t b) const {
    const auto found = crossings_.find(edge_key(a, b));
    if (found != crossings_.end()) return found->second;
    return 0.5f * (input_.mesh.positions[a] + input_.mesh.positions[b]);
  }

 private:
  struct Patch {
    std::vector<std::uint32_t> vertices;
    std::map<int, double> candidates;  // joint → area that sees it
    bool failed = false;               // a cut that should bound it does not part it from itself
  };

  void label_patches() {
    DisjointSets sets(input_.vertex_count());
    for (const Edge& edge : edges_) {
      if (!crossings_.count(edge_key(edge[0], edge[1]))) sets.join(edge[0], edge[1]);
    }
    std::map<std::uint32_t, Patch> patches;
    for (std::uint32_t v = 0; v < input_.vertex_count(); ++v) patches[sets.find(v)].vertices.push_back(v);
    for (const AtlasCut* kept : cuts_) {
      const AtlasCut& cut = *kept;
      std::map<std::uint32_t, std::size_t> not_parted;
      for (const CutCrossing& crossing : cut.crossings) {
        const std::uint32_t below = sets.find(crossing.parent_vertex), above = sets.find(crossing.child_vertex);
        patches[below].candidates.try_emplace(cut.parent, 0.0);
        patches[above].candidates.try_emplace(cut.joint, 0.0);
        if (below == above) ++not_parted[below];
      }
      for (const auto& [patch, count] : not_parted) {
        if (static_cast<double>(count) > failed_share * static_cast<double>(cut.crossings.size())) {
          patches[patch].failed = true;
        }
      }
    }
    for (auto& [root, patch] : patches) {
      stop_if_cancelled();
      add_uncut_joints(patch);
      label_patch(patch);
    }
  }

  bool is_below(int joint, int ancestor) const { return hangs_on(parents_, joint, ancestor); }

  // Whether what a cut takes away from its component is mostly what sees the joint or something that hangs on it, and
  // most of that. A thigh that begins deep inside the body of a dog has no such plane cut.
  bool agrees_with_votes(const AtlasCut& cut) const {
    std::unordered_set<std::uint64_t> crossed;
    for (const CutCrossing& crossing : cut.crossings) {
      crossed.insert(edge_key(crossing.parent_vertex, crossing.child_vertex));
    }
    std::vector<char> reached(input_.vertex_count(), 0);
    std::vector<std::uint32_t> open;
    const auto reach = [&](std::uint32_t v) {
      if (!reached[v]) {
        reached[v] = 1;
        open.push_back(v);
      }
    };
    for (const CutCrossing& crossing : cut.crossings) reach(crossing.child_vertex);
    double taken = 0, rightly = 0;
    while (!open.empty()) {
      const std::uint32_t v = open.back();
      open.pop_back();
      taken += areas_[v];
      if (is_below(votes_[v], cut.joint)) rightly += areas_[v];
      for (std::uint32_t n : surface_.neighbours(v)) {
        if (!crossed.count(edge_key(v, n))) reach(n);
      }
    }
    double all = 0;
    for (std::uint32_t v = 0; v < input_.vertex_count(); ++v) {
      if (input_.components.component_of[v] == cut.component && is_below(votes_[v], cut.joint)) all += areas_[v];
    }
    return rightly >= least_agreement * taken && rightly >= least_agreement * all;
  }

  // A joint without a cut bounds no patch, yet may drive part of one: where vertices see its bone.
  void add_uncut_joints(Patch& patch) const {
    if (patch.candidates.empty()) return;
    const std::uint32_t component = input_.components.component_of[patch.vertices[0]];
    for (std::uint32_t v : patch.vertices) {
      if (votes_[v] < 0 || !is_uncut(component, votes_[v])) continue;
      patch.candidates.try_emplace(votes_[v], 0.0);
      patch.failed = true;
    }
  }

  bool is_uncut(std::uint32_t component, int joint) const {
    return parents_[joint] >= 0 && (refused_.count({component, joint}) || !cut_joints_.count(joint));
  }

  void label_patch(Patch& patch) {
    const bool has_cuts = !patch.candidates.empty();
    double area = 0;
    for (std::uint32_t v : patch.vertices) {
      area += areas_[v];
      if (votes_[v] < 0) continue;
      if (!has_cuts) patch.candidates.try_emplace(votes_[v], 0.0);
      const auto candidate = patch.candidates.find(votes_[v]);
      if (candidate != patch.candidates.end()) candidate->second += areas_[v];
    }
    if (patch.candidates.empty()) {
      for (const Bone& bone : input_.bones) patch.candidates.try_emplace(bone.joint, 0.0);
      patch.failed = true;
    }
    const auto best = std::max_element(patch.candidates.begin(), patch.candidates.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    double claimed = best->second;  // by joints of other limbs: along one limb, the cut decides
    for (const auto& [joint, seen] : patch.candidates) {
      if (!is_below(joint, best->first) && !is_below(best->first, joint)) claimed += seen;
    }
    const double least = has_cuts ? undisputed * claimed : clear_majority * area;
    const bool one_joint = !patch.failed && best->second >= least;
    if (one_joint) {
      for (std::uint32_t v : patch.vertices) joint_of_[v] = best->first;
    } else {
      spread_votes(patch);
    }
  }

  // Each vertex follows the candidate it sees; the others follow the nearest vertex of the patch that does.
  void spread_votes(const Patch& patch) {
    std::vector<std::uint32_t> front;
    for (std::uint32_t v : patch.vertices) {
      if (!patch.candidates.count(votes_[v])) continue;
      joint_of_[v] = votes_[v];
      front.push_back(v);
    }
    for (std::size_t next = 0; next < front.size(); ++next) {
      const std::uint32_t v = front[next];
      for (std::uint32_t n : surface_.neighbours(v)) {
        if (joint_of_[n] >= 0 || crossings_.count(edge_key(v, n))) continue;
        joint_of_[n] = joint_of_[v];
        front.push_back(n);
      }
    }
    for (std::uint32_t v : patch.vertices) {
      if (joint_of_[v] < 0) joint_of_[v] = nearest_candidate(v, patch.candidates);
    }
  }

  int nearest_candidate(std::uint32_t vertex, const std::map<int, double>& candidates) const {
    const Vec3d p = input_.mesh.positions[vertex].cast<double>();
    double nearest = std::numeric_limits<double>::infinity();
    int joint = candidates.begin()->first;
    for (const Bone& bone : input_.bones) {
      if (!candidates.count(bone.joint)) continue;
      const double distance = closest_point_on_bone(bone, p).distance;
      if (distance < nearest) {
        nearest = distance;
        joint = bone.joint;
      }
    }
    return joint;
  }

  // Each joint keeps its largest connected set on each component. Returns whether anything changed.
  bool join_scattered() {
    DisjointSets sets(input_.vertex_count());
    for (const Edge& edge : edges_) {
      if (joint_of_[edge[0]] == joint_of_[edge[1]]) sets.join(edge[0], edge[1]);
    }
    std::unordered_map<std::uint32_t, double> area;
    for (std::uint32_t v = 0; v < input_.vertex_count(); ++v) area[sets.find(v)] += areas_[v];
    std::map<std::pair<std::uint32_t, int>, std::uint32_t> largest;  // (component, joint) → set
    for (std::uint32_t v = 0; v < input_.vertex_count(); ++v) {
      const std::uint32_t set = sets.find(v);
      const auto [entry, inserted] = largest.try_emplace({input_.components.component_of[v], joint_of_[v]}, set);
      if (area[set] > area[entry->second]) entry->second = set;
    }
    std::map<std::uint32_t, std::map<int, int>> neighbours;  // scattered set → joint → shared edges
    const auto is_scattered = [&](std::uint32_t v) {
      return largest.at({input_.components.component_of[v], joint_of_[v]}) != sets.find(v);
    };
    for (const Edge& edge : edges_) {
      if (joint_of_[edge[0]] == joint_of_[edge[1]]) continue;
      for (int end : {0, 1}) {
        if (is_scattered(edge[end])) ++neighbours[sets.find(edge[end])][joint_of_[edge[1 - end]]];
      }
    }
    std::unordered_map<std::uint32_t, int> moved;
    for (const auto& [set, shared] : neighbours) {
      moved[set] = std::max_element(shared.begin(), shared.end(), [](const auto& a, const auto& b) {
                     return a.second < b.second;
                   })->first;
    }
    if (moved.empty()) return false;
    for (std::uint32_t v = 0; v < input_.vertex_count(); ++v) {
      const auto target = moved.find(sets.find(v));
      if (target != moved.end()) joint_of_[v] = target->second;
    }
    return true;
  }

  const BindInput& input_;
  const std::vector<int>& parents_;
  GeodesicSolver surface_{input_.mesh.positions, input_.mesh.triangles};
  std::vector<const AtlasCut*> cuts_;  // those that agree with what the vertices see
  std::vector<double> areas_;
  std::vector<Edge> edges_;
  std::vector<int> votes_;     // per vertex: the joint of the bone it sees, or -1
  std::vector<int> joint_of_;  // per vertex: the answer
  std::unordered_map<std::uint64_t, Vec3f> crossings_;
  std::set<int> cut_joints_;                         // with a cut on any component
  std::set<std::pair<std::uint32_t, int>> refused_;  // (component, joint) whose cut does not agree
};

void number_regions(const BindInput& input, const std::vector<int>& joint_of, AtlasRegions& result) {
  std::map<std::pair<std::uint32_t, int>, std::uint32_t> numbers;
  result.region_of.resize(input.vertex_count());
  for (std::uint32_t v = 0; v < input.vertex_count(); ++v) {
    const std::uint32_t component = input.components.component_of[v];
    const auto [entry, inserted] =
        numbers.try_emplace({component, joint_of[v]}, static_cast<std::uint32_t>(result.regions.size()));
    if (inserted) result.regions.push_back({joint_of[v], component, 0});
    result.region_of[v] = entry->second;
    ++result.regions[entry->second].vertices;
  }
}

// The child of the two joints when one continues the other, otherwise the later one.
int deciding_joint(const std::vector<int>& parents, int a, int b) {
  for (int up = a; up >= 0; up = parents[up]) {
    if (up == b) return a;
  }
  for (int up = b; up >= 0; up = parents[up]) {
    if (up == a) return b;
  }
  return std::max(a, b);
}

void collect_boundaries(const BindInput& input, const Labelling& labelling, AtlasRegions& result) {
  std::map<std::array<std::uint32_t, 2>, AtlasBoundary> found;
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t triangle, const Vec3f& from, const Vec3f& to) {
    const std::array<std::uint32_t, 2> pair{std::min(a, b), std::max(a, b)};
    AtlasBoundary& boundary = found[pair];
    boundary.regions = pair;
    boundary.length += (to - from).cast<double>().norm();
    boundary.segments.push_back({triangle, from, to});
  };
  for (std::uint32_t t = 0; t < input.mesh.triangles.size(); ++t) {
    const Triangle& v = input.mesh.triangles[t];
    const std::array<std::uint32_t, 3> r{result.region_of[v[0]], result.region_of[v[1]], result.region_of[v[2]]};
    if (r[0] == r[1] && r[1] == r[2]) continue;
    if (r[0] != r[1] && r[1] != r[2] && r[2] != r[0]) {  // three regions meet in the middle
      const Vec3f middle =
          (input.mesh.positions[v[0]] + input.mesh.positions[v[1]] + input.mesh.positions[v[2]]) / 3.0f;
      for (int s = 0; s < 3; ++s) {
        add(r[s], r[(s + 1) % 3], t, labelling.crossing(v[s], v[(s + 1) % 3]), middle);
      }
      continue;
    }
    const int lone = r[1] == r[2] ? 0 : r[0] == r[2] ? 1 : 2;
    const int next = (lone + 1) % 3, last = (lone + 2) % 3;
    add(r[lone], r[next], t, labelling.crossing(v[lone], v[next]), labelling.crossing(v[lone], v[last]));
  }
  for (auto& [pair, boundary] : found) result.boundaries.push_back(std::move(boundary));
}

}  // namespace

AtlasRegions build_regions(const BindInput& input, const std::vector<int>& parents, const std::vector<AtlasCut>& cuts,
                           const Progress& progress) {
  AtlasRegions result;
  Labelling labelling(input, parents, cuts, progress);
  number_regions(input, labelling.joints(), result);
  collect_boundaries(input, labelling, result);
  for (AtlasBoundary& boundary : result.boundaries) {
    boundary.joint =
        deciding_joint(parents, result.regions[boundary.regions[0]].joint, result.regions[boundary.regions[1]].joint);
  }
  return result;
}

}  // namespace sinew
