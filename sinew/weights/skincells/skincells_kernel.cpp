#include "sinew/weights/skincells/skincells_kernel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sinew/base/multiversion.h"

namespace sinew::skincells {
namespace {

// A weight whose logarithm is this low is zero.
constexpr float log_zero = -1e30f;
// Points farther than this many unit boxes away are treated as if they were this far: squares stay finite.
constexpr float farthest = 1e9f;
// Cells whose weight is below this at all lanes move nothing that anyone can see.
constexpr float negligible = 1e-5f;

// ln x for normal positive x, relative error about 1e-7 (series of atanh on the mantissa).
inline float fast_log(float x) {
  const auto bits = std::bit_cast<std::int32_t>(x);
  const std::int32_t exponent = (bits - 0x3f3504f3) >> 23;  // so that the mantissa lies in [sqrt(1/2), sqrt(2))
  const float mantissa = std::bit_cast<float>(bits - (exponent << 23));
  const float s = (mantissa - 1.0f) / (mantissa + 1.0f);
  const float s2 = s * s;
  const float series = s * (2.0f + s2 * (0.66666667f + s2 * (0.4f + s2 * (0.28571429f + s2 * 0.2222222f))));
  return static_cast<float>(exponent) * 0.69314718056f + series;
}

// e^x for x <= 0; 0 below -87.
inline float fast_exp(float x) {
  const float clamped = x < -87.0f ? -87.0f : x;
  const float scaled = clamped * 1.44269504089f;
  const float whole = std::floor(scaled);
  const float f = (scaled - whole) * 0.69314718056f;
  const float high = 0.041666667f + f * (0.0083333333f + f * (0.0013888889f + f * 0.00019841270f));
  const float series = 1.0f + f * (1.0f + f * (0.5f + f * (0.16666667f + f * high)));
  const float power = std::bit_cast<float>((static_cast<std::int32_t>(whole) + 127) << 23);
  return x < -87.0f ? 0.0f : series * power;
}

// Distance of one cell at all lanes: the nearest of its sites.
inline void cell_distance(const float* sites, int count, const float (&x)[3][lanes], float* distance,
                          std::uint8_t* nearest) {
  float best[lanes];
  std::int32_t best_site[lanes];
  for (int lane = 0; lane < lanes; ++lane) {
    best[lane] = std::numeric_limits<float>::max();
    best_site[lane] = 0;
  }
  for (int s = 0; s < count; ++s) {
    const float* p = sites + s * SkinCellField::site_stride;
    const float core = p[9], inverse_core = 1.0f / core;
    for (int lane = 0; lane < lanes; ++lane) {
      const float v0 = x[0][lane] - p[0], v1 = x[1][lane] - p[1], v2 = x[2][lane] - p[2];
      const float y0 = p[3] * v0, y1 = p[4] * v0 + p[5] * v1, y2 = p[6] * v0 + p[7] * v1 + p[8] * v2;
      const float square = y0 * y0 + y1 * y1 + y2 * y2;
      const float soft = 0.5f * (square * inverse_core + core);
      const float plain = std::sqrt(square);
      const float d = plain < core ? soft : plain;
      const bool nearer = d < best[lane];
      best[lane] = nearer ? d : best[lane];
      best_site[lane] = nearer ? s : best_site[lane];
    }
  }
  for (int lane = 0; lane < lanes; ++lane) {
    distance[lane] = best[lane];
    nearest[lane] = static_cast<std::uint8_t>(best_site[lane]);
  }
}

// The (influences + 1)-th smallest distance of each lane, and whose it is (ties: the last cell). `smallest` has room
// for influences + 1 rows; each new distance sinks through them in order.
SINEW_MULTIVERSION void find_limits(const Cells& cells, float* smallest, Block& block) {
  const int keep = cells.influences + 1;
  std::fill_n(smallest, keep * lanes, std::numeric_limits<float>::max());
  for (int cell = 0; cell < cells.count; ++cell) {
    float sinking[lanes];
    std::copy_n(block.distance.data() + static_cast<std::size_t>(cell) * lanes, lanes, sinking);
    for (int rank = 0; rank < keep; ++rank) {
      float* held = smallest + rank * lanes;
      for (int lane = 0; lane < lanes; ++lane) {
        const float low = sinking[lane] < held[lane] ? sinking[lane] : held[lane];
        const float high = sinking[lane] < held[lane] ? held[lane] : sinking[lane];
        held[lane] = low;
        sinking[lane] = high;
      }
    }
  }
  std::copy_n(smallest + (keep - 1) * lanes, lanes, block.limit);
  for (int cell = 0; cell < cells.count; ++cell) {
    const float* distance = block.distance.data() + static_cast<std::size_t>(cell) * lanes;
    for (int lane = 0; lane < lanes; ++lane) {
      block.limit_cell[lane] = distance[lane] == block.limit[lane] ? cell : block.limit_cell[lane];
    }
  }
}

SINEW_MULTIVERSION void distances(const Cells& cells, Block& block) {
  for (int cell = 0; cell < cells.count; ++cell) {
    cell_distance(cells.site.data() + static_cast<std::size_t>(cell) * cells.sites * SkinCellField::site_stride,
                  cells.sites, block.x, block.distance.data() + static_cast<std::size_t>(cell) * lanes,
                  block.nearest.data() + static_cast<std::size_t>(cell) * lanes);
  }
}

SINEW_MULTIVERSION void normalised_weights(const Cells& cells, Block& block) {
  float strongest[lanes], sum[lanes];
  std::fill_n(strongest, lanes, log_zero);
  std::fill_n(sum, lanes, 0.0f);
  for (int cell = 0; cell < cells.count; ++cell) {
    const float c = cells.relaxation[cell], r = cells.falloff[cell];
    const float* distance = block.distance.data() + static_cast<std::size_t>(cell) * lanes;
    float* log_ratio = block.log_ratio.data() + static_cast<std::size_t>(cell) * lanes;
    for (int lane = 0; lane < lanes; ++lane) {
      const float clearance = cells.clipped ? block.limit[lane] - distance[lane] : 1.0f;
      const float a = clearance > c ? clearance : c;
      const float ratio = a / distance[lane];
      const float logarithm = ratio > 1e-37f ? fast_log(ratio) : log_zero;
      log_ratio[lane] = logarithm;
      const float power = logarithm > log_zero ? r * logarithm : log_zero;
      strongest[lane] = power > strongest[lane] ? power : strongest[lane];
    }
  }
  for (int cell = 0; cell < cells.count; ++cell) {
    const float r = cells.falloff[cell];
    const float* log_ratio = block.log_ratio.data() + static_cast<std::size_t>(cell) * lanes;
    float* weight = block.weight.data() + static_cast<std::size_t>(cell) * lanes;
    for (int lane = 0; lane < lanes; ++lane) {
      const float w = log_ratio[lane] > log_zero ? fast_exp(r * log_ratio[lane] - strongest[lane]) : 0.0f;
      weight[lane] = w;
      sum[lane] += w;
    }
  }
  for (int cell = 0; cell < cells.count; ++cell) {
    float* weight = block.weight.data() + static_cast<std::size_t>(cell) * lanes;
    for (int lane = 0; lane < lanes; ++lane) weight[lane] /= sum[lane];
  }
}

void find_active(const Cells& cells, Block& block) {
  block.active.clear();
  for (int cell = 0; cell < cells.count; ++cell) {
    const float* weight = block.weight.data() + static_cast<std::size_t>(cell) * lanes;
    float most = 0;
    for (int lane = 0; lane < lanes; ++lane) most = weight[lane] > most ? weight[lane] : most;
    if (most > negligible) block.active.push_back(cell);
  }
}

// Where l + 1 or more cells are equally near and nothing is relaxed, every ratio is zero: the first l share the point.
void settle_ties(const Cells& cells, Block& block) {
  for (int lane = 0; lane < lanes; ++lane) {
    bool any = false;
    for (int cell = 0; cell < cells.count && !any; ++cell) {
      any = block.log_ratio[static_cast<std::size_t>(cell) * lanes + lane] > log_zero;
    }
    if (any) continue;
    int left = cells.influences;
    for (int cell = 0; cell < cells.count; ++cell) {
      const std::size_t at = static_cast<std::size_t>(cell) * lanes + lane;
      const bool share = left > 0 && block.distance[at] <= block.limit[lane];
      block.weight[at] = share ? 1.0f / static_cast<float>(cells.influences) : 0.0f;
      left -= share;
    }
  }
}

// What one point's derivative by the distance to its nearest site of a cell means for that site's parameters.
void backpropagate_site(const float* p, const float (&v)[3], float distance, float by_distance, float* gradient) {
  const float y0 = p[3] * v[0], y1 = p[4] * v[0] + p[5] * v[1], y2 = p[6] * v[0] + p[7] * v[1] + p[8] * v[2];
  const float square = y0 * y0 + y1 * y1 + y2 * y2;
  const float core = p[9];
  const bool inside = std::sqrt(square) < core;
  // d(distance)/dy = y / core inside the soft core, y / |y| outside.
  const float factor = by_distance / (inside ? core : distance);
  const float z0 = factor * y0, z1 = factor * y1, z2 = factor * y2;
  gradient[0] -= p[3] * z0 + p[4] * z1 + p[6] * z2;
  gradient[1] -= p[5] * z1 + p[7] * z2;
  gradient[2] -= p[8] * z2;
  gradient[3] += z0 * v[0];
  gradient[4] += z1 * v[0];
  gradient[5] += z1 * v[1];
  gradient[6] += z2 * v[0];
  gradient[7] += z2 * v[1];
  gradient[8] += z2 * v[2];
  if (inside) gradient[9] += by_distance * 0.5f * (core - square / core);
}

}  // namespace

Cells::Cells(const SkinCellField& field)
    : count(field.cell_count()),
      sites(field.sites_per_cell),
      influences(field.max_influences),
      clipped(field.cell_count() > field.max_influences),
      relaxed(field.relaxation > 0) {
  const int stride = SkinCellField::site_stride;
  site.resize(static_cast<std::size_t>(count) * sites * stride);
  relaxation.resize(count);
  falloff.resize(count);
  for (int cell = 0; cell < count; ++cell) {
    const float* parameters = field.parameters.data() + static_cast<std::size_t>(cell) * field.cell_stride();
    float* target = site.data() + static_cast<std::size_t>(cell) * sites * stride;
    std::copy_n(parameters, sites * stride, target);
    for (int s = 0; s < sites; ++s) target[s * stride + 9] = std::exp(target[s * stride + 9]);
    relaxation[cell] = field.relaxation > 0 ? field.relaxation * std::exp(parameters[sites * stride]) : 0.0f;
    falloff[cell] = std::exp(parameters[sites * stride + 1]);
  }
}

Block::Block(int cells)
    : x{},
      distance(static_cast<std::size_t>(cells) * lanes),
      log_ratio(static_cast<std::size_t>(cells) * lanes),
      weight(static_cast<std::size_t>(cells) * lanes),
      nearest(static_cast<std::size_t>(cells) * lanes),
      limit{},
      limit_cell{},
      by_distance(static_cast<std::size_t>(cells) * lanes) {}

void evaluate(const Cells& cells, Block& block) {
  for (auto& axis : block.x) {
    for (float& value : axis) value = std::clamp(value, -farthest, farthest);
  }
  distances(cells, block);
  if (cells.clipped) {
    block.smallest.resize(static_cast<std::size_t>(cells.influences + 1) * lanes);
    find_limits(cells, block.smallest.data(), block);
  }
  normalised_weights(cells, block);
  if (cells.clipped) settle_ties(cells, block);
  find_active(cells, block);
}

void backpropagate(const Cells& cells, Block& block, std::span<const float> by_weight, int used,
                   std::span<float> gradient) {
  const int stride = SkinCellField::site_stride;
  const int cell_stride = cells.sites * stride + 2;
  float mean[lanes] = {}, by_limit[lanes] = {};
  for (int cell : block.active) {
    for (int lane = 0; lane < used; ++lane) {
      const std::size_t at = static_cast<std::size_t>(cell) * lanes + lane;
      mean[lane] += block.weight[at] * by_weight[at];
    }
  }
  // Two passes, because the cell whose distance is the limit collects from all others.
  std::vector<float>& by_distance = block.by_distance;
  std::fill(by_distance.begin(), by_distance.end(), 0.0f);
  for (int cell : block.active) {
    float by_log_relaxation = 0, by_log_falloff = 0;
    for (int lane = 0; lane < used; ++lane) {
      const std::size_t at = static_cast<std::size_t>(cell) * lanes + lane;
      const float by_log_weight = block.weight[at] * (by_weight[at] - mean[lane]);
      if (by_log_weight == 0 || block.log_ratio[at] <= log_zero) continue;
      const float by_log_ratio = by_log_weight * cells.falloff[cell];
      by_log_falloff += by_log_ratio * block.log_ratio[at];
      const float d = block.distance[at];
      by_distance[at] -= by_log_ratio / d;
      if (!cells.clipped) continue;
      const float clearance = block.limit[lane] - d;
      if (clearance > cells.relaxation[cell]) {
        by_distance[at] -= by_log_ratio / clearance;
        by_limit[lane] += by_log_ratio / clearance;
      } else {
        by_log_relaxation += by_log_ratio;
      }
    }
    float* of_cell = gradient.data() + static_cast<std::size_t>(cell) * cell_stride + cells.sites * stride;
    of_cell[0] += by_log_relaxation;
    of_cell[1] += by_log_falloff;
  }
  for (int lane = 0; cells.clipped && lane < used; ++lane) {
    by_distance[static_cast<std::size_t>(block.limit_cell[lane]) * lanes + lane] += by_limit[lane];
  }
  for (int cell = 0; cell < cells.count; ++cell) {
    for (int lane = 0; lane < used; ++lane) {
      const std::size_t at = static_cast<std::size_t>(cell) * lanes + lane;
      if (by_distance[at] == 0) continue;
      const int site = block.nearest[at];
      const float* p = cells.site.data() + (static_cast<std::size_t>(cell) * cells.sites + site) * stride;
      const float v[3] = {block.x[0][lane] - p[0], block.x[1][lane] - p[1], block.x[2][lane] - p[2]};
      backpropagate_site(p, v, block.distance[at], by_distance[at],
                         gradient.data() + static_cast<std::size_t>(cell) * cell_stride + site * stride);
    }
  }
}

}  // namespace sinew::skincells
