#include "sinew/weights/atlas/atlas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/base/parallel.h"
#include "sinew/base/plain_text.h"

namespace sinew {
namespace {

constexpr std::size_t block = 2048;  // vertices per task
constexpr int most_regions = 32;     // that may hold one vertex; more are weaker than anything that counts

double transition(AtlasTransition kind, double u) {
  u = std::clamp(u, 0.0, 1.0);
  return kind == AtlasTransition::hermite ? u * u * (3 - 2 * u) : u;
}

// The grown regions that hold one vertex, and how deep it lies in each.
struct Holders {
  struct Holder {
    std::uint32_t region;
    double depth;
  };
  std::array<Holder, most_regions> list;
  int count = 0;

  // Keeps the largest depth per region: a grown region is the union of what grows over each of its boundaries.
  void add(std::uint32_t region, double depth) {
    for (int i = 0; i < count; ++i) {
      if (list[i].region == region) {
        list[i].depth = std::max(list[i].depth, depth);
        return;
      }
    }
    if (count < most_regions) list[count++] = {region, depth};
  }
};

// Writes the strongest holders of a vertex: set_limited_influences without allocating, for the sake of a new K.
void write_vertex(SkinWeights& weights, std::size_t vertex, const AtlasRegions& regions, Holders& holders) {
  auto* const begin = holders.list.data();
  auto* const end = begin + holders.count;
  const auto joint = [&](const Holders::Holder& h) { return regions.regions[h.region].joint; };
  std::sort(begin, end,
            [&](const auto& a, const auto& b) { return a.depth != b.depth ? a.depth > b.depth : joint(a) < joint(b); });
  const int kept = std::min(holders.count, weights.influences);
  const double lost = holders.count > kept ? begin[kept].depth : 0.0;
  if (begin[0].depth > (1 + 1e-6) * lost) {  // otherwise all are equal, and stay so
    for (int i = 0; i < kept; ++i) begin[i].depth -= lost;
  }
  double sum = 0;
  for (int i = 0; i < kept; ++i) sum += begin[i].depth;
  for (int i = 0; i < kept; ++i) {
    const auto weight = static_cast<float>(begin[i].depth / sum);
    if (!(weight > 0.0f)) break;
    weights.joints[vertex * weights.influences + i] = static_cast<std::uint16_t>(joint(begin[i]));
    weights.weights[vertex * weights.influences + i] = weight;
  }
}

// One pass over the vertices for one set of radii.
class Blend {
 public:
  Blend(const AtlasRegions& regions, const AtlasDistances& distances, const std::vector<double>& radii,
        const AtlasSoftness& softness)
      : regions_(regions), distances_(distances), radii_(radii), softness_(softness) {
    if (softness.scale == AtlasScale::region) measure_regions();
  }

  void vertex(std::size_t v, SkinWeights& weights) const {
    const std::uint32_t own = regions_.region_of[v];
    Holders holders;
    const bool by_overlap = softness_.scale == AtlasScale::overlap;
    holders.add(own, by_overlap ? own_share(v) : own_depth(v) / std::max(largest_[own], 1e-30));
    for (std::uint32_t e = distances_.begin[v]; e < distances_.begin[v + 1]; ++e) {
      const BoundaryDistance& entry = distances_.entries[e];
      const double radius = radii_[entry.boundary];
      if (!(entry.distance < radius)) continue;
      for (std::uint32_t grown : regions_.boundaries[entry.boundary].regions) {
        if (grown == own) continue;
        const double depth = radius - entry.distance;
        holders.add(grown, depth / (by_overlap ? 2 * radius : std::max(largest_[grown], 1e-30)));
      }
    }
    for (int i = 0; i < holders.count; ++i) {
      holders.list[i].depth = transition(softness_.transition, holders.list[i].depth);
    }
    if (!(holders.list[0].depth > 0)) holders.list[0].depth = 1e-12;  // its own region always holds it
    write_vertex(weights, v, regions_, holders);
  }

 private:
  bool is_own(const BoundaryDistance& entry, std::uint32_t region) const {
    const auto& beside = regions_.boundaries[entry.boundary].regions;
    return beside[0] == region || beside[1] == region;
  }

