#include "sinew/mesh/winding_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sinew/base/multiversion.h"
#include "sinew/base/parallel.h"
#include "sinew/mesh/nearest_points.h"

namespace sinew {
namespace {

// Nodes and leaves are eight wide; GCC and Clang turn arithmetic on these vectors into the widest instructions there
// are. Lanes only travel by reference: how vectors are passed differs between processors.
constexpr int width = 8;
using Lanes = float __attribute__((vector_size(32)));
using LaneBits = std::int32_t __attribute__((vector_size(32)));

constexpr float accuracy = 2.0f;  // a node is far when it is further away than this times its radius (Barill's beta)
constexpr float quarter_of_pi_inverse = static_cast<float>(0.25 / std::numbers::pi);
constexpr float smallest_squared = 1e-12f;  // of a distance, in the unit box

// Far field of up to eight children, each expanded around its own centre. The derivatives of 1/r have no trace in any
// pair of indices, so only the symmetric traceless parts of the moments matter and the trace terms drop out.
struct alignas(32) Node {
  std::array<Lanes, 3> centre{};
  Lanes far_distance_squared{};    // negative for empty slots: always far, and without moments
  std::array<Lanes, 3> moment0{};  // ∫ n
  std::array<Lanes, 6> moment1{};  // xx yy zz xy xz yz of ∫ n ⊗ (x - centre)
  std::array<Lanes, 10> moment2{};  // xxx yyy zzz xxy xxz xyy yyz xzz yzz xyz of ∫ n ⊗ (x - centre) ⊗ (x - centre) / 2
  std::array<std::int32_t, width> child{};  // >= 0: node; < 0: leaf ~child
};

struct alignas(32) TriangleLeaf {
  std::array<std::array<Lanes, 3>, 3> corner;  // [corner][axis]; unused lanes repeat one point: no solid angle
};

struct alignas(32) CloudLeaf {
  std::array<Lanes, 3> position, area_normal;
};

// What the tree is built from: one triangle or one point of a cloud.
struct Element {
  Vec3d centroid;
  Vec3d area_normal;
  std::array<Vec3d, 3> corners;  // equal for a point of a cloud
};

// y = 1 / √x by Newton's method.
[[gnu::always_inline]] inline void inverse_root(const Lanes& x, Lanes& y) {
  y = (Lanes)(0x5f375a86 - ((LaneBits)x >> 1));
  for (int i = 0; i < 3; ++i) y *= 1.5f - 0.5f * x * y * y;
}

// angle = atan2(y, x) to about 2e-6.
[[gnu::always_inline]] inline void arc_tangent(const Lanes& y, const Lanes& x, Lanes& angle) {
  const Lanes ax = x < 0.0f ? -x : x, ay = y < 0.0f ? -y : y;
  const Lanes larger = ax > ay ? ax : ay, smaller = ax > ay ? ay : ax;
  const Lanes t = smaller / (larger + 1e-37f);
  const Lanes s = t * t;
  angle = t * (0.99997726f +
               s * (-0.33262347f + s * (0.19354346f + s * (-0.11643287f + s * (0.05265332f - 0.01172120f * s)))));
  angle = ay > ax ? static_cast<float>(std::numbers::pi / 2) - angle : angle;
  angle = x < 0.0f ? static_cast<float>(std::numbers::pi) - angle : angle;
  angle = y < 0.0f ? -angle : angle;
}

// Solid angles of the triangles of a leaf (van Oosterom and Strackee 1983), added to `sums` lane by lane.
[[gnu::always_inline]] inline void add_solid_angles(const TriangleLeaf& leaf, float qx, float qy, float qz,
                                                    Lanes& sums) {
  const Lanes ax = leaf.corner[0][0] - qx, ay = leaf.corner[0][1] - qy, az = leaf.corner[0][2] - qz;
  const Lanes bx = leaf.corner[1][0] - qx, by = leaf.corner[1][1] - qy, bz = leaf.corner[1][2] - qz;
  const Lanes cx = leaf.corner[2][0] - qx, cy = leaf.corner[2][1] - qy, cz = leaf.corner[2][2] - qz;
  const Lanes aa = ax * ax + ay * ay + az * az + 1e-30f, bb = bx * bx + by * by + bz * bz + 1e-30f,
              cc = cx * cx + cy * cy + cz * cz + 1e-30f;
  Lanes a, b, c, angle;
  inverse_root(aa, a);
  inverse_root(bb, b);
  inverse_root(cc, c);
  a *= aa;
  b *= bb;
  c *= cc;
  const Lanes determinant = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const Lanes denominator = a * b * c + (ax * bx + ay * by + az * bz) * c + (bx * cx + by * cy + bz * cz) * a +
                            (cx * ax + cy * ay + cz * az) * b;
  arc_tangent(determinant, denominator, angle);
  sums += 2.0f * angle;
}

[[gnu::always_inline]] inline void add_dipoles(const CloudLeaf& leaf, float qx, float qy, float qz, Lanes& sums) {
  const Lanes x = leaf.position[0] - qx, y = leaf.position[1] - qy, z = leaf.position[2] - qz;
  const Lanes squared = x * x + y * y + z * z + smallest_squared;
  Lanes inverse;
  inverse_root(squared, inverse);
  sums += (leaf.area_normal[0] * x + leaf.area_normal[1] * y + leaf.area_normal[2] * z) * inverse * inverse * inverse;
}

// Adds the solid angles of the children that are far away to `sums`, lane by lane; the others are marked in `near`.
[[gnu::always_inline]] inline void add_far_field(const Node& n, float qx, float qy, float qz, Lanes& sums,
                                                 LaneBits& near) {
  const Lanes x = n.centre[0] - qx, y = n.centre[1] - qy, z = n.centre[2] - qz;
  const Lanes xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
  const Lanes squared = xx + yy + zz + smallest_squared;
  Lanes inverse;
  inverse_root(squared, inverse);
  const Lanes inverse2 = inverse * inverse;
  const Lanes linear = n.moment0[0] * x + n.moment0[1] * y + n.moment0[2] * z;
  const Lanes quadratic = n.moment1[0] * xx + n.moment1[1] * yy + n.moment1[2] * zz +
                          2.0f * (n.moment1[3] * xy + n.moment1[4] * xz + n.moment1[5] * yz);
  const auto& t = n.moment2;
  const Lanes cubic = x * (t[0] * xx + 3.0f * (t[3] * xy + t[5] * yy + t[7] * zz + 2.0f * t[9] * yz)) +
                      y * (t[1] * yy + 3.0f * (t[6] * yz + t[8] * zz)) + z * (t[2] * zz + 3.0f * t[4] * xx);
  const Lanes value = inverse * inverse2 * (linear - inverse2 * (3.0f * quadratic - 15.0f * inverse2 * cubic));
  near = squared <= n.far_distance_squared;
  sums += near ? Lanes{} : value;
}

// Integral over an element of (x - centre) ⊗ (x - centre), divided by its area.
Mat3d second_moment(const Element& e, const Vec3d& centre) {
  const Vec3d a = e.corners[0] - centre, b = e.corners[1] - centre, c = e.corners[2] - centre, s = a + b + c;
  return (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose()) / 12.0;
}

struct Moments {
  Vec3d centre = Vec3d::Zero();
  double radius = 0;
  Vec3d order0 = Vec3d::Zero();
  Mat3d order1 = Mat3d::Zero();
  std::array<Mat3d, 3> order2{Mat3d::Zero(), Mat3d::Zero(), Mat3d::Zero()};  // fully symmetric, traceless
};

Moments expand(const std::vector<Element>& elements, std::size_t begin, std::size_t end) {
  Moments m;
  double area = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double weight = std::max(elements[i].area_normal.norm(), 1e-300);
    m.centre += weight * elements[i].centroid;
    area += weight;
  }
  m.centre /= area;
  std::array<Mat3d, 3> raw{Mat3d::Zero(), Mat3d::Zero(), Mat3d::Zero()};
  for (std::size_t i = begin; i < end; ++i) {
    const Element& e = elements[i];
    for (const Vec3d& corner : e.corners) m.radius = std::max(m.radius, (corner - m.centre).norm());
    m.order0 += e.area_normal;
    m.order1 += e.area_normal * (e.centroid - m.centre).transpose();
    const Mat3d second = 0.5 * second_moment(e, m.centre);
    for (int a = 0; a < 3; ++a) raw[a] += e.area_normal[a] * second;
  }
  m.order1 = (0.5 * (m.order1 + m.order1.transpose())).eval();
  m.order1 -= m.order1.trace() / 3.0 * Mat3d::Identity();
  Vec3d trace = Vec3d::Zero();
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      for (int c = 0; c < 3; ++c) m.order2[a](b, c) = (raw[a](b, c) + raw[b](c, a) + raw[c](a, b)) / 3.0;
    }
  }
  for (int a = 0; a < 3; ++a) trace[a] = m.order2[a].trace();
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      for (int c = 0; c < 3; ++c) {
        m.order2[a](b, c) -= ((a == b ? trace[c] : 0) + (b == c ? trace[a] : 0) + (a == c ? trace[b] : 0)) / 5.0;
      }
    }
  }
  return m;
}

