#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

#include "sinew/correctives/corrective_model.h"
#include "sinew/runtime/corrective_format.h"
#include "sinew/runtime/hash_words.h"

namespace sinew {
namespace {

using namespace sinewc;

constexpr std::uint32_t padded8(std::size_t n) { return static_cast<std::uint32_t>((n + 7) / 8 * 8); }

// The file as it grows; every array at a multiple of 64.
struct Output {
  std::vector<std::byte> bytes;

  template <typename T>
  std::uint64_t add(const std::vector<T>& values) {
    bytes.resize((bytes.size() + 63) / 64 * 64);
    const std::uint64_t offset = bytes.size();
    const auto* data = reinterpret_cast<const std::byte*>(values.data());
    bytes.insert(bytes.end(), data, data + sizeof(T) * values.size());
    return offset;
  }
};

// How the points of a level are renumbered: regions together, within a region by the next strongest one.
struct PointOrder {
  std::vector<std::uint32_t> old_of, new_of;
  std::uint32_t padded = 0;
};

PointOrder order_points(std::size_t count, const std::vector<CorrectiveRegion>& regions) {
  struct Key {
    std::array<std::uint32_t, 3> regions{no_point, no_point, no_point};
    std::array<float, 3> energy{-1, -1, -1};
  };
  std::vector<Key> keys(count);
  for (std::uint32_t r = 0; r < regions.size(); ++r) {
    for (std::size_t i = 0; i < regions[r].points.size(); ++i) {
      Key& key = keys[regions[r].points[i]];
      float energy = regions[r].basis.middleRows<3>(3 * static_cast<Eigen::Index>(i)).squaredNorm();
      std::uint32_t region = r;
      for (int k = 0; k < 3; ++k) {
        if (energy <= key.energy[k]) continue;
        std::swap(energy, key.energy[k]);
        std::swap(region, key.regions[k]);
      }
    }
  }
  PointOrder order;
  order.old_of.resize(count);
  std::iota(order.old_of.begin(), order.old_of.end(), 0u);
  std::stable_sort(order.old_of.begin(), order.old_of.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return keys[a].regions < keys[b].regions; });
  order.new_of.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) order.new_of[order.old_of[i]] = i;
  order.padded = padded8(count + 1);
  return order;
}

void pack_prolongation(Output& out, Level& level, const Prolongation& up, const PointOrder& fine,
                       const PointOrder& coarse) {
  std::vector<std::uint32_t> points(3 * std::size_t{fine.padded}, coarse.padded - 1), weights(fine.padded, 0);
  for (std::size_t i = 0; i < fine.old_of.size(); ++i) {
    std::array<std::uint32_t, 3> p = up.points[fine.old_of[i]];
    std::array<float, 3> w = up.weights[fine.old_of[i]];
    const auto largest = std::max_element(w.begin(), w.end()) - w.begin();
    std::swap(w[largest], w[2]);  // the third weight is what the other two leave, and may be 1
    std::swap(p[largest], p[2]);
    for (int k = 0; k < 3; ++k) points[3 * i + k] = coarse.new_of[p[k]];
    weights[i] = static_cast<std::uint32_t>(std::lround(w[0] * 65536)) |
                 static_cast<std::uint32_t>(std::lround(w[1] * 65536)) << 16;
  }
  level.wide_points = coarse.padded > 65536;
  level.prolong_points =
      level.wide_points ? out.add(points) : out.add(std::vector<std::uint16_t>(points.begin(), points.end()));
  level.prolong_weights = out.add(weights);
}

