#include "sinew/draw/render.h"

#include <gtest/gtest.h>

#include <limits>

#include "sinew/base/parallel.h"
#include "sinew/draw/paint.h"
#include "sinew/error.h"
#include "tests/draw/draw_test_scenes.h"

namespace sinew {
namespace {

using test::make_sphere;
using test::make_square;

const Color black(0, 0, 0), white(1, 1, 1);

RenderOptions flat_options(int size) {
  RenderOptions options;
  options.width = options.height = size;
  options.lighting = Lighting::none;
  options.background = black;
  return options;
}

// A picture in flat white on black: mean brightness is the share of the picture that the thing covers.
double covered_share(const Scene& scene, const Camera& camera, int size) {
  Scene painted = scene;
  painted.paint = [](const SurfacePoint&) { return white; };
  painted.ground.reset();
  const Image image = render(painted, camera, flat_options(size));
  double sum = 0;
  // Undo the sRGB curve: coverage is linear.
  for (const Pixel& pixel : image.pixels) {
    const double srgb = pixel[0] / 255.0;
    sum += srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
  }
  return sum / static_cast<double>(image.pixels.size());
}

TEST(Render, SphereCoversTheDiscThatGeometryPredicts) {
  const Scene scene = make_scene(make_sphere(1.0f, 96, 192));
  Camera camera;
  camera.eye = Vec3d(0, 0, 5);
  camera.tangent = 0.3;
  // The outline is a cone of half angle asin(1/5): a disc of radius tan(asin(0.2)) on a picture of half side 0.3.
  const double radius = std::tan(std::asin(0.2)) / 0.3;
  EXPECT_NEAR(covered_share(scene, camera, 200), std::numbers::pi * radius * radius / 4, 0.002);
}

TEST(Render, SquareFillsExactlyItsPixels) {
  Scene scene;
  scene.mesh = make_square();
  scene.paint = [](const SurfacePoint&) { return white; };
  Camera camera;
  camera.eye = Vec3d(0, 0, 4);
  camera.tangent = 0.5;  // half side of the picture at the square: 2
  const Image image = render(scene, camera, flat_options(100));
  EXPECT_EQ(image.at(50, 50), (Pixel{255, 255, 255}));
  EXPECT_EQ(image.at(26, 26), (Pixel{255, 255, 255}));
  EXPECT_EQ(image.at(73, 73), (Pixel{255, 255, 255}));
  EXPECT_EQ(image.at(23, 50), (Pixel{0, 0, 0}));
  EXPECT_EQ(image.at(50, 76), (Pixel{0, 0, 0}));
}

TEST(Render, EdgesAreAntiAliased) {
  Scene scene;
  scene.mesh = make_square();
  scene.paint = [](const SurfacePoint&) { return white; };
  Camera camera;
  camera.eye = Vec3d(0.013, 0, 4);
  camera.tangent = 0.5;
  const Image image = render(scene, camera, flat_options(100));
  int between = 0;
  for (const Pixel& pixel : image.pixels) between += pixel[0] > 20 && pixel[0] < 235;
  EXPECT_GT(between, 90);  // two columns of edge pixels of 50 rows each
  EXPECT_LT(between, 220);
}

TEST(Render, LightComesFromAboveAndTheFloorIsShadowed) {
  const Scene scene = make_scene(make_sphere(1.0f));
  RenderOptions options;
  options.width = options.height = 160;
  const Camera camera = frame_points(scene.mesh.positions, front_view, {.width = 160, .height = 160, .margin = 0.45});
  const Image image = render(scene, camera, options);
  const auto brightness = [&](int x, int y) { return image.at(x, y)[0] + image.at(x, y)[1] + image.at(x, y)[2]; };
  EXPECT_GT(brightness(80, 50), brightness(80, 110) + 60) << "top of the sphere against its underside";
  EXPECT_GT(brightness(4, 80), brightness(80, 128) + 30) << "empty backdrop against the contact shadow";
  const int backdrop = brightness(2, 2);
  EXPECT_EQ(backdrop, brightness(157, 2));
  // Without a floor the backdrop is one colour.
  Scene floating = scene;
  floating.ground.reset();
  const Image plain = render(floating, camera, options);
  EXPECT_EQ(plain.at(80, 150), plain.at(2, 2));
}

TEST(Render, SameBytesAtAnyThreadCount) {
  Scene scene = make_scene(make_sphere(1.0f));
  scene.overlay = make_sphere(0.3f, 8, 8);
  RenderOptions options;
  options.width = 120;
  options.height = 90;
  options.wireframe = true;
  const Camera camera = frame_points(scene.mesh.positions, three_quarter_view, {.width = 120, .height = 90});
  const auto run = [&] { return render(scene, camera, options); };
  const Image one = with_threads(1, run), two = with_threads(2, run);
  EXPECT_EQ(one.pixels, two.pixels);
  EXPECT_EQ(encode_png(one), encode_png(two));
  options.seed = 2;
  EXPECT_NE(render(scene, camera, options).pixels, one.pixels) << "the seed has no effect";
}

TEST(Render, OverlayShowsThroughTheSurface) {
  Scene scene = make_scene(make_sphere(1.0f));
  scene.paint = [](const SurfacePoint&) { return white; };
  scene.overlay = make_sphere(0.2f, 16, 16);
  scene.overlay.colors.assign(scene.overlay.vertex_count(), Vec4f(1, 0, 0, 1));
  Camera camera;
  camera.eye = Vec3d(0, 0, 5);
  const Image image = render(scene, camera, flat_options(100));
  EXPECT_GT(image.at(50, 50)[0], 150);
  EXPECT_LT(image.at(50, 50)[1], 100);
  EXPECT_EQ(image.at(40, 25), (Pixel{255, 255, 255}));
}

TEST(Render, WireframeDarkensEdgesOnly) {
  Scene scene;
  scene.mesh = make_square();
  scene.paint = [](const SurfacePoint&) { return white; };
  Camera camera;
  camera.eye = Vec3d(0, 0, 4);
  camera.tangent = 0.5;
  RenderOptions options = flat_options(100);
  options.wireframe = true;
  const Image image = render(scene, camera, options);
  EXPECT_LT(image.at(50, 49)[0], 230) << "the diagonal";
  EXPECT_EQ(image.at(40, 35), (Pixel{255, 255, 255}));
}

TEST(Render, PointCloudClosesIntoASurface) {
  Scene scene = make_scene(make_sphere(1.0f, 40, 80));
  scene.mesh.triangles.clear();
  Camera camera;
  camera.eye = Vec3d(0, 0, 5);
  camera.tangent = 0.3;
  const double radius = std::tan(std::asin(0.2)) / 0.3;
  const double disc = std::numbers::pi * radius * radius / 4;
  const double share = covered_share(scene, camera, 100);
  EXPECT_GT(share, disc);
  EXPECT_LT(share, 1.25 * disc);
}

TEST(Render, EmptyAndBrokenMeshesAreJustNotSeen) {
  RenderOptions options;
  options.width = options.height = 40;
  const Scene empty = make_scene(TriangleMesh());
  const Image nothing = render(empty, frame_points({}, front_view), options);
  EXPECT_EQ(nothing.at(20, 20), nothing.at(0, 0));

  const float nan = std::numeric_limits<float>::quiet_NaN();
  Scene broken = make_scene(make_sphere(1.0f, 12, 24));
  const Camera camera = frame_points(broken.mesh.positions, front_view, {.width = 40, .height = 40});
  broken.mesh.positions[30] = Vec3f(nan, 0, 0);
  broken.mesh.positions[40] = Vec3f(std::numeric_limits<float>::infinity(), 0, 0);
  broken.mesh.normals.assign(broken.mesh.vertex_count(), Vec3f(nan, nan, nan));
  const Image image = render(broken, camera, options);
  EXPECT_NE(image.at(20, 25), image.at(0, 0));

  TriangleMesh all_bad = make_square();
  for (Vec3f& p : all_bad.positions) p = Vec3f(nan, nan, nan);
  const Scene gone = make_scene(all_bad);
  EXPECT_FALSE(gone.ground.has_value());
  const Image blank = render(gone, frame_points(gone.mesh.positions, top_view), options);
  EXPECT_EQ(blank.at(20, 20), blank.at(0, 0));
}

TEST(Render, RefusesWhatMakesNoSense) {
  Scene scene = make_scene(make_square());
  RenderOptions options;
  options.samples = 0;
  EXPECT_THROW(render(scene, Camera(), options), Error);
  options.samples = 1;
  options.width = 0;
  EXPECT_THROW(render(scene, Camera(), options), Error);
  options.width = 10;
  options.height = 10;
  scene.mesh.triangles.push_back({0, 1, 99});
  EXPECT_THROW(render(scene, Camera(), options), Error);
}

TEST(CreaseNormals, SmoothOnASphereSharpOnACube) {
  const TriangleMesh sphere = make_sphere(2.0f);
  const auto smooth = crease_normals(sphere);
  for (std::size_t t = 0; t < sphere.triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_GT(smooth[t][k].dot(sphere.positions[sphere.triangles[t][k]].normalized()), 0.999f);
    }
  }
  TriangleMesh corner;  // two squares at right angles along the y axis
  corner.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 1, -1}};
  corner.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 0, 3}, {4, 3, 5}};
  const auto sharp = crease_normals(corner);
  for (int k = 0; k < 3; ++k) {
    EXPECT_LT((sharp[0][k] - Vec3f(0, 0, 1)).norm(), 1e-5f);
    EXPECT_LT((sharp[3][k] - Vec3f(-1, 0, 0)).norm(), 1e-5f);
  }
}

}  // namespace
}  // namespace sinew