void store(Node& node, int lane, const Moments& m) {
  for (int axis = 0; axis < 3; ++axis) {
    node.centre[axis][lane] = static_cast<float>(m.centre[axis]);
    node.moment0[axis][lane] = static_cast<float>(m.order0[axis]);
  }
  node.far_distance_squared[lane] = static_cast<float>(std::pow(accuracy * m.radius, 2));
  const std::array<double, 6> order1 = {m.order1(0, 0), m.order1(1, 1), m.order1(2, 2),
                                        m.order1(0, 1), m.order1(0, 2), m.order1(1, 2)};
  for (int i = 0; i < 6; ++i) node.moment1[i][lane] = static_cast<float>(order1[i]);
  const auto& t = m.order2;
  const std::array<double, 10> order2 = {t[0](0, 0), t[1](1, 1), t[2](2, 2), t[0](0, 1), t[0](0, 2),
                                         t[0](1, 1), t[1](1, 2), t[0](2, 2), t[1](2, 2), t[0](1, 2)};
  for (int i = 0; i < 10; ++i) node.moment2[i][lane] = static_cast<float>(order2[i]);
}

struct WindingTree {
  std::vector<Node> nodes;
  std::vector<TriangleLeaf> triangle_leaves;
  std::vector<CloudLeaf> cloud_leaves;
  bool is_cloud = false;
};

