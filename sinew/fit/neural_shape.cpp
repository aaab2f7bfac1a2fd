#include "sinew/fit/neural_shape.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

// How sure a joint's place is when two opinions are so far apart, in heights: falls to one half at 0.045. The form and
// its width are plausible, not measured; networks alone get one half.
double sureness_of(double apart) { return 0.05 + 0.9 / (1 + std::pow(apart / 0.045, 2)); }
constexpr double single_opinion = 0.5;

// Two opinions that err independently are best averaged; far apart, one of them is wrong, and the networks are wrong
// more often on what looks unlike the people they learned from.
double share_of_networks(double apart) { return 0.5 * std::clamp((0.1 - apart) / 0.05, 0.0, 1.0); }

// Of FrameGuess::misfit. Standing people of the development set reach 0.03 to 0.09; dolls with large heads, animals,
// vehicles and furniture 0.13 and more.
constexpr double most_misfit = 0.11;
// So well only the right up axis is matched: no other need be looked at.
constexpr double plain_match = 0.08;

// What the networks placed, by role.
class Placed {
 public:
  Placed(const SkeletonGraph& graph, const std::vector<JointIdentity>& joints, const std::vector<Vec3d>& places)
      : graph_(graph), joints_(joints), places_(places) {}

  std::optional<Vec3d> find(JointRole role, BodySide side) const {
    for (int g = 0; g < graph_.count(); ++g) {
      const JointIdentity& joint = joints_[graph_.joints[g]];
      if (joint.role == role && joint.side == side) return places_[g];
    }
    return std::nullopt;
  }
  Vec3d at(JointRole role, BodySide side) const {
    if (const std::optional<Vec3d> found = find(role, side)) return *found;
    throw Error(ErrorCode::skeleton_not_understood, std::string("the skeleton has no ") + role_name(role));
  }

 private:
  const SkeletonGraph& graph_;
  const std::vector<JointIdentity>& joints_;
  const std::vector<Vec3d>& places_;
};

// The furthest place of the mesh beyond `from` in a direction, within a narrow cone.
Vec3d tip_beyond(const TriangleMesh& mesh, const Vec3d& from, const Vec3d& direction, double reach) {
  double furthest = 0.2 * reach;
  for (const Vec3f& p : mesh.positions) {
    const Vec3d away = p.cast<double>() - from;
    const double along = away.dot(direction);
    if (along > furthest && along < reach && (away - along * direction).norm() < 0.6 * along) furthest = along;
  }
  return from + furthest * direction;
}

Vec3d centred(const VoxelSolid& solid, const Vec3d& place, const Vec3d& direction) {
  if (solid.near(place, 3) < 0) return place;
  const Vec3d middle = solid.centre_of_slice(place, direction.normalized());
  return (middle - place).norm() < 6 * solid.cell() ? Vec3d(0.5 * (place + middle)) : place;
}

void require_body(const BodyShape& shape) {
  const auto height = [&](const Vec3d& p) { return (p - shape.middle).dot(shape.frame.up) / shape.height; };
  for (int s = 0; s < 2; ++s) {
    const auto& leg = shape.leg_joints[s];
    const auto& arm = shape.arm_joints[s];
    const double side = (s == 0 ? 1 : -1);
    const bool legs = height(leg[0]) > height(leg[1]) && height(leg[1]) > height(leg[2]) && height(leg[2]) < 0.35;
    const bool arms =
        height(arm[0]) > height(leg[0]) && side * (arm[2] - shape.middle).dot(shape.frame.left) > 0.02 * shape.height;
    if (!legs || !arms) {
      throw Error(ErrorCode::body_not_recognised, "no body with two arms and two legs was recognised in the mesh",
                  "fitting knows standing people and four-legged animals");
    }
  }
}

