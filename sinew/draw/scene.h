// What a picture shows: one surface or point cloud, its paint, and geometry drawn over it.
//
//   Scene scene = make_scene(character.mesh);
//   scene.paint = paint_joint_weight(character.weights, joint);
//   Image image = render(scene, frame_points(scene.mesh.positions, three_quarter_view));
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "sinew/draw/color.h"
#include "sinew/mesh.h"

namespace sinew {

// A place on the drawn surface: three vertices and their shares (sum 1). For a cloud, one point three times.
struct SurfacePoint {
  Triangle corners;
  Vec3f barycentric;
};

// The colour of the surface before light falls on it. Called for every sample from many threads; see paint.h.
using Paint = std::function<Color(const SurfacePoint&)>;

struct Scene {
  TriangleMesh mesh;     // drawn with its own normals, or smooth ones with creases kept sharp; a cloud as spheres
  Paint paint;           // empty: mesh.colors, or plain clay
  TriangleMesh overlay;  // seen through the mesh, with its own colours: skeletons
  std::optional<float> ground;  // height of a floor that shows shadows only
  float point_radius = 0;       // of a cloud's points; 0: chosen from their spacing
};

// A scene of this mesh with a floor under its lowest point.
Scene make_scene(TriangleMesh mesh);

// Smooth normals, one per triangle corner, that do not run over edges sharper than `crease_degrees`. Looks across seams
// (coincident vertices are one). A triangle without area gets (0, 0, 1).
std::vector<std::array<Vec3f, 3>> crease_normals(const TriangleMesh& mesh, double crease_degrees = 50);

// A radius at which the spheres of a cloud just close into a surface; 0 without two distinct finite points.
float choose_point_radius(const std::vector<Vec3f>& points);

}  // namespace sinew
