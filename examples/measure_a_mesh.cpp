// What the mesh room knows about a surface: its defects, and distances along it from one place.
//
//   example_measure_a_mesh [FOLDER]    writes character.glb and distances.txt, one number per vertex, for
//   sinew render character.glb --mode values --values distances.txt -o distances.png
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "sinew/builtin/builtin_character.h"
#include "sinew/io.h"
#include "sinew/mesh/diagnose.h"
#include "sinew/mesh/geodesics.h"
#include "sinew/mesh/weld.h"

int main(int argc, char** argv) {
  using namespace sinew;
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  BuiltinOptions options;
  options.garment = BuiltinGarment::bare;
  const Character character = make_builtin_character(options);

  // Files split vertices at UV seams; geometry is measured on welded positions.
  const Weld weld = weld_positions(character.mesh.positions);
  const TriangleMesh surface = welded_mesh(character.mesh, weld);
  const MeshDefects defects = diagnose(surface);
  std::printf("%zu pieces, %zu open edges, %zu non-manifold edges, %s\n", defects.components, defects.boundary_edges,
              defects.non_manifold_edges, defects.is_watertight() ? "watertight" : "not watertight");

  // Distance along the skin from the tip of the left hand.
  std::uint32_t tip = 0;
  for (std::uint32_t v = 0; v < surface.vertex_count(); ++v) {
    if (surface.positions[v].x() > surface.positions[tip].x()) tip = v;
  }
  std::vector<double> distance(surface.vertex_count(), 0.0);
  const GeodesicSeed seed{tip, 0.0};
  for (const GeodesicVertex& reached : GeodesicSolver(surface.positions, surface.triangles).distances({&seed, 1})) {
    distance[reached.vertex] = reached.distance;
  }
  std::ofstream file(folder / "distances.txt");
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) file << distance[weld.welded_of[v]] << '\n';
  save_character(character, folder / "character.glb");
  std::printf("wrote %s and distances.txt\n", (folder / "character.glb").c_str());
}