// Turns a frame about its up axis until the places of the surface agree best with where on a body the pictures say they
// are, left and forward: two-dimensional Procrustes, weighted by how sure the pictures are.
FrameGuess turned_to_match(const BodyFrame& frame, const NeuralBody& body, bool sees_coordinates) {
  FrameGuess guess{.frame = frame, .facing_known = false, .misfit = 1};
  if (!sees_coordinates) return guess;
  double along = 0, across = 0, weight = 0;
  for (std::size_t v = 0; v < body.mesh.positions.size(); ++v) {
    const auto seen = body.features.row(static_cast<Eigen::Index>(v));
    const Vec3d p = body.mesh.positions[v].cast<double>();
    const double x = seen[0], z = seen[2], w = seen[seen.size() - 1];
    along += w * (p.x() * x + p.z() * z);
    across += w * (p.x() * z - p.z() * x);
    weight += w;
  }
  if (!(weight > 0) || std::hypot(along, across) < 1e-6 * weight) return guess;
  double angle = std::atan2(across, along);
  // Files are nearly always modelled along their axes.
  const double quarter = std::acos(0.0), nearest = quarter * std::round(angle / quarter);
  if (std::abs(angle - nearest) < 0.35) angle = nearest;
  const Eigen::AngleAxisd turn(angle, frame.up);
  guess.frame.left = turn * frame.left;
  guess.frame.forward = turn * frame.forward;
  guess.facing_known = true;
  const Mat3d to_guess = Eigen::AngleAxisd(-angle, Vec3d::UnitY()).toRotationMatrix();
  double sum = 0;
  for (std::size_t v = 0; v < body.mesh.positions.size(); ++v) {
    const auto seen = body.features.row(static_cast<Eigen::Index>(v));
    const Vec3d p = to_guess * body.mesh.positions[v].cast<double>();
    sum += seen[seen.size() - 1] * (p - Vec3d(seen[0], seen[1], seen[2])).norm();
  }
  guess.misfit = sum / weight;
  return guess;
}

}  // namespace

NetworkLook look_along(const TriangleMesh& mesh, const FitModel& model, const Vec3d& up) {
  // Most files face +z (y up) or -y (z up).
  const Vec3d custom = std::abs(up.z()) < 0.5 ? Vec3d(Vec3d::UnitZ()) : Vec3d(-Vec3d::UnitY());
  NetworkLook look;
  look.frame.up = up;
  look.frame.forward = (custom - custom.dot(up) * up).normalized();
  look.frame.left = look.frame.up.cross(look.frame.forward);
  look.body = model.look_at(mesh, look.frame);
  look.guess = turned_to_match(look.frame, look.body, model.sees_body_coordinates());
  return look;
}

FrameGuess guess_frame(const TriangleMesh& mesh, const FitModel& model, const Vec3d& up) {
  const std::vector<Vec3d> ups =
      up.norm() > 0 ? std::vector<Vec3d>{up} : std::vector<Vec3d>{Vec3d::UnitY(), Vec3d::UnitZ()};
  FrameGuess best;
  for (const Vec3d& candidate : ups) {
    const FrameGuess guess = look_along(mesh, model, candidate).guess;
    if (guess.misfit < best.misfit) best = guess;
    if (best.misfit < plain_match) break;
  }
  if (best.facing_known && best.misfit > most_misfit) {
    throw Error(ErrorCode::body_not_recognised, "the networks do not recognise a person in the mesh",
                "they know standing people, realistic or nearly so");
  }
  return best;
}