// One layer: 16-bit numbers, a scale and a bias per output. `factors`: what each output is multiplied by besides.
void pack_layer(Output& out, const Eigen::MatrixXf& weights, const Eigen::VectorXf& biases, std::uint32_t inputs,
                std::uint32_t outputs, const Eigen::VectorXf& factors, std::uint64_t& weights_at,
                std::uint64_t& scales_at) {
  std::vector<std::int16_t> numbers(std::size_t{inputs} * outputs, 0);
  std::vector<float> scales(2 * std::size_t{outputs}, 0.0f);
  for (Eigen::Index o = 0; o < weights.rows(); ++o) {
    const float largest = weights.cols() > 0 ? weights.row(o).cwiseAbs().maxCoeff() : 0.0f;
    const float scale = largest > 0 ? largest / 32767.0f : 1.0f;
    const std::size_t column = static_cast<std::size_t>(o / 8) * inputs * 8 + static_cast<std::size_t>(o % 8);
    for (Eigen::Index i = 0; i < weights.cols(); ++i) {
      numbers[column + 8 * static_cast<std::size_t>(i)] = static_cast<std::int16_t>(std::lround(weights(o, i) / scale));
    }
    scales[o] = scale * factors[o];
    scales[outputs + o] = biases[o] * factors[o];
  }
  weights_at = out.add(numbers);
  scales_at = out.add(scales);
}

struct PackedRegion {
  std::uint32_t first_value = 0;
  int number_bytes = 1;
  Eigen::VectorXf scales;  // of the basis columns
};

PackedRegion choose_scales(const CorrectiveRegion& region, double tolerance) {
  PackedRegion packed;
  const Eigen::VectorXf largest = region.basis.cwiseAbs().colwise().maxCoeff().transpose();
  // Rounding to ±127 steps of a column errs evenly within ± half a step.
  const double error = std::sqrt((largest / 127.0f).cwiseProduct(region.value_rms).squaredNorm() * 3.0 / 12.0);
  packed.number_bytes = error <= tolerance / 4 ? 1 : 2;
  packed.scales = (largest / (packed.number_bytes == 1 ? 127.0f : 32767.0f)).cwiseMax(1e-30f);
  return packed;
}

Network pack_network(Output& out, const CorrectiveNetwork& network, const PackedRegion& packed) {
  Network n{};
  const std::size_t inputs = 3 * network.joints.size();
  n.input_joints = static_cast<std::uint32_t>(network.joints.size());
  n.hidden[0] = padded8(network.biases[0].size());
  n.hidden[1] = padded8(network.biases[1].size());
  n.outputs = padded8(network.biases[2].size());
  if (inputs > max_layer || n.hidden[0] > max_layer || n.hidden[1] > max_layer || n.outputs > max_layer) {
    throw Error(ErrorCode::output_too_large, "a corrective network is larger than the format allows");
  }
  n.first_value = packed.first_value;
  n.joints = out.add(std::vector<std::uint32_t>(network.joints.begin(), network.joints.end()));
  const auto ones = [](std::uint32_t count) { return Eigen::VectorXf::Ones(count); };
  pack_layer(out, network.weights[0], network.biases[0], static_cast<std::uint32_t>(inputs), n.hidden[0],
             ones(n.hidden[0]), n.weights[0], n.scales[0]);
  pack_layer(out, network.weights[1], network.biases[1], n.hidden[0], n.hidden[1], ones(n.hidden[1]), n.weights[1],
             n.scales[1]);
  pack_layer(out, network.weights[2], network.biases[2], n.hidden[1], n.outputs, packed.scales, n.weights[2],
             n.scales[2]);
  return n;
}

