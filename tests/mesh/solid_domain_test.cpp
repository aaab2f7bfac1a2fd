#include "sinew/mesh/solid_domain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/mesh/cloud_normals.h"
#include "sinew/mesh/solid_pieces.h"
#include "sinew/mesh/volume_samples.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

// A box of 12 triangles, every triangle with its own corners; `kept` is the share of triangles that stay.
TriangleMesh solid_box(const Vec3f& low, const Vec3f& high) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.positions.emplace_back(i & 1 ? high.x() : low.x(), i & 2 ? high.y() : low.y(), i & 4 ? high.z() : low.z());
  }
  const std::uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& f : faces) {
    mesh.triangles.push_back({f[0], f[1], f[2]});
    mesh.triangles.push_back({f[0], f[2], f[3]});
  }
  return mesh;
}

// Points on a unit sphere, and the sphere's latitude rings as a soup with `missing` of its triangles left out.
TriangleMesh sphere_soup(int rings, double missing, std::uint64_t seed) {
  TriangleMesh mesh;
  Random random(seed);
  const auto place = [&](int i, int j) {
    const double theta = std::numbers::pi * i / rings, phi = std::numbers::pi * j / rings;
    return Vec3f(
        Vec3d(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)).cast<float>());
  };
  for (int i = 0; i < rings; ++i) {
    for (int j = 0; j < 2 * rings; ++j) {
      for (const auto& corners : {std::array{place(i, j), place(i + 1, j), place(i, j + 1)},
                                  std::array{place(i, j + 1), place(i + 1, j), place(i + 1, j + 1)}}) {
        if (random.uniform() < missing) continue;
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (const Vec3f& corner : corners) {
          const Vec3d jitter(random.normal(), random.normal(), random.normal());
          mesh.positions.push_back(corner + 0.02f * jitter.cast<float>());
        }
        mesh.triangles.push_back({first, first + 1, first + 2});
      }
    }
  }
  return mesh;
}

TEST(SolidDomain, KnowsInsideEvenWhenHalfTheSurfaceIsMissing) {
  for (const double missing : {0.0, 0.3, 0.5, 0.7}) {
    const SolidDomain domain(sphere_soup(20, missing, 3));
    Random random(1);
    int wrong = 0, tried = 0;
    for (int i = 0; i < 2000; ++i) {
      const Vec3d p(random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3));
      if (std::abs(p.norm() - 1.0) < 0.2) continue;
      ++tried;
      wrong += domain.contains(p.cast<float>()) != (p.norm() < 1.0);
    }
    EXPECT_LT(wrong, 0.03 * tried) << missing << " missing, threshold " << domain.threshold();
  }
}

TEST(SolidDomain, WallsBlockTheView) {
  TriangleMesh two = solid_box({0, 0, 0}, {1, 1, 1});
  test::append(two, solid_box({1.01f, 0, 0}, {2, 1, 1}));
  const SolidDomain domain(two);
  EXPECT_TRUE(domain.sees({0.1f, 0.5f, 0.5f}, {0.99f, 0.2f, 0.9f}));
  EXPECT_FALSE(domain.sees({0.99f, 0.5f, 0.5f}, {1.02f, 0.5f, 0.5f}));
}

TEST(SolidDomain, ThicknessIsSmallInAFingerAndNotAtEdges) {
  const SolidDomain cube(solid_box({0, 0, 0}, {1, 1, 1})), finger(solid_box({0, 0, 0}, {1, 0.1f, 0.1f}));
  EXPECT_GT(cube.thickness({0.5f, 0.5f, 0.5f}), 0.9);
  EXPECT_GT(cube.thickness({0.02f, 0.02f, 0.5f}), 0.4);
  EXPECT_LT(finger.thickness({0.5f, 0.05f, 0.05f}), 0.25);
}

TEST(SolidDomain, PlanarMeshIsItsOwnInside) {
  TriangleMesh sheet;  // an L: the notch is outside and blocks the view
  sheet.positions = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  const SolidDomain domain(sheet);
  EXPECT_EQ(domain.dimension(), 2);
  EXPECT_TRUE(domain.contains({0.5f, 0.5f, 0}));
  EXPECT_FALSE(domain.contains({1.5f, 1.5f, 0}));
  EXPECT_TRUE(domain.sees({0.5f, 0.5f, 0}, {1.8f, 0.5f, 0}));
  EXPECT_FALSE(domain.sees({0.8f, 1.9f, 0}, {1.9f, 0.8f, 0}));
}

TEST(SolidDomain, PointCloudsWithAndWithoutNormals) {
  Random random(4);
  TriangleMesh cloud;
  for (int i = 0; i < 3000; ++i) {
    const Vec3d p = Vec3d(random.normal(), random.normal(), random.normal()).normalized();
    cloud.positions.push_back(p.cast<float>());
    cloud.normals.push_back(p.cast<float>());
  }
  for (const bool normals : {true, false}) {
    if (!normals) cloud.normals.clear();
    const SolidDomain domain(cloud);
    EXPECT_TRUE(domain.contains({0, 0, 0}));
    EXPECT_TRUE(domain.contains({0.5f, 0.5f, 0.2f}));
    EXPECT_FALSE(domain.contains({1.2f, 0, 0}));
    EXPECT_FALSE(domain.sees({0, 0, 0}, {2, 0, 0}));
    EXPECT_TRUE(domain.sees({0, 0, 0}, {0, 0.7f, 0.3f}));
  }
}