SINEW_MULTIVERSION float solid_angle(const WindingTree& tree, float qx, float qy, float qz) {
  Lanes sums{};
  std::array<std::int32_t, 16 * width> stack;  // a tree of 8^16 leaves would not fit into memory
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const Node& node = tree.nodes[stack[--size]];
    LaneBits near;
    add_far_field(node, qx, qy, qz, sums, near);
    for (int lane = 0; lane < width; ++lane) {
      if (!near[lane]) continue;
      const std::int32_t child = node.child[lane];
      if (child >= 0) {
        stack[size++] = child;
      } else if (tree.is_cloud) {
        add_dipoles(tree.cloud_leaves[~child], qx, qy, qz, sums);
      } else {
        add_solid_angles(tree.triangle_leaves[~child], qx, qy, qz, sums);
      }
    }
  }
  float sum = 0.0f;
  for (int lane = 0; lane < width; ++lane) sum += sums[lane];
  return sum;
}

}  // namespace

struct WindingNumber::Impl : WindingTree {
  static constexpr std::size_t leaf_size = width;
  Vec3f origin = Vec3f::Zero();  // the tree lives in a unit box, so that high powers of distances neither over- nor
  float scale = 1.0f;            // underflow, whatever the unit of the mesh

  void build(std::vector<Element> elements) {
    if (elements.empty()) return;
    Eigen::AlignedBox3d box;
    for (const Element& e : elements) {
      for (const Vec3d& corner : e.corners) box.extend(corner);
    }
    origin = box.center().cast<float>();
    const double extent = box.sizes().maxCoeff();
    scale = extent > 0.0 ? static_cast<float>(1.0 / extent) : 1.0f;
    const auto normalised = [&](const Vec3d& p) -> Vec3d { return double{scale} * (p - origin.cast<double>()); };
    for (Element& e : elements) {
      e.centroid = normalised(e.centroid);
      e.area_normal *= double{scale} * scale;
      for (Vec3d& corner : e.corners) corner = normalised(corner);
    }
    build_node(elements, 0, elements.size());
  }

  // Splits at the median of the longest axis; deterministic because ties are broken by position in the range.
  static std::size_t split(std::vector<Element>& elements, std::size_t begin, std::size_t end) {
    Eigen::AlignedBox3d box;
    for (std::size_t i = begin; i < end; ++i) box.extend(elements[i].centroid);
    int axis;
    box.sizes().maxCoeff(&axis);
    // A multiple of the leaf size keeps the leaves full.
    const std::size_t half = (end - begin) / 2;
    const std::size_t middle = begin + (half > leaf_size ? (half + leaf_size - 1) / leaf_size * leaf_size : half);
    std::nth_element(elements.begin() + begin, elements.begin() + middle, elements.begin() + end,
                     [axis](const Element& a, const Element& b) { return a.centroid[axis] < b.centroid[axis]; });
    return middle;
  }

  std::int32_t build_node(std::vector<Element>& elements, std::size_t begin, std::size_t end) {
    stop_if_cancelled();
    const auto index = static_cast<std::int32_t>(nodes.size());
    nodes.emplace_back();
    // Halved three times; a part that fits into a leaf is not halved further.
    std::array<std::size_t, width + 1> bounds;
    bounds.fill(begin);
    bounds[width] = end;
    for (int step = width; step > 1; step /= 2) {
      for (int part = 0; part < width; part += step) {
        const std::size_t first = bounds[part], last = bounds[part + step];
        bounds[part + step / 2] = last - first > leaf_size ? split(elements, first, last) : last;
      }
    }
    Node node;
    node.far_distance_squared = Lanes{} - 1.0f;
    for (int lane = 0; lane < width; ++lane) {
      const std::size_t first = bounds[lane], last = bounds[lane + 1];
      if (first == last) continue;
      store(node, lane, expand(elements, first, last));
      node.child[lane] =
          last - first > leaf_size ? build_node(elements, first, last) : ~add_leaf(elements, first, last);
    }
    nodes[index] = node;
    return index;
  }

