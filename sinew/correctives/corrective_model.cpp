#include "sinew/correctives/corrective_model.h"

#include <cstring>

namespace sinew {

Eigen::VectorXf pose_features(const Skeleton& skeleton, const Pose& pose) {
  const Pose rest = rest_pose(skeleton);
  Eigen::VectorXf features(3 * static_cast<Eigen::Index>(pose.size()));
  for (std::size_t j = 0; j < pose.size(); ++j) {
    const Quatd q = rest[j].rotation.conjugate() * pose[j].rotation;
    const double sign = q.w() < 0 ? -2.0 : 2.0;
    features.segment<3>(3 * static_cast<Eigen::Index>(j)) = (sign * q.vec()).cast<float>();
  }
  return features;
}

Eigen::MatrixXf CorrectiveNetwork::values(const Eigen::MatrixXf& features) const {
  Eigen::MatrixXf x(3 * static_cast<Eigen::Index>(joints.size()), features.cols());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    x.middleRows<3>(3 * static_cast<Eigen::Index>(i)) = features.middleRows<3>(3 * joints[i]);
  }
  for (int layer = 0; layer < 3; ++layer) {
    Eigen::MatrixXf y = (weights[layer] * x).colwise() + biases[layer];
    x = layer < 2 ? Eigen::MatrixXf(y.array().tanh()) : std::move(y);
  }
  return x;
}

Eigen::MatrixXf model_displacements(const CorrectiveModel& model, std::size_t level, const Eigen::MatrixXf& features) {
  const LodLevel& here = model.chain.levels[level];
  Eigen::MatrixXf result;
  if (model.hierarchical && level + 1 < model.chain.levels.size()) {
    const Eigen::MatrixXf coarse = model_displacements(model, level + 1, features);
    const Prolongation& up = model.chain.levels[level + 1].to_finer;
    result.resize(3 * static_cast<Eigen::Index>(here.point_count), features.cols());
    for (std::size_t i = 0; i < here.point_count; ++i) {
      const auto& p = up.points[i];
      const auto& w = up.weights[i];
      result.middleRows<3>(3 * static_cast<Eigen::Index>(i)) =
          w[0] * coarse.middleRows<3>(3 * static_cast<Eigen::Index>(p[0])) +
          w[1] * coarse.middleRows<3>(3 * static_cast<Eigen::Index>(p[1])) +
          w[2] * coarse.middleRows<3>(3 * static_cast<Eigen::Index>(p[2]));
    }
  } else {
    result = Eigen::MatrixXf::Zero(3 * static_cast<Eigen::Index>(here.point_count), features.cols());
  }
  for (const CorrectiveRegion& region : model.regions[level]) {
    const Eigen::MatrixXf detail = region.basis * region.network.values(features);
    for (std::size_t i = 0; i < region.points.size(); ++i) {
      result.middleRows<3>(3 * static_cast<Eigen::Index>(region.points[i])) +=
          detail.middleRows<3>(3 * static_cast<Eigen::Index>(i));
    }
  }
  return result;
}

CorrectiveFile::CorrectiveFile(std::span<const std::byte> bytes) {
  storage_.resize((bytes.size() + 63) / 64);
  size_ = bytes.size();
  if (size_ > 0) std::memcpy(storage_.data(), bytes.data(), size_);
}

std::span<const std::byte> CorrectiveFile::bytes() const { return std::as_bytes(std::span(storage_)).first(size_); }

}  // namespace sinew
