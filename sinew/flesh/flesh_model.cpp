#include "sinew/flesh/flesh_model.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/cancellation.h"
#include "sinew/flesh/node_weights.h"

namespace sinew {
namespace {

constexpr double least_fill = 0.2;           // of a cell that the skin cuts: less and it turns over in every crease
constexpr double hourglass_stiffness = 2.0;  // times that of a fully integrated cube

double sign(int corner, int axis) { return (corner >> axis) & 1 ? 1.0 : -1.0; }

// Stiffness between corners a and b of a full unit cube against the four hourglass modes, for shear modulus 1.
double hourglass(int a, int b) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3;
    sum += 8.0 / 3.0 * sign(a, axis) * sign(a, next) * sign(b, axis) * sign(b, next);
  }
  const double all = sign(a, 0) * sign(a, 1) * sign(a, 2) * sign(b, 0) * sign(b, 1) * sign(b, 2);
  return (sum + 4.0 / 3.0 * all) / 64.0;
}

// Deformation of a cell: Σ x_a G_aᵀ with the gradients G_a = signs / (4 cell) of the corner weights at the centre.
Mat3d deformation(const std::array<std::uint32_t, 8>& corners, const std::vector<Vec3d>& nodes, double cell) {
  Mat3d f = Mat3d::Zero();
  for (int a = 0; a < 4; ++a) {  // opposite corners have opposite gradients
    const Vec3d across = nodes[corners[a]] - nodes[corners[7 - a]];
    for (int axis = 0; axis < 3; ++axis) f.col(axis) += sign(a, axis) * across;
  }
  return f / (4 * cell);
}

int choose_carrier(const Skeleton& skeleton, const SkinWeights& weights) {
  std::vector<char> used(skeleton.joint_count(), 0);
  for (std::size_t i = 0; i < weights.weights.size(); ++i) {
    if (weights.weights[i] > 0) used[weights.joints[i]] = 1;
  }
  const auto first = std::find(used.begin(), used.end(), 1);
  return first == used.end() ? 0 : static_cast<int>(first - used.begin());
}

}  // namespace

FleshModel::FleshModel(const Character& character, const FleshOptions& options, const Progress& progress)
    : options_(options), skeleton_(character.skeleton) {
  if (character.skeleton.empty() || !character.has_skin()) {
    throw Error(ErrorCode::weights_missing,
                "'" + character.name + "' has no skeleton or no skin weights, so there is nothing to pose",
                "bind it first");
  }
  weld_ = weld_positions(character.mesh.positions);
  const TriangleMesh skin = welded_mesh(character.mesh, weld_);
  lattice_ = build_lattice(skin, options.lattice, progress.part(0.0, 0.8));
  warnings_ = lattice_.warnings;
  progress(0.8, "placing the bones");
  solids_ = bone_solids(skeleton_, SolidDomain(skin), options.bones);
  SkinWeights welded = make_skin_weights(weld_.welded_count(), character.weights.influences);
  for (std::size_t v = 0; v < weld_.welded_count(); ++v) {
    for (int slot = 0; slot < welded.influences; ++slot) {
      const std::size_t from = static_cast<std::size_t>(weld_.representative[v]) * welded.influences + slot;
      welded.joints[v * welded.influences + slot] = character.weights.joints[from];
      welded.weights[v * welded.influences + slot] = character.weights.weights[from];
    }
  }
  node_weights_ = sinew::node_weights(lattice_, welded, skeleton_.joint_count());
  std::size_t loose = 0;
  ties_ = tie_to_bones(lattice_, solids_, node_weights_, skeleton_.joint_count(), options.bones, loose);
  if (loose > 0) {
    warnings_.push_back({"pieces-without-bone",
                         std::to_string(loose) + " pieces of the body hold no bone; they follow the skin weights"});
  }
  progress(0.9, "looking for contacts");
  if (options.self_contact) contacts_ = std::make_unique<SkinContacts>(skin, lattice_, options.contact);
  carrier_ = choose_carrier(skeleton_, character.weights);
  sum_up_constant_part();
  progress(1.0, "ready");
}

