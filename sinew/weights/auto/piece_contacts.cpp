#include "sinew/weights/auto/piece_contacts.h"

#include <algorithm>

#include "sinew/base/parallel.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/weights/attached_pieces.h"

namespace sinew {
namespace {

constexpr std::size_t most_asked = 200;  // vertices of a piece that look for another one
constexpr int vertices_around = 24;      // among which another piece counts as near
constexpr double near_contact = 0.01;    // of the mesh's diagonal

void add_weights(const SkinWeights& weights, std::size_t vertex, float share, std::vector<float>& sum) {
  for (int slot = 0; slot < weights.influences; ++slot) {
    const std::size_t at = vertex * weights.influences + slot;
    sum[weights.joints[at]] += share * weights.weights[at];
  }
}

struct Contact {
  std::uint32_t other;
  double distance;
};

// The nearest vertex of a larger piece; none when only smaller ones and its own are around.
bool find_contact(const BindInput& input, const NearestPoints& points, const std::vector<PieceFacts>& pieces,
                  std::uint32_t vertex, std::vector<NearPoint>& near, Contact& contact) {
  const std::uint32_t own = input.components.component_of[vertex];
  points.nearest(input.mesh.positions[vertex], vertices_around, near);
  for (const NearPoint& point : near) {
    const std::uint32_t piece = input.components.component_of[point.index];
    if (piece == own || pieces[piece].size <= pieces[own].size) continue;
    contact = {point.index, point.distance};
    return true;
  }
  return false;
}

void find_touched(const BindInput& input, const SkinWeights& heat, const NearestPoints& points,
                  const std::vector<PieceFacts>& pieces, const std::vector<std::uint32_t>& vertices,
                  PieceFacts& piece) {
  std::vector<Contact> contacts;
  std::vector<NearPoint> near;
  const std::size_t asked = std::min(vertices.size(), most_asked);
  for (std::size_t i = 0; i < asked; ++i) {
    Contact contact{};
    if (find_contact(input, points, pieces, vertices[i * vertices.size() / asked], near, contact)) {
      contacts.push_back(contact);
    }
  }
  if (contacts.empty()) return;
  piece.contact_distance = std::min_element(contacts.begin(), contacts.end(), [](const Contact& a, const Contact& b) {
                             return a.distance < b.distance;
                           })->distance;
  const double farthest = std::max(near_contact, 2 * piece.contact_distance);
  std::erase_if(contacts, [&](const Contact& contact) { return contact.distance > farthest; });
  piece.contact_share = static_cast<double>(contacts.size()) / static_cast<double>(asked);
  piece.touched.assign(input.joint_count(), 0.0f);
  for (const Contact& contact : contacts) {
    add_weights(heat, contact.other, 1.0f / static_cast<float>(contacts.size()), piece.touched);
  }
}

}  // namespace

std::vector<std::vector<std::uint32_t>> vertices_of_pieces(const BindInput& input) {
  std::vector<std::vector<std::uint32_t>> vertices(input.components.count);
  for (std::uint32_t v = 0; v < input.vertex_count(); ++v) vertices[input.components.component_of[v]].push_back(v);
  return vertices;
}

std::vector<float> mean_weights(const SkinWeights& weights, const std::vector<std::uint32_t>& vertices, int joints) {
  std::vector<float> mean(joints, 0.0f);
  for (const std::uint32_t v : vertices) add_weights(weights, v, 1.0f / static_cast<float>(vertices.size()), mean);
  return mean;
}

double weight_spread(const SkinWeights& weights, const std::vector<std::uint32_t>& vertices,
                     const std::vector<float>& mean) {
  double sum = 0;
  for (const std::uint32_t v : vertices) {
    double common = 0;
    for (int slot = 0; slot < weights.influences; ++slot) {
      const std::size_t at = static_cast<std::size_t>(v) * weights.influences + slot;
      if (weights.weights[at] > 0) common += std::min(weights.weights[at], mean[weights.joints[at]]);
    }
    sum += 1 - common;
  }
  return sum / static_cast<double>(vertices.size());
}

PieceContacts find_piece_contacts(const BindInput& input, const SkinWeights& heat) {
  PieceContacts pieces(input.components.count);
  const std::vector<std::vector<std::uint32_t>> vertices = vertices_of_pieces(input);
  parallel_for(pieces.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      AABBf box;
      pieces[p].vertices = vertices[p].size();
      pieces[p].heat = mean_weights(heat, vertices[p], input.joint_count());
      for (const std::uint32_t v : vertices[p]) box.extend(input.mesh.positions[v]);
      pieces[p].size = box.diagonal().norm();
      pieces[p].spread = weight_spread(heat, vertices[p], pieces[p].heat);
      pieces[p].holds_bone.assign(input.joint_count(), 0);
      for (const Bone& bone : input.bones) pieces[p].holds_bone[bone.joint] |= enters_box(bone, box);
    }
  });
  if (pieces.size() < 2) return pieces;
  double largest = 1e-9;
  for (const PieceFacts& piece : pieces) largest = std::max(largest, piece.size);
  for (PieceFacts& piece : pieces) piece.relative_size = piece.size / largest;
  const NearestPoints points(input.mesh.positions);
  PieceContacts result = pieces;
  parallel_for(pieces.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) find_touched(input, heat, points, pieces, vertices[p], result[p]);
  });
  return result;
}

}  // namespace sinew
