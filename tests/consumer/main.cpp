// Uses one function of several rooms, so that headers, link order and dependencies of the package are all exercised.
#include <sinew/io.h>
#include <sinew/mesh/ray_scene.h>
#include <sinew/pose_mesh.h>

#include <cstdio>

int main(int argc, char** argv) {
  using namespace sinew;
  Character character;
  character.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  character.mesh.triangles = {{0, 1, 2}};
  const RayScene scene(character.mesh.positions, character.mesh.triangles);
  if (!scene.occluded({0.2f, 0.2f, 1}, {0, 0, -1}, 0, 2)) return 1;
  save_character(character, argc > 1 ? argv[1] : "triangle.glb");
  std::printf("consumer works\n");
  return 0;
}