void FleshModel::sum_up_constant_part() {
  const double shear = options_.material.shear, cell_size = lattice_.cell_size;
  for (std::size_t cell = 0; cell < lattice_.cell_count(); ++cell) {
    fill_.push_back(std::max(lattice_.fill(cell), least_fill));
  }
  std::vector<std::map<std::uint32_t, double>> rows(lattice_.node_count());
  const auto add = [&](std::size_t cell, int a, int b, double value) {
    rows[lattice_.corners[cell][a]][lattice_.corners[cell][b]] += value;
  };
  for (std::size_t cell = 0; cell < lattice_.cell_count(); ++cell) {
    for (int a = 0; a < 8; ++a) {
      for (int b = 0; b < 8; ++b)
        add(cell, a, b, hourglass_stiffness * shear * fill_[cell] * cell_size * hourglass(a, b));
    }
  }
  stop_if_cancelled();
  for (const BoneTies::Tie& tie : ties_.ties) {
    const std::array<double, 8> weights = corner_weights(tie.local);
    for (int a = 0; a < 8; ++a) {
      for (int b = 0; b < 8; ++b) add(tie.cell, a, b, shear * tie.stiffness * weights[a] * weights[b]);
    }
  }
  row_begin_.push_back(0);
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      columns_.push_back(column);
      values_.push_back(value);
    }
    row_begin_.push_back(static_cast<std::uint32_t>(columns_.size()));
  }
  stop_if_cancelled();
  const BlockSystem system = make_system();
  stop_if_cancelled();
  constant_.assign(system.coupling_count(), 0.0f);
  for (std::size_t cell = 0; cell < lattice_.cell_count(); ++cell) {
    for (int a = 0; a < 8; ++a) {
      for (int b = 0; b <= a; ++b) {
        constant_[system.coupling(cell, a, b)] =
            static_cast<float>(rows[lattice_.corners[cell][a]].at(lattice_.corners[cell][b]));
      }
    }
  }
}

std::vector<Vec3f> FleshModel::skin(const std::vector<Vec3d>& nodes) const {
  std::vector<Vec3f> welded(lattice_.skin.size());
  for (std::size_t v = 0; v < lattice_.skin.size(); ++v) {
    const std::array<double, 8> weights = corner_weights(lattice_.skin[v].local);
    Vec3d position = Vec3d::Zero();
    for (int corner = 0; corner < 8; ++corner) {
      position += weights[corner] * nodes[lattice_.corners[lattice_.skin[v].cell][corner]];
    }
    welded[v] = position.cast<float>();
  }
  std::vector<Vec3f> result(weld_.welded_of.size());
  for (std::size_t v = 0; v < result.size(); ++v) result[v] = welded[weld_.welded_of[v]];
  return result;
}

std::vector<Vec3d> FleshModel::pulls(const std::vector<Affine3d>& bones) const {
  std::vector<Vec3d> result(lattice_.node_count(), Vec3d::Zero());
  for (const BoneTies::Pull& pull : ties_.pulls) {
    const Affine3d& bone = bones[pull.transform];
    result[pull.node] +=
        options_.material.shear * (bone.linear() * pull.moment.head<3>() + bone.translation() * pull.moment[3]);
  }
  return result;
}

