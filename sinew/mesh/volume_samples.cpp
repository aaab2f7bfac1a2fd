#include "sinew/mesh/volume_samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/mesh/poisson_disc_grid.h"

namespace sinew {
namespace {

// Samples per spacing³ (spacing² in the plane) that saturated dart throwing reaches.
constexpr double packing_3d = 0.73, packing_2d = 0.70;
constexpr int darts_per_leaf = 4;
// Points that line the surface lie this deep under it, in spacings.
constexpr float lining_depth = 0.15f;
constexpr double least_volume = 0.02;  // of a sample, relative to one in the open
constexpr int deepest_level = 20;
constexpr float steepest_spacing = 0.3f;  // how fast spacing may grow with distance

std::uint64_t cell_key(const GridCell& c) {
  return (static_cast<std::uint64_t>(c.x) << 42) | (static_cast<std::uint64_t>(c.y) << 21) |
         static_cast<std::uint64_t>(c.z);
}

// A stream of random numbers that belongs to a place, so that neither order nor threads matter.
Random stream_of(std::uint64_t seed, int level, const GridCell& c) {
  return Random::stream(seed * 64 + level, cell_key(c));
}

// Rounds to a few steps per doubling. Two files of one shape in different units differ in the last bits of their
// positions; rounded lengths do not, and then the points are the same too.
double round_length(double length, double steps_per_doubling) {
  return std::exp2(std::round(std::log2(length) * steps_per_doubling) / steps_per_doubling);
}

// The corner below `corner` on a grid that is a power of two wide; off its nodes, where shapes like to begin.
Vec3d round_corner(const Vec3d& corner, double diagonal) {
  const double grid = std::exp2(std::round(std::log2(diagonal)) - 8.0);
  return ((corner.array() / grid - 0.37).floor() + 0.37) * grid;
}

Vec3f random_in_cell(Random& random, const Vec3f& centre, float size) {
  // One after the other: compilers differ in the order of arguments, and samples must not.
  const double z = random.uniform() - 0.5, y = random.uniform() - 0.5, x = random.uniform() - 0.5;
  const Vec3d d(x, y, z);
  return centre + size * d.cast<float>();
}

}  // namespace

double SpacingField::wanted_spacing(double thickness, double widest) const {
  const double wanted = std::clamp(thickness / options_.across, widest * options_.finest, widest);
  return std::min(widest, round_length(wanted, 4.0));
}

double SpacingField::predicted_count(double widest) const {
  double count = 0.0;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const double spacing = wanted_spacing(thickness_[i], widest);
    const double packing = dimension_ == 2 ? packing_2d : packing_3d;
    count += packing * leaves_[i].filled * std::pow(leaves_[i].size / spacing, dimension_);
  }
  return count;
}

namespace {

double predicted_by_all(const std::vector<SpacingField>& fields, double widest) {
  double count = 0.0;
  for (const SpacingField& field : fields) count += field.predicted_count(widest);
  return count;
}

// The widest spacing for which the fields predict this count.
double widest_for(const std::vector<SpacingField>& fields, double count, double diagonal) {
  double low = diagonal * 1e-4, high = diagonal;
  for (int i = 0; i < 50; ++i) {
    stop_if_cancelled();
    const double middle = std::sqrt(low * high);
    (predicted_by_all(fields, middle) > count ? low : high) = middle;
  }
  return round_length(high, 64.0);
}

std::vector<SpacingField> fields_of(const std::vector<SolidDomain>& domains, const VolumeSampleOptions& options,
                                    double widest) {
  std::vector<SpacingField> fields;
  for (const SolidDomain& domain : domains) fields.emplace_back(domain, options, widest);
  return fields;
}

double largest_diagonal(const std::vector<SolidDomain>& domains) {
  double diagonal = 0.0;
  for (const SolidDomain& domain : domains) diagonal = std::max(diagonal, domain.diagonal());
  return diagonal;
}

}  // namespace

std::vector<SpacingField> make_spacing_fields(const std::vector<SolidDomain>& domains,
                                              const VolumeSampleOptions& options) {
  const double diagonal = largest_diagonal(domains);
  double widest = round_length(diagonal / 30, 64.0);
  std::vector<SpacingField> fields;
  // The thickness found at one spacing predicts the count at another; where the prediction is far off, look again.
  for (int round = 0; round < 3; ++round) {
    fields = fields_of(domains, options, widest);
    const double predicted = predicted_by_all(fields, widest);
    if (predicted == 0.0 || std::abs(predicted / options.target - 1.0) < 0.15) break;
    widest = widest_for(fields, options.target, diagonal);
  }
  return fields;
}

std::vector<SpacingField> rescaled_spacing_fields(const std::vector<SolidDomain>& domains,
                                                  const VolumeSampleOptions& options,
                                                  const std::vector<SpacingField>& fields, double factor) {
  const double predicted = predicted_by_all(fields, fields.front().widest());
  return fields_of(domains, options, widest_for(fields, factor * predicted, largest_diagonal(domains)));
}

