#include "sinew/weights/skincells/skincells_field.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/error.h"
#include "sinew/weights/skincells/skincells_kernel.h"

namespace sinew {

void check_field(const SkinCellField& field) {
  if (field.max_influences < 1 || field.max_influences > 64) {
    throw Error(ErrorCode::field_invalid, "a SkinCells field needs 1 to 64 influences");
  }
  if (field.sites_per_cell < 1 || field.sites_per_cell > 255) {
    throw Error(ErrorCode::field_invalid, "a SkinCells field needs 1 to 255 sites per cell");
  }
  if (field.joints.empty()) throw Error(ErrorCode::field_invalid, "the SkinCells field has no cells");
  if (field.joint_names.size() != field.joints.size() ||
      field.parameters.size() != field.joints.size() * field.cell_stride()) {
    throw Error(ErrorCode::field_invalid, "the SkinCells field's arrays have different lengths");
  }
  if (!field.origin.allFinite() || !std::isfinite(field.scale) || field.scale <= 0) {
    throw Error(ErrorCode::field_invalid, "the SkinCells field has no valid unit box");
  }
  for (float value : field.parameters) {
    if (!(std::abs(value) <= 1e4f)) {
      throw Error(ErrorCode::field_invalid, "the SkinCells field holds a parameter out of range");
    }
  }
  for (int cell = 0; cell < field.cell_count(); ++cell) {
    const float* parameters = field.parameters.data() + static_cast<std::size_t>(cell) * field.cell_stride();
    // exp of a logarithm beyond ±30 leaves the range in which float distances make sense.
    const auto check_logarithm = [&](float value) {
      if (std::abs(value) > 30.0f) {
        throw Error(ErrorCode::field_invalid, "cell '" + field.joint_names[cell] + "' has a parameter out of range");
      }
    };
    for (int site = 0; site < field.sites_per_cell; ++site) {
      check_logarithm(parameters[site * SkinCellField::site_stride + 9]);
    }
    check_logarithm(parameters[field.cell_stride() - 2]);
    check_logarithm(parameters[field.cell_stride() - 1]);
  }
}

void clamp_parameters(SkinCellField& field) {
  for (int cell = 0; cell < field.cell_count(); ++cell) {
    float* parameters = field.parameters.data() + static_cast<std::size_t>(cell) * field.cell_stride();
    for (int site = 0; site < field.sites_per_cell; ++site) {
      float* p = parameters + site * SkinCellField::site_stride;
      for (int axis = 0; axis < 3; ++axis) p[axis] = std::clamp(p[axis], -1.9f, 1.9f);
      for (int entry = 3; entry < 9; ++entry) p[entry] = std::clamp(p[entry], -5e3f, 5e3f);
      p[9] = std::clamp(p[9], -6.0f, 3.0f);
    }
    parameters[field.cell_stride() - 2] = std::clamp(parameters[field.cell_stride() - 2], -10.0f, 3.0f);
    parameters[field.cell_stride() - 1] = std::clamp(parameters[field.cell_stride() - 1], -0.7f, 3.0f);
  }
}

SkinWeights evaluate_field(const SkinCellField& field, const std::vector<Vec3f>& points) {
  check_field(field);
  const skincells::Cells cells(field);
  SkinWeights result = make_skin_weights(points.size(), field.max_influences);
  parallel_for(points.size(), 64 * skincells::lanes, [&](std::size_t begin, std::size_t end) {
    skincells::Block block(cells.count);
    std::vector<Influence> influences;
    for (std::size_t first = begin; first < end; first += skincells::lanes) {
      const std::size_t used = std::min<std::size_t>(skincells::lanes, end - first);
      for (std::size_t lane = 0; lane < skincells::lanes; ++lane) {
        const Vec3f x = field.to_unit_box(points[first + std::min(lane, used - 1)].cast<double>());
        for (int axis = 0; axis < 3; ++axis) block.x[axis][lane] = x[axis];
      }
      skincells::evaluate(cells, block);
      for (std::size_t lane = 0; lane < used; ++lane) {
        influences.clear();
        for (int cell = 0; cell < cells.count; ++cell) {
          const float weight = block.weight[static_cast<std::size_t>(cell) * skincells::lanes + lane];
          if (weight > 0) influences.push_back({static_cast<std::uint16_t>(field.joints[cell]), weight});
        }
        set_influences(result, first + lane, influences);
      }
    }
  });
  return result;
}

std::vector<double> field_weights(const SkinCellField& field, const Vec3d& point) {
  check_field(field);
  const skincells::Cells cells(field);
  skincells::Block block(cells.count);
  const Vec3f x = field.to_unit_box(point);
  for (int axis = 0; axis < 3; ++axis) std::fill_n(block.x[axis], skincells::lanes, x[axis]);
  skincells::evaluate(cells, block);
  std::vector<double> weights(cells.count);
  for (int cell = 0; cell < cells.count; ++cell) {
    weights[cell] = block.weight[static_cast<std::size_t>(cell) * skincells::lanes];
  }
  return weights;
}

}  // namespace sinew
