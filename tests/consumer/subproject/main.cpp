// Skins one vertex with the runtime of a Sinew that was added as a folder.
#include <sinew/runtime/skinning.h>

#include <cstdio>

int main() {
  using namespace sinew;
  const std::uint16_t joints[] = {0};
  const float weights[] = {1};
  const float rest[] = {1, 2, 3};
  float posed[3] = {};
  const JointMatrix move[] = {{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {10, 20, 30, 1}}}};
  SkinningJob job;
  job.vertex_count = 1;
  job.influences = 1;
  job.joints = joints;
  job.weights = weights;
  job.matrices = move;
  job.positions = {rest};
  job.posed_positions = {posed};
  if (job.validate() != RuntimeStatus::ok || skin(job) != RuntimeStatus::ok) return 1;
  if (posed[0] != 11 || posed[1] != 22 || posed[2] != 33) return 2;
  std::printf("sinew works as a folder of another project\n");
}