// The bases of all regions, cut into runs of blocks, chunk by chunk.
void pack_runs(Output& out, Level& level, const std::vector<CorrectiveRegion>& regions,
               const std::vector<PackedRegion>& packed, const PointOrder& order) {
  struct Piece {
    std::uint32_t region;
    std::vector<std::array<std::uint32_t, 2>> rows;  // point's new number, its place in the region
  };
  const std::uint32_t blocks = order.padded / block_points;
  level.chunk_count = (blocks + chunk_blocks - 1) / chunk_blocks;
  std::vector<std::vector<Piece>> pieces(level.chunk_count);
  for (std::uint32_t r = 0; r < regions.size(); ++r) {
    std::map<std::uint32_t, Piece> by_chunk;
    for (std::uint32_t i = 0; i < regions[r].points.size(); ++i) {
      const std::uint32_t point = order.new_of[regions[r].points[i]];
      Piece& piece = by_chunk[point / (chunk_blocks * block_points)];
      piece.region = r;
      piece.rows.push_back({point, i});
    }
    for (auto& [chunk, piece] : by_chunk) pieces[chunk].push_back(std::move(piece));
  }
  std::vector<std::uint32_t> chunks{0};
  std::vector<Run> runs;
  std::vector<std::byte> basis;
  for (std::uint32_t chunk = 0; chunk < level.chunk_count; ++chunk) {
    for (Piece& piece : pieces[chunk]) {
      const CorrectiveRegion& region = regions[piece.region];
      const PackedRegion& how = packed[piece.region];
      std::sort(piece.rows.begin(), piece.rows.end());
      const auto dimensions = static_cast<std::uint32_t>(region.basis.cols());
      std::uint32_t open_block = no_point;
      for (const auto& [point, row] : piece.rows) {
        const std::uint32_t block = point / block_points - chunk * chunk_blocks;
        const std::size_t block_bytes = std::size_t{dimensions} * block_floats * how.number_bytes;
        if (open_block != block) {
          if (open_block == no_point || block != open_block + 1) {
            runs.push_back({static_cast<std::uint32_t>(basis.size()), how.first_value,
                            static_cast<std::uint16_t>(block), 0, static_cast<std::uint16_t>(dimensions),
                            static_cast<std::uint16_t>(how.number_bytes)});
          }
          ++runs.back().block_count;
          open_block = block;
          basis.resize(basis.size() + block_bytes);
        }
        std::byte* at = basis.data() + basis.size() - block_bytes;
        for (std::uint32_t d = 0; d < dimensions; ++d) {
          for (std::uint32_t k = 0; k < 3; ++k) {
            const auto number = std::lround(region.basis(3 * Eigen::Index{row} + k, d) / how.scales[d]);
            const std::size_t place = std::size_t{d} * block_floats + 3 * (point % block_points) + k;
            if (how.number_bytes == 1) {
              reinterpret_cast<std::int8_t*>(at)[place] = static_cast<std::int8_t>(number);
            } else {
              const auto wide = static_cast<std::int16_t>(number);
              std::memcpy(at + 2 * place, &wide, 2);
            }
          }
        }
      }
    }
    chunks.push_back(static_cast<std::uint32_t>(runs.size()));
  }
  if (basis.size() > 0xfffffff0u) {
    throw Error(ErrorCode::output_too_large, "the bases of one level are larger than 4 GB");
  }
  level.run_count = static_cast<std::uint32_t>(runs.size());
  level.chunks = out.add(chunks);
  level.runs = out.add(runs);
  level.basis_bytes = basis.size();
  level.basis = out.add(basis);
}

// Vertices at one point with one normal in the rest pose share it in every pose.
std::vector<std::uint32_t> shared_normals(const LodLevel& lod, std::uint32_t& count) {
  constexpr float same = 0.9998f;  // about one degree
  std::vector<std::vector<std::uint32_t>> at_point(lod.point_count);
  std::vector<std::uint32_t> normal_of;
  count = 0;
  for (std::uint32_t v = 0; v < lod.mesh.vertex_count(); ++v) {
    std::uint32_t found = no_point;
    if (lod.point_of[v] != no_point) {
      for (const std::uint32_t other : at_point[lod.point_of[v]]) {
        if (lod.mesh.normals.empty() || lod.mesh.normals[v].dot(lod.mesh.normals[other]) > same) {
          found = normal_of[other];
          break;
        }
      }
      at_point[lod.point_of[v]].push_back(v);
    }
    normal_of.push_back(found == no_point ? count++ : found);
  }
  return normal_of;
}