TEST(SolidDomain, RefusesNothingAndForgivesNaN) {
  EXPECT_THROW(SolidDomain(TriangleMesh{}), Error);
  TriangleMesh mesh = solid_box({0, 0, 0}, {1, 1, 1});
  mesh.positions.emplace_back(std::numeric_limits<float>::quiet_NaN(), 0, 0);
  mesh.triangles.push_back({0, 1, 8});
  const SolidDomain domain(mesh);
  EXPECT_TRUE(domain.contains({0.5f, 0.5f, 0.5f}));
  EXPECT_EQ(domain.warnings().size(), 1u);
}

TEST(CloudNormals, PointOutwards) {
  Random random(4);
  std::vector<Vec3f> points;
  for (int i = 0; i < 2000; ++i) {
    const Vec3d p = Vec3d(random.normal(), random.normal(), random.normal()).normalized();
    points.push_back(Vec3d(p.x(), 2 * p.y(), 0.7 * p.z()).cast<float>());
  }
  const std::vector<Vec3f> normals = estimate_cloud_normals(points);
  int outwards = 0;
  for (std::size_t i = 0; i < points.size(); ++i) outwards += normals[i].dot(points[i]) > 0.0f;
  EXPECT_GT(outwards, 1990);
}

TEST(SolidPieces, ClosedPiecesStandAloneAndSoupsStayTogether) {
  TriangleMesh mesh = solid_box({0, 0, 0}, {1, 1, 1});
  test::append(mesh, solid_box({0.5f, 0, 0}, {2, 1, 1}));
  TriangleMesh inside_out = solid_box({5, 0, 0}, {6, 1, 1});
  for (Triangle& t : inside_out.triangles) std::swap(t[1], t[2]);
  test::append(mesh, inside_out);
  const SolidPieces pieces = split_into_solids(mesh);
  ASSERT_EQ(pieces.meshes.size(), 3u);
  EXPECT_EQ(pieces.meshes[1].triangles.size(), 12u);
  EXPECT_TRUE(SolidDomain(pieces.meshes[2]).contains({5.5f, 0.5f, 0.5f}));
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    EXPECT_EQ(pieces.meshes[pieces.piece_of[v]].positions[pieces.local_of[v]], mesh.positions[v]);
  }
  EXPECT_EQ(split_into_solids(sphere_soup(10, 0.2, 1)).meshes.size(), 1u);
}

TEST(VolumeSamples, KeepTheirDistanceStayInsideAndHitTheCount) {
  std::vector<SolidDomain> domains;
  domains.emplace_back(solid_box({0, 0, 0}, {2, 1, 0.5f}));
  VolumeSampleOptions options;
  options.target = 3000;
  const std::vector<SpacingField> fields = make_spacing_fields(domains, options);
  const std::vector<Vec3f> fixed = {{1, 0.5f, 0.25f}, {1.001f, 0.5f, 0.25f}};
  const VolumeSamples samples = sample_volume(domains[0], fields[0], fixed, 1);
  EXPECT_NEAR(static_cast<double>(samples.positions.size()), 3000.0, 900.0);
  EXPECT_EQ(samples.positions[0], fixed[0]);
  EXPECT_EQ(samples.positions[1], fixed[1]);
  double volume = 0.0;
  for (float v : samples.volume) volume += v;
  EXPECT_NEAR(volume, 1.0, 0.3);
  for (std::size_t i = 2; i < samples.positions.size(); ++i) {
    EXPECT_TRUE(domains[0].contains(samples.positions[i]));
    for (std::size_t j = 0; j < i; ++j) {
      ASSERT_GE((samples.positions[i] - samples.positions[j]).norm(), 0.999f * samples.spacing[i]) << i << ' ' << j;
    }
  }
}

TEST(VolumeSamples, ThinPlacesGetMorePoints) {
  // A thin finger on a large body.
  TriangleMesh mesh = solid_box({0, 0, 0}, {1, 1, 1});
  test::append(mesh, solid_box({0.9f, 0.47f, 0.47f}, {2, 0.53f, 0.53f}));
  std::vector<SolidDomain> domains;
  domains.emplace_back(mesh);
  VolumeSampleOptions options;
  options.target = 2000;
  const std::vector<SpacingField> fields = make_spacing_fields(domains, options);
  const VolumeSamples samples = sample_volume(domains[0], fields[0], {}, 1);
  int in_finger = 0;
  for (const Vec3f& p : samples.positions) in_finger += p.x() > 1.0f;
  EXPECT_GT(in_finger, 100);  // by volume alone it would be 8
}

TEST(VolumeSamples, SameAtAnyThreadCount) {
  std::vector<std::vector<Vec3f>> results;
  for (const int threads : {1, 2}) {
    results.push_back(with_threads(threads, [&] {
      std::vector<SolidDomain> domains;
      domains.emplace_back(sphere_soup(12, 0.3, 2));
      VolumeSampleOptions options;
      options.target = 1000;
      const std::vector<SpacingField> fields = make_spacing_fields(domains, options);
      return sample_volume(domains[0], fields[0], {}, 1).positions;
    }));
  }
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace sinew
