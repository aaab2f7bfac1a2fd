#include "sinew/correctives/corrective_poser.h"

#include <cstring>

namespace sinew {
namespace {

// For calls whose arguments were made to fit.
void expect_ok(RuntimeStatus status) {
  if (status != RuntimeStatus::ok) throw Error(ErrorCode::internal, runtime_status_text(status));
}

}  // namespace

CorrectivePoser::CorrectivePoser(CorrectiveFile file) : file_(std::move(file)) {
  const RuntimeStatus status = open_correctives(file_.bytes(), set_);
  if (status != RuntimeStatus::ok) {
    throw Error(ErrorCode::file_damaged, runtime_status_text(status), "train the correctives again")
        .about("correctives");
  }
  workspace_.resize((set_.workspace_bytes() + 63) / 64);
  expect_ok(prepare_workspace(set_, workspace()));
}

void CorrectivePoser::check_fits(const Character& character) const {
  const std::string advice = "use the character.glb that the shapes were made with";
  if (set_.joint_count() != character.skeleton.joint_count()) {
    throw Error(ErrorCode::characters_differ,
                "the correctives were trained for " + std::to_string(set_.joint_count()) +
                    " joints; the character has " + std::to_string(character.skeleton.joint_count()),
                advice);
  }
  const std::span<const float> rest = set_.rest_positions(0);
  if (rest.size() != 3 * character.mesh.vertex_count()) {
    throw Error(ErrorCode::characters_differ,
                "the correctives were trained for " + std::to_string(rest.size() / 3) +
                    " vertices; the character has " + std::to_string(character.mesh.vertex_count()),
                advice);
  }
  const auto tolerance = static_cast<float>(1e-4 * bounding_diagonal(character.mesh));
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const Vec3f trained(rest[3 * v], rest[3 * v + 1], rest[3 * v + 2]);
    if ((trained - character.mesh.positions[v]).norm() > tolerance) {
      throw Error(ErrorCode::characters_differ,
                  "the correctives were trained for another shape or another order of vertices", advice);
    }
  }
}

std::vector<Vec3f> CorrectivePoser::corrected_rest(const Pose& pose, int level, double budget_microseconds,
                                                   CorrectiveResult* result) {
  if (static_cast<int>(pose.size()) != set_.joint_count()) {
    throw Error(ErrorCode::motion_invalid, "the pose does not have one transform per joint");
  }
  if (level < 0 || level >= set_.level_count()) {
    throw Error(ErrorCode::choice_unknown, "there is no level " + std::to_string(level),
                "levels go from 0 to " + std::to_string(set_.level_count() - 1));
  }
  std::vector<float> rotations;
  for (const Transform& t : pose) {
    const Quatd q = t.rotation.normalized();
    for (const double x : {q.x(), q.y(), q.z(), q.w()}) rotations.push_back(static_cast<float>(x));
  }
  const CorrectiveResult done = evaluate_correctives(set_, rotations, level, workspace(), budget_microseconds);
  expect_ok(done.status);
  if (result != nullptr) *result = done;
  std::vector<Vec3f> corrected(set_.vertex_count(level));
  expect_ok(corrected_positions(set_, level, workspace(), {corrected[0].data(), 3 * corrected.size()}));
  return corrected;
}

CorrectivePoser::Posed CorrectivePoser::pose(const Skeleton& skeleton, const Pose& pose, int level,
                                             double budget_microseconds) {
  Posed posed;
  const std::vector<Vec3f> corrected = corrected_rest(pose, level, budget_microseconds, &posed.result);
  const std::size_t count = corrected.size();
  std::vector<JointMatrix> matrices;
  for (const Affine3d& t : skinning_transforms(skeleton, pose)) {
    const Eigen::Matrix4f m = t.matrix().cast<float>();
    std::memcpy(&matrices.emplace_back(), m.data(), sizeof(JointMatrix));
  }
  posed.positions.resize(count);
  posed.normals.resize(count);
  SkinningJob job;
  expect_ok(fill_skinning_job(set_, level, job));
  job.matrices = matrices;
  job.positions = {{corrected[0].data(), 3 * count}};
  job.posed_positions = {{posed.positions[0].data(), 3 * count}};
  if (job.validate() != RuntimeStatus::ok) {
    throw Error(ErrorCode::weights_invalid, "the skin weights in the correctives are not valid");
  }
  expect_ok(skin(job));
  expect_ok(posed_normals(set_, level, {posed.positions[0].data(), 3 * count}, {posed.normals[0].data(), 3 * count}));
  return posed;
}

}  // namespace sinew