  // ½ at the cut, 1 where no neighbour reaches.
  double own_share(std::size_t v) const {
    double share = 1;
    for (std::uint32_t e = distances_.begin[v]; e < distances_.begin[v + 1]; ++e) {
      const BoundaryDistance& entry = distances_.entries[e];
      const double radius = radii_[entry.boundary];
      if (radius > 0 && is_own(entry, regions_.region_of[v])) {
        share = std::min(share, 0.5 + entry.distance / (2 * radius));
      }
    }
    return share;
  }

  // Distance to the boundary of the own region after growing: over every boundary the way to it and across the overlap.
  // The overlap near a corner is as wide as the wider of the two that meet there.
  double own_depth(std::size_t v) const {
    double depth = std::numeric_limits<double>::infinity();
    const std::uint32_t own = regions_.region_of[v];
    for (std::uint32_t e = distances_.begin[v]; e < distances_.begin[v + 1]; ++e) {
      const BoundaryDistance& entry = distances_.entries[e];
      if (!is_own(entry, own)) continue;
      double width = radii_[entry.boundary];
      for (std::uint32_t o = distances_.begin[v]; o < distances_.begin[v + 1]; ++o) {
        const BoundaryDistance& other = distances_.entries[o];
        if (is_own(other, own)) {
          width = std::max(width, radii_[other.boundary] - (static_cast<double>(other.distance) - entry.distance));
        }
      }
      depth = std::min(depth, entry.distance + width);
    }
    return std::isfinite(depth) ? depth : 1.0;
  }

  void measure_regions() {
    const std::size_t count = regions_.region_of.size();
    const std::size_t blocks = (count + block - 1) / block;
    std::vector<std::vector<double>> partial(blocks);
    parallel_for(count, block, [&](std::size_t begin, std::size_t end) {
      std::vector<double>& largest = partial[begin / block];
      largest.assign(regions_.regions.size(), 0.0);
      for (std::size_t v = begin; v < end; ++v) {
        double& of_region = largest[regions_.region_of[v]];
        of_region = std::max(of_region, own_depth(v));
      }
    });
    largest_.assign(regions_.regions.size(), 0.0);
    for (const std::vector<double>& largest : partial) {
      for (std::size_t r = 0; r < largest_.size(); ++r) largest_[r] = std::max(largest_[r], largest[r]);
    }
  }

  const AtlasRegions& regions_;
  const AtlasDistances& distances_;
  const std::vector<double>& radii_;
  const AtlasSoftness& softness_;
  std::vector<double> largest_;  // per region: δ of the paper
};

}  // namespace

AtlasSolver::AtlasSolver(BindInput input, const AtlasOptions& options, const Progress& progress)
    : input_(std::move(input)), options_(options) {
  if (input_.mesh.is_point_cloud()) {
    throw Error(ErrorCode::surface_missing, "the atlas method needs triangles and the mesh is a point cloud",
                "use another method, for example heat")
        .about("method");
  }
  const std::vector<int> parents = atlas_parents(input_);
  progress(0.0, "cutting the skin at joints");
  if (options.cut_by_planes) cuts_ = find_cuts(input_, parents, options.planes);
  regions_ = build_regions(input_, parents, cuts_, progress.part(0.3, 0.5));
  distances_ = measure_distances(input_, regions_, options.distance, reach_, progress.part(0.5, 1.0));
}

std::vector<double> AtlasSolver::boundary_radii(const AtlasSoftness& softness) const {
  std::vector<double> of_joint(input_.joint_count(), softness.k);
  const auto check = [](double k) {
    if (!(k >= 0) || !std::isfinite(k)) {
      throw Error(ErrorCode::option_out_of_range, "softness must be 0 or more, got " + number_text(k))
          .about("softness");
    }
  };
  check(softness.k);
  for (const auto& [name, k] : softness.joints) {
    check(k);
    const int joint = find_joint(input_.skeleton, name);
    if (joint < 0) {
      throw Error(ErrorCode::joint_unknown, "a softness is given for joint '" + name + "', which does not exist");
    }
    of_joint[joint] = k;
  }
  std::vector<double> radii;
  for (const AtlasBoundary& boundary : regions_.boundaries) {
    radii.push_back(of_joint[boundary.joint] * boundary.length / M_PI);
  }
  return radii;
}

SkinWeights AtlasSolver::solve(const AtlasSoftness& softness, const Progress& progress) {
  double softest = softness.k;
  for (const auto& [name, k] : softness.joints) softest = std::max(softest, k);
  const std::vector<double> radii = boundary_radii(softness);
  if (softest > reach_) {
    distances_ = measure_distances(input_, regions_, options_.distance, softest, progress);
    reach_ = softest;
  }
  const Blend blend(regions_, distances_, radii, softness);
  SkinWeights weights = make_skin_weights(input_.vertex_count(), input_.max_influences);
  parallel_for(input_.vertex_count(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) blend.vertex(v, weights);
  });
  return weights;
}