double FleshModel::energy(const std::vector<Vec3d>& nodes, const std::vector<Vec3d>& pulls,
                          const std::vector<Contact>& contacts, std::vector<Vec3d>* gradient) const {
  const double cell_size = lattice_.cell_size, volume = cell_size * cell_size * cell_size;
  double sum = 0;
  if (gradient != nullptr) gradient->assign(nodes.size(), Vec3d::Zero());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Vec3d force = Vec3d::Zero();
    for (std::uint32_t k = row_begin_[i]; k < row_begin_[i + 1]; ++k) force += values_[k] * nodes[columns_[k]];
    sum += nodes[i].dot(0.5 * force - pulls[i]);
    if (gradient != nullptr) (*gradient)[i] = force - pulls[i];
  }
  for (std::size_t cell = 0; cell < lattice_.cell_count(); ++cell) {
    const Mat3d f = deformation(lattice_.corners[cell], nodes, cell_size);
    const double weight = fill_[cell] * volume;
    sum += weight * flesh_energy(options_.material, f);
    if (gradient == nullptr) continue;
    const Mat3d stress = weight / (4 * cell_size) * flesh_stress(options_.material, f);
    for (int a = 0; a < 4; ++a) {
      const Vec3d force = stress * Vec3d(sign(a, 0), sign(a, 1), sign(a, 2));
      (*gradient)[lattice_.corners[cell][a]] += force;
      (*gradient)[lattice_.corners[cell][7 - a]] -= force;
    }
  }
  for (const Contact& contact : contacts) {
    double distance = 0;
    for (std::size_t k = 0; k < contact.row.nodes.size(); ++k) {
      distance += contact.row.weights[k] * contact.row.direction.dot(nodes[contact.row.nodes[k]]);
    }
    const double overlap = contact.gap - distance;
    if (overlap <= 0) continue;
    const double stiffness = options_.material.shear * contact.row.stiffness;
    sum += stiffness * contact.energy(overlap);
    if (gradient == nullptr) continue;
    for (std::size_t k = 0; k < contact.row.nodes.size(); ++k) {
      (*gradient)[contact.row.nodes[k]] -=
          stiffness * contact.force(overlap) * contact.row.weights[k] * contact.row.direction;
    }
  }
  return sum;
}

void FleshModel::fill_system(const std::vector<Vec3d>& nodes, double inertia, BlockSystem& system) const {
  const double cell_size = lattice_.cell_size, volume = cell_size * cell_size * cell_size;
  system.set_zero();
  for (std::size_t cell = 0; cell < lattice_.cell_count(); ++cell) {
    const Mat3d f = deformation(lattice_.corners[cell], nodes, cell_size);
    const FleshCurvature curvature = flesh_curvature(options_.material, f);
    const double weight = fill_[cell] * volume / (16 * cell_size * cell_size);
    std::array<Vec3d, 4> gradients;  // in the frame of v
    for (int a = 0; a < 4; ++a) {
      gradients[a] = curvature.v.transpose() * Vec3d(sign(a, 0), sign(a, 1), sign(a, 2));
    }
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b <= a; ++b) {
        const Vec3d &ga = gradients[a], &gb = gradients[b];
        Mat3d block;
        for (int i = 0; i < 3; ++i) {
          const int j = (i + 1) % 3, k = (i + 2) % 3;
          block(i, i) = curvature.stretch(i, i) * ga[i] * gb[i] + curvature.same(i, j) * ga[j] * gb[j] +
                        curvature.same(i, k) * ga[k] * gb[k];
          block(i, j) = curvature.stretch(i, j) * ga[i] * gb[j] + curvature.exchanged(i, j) * ga[j] * gb[i];
          block(i, k) = curvature.stretch(i, k) * ga[i] * gb[k] + curvature.exchanged(i, k) * ga[k] * gb[i];
        }
        const Eigen::Matrix3f rotated = (weight * curvature.u * block * curvature.u.transpose()).cast<float>();
        system.add(cell, a, b, rotated);
        system.add(cell, 7 - a, 7 - b, rotated);
        if (a == b) {
          system.add(cell, 7 - a, a, -rotated);
        } else {
          system.add(cell, a, 7 - b, -rotated);
          system.add(cell, 7 - a, b, -rotated);
        }
      }
    }
  }
  system.add_scalars(constant_);
  if (inertia > 0) system.add_to_diagonal(static_cast<float>(inertia * options_.material.shear * cell_size));
}

}  // namespace sinew