SpacingField::SpacingField(const SolidDomain& domain, const VolumeSampleOptions& options, double widest)
    : options_(options), dimension_(domain.dimension()), widest_(widest) {
  const bool planar = dimension_ == 2;
  origin_ = round_corner(domain.bounds().min().cast<double>(), domain.diagonal());
  root_size_ =
      widest *
      std::exp2(std::ceil(std::log2((domain.bounds().max().cast<double>() - origin_).maxCoeff() * 1.0001 / widest)));
  enum class Kind : std::uint8_t { outside, leaf, split };
  struct Verdict {
    Kind kind = Kind::outside;
    float thickness = 0;
    Leaf leaf{};
  };
  std::vector<GridCell> cells{{0, 0, 0}};
  for (int level = 0; level <= deepest_level && !cells.empty(); ++level) {
    const double size = root_size_ / (1 << level);
    std::vector<Verdict> verdicts(cells.size());
    parallel_for(cells.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const GridCell& c = cells[i];
        const Vec3f centre = (origin_ + size * Vec3d(c.x + 0.5, c.y + 0.5, c.z + 0.5)).cast<float>();
        Verdict& verdict = verdicts[i];
        ClosestPoint closest;
        const bool boundary = domain.closest_point(centre, closest, static_cast<float>(0.5 * std::sqrt(3.0) * size));
        if (!boundary && !domain.contains(centre)) continue;
        if (size > 1.0001 * widest) {
          verdict.kind = Kind::split;
          continue;
        }
        float thickness = std::numeric_limits<float>::infinity();
        int inside = 0, tried = 0;
        if (!boundary) {
          thickness = static_cast<float>(domain.thickness(centre));
          inside = tried = 1;
        } else {
          Vec3f probe;
          if (domain.point_under_surface(centre, static_cast<float>(size), static_cast<float>(0.1 * size), probe) ||
              domain.point_under_surface(centre, static_cast<float>(size), static_cast<float>(0.01 * size), probe)) {
            thickness = static_cast<float>(domain.thickness(probe));
          }
          Random random = stream_of(options.seed, level, c);
          for (; tried < 3; ++tried) {
            const Vec3f p = planar ? probe : random_in_cell(random, centre, static_cast<float>(size));
            if (!domain.contains(p)) continue;
            ++inside;
            thickness = std::min(thickness, static_cast<float>(domain.thickness(p)));
          }
          if (!std::isfinite(thickness)) continue;
        }
        const double spacing = wanted_spacing(thickness, widest);
        verdict.kind = size > 1.0001 * spacing && level < deepest_level ? Kind::split : Kind::leaf;
        verdict.thickness = thickness;
        verdict.leaf = {centre,
                        static_cast<float>(size),
                        static_cast<float>(spacing),
                        boundary,
                        std::max(static_cast<float>(inside) / tried, 0.25f),
                        level,
                        cell_key(c)};
      }
    });
    std::vector<GridCell> next;
    index_.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const GridCell& c = cells[i];
      if (verdicts[i].kind == Kind::leaf) {
        index_.back().emplace_back(cell_key(c), static_cast<std::uint32_t>(leaves_.size()));
        leaves_.push_back(verdicts[i].leaf);
        thickness_.push_back(verdicts[i].thickness);
      } else if (verdicts[i].kind == Kind::split) {
        for (int child = 0; child < 8; ++child) {
          next.push_back({2 * c.x + (child & 1), 2 * c.y + (child >> 1 & 1), 2 * c.z + (child >> 2)});
        }
      }
    }
    std::sort(index_.back().begin(), index_.back().end());
    cells = std::move(next);
  }
  limit_gradient();
}

// Spacing grows gradually from narrow to wide places: neighbourhoods then look alike in all directions.
void SpacingField::limit_gradient() {
  for (int round = 0; round < 4; ++round) {
    std::vector<float> limited(leaves_.size());
    parallel_for(leaves_.size(), 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        limited[i] = leaves_[i].spacing;
        const float step = leaves_[i].size;
        for (int side = 0; side < 6; ++side) {
          const Vec3f offset = (side & 1 ? step : -step) * Vec3f::Unit(side / 2);
          const std::int64_t other = leaf_at(leaves_[i].centre + offset);
          if (other < 0) continue;
          limited[i] = std::min(limited[i], leaves_[other].spacing + steepest_spacing * step);
        }
      }
    });
    for (std::size_t i = 0; i < leaves_.size(); ++i) leaves_[i].spacing = limited[i];
  }
}

double SpacingField::at(const Vec3f& point) const {
  const std::int64_t leaf = leaf_at(point);
  return leaf < 0 ? widest_ : leaves_[leaf].spacing;
}

std::int64_t SpacingField::leaf_at(const Vec3f& point) const {
  const Vec3d d = point.cast<double>() - origin_;
  if ((d.array() < 0.0).any() || (d.array() >= root_size_).any()) return -1;
  for (std::size_t level = 0; level < index_.size(); ++level) {
    if (index_[level].empty()) continue;
    const double size = root_size_ / (1 << level);
    const GridCell c{static_cast<int>(d.x() / size), static_cast<int>(d.y() / size), static_cast<int>(d.z() / size)};
    const auto found = std::lower_bound(index_[level].begin(), index_[level].end(), std::pair{cell_key(c), 0u});
    if (found != index_[level].end() && found->first == cell_key(c)) return found->second;
  }
  return -1;
}

