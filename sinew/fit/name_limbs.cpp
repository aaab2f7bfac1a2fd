#include "sinew/fit/name_limbs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sinew {
namespace {

class LimbNamer {
 public:
  LimbNamer(const CurveSkeleton& curve, const CurvePaths& paths, const CreatureJoints& joints, const BodyFrame& frame)
      : curve_(curve), paths_(paths), joints_(joints), frame_(frame), kinds_(paths.paths.size()) {
    for (const CurveNode& node : curve.nodes) {
      const double height = node.position.dot(frame.up);
      ground_ = std::min(ground_, height - node.radius);
      top_ = std::max(top_, height + node.radius);
    }
  }

  std::vector<std::string> run() {
    for (std::size_t p = 1; p < kinds_.size(); ++p) {
      if (!joints_.along[p].empty()) kinds_[p] = kind_of(paths_.paths[p]);
    }
    std::vector<std::string> names(kinds_.size());
    std::set<std::string> used;
    const std::map<std::string, std::vector<std::vector<int>>> groups = groups_of_a_kind();
    for (const auto& [kind, rows] : groups) {
      for (std::size_t row = 0; row < rows.size(); ++row) {
        for (const int p : rows[row]) names[p] = kind + position_word(kind, row, rows.size()) + side_word(p);
      }
    }
    // What branches off a limb is named after it; parents precede their branches.
    std::map<std::string, int> counts;
    for (std::size_t p = 1; p < names.size(); ++p) {
      if (joints_.along[p].empty()) continue;
      const int above = limb_above(static_cast<int>(p));
      if (above > 0) {
        const std::string stem = names[above] + "_" + branch_word(kinds_[above]);
        names[p] = stem + "_" + std::to_string(++counts[stem]);
      }
      for (int next = 2; !used.insert(names[p]).second; ++next) names[p] = unnumbered(names[p]) + std::to_string(next);
    }
    return names;
  }

 private:
  Vec3d end_of(const CurvePath& path) const { return curve_.nodes[path.nodes.back()].position; }
  Vec3d base_of(const CurvePath& path) const { return curve_.nodes[path.nodes.front()].position; }

  // The nearest path above that has joints; the spine is 0.
  int limb_above(int p) const {
    int above = paths_.paths[p].parent;
    while (above > 0 && joints_.along[above].empty()) above = paths_.paths[above].parent;
    return above;
  }

  static std::string unnumbered(const std::string& name) {
    return name.substr(0, name.find_last_not_of("0123456789") + 1) + (std::isdigit(name.back()) ? "" : "_");
  }

  static std::string branch_word(const std::string& kind) {
    return kind == "leg" ? "toe" : kind == "arm" || kind == "wing" ? "finger" : "branch";
  }

  bool is_pair(const CurvePath& path) const { return path.mirror >= 0 && &paths_.paths[path.mirror] != &path; }

  std::string side_word(int p) const {
    const CurvePath& path = paths_.paths[p];
    if (path.mirror == p) return "";
    return (end_of(path) - curve_.nodes[0].position).dot(frame_.left) >= 0 ? "_L" : "_R";
  }

