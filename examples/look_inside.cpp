// Biharmonic weights inside a body, on a plane through it: whole, and with more and more of its skin missing.
//
//   example_look_inside [FOLDER] [POINTS]    writes inside.png; 1,500 points unless told, 12,000 make a smooth picture
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "sinew/base/random.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/draw/image.h"
#include "sinew/mesh/solid_domain.h"
#include "sinew/weights/biharmonic/biharmonic.h"
#include "sinew/weights/bind_input.h"

namespace {
using namespace sinew;

constexpr int tile_width = 300, tile_height = 300;

// Every triangle on its own, this share of them gone, the rest shaken.
TriangleMesh degrade(const TriangleMesh& mesh, double missing) {
  if (missing == 0.0) return mesh;
  Random random(1);
  TriangleMesh soup;
  for (const Triangle& t : mesh.triangles) {
    if (random.uniform() < missing) continue;
    const auto first = static_cast<std::uint32_t>(soup.positions.size());
    for (std::uint32_t v : t) {
      const Vec3d shake(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
      soup.positions.push_back(mesh.positions[v] + (0.001 * shake).cast<float>());
    }
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  return soup;
}

// Colours of all handles, mixed by weight, on the plane z = depth; white outside.
void draw_slice(const BiharmonicSolver& solver, const SolidDomain& inside, const AABBf& box, float depth, int left,
                Image& image) {
  const float scale = std::max(box.sizes().x() / tile_width, box.sizes().y() / tile_height) * 1.05f;
  std::vector<Vec3f> places;
  std::vector<std::pair<int, int>> pixels;
  for (int y = 0; y < tile_height; ++y) {
    for (int x = 0; x < tile_width; ++x) {
      const Vec3f place(box.center().x() + scale * static_cast<float>(x - tile_width / 2),
                        box.center().y() - scale * static_cast<float>(y - tile_height / 2), depth);
      if (!inside.contains(place)) continue;
      places.push_back(place);
      pixels.emplace_back(left + x, y);
    }
  }
  const Eigen::MatrixXd weights = solver.weights_at(places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    Color color = Color::Zero();
    for (int h = 0; h < weights.cols(); ++h) color += static_cast<float>(weights(i, h)) * palette_color(h);
    image.at(pixels[i].first, pixels[i].second) = to_pixel(color);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  BiharmonicOptions options;
  options.resolution = argc > 2 ? std::atoi(argv[2]) : 1500;
  BuiltinOptions look;
  look.garment = BuiltinGarment::bare;
  look.vertex_budget = 6000;
  const Character character = make_builtin_character(look);
  Warnings warnings;
  const BindInput input = make_bind_input(character, {}, warnings);
  const std::vector<double> missing = {0.0, 0.3, 0.5, 0.7};
  Image image(tile_width * static_cast<int>(missing.size()), tile_height);
  const AABBf box = bounding_box(input.mesh);
  const SolidDomain whole(input.mesh);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const TriangleMesh mesh = degrade(input.mesh, missing[i]);
    BiharmonicSolver solver(mesh, joint_handles(input).handles, options);
    const BiharmonicReport report = solver.solve();
    draw_slice(solver, whole, box, box.center().z(), static_cast<int>(i) * tile_width, image);
    std::printf("%2.0f %% missing: %zu points, energy %.4g\n", 100 * missing[i], report.points, report.energy);
  }
  write_png(image, folder / "inside.png");
  return 0;
}