namespace {

struct Candidate {
  Vec3f position;
  float spacing;
  std::uint64_t order;  // random
  double volume;        // that a dart inside stands for
};

// Darts for one leaf: `lining` along the surface, otherwise anywhere inside.
void throw_darts(const SolidDomain& domain, const SpacingField::Leaf& leaf, Random& random, bool lining,
                 std::vector<Candidate>& result) {
  const int power = lining ? 2 : domain.dimension();
  const int count =
      static_cast<int>(std::ceil(darts_per_leaf * std::pow(std::max(1.0f, leaf.size / leaf.spacing), power)));
  for (int i = 0; i < count; ++i) {
    Vec3f p = random_in_cell(random, leaf.centre, leaf.size);
    if (lining || domain.dimension() == 2) {
      if (!domain.point_under_surface(p, leaf.size, lining_depth * leaf.spacing, p) &&
          !domain.point_under_surface(p, leaf.size, 0.1f * lining_depth * leaf.spacing, p)) {
        continue;
      }
    } else if (leaf.on_boundary && !domain.contains(p)) {
      continue;
    }
    result.push_back({p, leaf.spacing, random.bits(), std::pow(leaf.size, 3) / count});
  }
}

std::vector<Candidate> all_darts(const SolidDomain& domain, const SpacingField& field, std::uint64_t seed,
                                 bool lining) {
  const std::vector<SpacingField::Leaf>& leaves = field.leaves();
  std::vector<std::vector<Candidate>> blocks((leaves.size() + 255) / 256);
  parallel_for(leaves.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (lining && !leaves[i].on_boundary) continue;
      // By place and not by number, so that a leaf more or less elsewhere changes nothing here.
      Random random = Random::stream((64 * seed + leaves[i].level) * 2 + lining, leaves[i].cell);
      throw_darts(domain, leaves[i], random, lining, blocks[begin / 256]);
    }
  });
  std::vector<Candidate> darts;
  for (const auto& block : blocks) darts.insert(darts.end(), block.begin(), block.end());
  std::sort(darts.begin(), darts.end(), [](const Candidate& a, const Candidate& b) { return a.order < b.order; });
  return darts;
}

}  // namespace

namespace {

// Gives every sample the part of the inside that is nearest to it, measured with points that are spread evenly.
void measure_volumes(const SolidDomain& domain, const std::vector<Candidate>& inside, VolumeSamples& samples) {
  std::vector<double> volume(samples.positions.size(), 0.0);
  const NearestPoints tree(samples.positions);
  std::vector<Vec3f> places;
  if (domain.dimension() == 2) {
    places = domain.spread_over_surface(30 * samples.positions.size());
  } else {
    for (const Candidate& dart : inside) places.push_back(dart.position);
  }
  std::vector<std::size_t> owner(places.size());
  parallel_for(places.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      NearPoint nearest;
      tree.nearest(places[i], nearest);
      owner[i] = nearest.index;
    }
  });
  const double share = places.empty() ? 0.0 : domain.area() / static_cast<double>(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    volume[owner[i]] += domain.dimension() == 2 ? share : inside[i].volume;
  }
  for (std::size_t i = 0; i < volume.size(); ++i) {
    const double full = domain.dimension() == 2 ? std::pow(samples.spacing[i], 2) / packing_2d
                                                : std::pow(samples.spacing[i], 3) / packing_3d;
    samples.volume.push_back(static_cast<float>(std::max(volume[i], least_volume * full)));
  }
}

}  // namespace

VolumeSamples sample_volume(const SolidDomain& domain, const SpacingField& field, const std::vector<Vec3f>& fixed,
                            std::uint64_t seed) {
  VolumeSamples samples;
  PoissonDiscGrid board(domain.bounds(), field.widest());
  const auto add = [&](const Vec3f& p, float spacing, bool boundary) {
    board.add(p, spacing);
    samples.positions.push_back(p);
    samples.spacing.push_back(spacing);
    samples.on_boundary.push_back(boundary);
  };
  for (const Vec3f& p : fixed) add(p, static_cast<float>(field.at(p)), false);
  const auto add_free = [&](const std::vector<Candidate>& darts, bool boundary) {
    for (std::size_t i = 0; i < darts.size(); ++i) {
      stop_if_cancelled(i);
      if (board.is_free(darts[i].position, darts[i].spacing)) add(darts[i].position, darts[i].spacing, boundary);
    }
  };
  if (domain.dimension() == 3) add_free(all_darts(domain, field, seed, true), true);
  const std::vector<Candidate> inside = all_darts(domain, field, seed, false);
  add_free(inside, false);
  if (!samples.positions.empty()) measure_volumes(domain, inside, samples);
  return samples;
}

}  // namespace sinew
