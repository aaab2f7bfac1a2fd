/* Rigs a mesh that is in memory: positions and triangles in, a moving character out, by way of arrays alone. The mesh and
 * the motion come from a character that Sinew makes; in your program they come from wherever you have them. */
#include <stdio.h>

#include "sinew/sinew_c.h"

static int fails(sinew_status status, const char* what, sinew_result* result) {
  if (status == SINEW_OK) return 0;
  fprintf(stderr, "%s: %s (%s)\n  %s\n", what, sinew_result_message(result), sinew_status_name(status),
          sinew_result_advice(result));
  return 1;
}

static int rig(const sinew_character* made, const char* output, sinew_result* result) {
  /* Your arrays. Here they are borrowed from `made`, so they need not be freed. */
  sinew_mesh_arrays arrays = {.struct_size = sizeof arrays};
  if (fails(sinew_get_mesh(made, &arrays, result), "reading arrays", result)) return 1;
  sinew_mesh_arrays bare = {.struct_size = sizeof bare};
  bare.vertex_count = arrays.vertex_count;
  bare.positions = arrays.positions;
  bare.triangle_count = arrays.triangle_count;
  bare.triangles = arrays.triangles;

  sinew_character* hero = NULL;
  int failed = fails(sinew_character_create("hero", &hero, result), "making a character", result) ||
               fails(sinew_set_mesh(hero, &bare, result), "setting the mesh", result) ||
               fails(sinew_rig(hero, made, NULL, NULL, result), "rigging", result);
  if (!failed) {
    double confidence = 0;
    sinew_result_number(result, "confidence", &confidence);
    printf("fitted with confidence %.2f\n", confidence);
    failed = fails(sinew_save(hero, output, NULL, result), "saving", result);
  }
  sinew_character_destroy(hero);
  return failed;
}

int main(int argc, char** argv) {
  char output[1024];
  snprintf(output, sizeof output, "%s/rigged.glb", argc > 1 ? argv[1] : ".");
  sinew_result* result = sinew_result_create();
  sinew_builtin_options options;
  sinew_builtin_options_defaults(&options, sizeof options);
  options.vertices = 2000;
  sinew_character* made = NULL;
  const int failed =
      fails(sinew_make_character(&options, NULL, &made, result), "making a body", result) || rig(made, output, result);
  if (!failed) printf("wrote %s\n", output);
  sinew_character_destroy(made);
  sinew_result_destroy(result);
  return failed;
}
