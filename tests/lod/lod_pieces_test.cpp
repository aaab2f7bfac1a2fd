// Levels of characters that are made of many pieces, and where a chain ends.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "sinew/lod.h"


namespace sinew {
namespace {

void add_ball(Character& character, const Vec3d& centre, double radius, int rings) {
  TriangleMesh& mesh = character.mesh;
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  const int sides = 2 * rings;
  const auto at = [&](int ring, int side) {
    return first + 1 + static_cast<std::uint32_t>((ring - 1) * sides + side % sides);
  };
  const auto add = [&](double height, double around, double angle) {
    mesh.positions.push_back(
        (centre + radius * Vec3d(around * std::cos(angle), height, around * std::sin(angle))).cast<float>());
  };
  add(1, 0, 0);
  for (int ring = 1; ring < rings; ++ring) {
    for (int side = 0; side < sides; ++side) {
      add(std::cos(M_PI * ring / rings), std::sin(M_PI * ring / rings), 2 * M_PI * side / sides);
    }
  }
  add(-1, 0, 0);
  const auto last = static_cast<std::uint32_t>(mesh.positions.size()) - 1;
  for (int side = 0; side < sides; ++side) {
    mesh.triangles.push_back({first, at(1, side + 1), at(1, side)});
    mesh.triangles.push_back({last, at(rings - 1, side), at(rings - 1, side + 1)});
    for (int ring = 1; ring + 1 < rings; ++ring) {
      mesh.triangles.push_back({at(ring, side), at(ring, side + 1), at(ring + 1, side)});
      mesh.triangles.push_back({at(ring, side + 1), at(ring + 1, side + 1), at(ring + 1, side)});
    }
  }
}

// A large ball, and bolts of different sizes beside it.
Character ball_with_bolts(int bolts) {
  Character character;
  add_ball(character, Vec3d(0, 0, 0), 1.0, 24);
  for (int i = 0; i < bolts; ++i) {
    const double angle = 2 * M_PI * i / bolts;
    add_ball(character, 1.5 * Vec3d(std::cos(angle), 0, std::sin(angle)), 0.02 + 0.002 * i, 6);
  }
  return character;
}

// Volume of every piece of a level, by the piece's first vertex in the character.
std::vector<double> volumes(const Character& character, const LodLevel& level) {
  std::size_t count = 0;
  const std::vector<std::uint32_t> points = surface_points(character.mesh, &count);
  std::vector<std::uint32_t> piece(count);
  for (std::uint32_t p = 0; p < count; ++p) piece[p] = p;
  const auto find = [&](std::uint32_t p) {
    while (piece[p] != p) p = piece[p] = piece[piece[p]];
    return p;
  };
  for (const Triangle& t : character.mesh.triangles) {
    for (const int k : {1, 2}) {
      const std::uint32_t a = find(points[t[0]]), b = find(points[t[k]]);
      piece[std::max(a, b)] = std::min(a, b);
    }
  }
  std::map<std::uint32_t, double> sums;
  for (const Triangle& t : level.mesh.triangles) {
    const Vec3d a = level.mesh.positions[t[0]].cast<double>(), b = level.mesh.positions[t[1]].cast<double>(),
                c = level.mesh.positions[t[2]].cast<double>();
    sums[find(points[level.vertices[t[0]]])] += a.dot(b.cross(c)) / 6;
  }
  std::vector<double> result;
  for (const auto& [first, volume] : sums) result.push_back(std::abs(volume));
  return result;
}

TEST(LodPieces, KeepTheirShapeOrGo) {
  const Character character = ball_with_bolts(30);
  const LodChain chain = make_lod_chain(character, {.levels = 5, .ratio = 0.4});
  ASSERT_EQ(chain.levels.size(), 5u);
  const std::vector<double> finest = volumes(character, chain.levels[0]);
  ASSERT_EQ(finest.size(), 31u);
  std::size_t dropped = 0;
  for (const LodLevel& level : chain.levels) {
    const std::vector<double> now = volumes(character, level);
    EXPECT_EQ(now.size() + level.dropped_pieces, finest.size());
    EXPECT_GE(level.dropped_pieces, dropped);
    dropped = level.dropped_pieces;
    // The smallest went first: those that are left are the last ones, each still a body.
    for (std::size_t i = 1; i < now.size(); ++i) {
      EXPECT_GT(now[now.size() - i], 0.3 * finest[finest.size() - i]) << i;
    }
    EXPECT_GT(now[0], 0.6 * finest[0]);
    for (std::size_t p = 0; p < level.to_finer.points.size(); ++p) {
      for (const std::uint32_t point : level.to_finer.points[p]) EXPECT_LT(point, level.point_count);
    }
  }
  EXPECT_GT(dropped, 0u);
}

TEST(LodPieces, MayBecomeShards) {
  const Character character = ball_with_bolts(30);
  const LodChain chain = make_lod_chain(character, {.levels = 5, .ratio = 0.4, .whole_pieces = false});
  EXPECT_EQ(chain.levels.back().dropped_pieces, 0u);
  EXPECT_EQ(volumes(character, chain.levels.back()).size(), 31u);
}

TEST(LodError, TheChainEndsWhereItPasses) {
  const Character character = ball_with_bolts(4);
  const double diagonal = bounding_diagonal(character.mesh);
  for (const double limit : {0.002, 0.01, 0.05}) {
    const LodChain chain = make_lod_chain(character, {.levels = 8, .ratio = 0.5, .max_error = limit});
    for (const LodLevel& level : chain.levels) {
      EXPECT_LE(level.error, limit * diagonal * (1 + 1e-9));
      EXPECT_LE(level.deviation, limit * diagonal * (1 + 1e-9));
    }
    if (limit < 0.05) {
      EXPECT_LT(chain.levels.size(), 8u);
      ASSERT_FALSE(chain.warnings.empty());
      EXPECT_EQ(chain.warnings.back().code, "level-not-made");
    }
  }
  EXPECT_GT(make_lod_chain(character, {.levels = 8, .ratio = 0.5, .max_error = 0.01}).levels.size(),
            make_lod_chain(character, {.levels = 8, .ratio = 0.5, .max_error = 0.002}).levels.size());
  EXPECT_THROW(make_lod_chain(character, {.max_error = -1}), Error);
}

TEST(LodError, DeviationIsMeasured) {
  const Character character = ball_with_bolts(0);
  const LodChain chain = make_lod_chain(character, {.levels = 4, .ratio = 0.3});
  EXPECT_EQ(chain.levels[0].deviation, 0);
  for (std::size_t i = 1; i < chain.levels.size(); ++i) {
    EXPECT_GT(chain.levels[i].deviation, chain.levels[i - 1].deviation);
    EXPECT_LT(chain.levels[i].deviation, 0.5);
  }
}

}  // namespace
}  // namespace sinew
