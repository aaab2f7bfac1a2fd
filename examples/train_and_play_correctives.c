/* Simulates the flesh of an arm, trains correctives from it, and plays them as a game does. The first argument is a folder
 * to write to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/runtime/runtime_c.h"
#include "sinew/sinew_c.h"

enum { RINGS = 41, SIDES = 8, VERTICES = RINGS * SIDES + 2, TRIANGLES = 2 * RINGS * SIDES, JOINTS = 3 };

static sinew_result* result;

static void check(sinew_status status) {
  if (status == SINEW_OK) return;
  fprintf(stderr, "%s\n%s\n", sinew_result_message(result), sinew_result_advice(result));
  exit(1);
}

static void check_runtime(sinew_runtime_status status) {
  if (status == SINEW_RUNTIME_OK) return;
  fprintf(stderr, "%s\n", sinew_runtime_status_text(status));
  exit(1);
}

/* A closed tube along x, 4 long, and two bones with a marker at the end. */
static sinew_character* make_arm(void) {
  static const float around[SIDES][2] = {{0.4f, 0},  {0.283f, 0.283f},   {0, 0.4f},  {-0.283f, 0.283f},
                                         {-0.4f, 0}, {-0.283f, -0.283f}, {0, -0.4f}, {0.283f, -0.283f}};
  static float positions[3 * VERTICES];
  static uint32_t triangles[3 * TRIANGLES];
  uint32_t* corner = triangles;
  for (uint32_t ring = 0; ring < RINGS; ++ring) {
    for (uint32_t side = 0; side < SIDES; ++side) {
      float* place = positions + 3 * (ring * SIDES + side);
      place[0] = 4.0f * (float)ring / (RINGS - 1), place[1] = around[side][0], place[2] = around[side][1];
      const uint32_t a = ring * SIDES + side, b = ring * SIDES + (side + 1) % SIDES;
      if (ring + 1 == RINGS) continue;
      const uint32_t quad[6] = {a, b, b + SIDES, a, b + SIDES, a + SIDES};
      memcpy(corner, quad, sizeof quad);
      corner += 6;
    }
  }
  const uint32_t begin = RINGS * SIDES, end = begin + 1, last = (RINGS - 1) * SIDES;
  positions[3 * end] = 4;
  for (uint32_t side = 0; side < SIDES; ++side) {
    const uint32_t next = (side + 1) % SIDES;
    const uint32_t caps[6] = {begin, next, side, end, last + side, last + next};
    memcpy(corner, caps, sizeof caps);
    corner += 6;
  }

  const char* names[JOINTS] = {"upper", "lower", "end"};
  const int32_t parents[JOINTS] = {-1, 0, 1};
  const uint8_t kinds[JOINTS] = {SINEW_JOINT, SINEW_JOINT, SINEW_JOINT_END};
  double rest[16 * JOINTS] = {0};
  for (int joint = 0; joint < JOINTS; ++joint) {
    for (int i = 0; i < 4; ++i) rest[16 * joint + 5 * i] = 1;
    rest[16 * joint + 12] = 2 * joint;
  }
  sinew_character* arm = NULL;
  sinew_mesh_arrays mesh = {.struct_size = sizeof mesh};
  mesh.vertex_count = VERTICES, mesh.positions = positions;
  mesh.triangle_count = TRIANGLES, mesh.triangles = triangles;
  sinew_skeleton_arrays skeleton = {.struct_size = sizeof skeleton};
  skeleton.joint_count = JOINTS, skeleton.names = names, skeleton.parents = parents;
  skeleton.rest = rest, skeleton.kinds = kinds;
  check(sinew_character_create("arm", &arm, result));
  check(sinew_set_mesh(arm, &mesh, result));
  check(sinew_set_skeleton(arm, &skeleton, result));
  check(sinew_bind(arm, NULL, NULL, result));
  return arm;
}

/* Memory of the caller that begins at a multiple of 64. */
static void* memory_of(size_t size) {
  void* memory = aligned_alloc(64, (size + 63) / 64 * 64);
  if (memory == NULL) exit(1);
  return memory;
}

/* The file of correctives; few poses and elements, so that it takes seconds. */
static void* train(const sinew_character* arm, const char* folder, size_t* size) {
  char shapes[1024];
  snprintf(shapes, sizeof shapes, "%s/arm_shapes", folder);
  sinew_simulate_options simulate;
  sinew_simulate_options_defaults(&simulate, sizeof simulate);
  simulate.poses = 24;
  simulate.cells = 300;
  simulate.run_length = 4;
  check(sinew_simulate(arm, shapes, &simulate, NULL, result));
  sinew_lod_options lod;
  sinew_lod_options_defaults(&lod, sizeof lod);
  lod.levels = 1;
  sinew_train_options options;
  sinew_train_options_defaults(&options, sizeof options);
  options.lod = &lod;
  options.regions = 4;
  check(sinew_train_correctives(shapes, &options, NULL, result));
  const void* bytes = NULL;
  check(sinew_result_file(result, 0, NULL, &bytes, size));
  return memcpy(memory_of(*size), bytes, *size);
}

/* The mesh in a pose, corrected; a game does this every frame. */
static void play(const sinew_character* arm, sinew_correctives* set, const sinew_joint_transform* pose, float* posed) {
  float rotations[4 * JOINTS], matrices[16 * JOINTS], corrected[3 * VERTICES];
  for (int i = 0; i < 4 * JOINTS; ++i) rotations[i] = (float)pose[i / 4].rotation[i % 4];
  check_runtime(sinew_correctives_evaluate(set, rotations, JOINTS, 0, 0.0, NULL));
  check_runtime(sinew_correctives_positions(set, 0, corrected, VERTICES));
  check(sinew_pose_matrices(arm, pose, JOINTS, matrices, result));
  sinew_skinning_job job = {0};
  check_runtime(sinew_correctives_fill_job(set, 0, &job));
  job.matrices = matrices;
  job.positions.floats = corrected;
  job.posed_positions.floats = posed;
  check_runtime(sinew_skin(&job));
}

int main(int count, char** arguments) {
  result = sinew_result_create();
  sinew_character* arm = make_arm();
  size_t file_size = 0, workspace_size = 0;
  void* file = train(arm, count > 1 ? arguments[1] : ".", &file_size);
  check_runtime(sinew_correctives_workspace_size(file, file_size, &workspace_size));
  void* workspace = memory_of(workspace_size);
  sinew_correctives* set = NULL;
  check_runtime(sinew_correctives_open(file, file_size, workspace, workspace_size, &set));

  sinew_joint_transform pose[JOINTS];
  static float skinned[3 * VERTICES], posed[3 * VERTICES];
  check(sinew_rest_pose(arm, pose, JOINTS, result));
  pose[1].rotation[2] = 0.6, pose[1].rotation[3] = 0.8; /* 74 degrees about z */
  check(sinew_pose_vertices(arm, pose, JOINTS, SINEW_LINEAR_BLEND, skinned, NULL, VERTICES, result));
  play(arm, set, pose, posed);
  double largest = 0;
  for (int i = 0; i < 3 * VERTICES; ++i) {
    const double moved = posed[i] > skinned[i] ? posed[i] - skinned[i] : skinned[i] - posed[i];
    if (moved > largest) largest = moved;
  }
  printf("%zu bytes of correctives move vertices of the bent arm by up to %.3f\n", file_size, largest);
  free(workspace);
  free(file);
  sinew_character_destroy(arm);
  sinew_result_destroy(result);
  return largest < 0.01 || largest > 1;
}