void pack_mesh(Output& out, Level& level, const LodLevel& lod, const PointOrder& order) {
  level.vertex_count = static_cast<std::uint32_t>(lod.mesh.vertex_count());
  level.triangle_count = static_cast<std::uint32_t>(lod.mesh.triangles.size());
  std::vector<float> rest;
  std::vector<std::uint32_t> point_of, triangles;
  for (std::uint32_t v = 0; v < level.vertex_count; ++v) {
    rest.insert(rest.end(), lod.mesh.positions[v].data(), lod.mesh.positions[v].data() + 3);
    point_of.push_back(lod.point_of[v] == no_point ? order.padded - 1 : order.new_of[lod.point_of[v]]);
  }
  rest.push_back(0.0f);
  for (const Triangle& t : lod.mesh.triangles) triangles.insert(triangles.end(), t.begin(), t.end());
  level.rest_positions = out.add(rest);
  level.point_of = out.add(point_of);
  level.joints = out.add(lod.weights.joints);
  level.weights = out.add(lod.weights.weights);
  level.triangles = out.add(triangles);
  level.normal_of = out.add(shared_normals(lod, level.normal_count));
}

}  // namespace

std::vector<std::byte> pack_correctives(const CorrectiveModel& model) {
  const std::size_t count = model.chain.levels.size();
  if (count == 0 || count > max_levels || model.regions.size() != count) {
    throw Error(ErrorCode::argument_invalid, "a corrective model has between 1 and 16 levels, and regions for each");
  }
  const auto joints = static_cast<std::uint32_t>(model.skeleton.joint_count());
  if (joints == 0 || joints > max_joints) {
    throw Error(ErrorCode::argument_invalid, "correctives need between 1 and 4096 joints");
  }
  Output out;
  out.bytes.resize(sizeof(Header) + count * sizeof(Level));
  Header header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.version = version;
  header.level_count = static_cast<std::uint32_t>(count);
  header.joint_count = joints;
  header.influences = static_cast<std::uint32_t>(model.chain.levels[0].weights.influences);
  std::vector<float> rotations;
  for (const Transform& t : rest_pose(model.skeleton)) {
    const Quatd& q = t.rotation;
    for (const double x : {q.x(), q.y(), q.z(), q.w()}) rotations.push_back(static_cast<float>(x));
  }
  header.rest_rotations = out.add(rotations);

  std::vector<Level> levels;
  std::vector<Network> networks;
  PointOrder coarser;
  for (std::size_t i = count; i-- > 0;) {
    const LodLevel& lod = model.chain.levels[i];
    Level level{};
    PointOrder order = order_points(lod.point_count, model.regions[i]);
    level.point_count = static_cast<std::uint32_t>(lod.point_count);
    level.padded_points = order.padded;
    level.first_network = static_cast<std::uint32_t>(networks.size());
    level.network_count = static_cast<std::uint32_t>(model.regions[i].size());
    std::vector<PackedRegion> packed;
    for (const CorrectiveRegion& region : model.regions[i]) {
      packed.push_back(choose_scales(region, model.tolerance));
      packed.back().first_value = header.value_count;
      networks.push_back(pack_network(out, region.network, packed.back()));
      header.value_count += networks.back().outputs;
    }
    if (i + 1 < count) pack_prolongation(out, level, model.chain.levels[i + 1].to_finer, order, coarser);
    pack_runs(out, level, model.regions[i], packed, order);
    pack_mesh(out, level, lod, order);
    levels.push_back(level);
    coarser = std::move(order);
  }
  header.network_count = static_cast<std::uint32_t>(networks.size());
  header.networks = out.add(networks);
  out.bytes.resize((out.bytes.size() + 63) / 64 * 64);
  header.file_bytes = out.bytes.size();
  std::memcpy(out.bytes.data() + sizeof(Header), levels.data(), count * sizeof(Level));
  header.hash = hash_words(std::span(out.bytes).subspan(sizeof(Header)));
  std::memcpy(out.bytes.data(), &header, sizeof header);
  return std::move(out.bytes);
}

}  // namespace sinew
