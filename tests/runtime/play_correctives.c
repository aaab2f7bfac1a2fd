/* A game in thirty lines of C: opens a .sinewc, plays frames, writes what it would draw. Linked with the runtime and the
 * C library alone.
 *   play_correctives FILE FRAMES LEVEL OUTPUT
 * FRAMES: per frame 4 floats per joint (rotations), then 16 per joint (matrices). OUTPUT: per frame the level's
 * positions by linear blending, their normals, and the positions by dual quaternions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/runtime/runtime_c.h"

static void check(sinew_runtime_status status, const char* what) {
  if (status == SINEW_RUNTIME_OK) return;
  fprintf(stderr, "%s: %s (%d)\n", what, sinew_runtime_status_text(status), (int)status);
  exit(1);
}

static void* kept[16];
static int kept_count = 0;

/* Zeros at a multiple of 64, until free_kept. */
static void* aligned_memory(size_t size) {
  char* memory = calloc(size + 64, 1);
  if (memory == NULL || kept_count == 16) exit(2);
  kept[kept_count++] = memory;
  return memory + (64 - (uintptr_t)memory % 64) % 64;
}

static void* read_whole(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  void* bytes;
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) exit(2);
  *size = (size_t)ftell(file);
  rewind(file);
  bytes = aligned_memory(*size);
  if (fread(bytes, 1, *size, file) != *size) exit(2);
  fclose(file);
  return bytes;
}

static void free_kept(void) {
  while (kept_count > 0) free(kept[--kept_count]);
}

struct player {
  sinew_correctives* set;
  sinew_correctives_counts counts;
  int level;
  size_t vertex_count;
  float *corrected, *posed, *normals, *dual_quaternions, *stretches;
};

static void open_player(struct player* player, const char* path, int level) {
  size_t file_size, workspace_size;
  sinew_correctives_level mesh;
  const void* file = read_whole(path, &file_size);
  check(sinew_correctives_workspace_size(file, file_size, &workspace_size), "size of the workspace");
  check(sinew_correctives_open(file, file_size, aligned_memory(workspace_size), workspace_size, &player->set), "open");
  check(sinew_correctives_get_counts(player->set, &player->counts), "counts");
  check(sinew_correctives_get_level(player->set, level, &mesh), "level");
  player->level = level;
  player->vertex_count = mesh.vertex_count;
  player->corrected = aligned_memory(3 * mesh.vertex_count * sizeof(float));
  player->posed = aligned_memory(3 * mesh.vertex_count * sizeof(float));
  player->normals = aligned_memory(3 * mesh.vertex_count * sizeof(float));
  player->dual_quaternions = aligned_memory(8 * (size_t)player->counts.joints * sizeof(float));
  player->stretches = aligned_memory(16 * (size_t)player->counts.joints * sizeof(float));
}

static void write_vectors(const struct player* player, const float* vectors, FILE* output) {
  if (fwrite(vectors, 3 * sizeof(float), player->vertex_count, output) != player->vertex_count) exit(2);
}

static void play_frame(struct player* player, const float* rotations, const float* matrices, FILE* output) {
  const size_t joints = (size_t)player->counts.joints, vertices = player->vertex_count;
  sinew_skinning_job job;
  int stretched;
  check(sinew_correctives_evaluate(player->set, rotations, joints, player->level, 0.0, NULL), "evaluate");
  check(sinew_correctives_positions(player->set, player->level, player->corrected, vertices), "positions");

  memset(&job, 0, sizeof job);
  check(sinew_correctives_fill_job(player->set, player->level, &job), "job");
  job.positions.floats = player->corrected;
  job.posed_positions.floats = player->posed;
  job.matrices = matrices;
  check(sinew_skinning_validate(&job), "validate");
  check(sinew_skin(&job), "skin by matrices");
  write_vectors(player, player->posed, output);
  check(sinew_correctives_normals(player->set, player->level, player->posed, player->normals, vertices), "normals");
  write_vectors(player, player->normals, output);

  check(sinew_skinning_split_matrices(matrices, joints, player->dual_quaternions, player->stretches, &stretched),
        "split");
  job.matrices = NULL;
  job.dual_quaternions = player->dual_quaternions;
  job.stretches = stretched ? player->stretches : NULL;
  check(sinew_skin(&job), "skin by dual quaternions");
  write_vectors(player, player->posed, output);
}

int main(int count, char** arguments) {
  struct player player;
  size_t size, frame, floats_per_frame;
  const float* frames;
  FILE* output;
  if (count != 5) return 2;
  open_player(&player, arguments[1], atoi(arguments[3]));
  frames = read_whole(arguments[2], &size);
  output = fopen(arguments[4], "wb");
  if (output == NULL) return 2;
  floats_per_frame = 20 * (size_t)player.counts.joints;
  for (frame = 0; (frame + 1) * floats_per_frame * sizeof(float) <= size; ++frame) {
    const float* rotations = frames + frame * floats_per_frame;
    play_frame(&player, rotations, rotations + 4 * player.counts.joints, output);
  }
  free_kept();
  return fclose(output) == 0 ? 0 : 2;
}
