#include "sinew/pipeline/report_json.h"

#include <nlohmann/json.hpp>

namespace sinew {

using nlohmann::json;

json report_json(const RecognisedBody& body) {
  const auto vector = [](const Vec3d& v) { return json{v.x(), v.y(), v.z()}; };
  json result = {{"kind", kind_name(body.kind)},
                 {"probability", body.probability_of(body.kind)},
                 {"probabilities", json::object()},
                 {"up", vector(body.frame.up)},
                 {"up_probability", body.up_probability},
                 {"forward", vector(body.frame.forward)},
                 {"forward_probability", body.forward_probability},
                 {"mirror_point", vector(body.mirror_point)},
                 {"symmetry", body.symmetry}};
  for (int k = 0; k < creature_kind_count; ++k) {
    const auto kind = static_cast<CreatureKind>(k);
    result["probabilities"][std::string(kind_name(kind))] = body.probability_of(kind);
  }
  if (body.pose) result["pose"] = {{"name", pose_name(*body.pose)}, {"probability", body.pose_probability}};
  return result;
}

json report_json(const FitResult& fit) {
  json joints = json::array();
  for (int joint = 0; joint < fit.skeleton.joint_count(); ++joint) {
    const Vec3d p = fit.skeleton.position(joint);
    joints.push_back({{"name", fit.skeleton.names[joint]},
                      {"position", {p.x(), p.y(), p.z()}},
                      {"confidence", fit.confidence[joint]},
                      {"inside", fit.inside[joint] != 0}});
  }
  const auto vector = [](const Vec3d& v) { return json{v.x(), v.y(), v.z()}; };
  json result = {{"joints", joints},
                 {"up", vector(fit.frame.up)},
                 {"forward", vector(fit.frame.forward)},
                 {"symmetry", fit.symmetry},
                 {"four_legs", fit.on_all_fours},
                 {"confidence", fit.probability},
                 {"joint_confidence", fit.mean_confidence()},
                 {"by_networks", fit.by_networks},
                 {"skeleton", fit.chosen.empty() ? "given" : fit.chosen},
                 {"network_seconds", fit.network_seconds}};
  if (fit.recognised) result["body"] = report_json(*fit.recognised);
  return result;
}

json report_json(const BindReport& bind, const Skeleton& skeleton) {
  json result = {{"vertices", bind.vertices},
                 {"welded_vertices", bind.welded_vertices},
                 {"pieces", bind.pieces},
                 {"joints", json::array()},
                 {"unweighted", bind.unweighted},
                 {"mean_influences", bind.mean_influences},
                 {"max_influences", bind.max_influences},
                 {"seconds", {{"prepare", bind.prepare_seconds}, {"solve", bind.solve_seconds}}}};
  for (const int joint : bind.joints) result["joints"].push_back(skeleton.names[joint]);
  return result;
}

json report_json(const RetargetResult& retarget) {
  json motions = json::array();
  for (const RetargetReport& report : retarget.motions) {
    motions.push_back({{"name", report.motion},
                       {"frames", report.frames},
                       {"scale", report.scale},
                       {"contacts", report.contacts},
                       {"worst_slide", report.worst_slide},
                       {"mean_slide", report.mean_slide},
                       {"worst_slide_before", report.worst_slide_before},
                       {"floor_deepest", report.floor_deepest},
                       {"floor_median", report.floor_median},
                       {"direction_error", report.direction_error},
                       {"limits_broken", report.limits_broken},
                       {"self_penetration", report.self_penetration},
                       {"twist", report.twist}});
  }
  return {{"linked_joints", retarget.map.linked_joints}, {"mapped_share", retarget.map.share}, {"motions", motions}};
}

json report_json(const std::vector<MotionQuality>& motions) {
  json result = json::array();
  for (const MotionQuality& quality : motions) {
    result.push_back({{"name", quality.motion},
                      {"frames", quality.frames},
                      {"seconds", quality.seconds},
                      {"contacts", quality.contacts},
                      {"worst_slide", quality.worst_slide},
                      {"mean_slide", quality.mean_slide},
                      {"floor_deepest", quality.floor_deepest},
                      {"floor_median", quality.floor_median},
                      {"limits_broken", quality.limits_broken},
                      {"self_penetration", quality.self_penetration},
                      {"deepest_self_penetration", quality.deepest_self_penetration},
                      {"twist", quality.twist}});
  }
  return result;
}

json report_json(const RetargetMap& map, const Skeleton& skeleton) {
  json unlinked = json::array(), parts = json::array();
  for (const int joint : map.unlinked) unlinked.push_back(skeleton.names[joint]);
  for (const RetargetPart& part : map.parts) {
    parts.push_back({{"name", part.name},
                     {"joint", part.joint >= 0 ? json(skeleton.names[part.joint]) : json()},
                     {"source", part.source >= 0 ? json(part.source_name) : json()},
                     {"reason", part.reason}});
  }
  return {{"linked_joints", map.linked_joints}, {"mapped_share", map.share}, {"unlinked", unlinked}, {"parts", parts}};
}

json report_json(const SimulateReport& simulate) {
  json failed = json::array();
  for (const FailedPose& pose : simulate.failed) {
    failed.push_back({{"motion", pose.motion},
                      {"frame", pose.frame},
                      {"converged", pose.converged},
                      {"promise", pose.promise},
                      {"penetration", pose.penetration}});
  }
  const std::size_t solved = simulate.made + simulate.failed.size();
  return {{"cells", simulate.cells},
          {"nodes", simulate.nodes},
          {"cell_size", simulate.cell_size},
          {"poses", simulate.poses},
          {"known_before", simulate.known_before},
          {"made", simulate.made},
          {"failed", failed},
          {"seconds", simulate.seconds},
          {"frames_per_second", simulate.seconds > 0 ? static_cast<double>(solved) / simulate.seconds : 0.0},
          {"deepest_penetration", simulate.deepest_penetration}};
}

namespace {

json run_json(const CorrectiveRun& trained) {
  json levels = json::array();
  for (const LevelReport& level : trained.levels) {
    levels.push_back({{"vertices", level.vertices},
                      {"points", level.points},
                      {"regions", level.regions},
                      {"culled_regions", level.culled},
                      {"mean_dimensions", level.mean_dimensions},
                      {"mean_joints", level.mean_joints},
                      {"bytes", level.bytes},
                      {"test_error_lbs", level.lbs},
                      {"test_error_dqs", level.dqs},
                      {"test_error", level.corrected},
                      {"train_error", level.train_corrected},
                      {"seconds", level.seconds}});
  }
  json motions = json::array();
  for (const MotionReport& motion : trained.motions) {
    motions.push_back({{"motion", motion.motion},
                       {"frames", motion.frames},
                       {"test_error_lbs", motion.lbs},
                       {"test_error_dqs", motion.dqs},
                       {"test_error", motion.corrected}});
  }
  return {{"method", trained.hierarchical ? "multiresolution" : "single level"},
          {"tolerance", trained.tolerance},
          {"levels", levels},
          {"test_motions", motions},
          {"corrective_bytes", trained.corrective_bytes},
          {"file_bytes", trained.bytes.size()},
          {"microseconds_all_levels", trained.microseconds},
          {"seconds", trained.seconds}};
}

}  // namespace

json report_json(const CorrectiveTraining& training) {
  json runs = json::array();
  for (const CorrectiveRun& run : training.runs) runs.push_back(run_json(run));
  return {{"train_frames", training.train_frames},
          {"test_frames", training.test_frames},
          {"failed_frames", training.failed_frames},
          {"test_motions", training.test_motions},
          {"runs", runs}};
}

json report_json(const WeightChange& change, const Skeleton&) {
  return {{"skinned_vertices", change.skinned},      {"changed_vertices", change.changed},
          {"largest_change", change.largest_change}, {"mean_change", change.mean_change},
          {"max_influences", change.max_influences}, {"mean_influences", change.mean_influences}};
}

json report_json(const MirrorReport& mirror, const Skeleton& skeleton) {
  json result = report_json(mirror.change, skeleton);
  result.update({{"by_topology", mirror.by_topology},
                 {"by_vertex", mirror.by_vertex},
                 {"by_surface", mirror.by_surface},
                 {"middle", mirror.middle},
                 {"unmatched", mirror.unmatched},
                 {"joint_pairs", mirror.joint_pairs},
                 {"unpaired_joints", json::array()}});
  for (const int joint : mirror.unpaired) result["unpaired_joints"].push_back(skeleton.names[joint]);
  return result;
}

json report_json(const LimitReport& limit, const Skeleton& skeleton) {
  json result = report_json(limit.change, skeleton);
  result.update({{"reduced", limit.reduced},
                 {"mean_error", limit.mean_error},
                 {"max_error", limit.max_error},
                 {"truncated_mean_error", limit.truncated_mean_error},
                 {"truncated_max_error", limit.truncated_max_error}});
  return result;
}

namespace {

json joints_json(const JointTransfer& joints) {
  return {{"by_name", joints.by_name}, {"by_role", joints.by_role}, {"replaced", joints.replaced}};
}

json limbs_json(const std::vector<TwistLimb>& limbs) {
  json list = json::array();
  for (const TwistLimb& limb : limbs) list.push_back({{"joint", limb.joint}, {"twists", limb.twists}});
  return list;
}

}  // namespace

json report_json(const TransferReport& transfer, const Skeleton& skeleton) {
  json result = report_json(transfer.change, skeleton);
  result.update({{"matched", transfer.matched},
                 {"inpainted", transfer.inpainted},
                 {"guessed", transfer.guessed},
                 {"mean_distance", transfer.mean_distance},
                 {"joints", joints_json(transfer.joints)}});
  return result;
}

json report_json(const CopyReport& copy, const Skeleton& skeleton) {
  json result = report_json(copy.change, skeleton);
  result.update({{"by_order", copy.by_order},
                 {"matched", copy.matched},
                 {"unmatched", copy.unmatched},
                 {"joints", joints_json(copy.joints)}});
  return result;
}

json report_json(const TwistReport& twist) {
  return {{"added", limbs_json(twist.added)}, {"kept", limbs_json(twist.kept)}, {"changed_vertices", twist.changed}};
}

}  // namespace sinew
