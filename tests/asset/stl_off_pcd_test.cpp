#include <gtest/gtest.h>

#include <cstring>

#include "sinew/asset/file_format.h"
#include "sinew/asset/plain/off.h"
#include "sinew/asset/plain/pcd.h"
#include "sinew/asset/plain/stl.h"

namespace sinew {
namespace {

std::span<const std::byte> bytes_of_text(const std::string& text) { return std::as_bytes(std::span(text)); }

template <typename Read>
std::string error_of(Read read, const std::string& text) {
  try {
    read(bytes_of_text(text), LoadOptions{});
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

Character square() {
  Character c;
  c.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0.1f}, {0, 1, 0}};
  c.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return c;
}

TEST(Stl, BinaryRoundTripJoinsCorners) {
  const std::string bytes = write_stl(square());
  EXPECT_EQ(bytes.size(), 84u + 2 * 50u);
  EXPECT_TRUE(is_binary_stl(bytes_of_text(bytes)));
  const Character after = read_stl(bytes_of_text(bytes));
  EXPECT_EQ(after.mesh.positions, square().mesh.positions);
  EXPECT_EQ(after.mesh.triangles, square().mesh.triangles);
}

TEST(Stl, ABinaryFileMayBeginWithSolid) {
  std::string bytes = write_stl(square());
  std::memcpy(bytes.data(), "solid x", 7);
  EXPECT_EQ(format_of_content(bytes_of_text(bytes)), FileFormat::stl);
  EXPECT_EQ(read_stl(bytes_of_text(bytes)).mesh.triangles.size(), 2u);
}

TEST(Stl, TextSolidsBecomeParts) {
  const std::string facet =
      "facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1e0 0\n endloop\nendfacet\n";
  const Character c = read_stl(
      bytes_of_text("solid first part\n" + facet + facet + "endsolid first part\nsolid b\n" + facet + "endsolid"));
  ASSERT_EQ(c.parts.size(), 2u);
  EXPECT_EQ(c.parts[0].name, "first part");
  EXPECT_EQ(c.parts[0].vertex_count, 3u);
  EXPECT_EQ(c.parts[0].triangle_count, 2u);
  EXPECT_EQ(c.mesh.vertex_count(), 6u);
}

TEST(Stl, RefusesWhatDoesNotFit) {
  std::string cut = write_stl(square());
  cut.resize(cut.size() - 10);
  EXPECT_NE(error_of(read_stl, cut).find("declares 2 triangles"), std::string::npos);
  EXPECT_NE(error_of(read_stl, "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n").find("three numbers"),
            std::string::npos);
  EXPECT_NE(error_of(read_stl, "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n").find("inside a facet"),
            std::string::npos);
  EXPECT_NE(error_of(read_stl, "solid a\nendsolid\n").find("no triangle"), std::string::npos);
}

TEST(Off, ReadsVariantsCommentsAndPolygons) {
  const Character plain =
      read_off(bytes_of_text("OFF # a square\n4 1 0\n\n0 0 0\n1 0 0 # corner\n1 1 0\n0 1 0\n4 0 1 2 3 255 0 0\n"));
  EXPECT_EQ(plain.mesh.triangles.size(), 2u);
  const Character bare = read_off(bytes_of_text("3 1 3\n0 0 0\n1 0 0\n1 1 0\n3 0 1 2\n"));
  EXPECT_EQ(bare.mesh.triangles.size(), 1u);
  const Character colored =
      read_off(bytes_of_text("COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 0 255 0 255\n1 1 0 0 0 255 0\n3 0 1 2\n"));
  EXPECT_EQ(colored.mesh.colors[0], Vec4f(1, 0, 0, 1));
  EXPECT_EQ(colored.mesh.colors[2], Vec4f(0, 0, 1, 0));
  const Character all = read_off(bytes_of_text("STCNOFF\n1 0 0\n1 2 3 0 0 1 0.5 0 1 0.25 0.75\n"));
  EXPECT_EQ(all.mesh.normals[0], Vec3f(0, 0, 1));
  EXPECT_EQ(all.mesh.uvs[0], Vec2f(0.25f, 0.25f));
  EXPECT_EQ(all.mesh.colors[0][2], 1.0f);
}

TEST(Off, RoundTrip) {
  Character c = square();
  c.mesh.normals.assign(4, Vec3f(0, 0, 1));
  const Character after = read_off(bytes_of_text(write_off(c)));
  EXPECT_EQ(after.mesh.positions, c.mesh.positions);
  EXPECT_EQ(after.mesh.normals, c.mesh.normals);
  EXPECT_EQ(after.mesh.triangles, c.mesh.triangles);
}

TEST(Off, RefusesWhatDoesNotFit) {
  EXPECT_NE(error_of(read_off, "OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 0\n3 0 1 3\n").find("vertex 3"), std::string::npos);
  EXPECT_NE(error_of(read_off, "OFF\n1000000 1 0\n0 0 0\n").find("ends before"), std::string::npos);
  EXPECT_NE(error_of(read_off, "OFF\n3 1 0\n0 0 0\n1 0 x\n1 1 0\n3 0 1 2\n").find("'x'"), std::string::npos);
  EXPECT_NE(error_of(read_off, "OFF BINARY\n").find("binary OFF"), std::string::npos);
  EXPECT_NE(error_of(read_off, "4OFF\n").find("three dimensions"), std::string::npos);
}

const std::string pcd_head =
    "# .PCD v0.7\nVERSION 0.7\nFIELDS x y z rgb\nSIZE 4 4 4 4\nTYPE F F F U\nCOUNT 1 1 1 1\nWIDTH 3\nHEIGHT 1\n"
    "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS 3\n";

TEST(Pcd, TextAndMissingPoints) {
  const Character c = read_pcd(bytes_of_text(pcd_head + "DATA ascii\n0 0 0 16711680\nnan nan nan 0\n1 2 3 255\n"));
  ASSERT_EQ(c.mesh.vertex_count(), 2u);
  EXPECT_EQ(c.mesh.positions[1], Vec3f(1, 2, 3));
  EXPECT_EQ(c.mesh.colors[0], Vec4f(1, 0, 0, 1));
  ASSERT_EQ(c.warnings.size(), 1u);
  EXPECT_EQ(c.warnings[0].code, "missing-points");
}

std::string raw(const void* bytes, std::size_t size) { return {static_cast<const char*>(bytes), size}; }

TEST(Pcd, BinaryAndCompressed) {
  struct Point {
    float x, y, z;
    std::uint32_t color;
  } points[3] = {{1, 2, 3, 0xff0000}, {4, 5, 6, 0xff00}, {7, 8, 9, 0xff}};
  const Character binary = read_pcd(bytes_of_text(pcd_head + "DATA binary\n" + raw(points, sizeof points)));
  ASSERT_EQ(binary.mesh.vertex_count(), 3u);
  EXPECT_EQ(binary.mesh.positions[2], Vec3f(7, 8, 9));

  // Compressed data is column by column; here as literal runs of LZF, with one back reference at the end.
  std::string columns;
  for (int field = 0; field < 4; ++field) {
    for (const Point& p : points) columns += raw(reinterpret_cast<const char*>(&p) + 4 * field, 4);
  }
  std::string packed;
  packed += static_cast<char>(31);
  packed += columns.substr(0, 32);
  packed += static_cast<char>(12);
  packed += columns.substr(32, 13);
  // The last three bytes are zeros, as the byte before them is: length 3, distance 1.
  ASSERT_EQ(columns.substr(45), std::string(3, '\0'));
  ASSERT_EQ(columns.substr(41, 3), std::string("\xff\0\0", 3));
  packed += static_cast<char>((1 << 5) | 0);
  packed += static_cast<char>(1);  // distance 2: byte 43
  const std::uint32_t sizes[2] = {static_cast<std::uint32_t>(packed.size()), 48};
  const std::string file = pcd_head + "DATA binary_compressed\n" + raw(sizes, sizeof sizes) + packed;
  const Character compressed = read_pcd(bytes_of_text(file));
  EXPECT_EQ(compressed.mesh.positions, binary.mesh.positions);
}

TEST(Pcd, RefusesWhatDoesNotFit) {
  EXPECT_NE(error_of(read_pcd, pcd_head + "DATA ascii\n0 0 0 1\n").find("ends before"), std::string::npos);
  EXPECT_NE(error_of(read_pcd, pcd_head + "DATA binary\nabc").find("ends before"), std::string::npos);
  EXPECT_NE(error_of(read_pcd, pcd_head + "DATA telepathic\n").find("telepathic"), std::string::npos);
  EXPECT_NE(error_of(read_pcd, pcd_head).find("DATA"), std::string::npos);
  EXPECT_NE(
      error_of(read_pcd, "VERSION 0.7\nFIELDS a\nSIZE 4\nTYPE F\nCOUNT 1\nPOINTS 1\nDATA ascii\n1\n").find("x, y"),
      std::string::npos);
  const std::uint32_t sizes[2] = {4, 4000000000u};
  EXPECT_NE(error_of(read_pcd, pcd_head + "DATA binary_compressed\n" + raw(sizes, sizeof sizes) + "abcd").find("size"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