  std::int32_t add_leaf(const std::vector<Element>& elements, std::size_t begin, std::size_t end) {
    const auto lane_element = [&](int lane) { return std::min(begin + lane, end - 1); };
    if (is_cloud) {
      CloudLeaf leaf;
      for (int lane = 0; lane < width; ++lane) {
        const Element& e = elements[lane_element(lane)];
        const bool used = begin + lane < end;
        for (int axis = 0; axis < 3; ++axis) {
          leaf.position[axis][lane] = static_cast<float>(e.centroid[axis]);
          leaf.area_normal[axis][lane] = used ? static_cast<float>(e.area_normal[axis]) : 0.0f;
        }
      }
      cloud_leaves.push_back(leaf);
      return static_cast<std::int32_t>(cloud_leaves.size() - 1);
    }
    TriangleLeaf leaf;
    for (int lane = 0; lane < width; ++lane) {
      const Element& e = elements[lane_element(lane)];
      const bool used = begin + lane < end;
      for (int corner = 0; corner < 3; ++corner) {
        for (int axis = 0; axis < 3; ++axis) {
          leaf.corner[corner][axis][lane] = static_cast<float>(e.corners[used ? corner : 0][axis]);
        }
      }
    }
    triangle_leaves.push_back(leaf);
    return static_cast<std::int32_t>(triangle_leaves.size() - 1);
  }

  float evaluate(const Vec3f& point) const {
    if (nodes.empty()) return 0.0f;
    const Vec3f q = scale * (point - origin);
    return quarter_of_pi_inverse * solid_angle(*this, q.x(), q.y(), q.z());
  }
};

WindingNumber::WindingNumber(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles)
    : impl_(std::make_unique<Impl>()) {
  std::vector<Element> elements;
  elements.reserve(triangles.size());
  for (const Triangle& t : triangles) {
    const Vec3d a = positions[t[0]].cast<double>(), b = positions[t[1]].cast<double>(),
                c = positions[t[2]].cast<double>();
    if (!a.allFinite() || !b.allFinite() || !c.allFinite()) continue;
    const Vec3d area_normal = 0.5 * (b - a).cross(c - a);
    if (area_normal.squaredNorm() == 0.0) continue;
    elements.push_back({(a + b + c) / 3.0, area_normal, {a, b, c}});
  }
  impl_->build(std::move(elements));
}

WindingNumber::WindingNumber(const std::vector<Vec3f>& points, const std::vector<Vec3f>& normals,
                             const std::vector<float>& areas)
    : impl_(std::make_unique<Impl>()) {
  impl_->is_cloud = true;
  std::vector<Element> elements;
  elements.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3d p = points[i].cast<double>();
    const Vec3d area_normal = areas[i] * normals[i].cast<double>();
    if (p.allFinite() && area_normal.allFinite()) elements.push_back({p, area_normal, {p, p, p}});
  }
  impl_->build(std::move(elements));
}

WindingNumber::~WindingNumber() = default;
WindingNumber::WindingNumber(WindingNumber&&) noexcept = default;
WindingNumber& WindingNumber::operator=(WindingNumber&&) noexcept = default;

float WindingNumber::operator()(const Vec3f& point) const { return impl_->evaluate(point); }

double exact_winding_number(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles,
                            const Vec3d& point) {
  double sum = 0.0;
  for (const Triangle& t : triangles) {
    const Vec3d a = positions[t[0]].cast<double>() - point, b = positions[t[1]].cast<double>() - point,
                c = positions[t[2]].cast<double>() - point;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (2.0 * std::numbers::pi);
}

std::vector<float> cloud_areas(const std::vector<Vec3f>& points, int neighbours) {
  std::vector<float> areas(points.size(), 0.0f);
  if (points.size() < 2) return areas;
  const NearestPoints tree(points);
  const int count = std::min<int>(neighbours, static_cast<int>(points.size()) - 1);
  parallel_for(points.size(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<NearPoint> near;
    for (std::size_t i = begin; i < end; ++i) {
      tree.nearest(points[i], count + 1, near);  // the point itself is among them
      areas[i] = static_cast<float>(std::numbers::pi * std::pow(near.back().distance, 2) / count);
    }
  });
  return areas;
}

}  // namespace sinew
