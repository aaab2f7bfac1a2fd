#include "sinew/rig/pose_mesh.h"

#include <Eigen/SVD>
#include <cmath>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t vertices_per_block = 4096;

void check_inputs(std::size_t vertex_count, const SkinWeights& weights, const std::vector<Affine3d>& transforms) {
  if (weights.influences < 1 || weights.vertex_count() != vertex_count ||
      weights.joints.size() != weights.weights.size()) {
    throw bad_input("cannot pose " + std::to_string(vertex_count) + " vertices with skin weights for " +
                    std::to_string(weights.vertex_count()));
  }
  for (const std::uint16_t joint : weights.joints) {
    if (joint >= transforms.size()) {
      throw bad_input("skin weights name joint " + std::to_string(joint) + ", but the pose has only " +
                      std::to_string(transforms.size()) + " joints");
    }
  }
}

// A transform split into a stretch in the bind pose, then a rotation, then a translation.
struct SplitTransform {
  Mat3d stretch;
  Quatd rotation;
  Quatd dual;  // ½ translation * rotation
};

SplitTransform split(const Affine3d& transform) {
  const Eigen::JacobiSVD<Mat3d> svd(transform.linear(), Eigen::ComputeFullU | Eigen::ComputeFullV);
  Vec3d sign(1, 1, (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1);
  SplitTransform result;
  result.rotation = Quatd(Mat3d(svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose())).normalized();
  result.stretch = svd.matrixV() * svd.singularValues().cwiseProduct(sign).asDiagonal() * svd.matrixV().transpose();
  const Vec3d t = 0.5 * transform.translation();
  result.dual = Quatd(0, t.x(), t.y(), t.z()) * result.rotation;
  return result;
}

// Blends one vertex's transforms. False when the vertex has no weight.
class Blender {
 public:
  Blender(const SkinWeights& weights, const std::vector<Affine3d>& transforms, SkinningMethod method)
      : weights_(weights), transforms_(transforms), method_(method) {
    if (method == SkinningMethod::dual_quaternion) {
      for (const Affine3d& transform : transforms) splits_.push_back(split(transform));
    }
  }

  bool operator()(std::size_t vertex, Affine3d& blended) const {
    return method_ == SkinningMethod::linear_blend ? linear(vertex, blended) : dual_quaternion(vertex, blended);
  }

 private:
  bool linear(std::size_t vertex, Affine3d& blended) const {
    blended.matrix().setZero();
    double sum = 0.0;
    for_each_influence(vertex, [&](int joint, double weight) {
      blended.matrix() += weight * transforms_[joint].matrix();
      sum += weight;
    });
    blended.matrix()(3, 3) = 1.0;
    return sum > 0.0;
  }

  bool dual_quaternion(std::size_t vertex, Affine3d& blended) const {
    Eigen::Vector4d real = Eigen::Vector4d::Zero(), dual = Eigen::Vector4d::Zero();
    Mat3d stretch = Mat3d::Zero();
    double sum = 0.0;
    const Quatd* strongest = nullptr;
    for_each_influence(vertex, [&](int joint, double weight) {
      const SplitTransform& part = splits_[joint];
      if (!strongest) strongest = &part.rotation;
      const double side = strongest->dot(part.rotation) < 0 ? -weight : weight;
      real += side * part.rotation.coeffs();
      dual += side * part.dual.coeffs();
      stretch += weight * part.stretch;
      sum += weight;
    });
    if (!(sum > 0.0)) return false;
    const double length = real.norm();
    const Quatd rotation(Eigen::Vector4d(real / length));
    const Quatd translation = Quatd(Eigen::Vector4d(2.0 / length * dual)) * rotation.conjugate();
    blended.linear() = rotation.toRotationMatrix() * stretch;
    blended.translation() = translation.vec();
    return true;
  }

  template <class Visit>
  void for_each_influence(std::size_t vertex, const Visit& visit) const {
    for (std::size_t slot = vertex * weights_.influences; slot < (vertex + 1) * weights_.influences; ++slot) {
      if (weights_.weights[slot] != 0.0f) visit(weights_.joints[slot], weights_.weights[slot]);
    }
  }

  const SkinWeights& weights_;
  const std::vector<Affine3d>& transforms_;
  const SkinningMethod method_;
  std::vector<SplitTransform> splits_;
};

Vec3f unit_or(const Vec3d& vector, const Vec3f& otherwise) {
  const double length = vector.norm();
  return length > 0 ? Vec3f((vector / length).cast<float>()) : otherwise;
}

// Normals turn with the inverse transpose, whose direction the cofactor matrix has too, even where the determinant is
// 0.
Mat3d cofactors(const Mat3d& m) {
  Mat3d result;
  result.col(0) = m.col(1).cross(m.col(2));
  result.col(1) = m.col(2).cross(m.col(0));
  result.col(2) = m.col(0).cross(m.col(1));
  return result;
}

}  // namespace

TriangleMesh pose_mesh(const TriangleMesh& mesh, const SkinWeights& weights, const std::vector<Affine3d>& transforms,
                       SkinningMethod method) {
  check_inputs(mesh.vertex_count(), weights, transforms);
  const Blender blend(weights, transforms, method);
  TriangleMesh posed = mesh;
  parallel_for(mesh.vertex_count(), vertices_per_block, [&](std::size_t begin, std::size_t end) {
    Affine3d blended;
    for (std::size_t vertex = begin; vertex < end; ++vertex) {
      if (!blend(vertex, blended)) continue;
      posed.positions[vertex] = (blended * mesh.positions[vertex].cast<double>()).cast<float>();
      if (!mesh.normals.empty()) {
        const Mat3d turn = cofactors(blended.linear());
        posed.normals[vertex] = unit_or(turn * mesh.normals[vertex].cast<double>(), mesh.normals[vertex]);
      }
      if (!mesh.tangents.empty()) {
        const Vec3f tangent = mesh.tangents[vertex].head<3>();
        posed.tangents[vertex].head<3>() = unit_or(blended.linear() * tangent.cast<double>(), tangent);
      }
    }
  });
  return posed;
}

std::vector<Vec3f> pose_positions(const std::vector<Vec3f>& positions, const SkinWeights& weights,
                                  const std::vector<Affine3d>& transforms) {
  TriangleMesh mesh;
  mesh.positions = positions;
  return std::move(pose_mesh(mesh, weights, transforms).positions);
}

}  // namespace sinew