SkinWeights atlas_weights(const BindInput& input, const AtlasOptions& options, const AtlasSoftness& softness,
                          const Progress& progress) {
  AtlasSolver solver(input, options, progress);
  return solver.solve(softness);
}

std::map<std::string, double> read_joint_softness(std::string_view text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  const char* advice = "it should look like {\"default\": 0.5, \"LeftForeArm\": 0.2}";
  if (!json.is_object())
    throw Error(ErrorCode::settings_invalid, "the softness per joint is not a JSON object", advice);
  std::map<std::string, double> softness;
  for (const auto& [name, value] : json.items()) {
    if (!value.is_number() || !(value.get<double>() >= 0)) {
      throw Error(ErrorCode::settings_invalid, "the softness of '" + name + "' is not a number from 0 upwards", advice);
    }
    softness[name] = value.get<double>();
  }
  return softness;
}

namespace {

AtlasOptions atlas_options(const OptionValues& values) {
  const std::string& distance = option<std::string>(values, "distance");
  AtlasOptions options;
  options.distance = distance == "euclidean"  ? AtlasDistance::euclidean
                     : distance == "harmonic" ? AtlasDistance::harmonic
                                              : AtlasDistance::geodesic;
  options.planes = option<int>(values, "planes");
  options.cut_by_planes = option<std::string>(values, "segmentation") == "planes";
  return options;
}

AtlasSoftness atlas_softness(const OptionValues& values, const std::map<std::string, double>& by_joint) {
  AtlasSoftness softness;
  softness.k = option<double>(values, "softness");
  softness.transition =
      option<std::string>(values, "transition") == "linear" ? AtlasTransition::linear : AtlasTransition::hermite;
  softness.scale = option<std::string>(values, "scale") == "region" ? AtlasScale::region : AtlasScale::overlap;
  for (const auto& [name, k] : by_joint) {
    if (name == "default") {
      softness.k = k;
    } else {
      softness.joints.emplace_back(name, k);
    }
  }
  return softness;
}

MethodOption text_choice(const std::string& name, const std::string& help, const std::vector<std::string>& choices) {
  return {name, choices.front(), help, 0, 0, choices};
}

WeightMethod::Answer prepare_atlas(const BindInput& input, const MethodInputs& inputs, const OptionValues& values,
                                   const Progress& progress) {
  auto solver = std::make_shared<AtlasSolver>(input, atlas_options(values), progress);
  return [solver, by_joint = inputs.joint_softness](const OptionValues& now, const Progress& on) {
    return MethodResult{solver->solve(atlas_softness(now, by_joint), on), {}, {}};
  };
}

}  // namespace

WeightMethod atlas_method() {
  WeightMethod method;
  method.name = "atlas";
  method.summary = "overlapping regions with one softness knob K, from quasi-rigid to rubber";
  method.options = {
      {"softness", AtlasSoftness{}.k, "K: 0.1 nearly rigid, 0.5 natural, 2 rubber", 0, 100, {}},
      text_choice("distance", "how overlaps are measured: geodesic, euclidean or harmonic",
                  {"geodesic", "euclidean", "harmonic"}),
      text_choice("transition", "how weights rise across an overlap: hermite or linear", {"hermite", "linear"}),
      text_choice("scale", "weights relative to the overlap or to the whole region (as in the paper)",
                  {"overlap", "region"}),
      text_choice("segmentation", "regions from shortest plane cuts or from the nearest visible bone",
                  {"planes", "nearest"}),
      {"planes", AtlasOptions{}.planes, "cutting planes tried per joint", 1, 1024, {}}};
  method.inputs = {MethodInput::joint_softness};
  method.live_options = {{"softness", 0, 2}};
  method.prepare = prepare_atlas;
  method.solve = [](const BindInput& input, const MethodInputs& inputs, const OptionValues& values,
                    const Progress& progress) {
    return prepare_atlas(input, inputs, values, progress.part(0, 0.9))(values, progress.part(0.9, 1));
  };
  return method;
}

}  // namespace sinew