BodyShape neural_body_shape(const TriangleMesh& mesh, const VoxelSolid& solid, const Skeleton& skeleton,
                            const std::vector<JointIdentity>& joints, const FitModel& model, const FrameGuess& guess) {
  const BodyFrame& frame = guess.frame;
  const NeuralBody body = model.look_at(mesh, frame);
  SkeletonGraph graph = body_graph(skeleton, joints);
  const BodyFrame own = body_frame(skeleton, joints);
  Mat3d axes;
  axes << own.left.transpose(), own.up.transpose(), own.forward.transpose();
  stand_in_body_space(graph, axes);
  const std::vector<Vec3d> places = model.place_joints(body, graph);
  const Placed placed(graph, joints, places);

  BodyShape shape;
  shape.frame = frame;
  shape.facing_known = guess.facing_known;
  shape.trunk_confidence = single_opinion;
  shape.middle = body.space.origin;
  shape.height = body.space.height;
  const double height = shape.height;
  for (int s = 0; s < 2; ++s) {
    const BodySide side = s == 0 ? BodySide::left : BodySide::right;
    const Vec3d hip = placed.at(JointRole::thigh, side), shin = placed.at(JointRole::shin, side),
                foot = placed.find(JointRole::foot, side).value_or(shin - 0.23 * height * frame.up);
    const Vec3d knee = centred(solid, shin, foot - hip), ankle = centred(solid, foot, frame.up);
    const Vec3d tip = tip_beyond(mesh, ankle - 0.02 * height * frame.up, frame.forward, 0.25 * height);
    const Vec3d ball = placed.find(JointRole::toe, side).value_or(Vec3d(ankle + 0.62 * (tip - ankle)));
    shape.leg_joints[s] = {hip, knee, ankle, ball, tip};
    shape.legs[s].points = {hip, knee, ankle, ball, tip};
    const Vec3d shoulder = placed.at(JointRole::upper_arm, side), fore = placed.at(JointRole::forearm, side),
                hand = placed.find(JointRole::hand, side).value_or(Vec3d(fore + 0.9 * (fore - shoulder)));
    const Vec3d elbow = centred(solid, fore, hand - shoulder), wrist = centred(solid, hand, hand - elbow);
    const Vec3d fingers = tip_beyond(mesh, wrist, (wrist - elbow).normalized(), 0.25 * height);
    shape.arm_joints[s] = {shoulder, elbow, wrist, fingers};
    shape.arms[s].points = {shoulder, elbow, wrist, fingers};
    shape.limb_confidence[s] = shape.limb_confidence[2 + s] = single_opinion;
    shape.leg_confidence[s].fill(single_opinion);
    shape.arm_confidence[s].fill(single_opinion);
  }
  const auto in_plane = [&](Vec3d p) { return Vec3d(p - (p - shape.middle).dot(frame.left) * frame.left); };
  const Vec3d between = 0.5 * (shape.leg_joints[0][0] + shape.leg_joints[1][0]);
  const Vec3d hips = in_plane(placed.find(JointRole::hips, BodySide::centre).value_or(between));
  const Vec3d head =
      in_plane(placed.find(JointRole::head, BodySide::centre).value_or(Vec3d(shape.middle + 0.87 * height * frame.up)));
  const Vec3d neck = in_plane(placed.find(JointRole::neck, BodySide::centre).value_or(Vec3d(0.7 * head + 0.3 * hips)));
  for (int i = 0; i <= 16; ++i) shape.trunk.points.push_back(hips + (neck - hips) * i / 16.0);
  const Vec3d crown = head + (height - (head - shape.middle).dot(frame.up)) * frame.up;
  shape.head.points = {neck, head, crown};
  require_body(shape);
  return shape;
}

void join_opinions(BodyShape& geometric, const BodyShape& neural) {
  const double height = geometric.height;
  const auto join = [&](Vec3d& own, const Vec3d& other) {
    const double apart = (own - other).norm() / height;
    own += share_of_networks(apart) * (other - own);
    return sureness_of(apart);
  };
  for (int s = 0; s < 2; ++s) {
    std::array<Vec3d, 5>& leg = geometric.leg_joints[s];
    for (int i = 0; i < 3; ++i) geometric.leg_confidence[s][i] = join(leg[i], neural.leg_joints[s][i]);
    geometric.leg_confidence[s][3] = geometric.leg_confidence[s][4] = 0.8 * geometric.leg_confidence[s][2];
    geometric.legs[s].points.assign(leg.begin(), leg.end());
    for (int i = 0; i < 3; ++i) {
      geometric.arm_confidence[s][i] = join(geometric.arm_joints[s][i], neural.arm_joints[s][i]);
    }
    geometric.arm_confidence[s][3] = 0.8 * geometric.arm_confidence[s][2];
  }
  std::vector<Vec3d>& trunk = geometric.trunk.points;
  double sure = 0;
  for (std::size_t i = 0; i < trunk.size(); ++i) {
    const double along = static_cast<double>(i) / static_cast<double>(trunk.size() - 1);
    sure += join(trunk[i], neural.trunk.at(along)) / static_cast<double>(trunk.size());
  }
  for (int i = 0; i < 2; ++i) join(geometric.head.points[i], neural.head.points[i]);
  geometric.trunk_confidence = sure;
}

}  // namespace sinew
