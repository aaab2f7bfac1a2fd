/* A game of somebody else, in C: moves one vertex. */
#include <sinew/runtime/runtime_c.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  const uint16_t joints[1] = {0};
  const float weights[1] = {1};
  const float rest[3] = {1, 2, 3};
  const float move[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10, 20, 30, 1};
  float posed[3] = {0, 0, 0};
  sinew_skinning_job job;
  memset(&job, 0, sizeof job);
  job.vertex_count = 1;
  job.joint_count = 1;
  job.influences = 1;
  job.joints = joints;
  job.weights = weights;
  job.matrices = move;
  job.positions.floats = rest;
  job.posed_positions.floats = posed;
  if (sinew_skinning_validate(&job) != SINEW_RUNTIME_OK || sinew_skin(&job) != SINEW_RUNTIME_OK) return 1;
  if (posed[0] != 11 || posed[1] != 22 || posed[2] != 33) return 2;
  printf("the runtime works: %s\n", sinew_runtime_status_text(SINEW_RUNTIME_OK));
  return 0;
}