  std::string kind_of(const CurvePath& path) const {
    const std::vector<double>& spine = joints_.along[0];
    const double at = path.parent == 0 ? paths_.paths[0].along[path.at] : 0.0;
    const double height = std::max(top_ - ground_, 1e-12);
    const Vec3d away = end_of(path) - base_of(path);
    const double rise = away.dot(frame_.up) / std::max(away.norm(), 1e-12);
    const double end_height = (end_of(path).dot(frame_.up) - ground_) / height;
    const int body = joints_.tail_joints + joints_.trunk_joints;
    const bool on_head = body < static_cast<int>(spine.size()) && at > 0.5 * (spine[body - 1] + spine[body]);
    const bool central = curve_.symmetric && !is_pair(path);
    if (central) return on_head ? (rise > 0.3 ? "horn" : "snout") : rise > 0 ? "fin_top" : "fin_bottom";
    if (end_height < 0.2 && rise < -0.35) return "leg";
    if (on_head) return rise > 0 ? "ear" : "feeler";
    // Wings are thin for their length and reach out to the side.
    const double reach = std::abs(away.dot(frame_.left)) / std::max(away.norm(), 1e-12);
    double thickness = 0;
    int count = 0;
    for (std::size_t i = 0; i < path.nodes.size(); ++i) {
      if (path.along[i] < path.outside) continue;
      thickness += curve_.nodes[path.nodes[i]].radius;
      ++count;
    }
    const bool thin = count > 0 && thickness / count < 0.09 * path.free_length();
    return thin && reach > 0.5 && path.free_length() > 0.2 * curve_.diagonal ? "wing" : "arm";
  }

  // Paths on the spine by kind, in rows of left and right, front first.
  std::map<std::string, std::vector<std::vector<int>>> groups_of_a_kind() const {
    std::map<std::string, std::vector<std::vector<int>>> groups;
    std::vector<int> order;
    for (int p = 1; p < static_cast<int>(kinds_.size()); ++p) {
      if (!kinds_[p].empty() && limb_above(p) == 0) order.push_back(p);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return front_of(paths_.paths[a]) > front_of(paths_.paths[b]); });
    for (const int p : order) {
      std::vector<std::vector<int>>& rows = groups[kinds_[p]];
      const int image = paths_.paths[p].mirror;
      const auto same = std::find_if(rows.begin(), rows.end(), [&](const std::vector<int>& row) {
        return image >= 0
                   ? row.front() == image
                   : row.size() == 1 && paths_.paths[row.front()].mirror < 0 && side_word(row.front()) != side_word(p);
      });
      if (same != rows.end()) {
        same->push_back(p);
      } else {
        rows.push_back({p});
      }
    }
    return groups;
  }

  // How far in front: of the two that are mirror images exactly the same.
  double front_of(const CurvePath& path) const {
    return path.parent == 0 ? paths_.paths[0].along[path.at] + 1e-3 * path.free_length() : 0.0;
  }

  static std::string position_word(const std::string& kind, std::size_t row, std::size_t rows) {
    if (rows == 1) return "";
    if (rows == 2 && kind == "leg") return row == 0 ? "_front" : "_back";
    return "_" + std::to_string(row + 1);
  }

  const CurveSkeleton& curve_;
  const CurvePaths& paths_;
  const CreatureJoints& joints_;
  const BodyFrame& frame_;
  std::vector<std::string> kinds_;
  double ground_ = 1e300, top_ = -1e300;
};

}  // namespace

std::vector<std::string> name_limbs(const CurveSkeleton& curve, const CurvePaths& paths, const CreatureJoints& joints,
                                    const BodyFrame& frame) {
  return LimbNamer(curve, paths, joints, frame).run();
}

std::vector<std::string> name_spine(const CreatureJoints& joints) {
  const auto count = static_cast<int>(joints.along[0].size());
  const int body = joints.tail_joints + joints.trunk_joints;
  std::vector<std::string> names(joints.along[0].size());
  names[joints.root] = "root";
  int number = 0;
  for (int i = joints.root + 1; i < std::min(body, count); ++i) names[i] = "spine_" + std::to_string(++number);
  number = 0;
  for (int i = std::max(body, joints.root + 1); i < count; ++i) {
    names[i] = "neck_" + std::to_string(++number);
  }
  if (count - 1 > joints.root) names.back() = "head";
  number = 0;
  for (int i = joints.root - 1; i >= joints.tail_joints; --i) names[i] = "hips_" + std::to_string(++number);
  number = 0;
  for (int i = std::min(joints.root, joints.tail_joints) - 1; i >= 0; --i)
    names[i] = "tail_" + std::to_string(++number);
  return names;
}

}  // namespace sinew
