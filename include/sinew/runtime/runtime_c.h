/* Skinning and correctives in real time, for C and for engines that want a plain interface (C99).
 *
 *   sinew_skinning_job job = {0};                                    // what is not set is absent
 *   job.vertex_count = 32000;  job.joint_count = 64;  job.influences = 4;
 *   job.joints = joints;       job.weights = weights;
 *   job.matrices = matrices;                                         // made every frame
 *   job.positions.floats = rest;  job.posed_positions.floats = posed;
 *   if (sinew_skinning_validate(&job) != SINEW_RUNTIME_OK) …         // once, when the character is loaded
 *   if (sinew_skin(&job) != SINEW_RUNTIME_OK) …                      // every frame
 *
 * skinning.h and correctives.h, for C++, say more about what each call computes.
 *
 * Every call returns a status: 0 when it did all it was asked for; otherwise it has written nothing, and the status
 * says why. Results come through pointers. Nothing allocates, throws, prints or keeps anything between calls except in
 * memory that the caller gives. Pointers to floats need the alignment of a float and no more. */
#ifndef SINEW_RUNTIME_C_H
#define SINEW_RUNTIME_C_H

#include <stddef.h>
#include <stdint.h>

#include "sinew/export.h"

/* Names as C has them. NOLINTBEGIN(readability-identifier-naming) */
#ifdef __cplusplus
extern "C" {
#endif

/* status.h explains each; the numbers never change their meaning. */
typedef enum sinew_runtime_status {
  SINEW_RUNTIME_OK = 0,
  SINEW_RUNTIME_MISSING_ARGUMENT = -1, /* a pointer that is needed is null */

  SINEW_RUNTIME_NOT_CORRECTIVES = -10,
  SINEW_RUNTIME_UNKNOWN_VERSION = -11,
  SINEW_RUNTIME_DAMAGED_FILE = -12,
  SINEW_RUNTIME_MISALIGNED_MEMORY = -13,
  SINEW_RUNTIME_WORKSPACE_TOO_SMALL = -14,
  SINEW_RUNTIME_WORKSPACE_NOT_PREPARED = -15,

  SINEW_RUNTIME_NOT_OPENED = -20,
  SINEW_RUNTIME_NO_SUCH_LEVEL = -21,
  SINEW_RUNTIME_NO_SUCH_RANGE = -22,
  SINEW_RUNTIME_INPUT_TOO_SHORT = -23,
  SINEW_RUNTIME_OUTPUT_TOO_SHORT = -24,
  SINEW_RUNTIME_NOT_EVALUATED = -25,

  SINEW_RUNTIME_BAD_INFLUENCES = -30,
  SINEW_RUNTIME_BAD_STRIDE = -31,
  SINEW_RUNTIME_NO_METHOD = -32,
  SINEW_RUNTIME_TWO_METHODS = -33,
  SINEW_RUNTIME_UNPAIRED_VECTORS = -34,
  SINEW_RUNTIME_JOINT_OUT_OF_RANGE = -35,
  SINEW_RUNTIME_BAD_WEIGHTS = -36
} sinew_runtime_status;

/* One line of plain text: "the file is damaged". Never null. */
SINEW_API const char* sinew_runtime_status_text(sinew_runtime_status status);

/* ---- Skinning ---- */

/* One vector per vertex. `stride`: floats from one vertex to the next; 0 means packed (3, or 4 for tangents). */
typedef struct sinew_vertex_input {
  const float* floats;
  size_t stride;
} sinew_vertex_input;

typedef struct sinew_vertex_output {
  float* floats;
  size_t stride;
} sinew_vertex_output;

typedef struct sinew_skinning_job {
  size_t vertex_count;
  size_t joint_count; /* entries of every palette given below */
  int influences;     /* slots per vertex, 1 to 32 */

  const uint16_t* joints; /* [vertex][slot], strongest first */
  const float* weights;   /* same layout; not negative, sum to 1 or are all 0 */

  /* The method: matrices for linear blend skinning, or dual quaternions. */
  const float* matrices;         /* 16 floats per joint, column by column; bind pose to posed */
  const float* dual_quaternions; /* 8 floats per joint: unit quaternion x y z w, half translation times it */
  const float* stretches;        /* beside dual quaternions, optional: 16 floats per joint, applied first */

  sinew_vertex_input positions;
  sinew_vertex_input normals;          /* optional, with posed_normals */
  sinew_vertex_input tangents;         /* optional, with posed_tangents: x y z and w, the handedness */
  sinew_vertex_output posed_positions; /* outputs do not overlap inputs */
  sinew_vertex_output posed_normals;
  sinew_vertex_output posed_tangents;
} sinew_skinning_job;

/* Whether the job is complete, every joint exists and every weight is sound. Reads every weight: call it when the
 * character is loaded. sinew_skin() trusts the joints afterwards. */
SINEW_API sinew_runtime_status sinew_skinning_validate(const sinew_skinning_job* job);

/* Poses all vertices on the calling thread. */
SINEW_API sinew_runtime_status sinew_skin(const sinew_skinning_job* job);

/* Splits matrices into dual quaternions and stretches, `joint_count` of each. `*stretched` becomes 1 when some joint
 * scales, shears or mirrors by more than one part in 10000 (only then does a job need the stretches), otherwise 0. */
SINEW_API sinew_runtime_status sinew_skinning_split_matrices(const float* matrices, size_t joint_count,
                                                             float* dual_quaternions, float* stretches, int* stretched);

/* ---- Correctives ----
 *
 *   sinew_correctives_workspace_size(file, file_size, &size);              // once; check every status
 *   sinew_correctives_open(file, file_size, workspace, size, &set);
 *
 *   sinew_correctives_evaluate(set, rotations, joint_count, 0, 0.0, NULL); // every frame
 *   sinew_correctives_positions(set, 0, corrected, vertex_count);
 *   sinew_correctives_fill_job(set, 0, &job);  …  sinew_skin(&job);
 *   sinew_correctives_normals(set, 0, posed, normals, vertex_count);
 *
 * File and workspace are the caller's, begin at multiples of 64 bytes and stay until the set is no longer used; the set
 * lies in the workspace, and there is nothing to close. Levels count from 0, the finest. One set serves one thread at a
 * time; further sets may use the same file. */

typedef struct sinew_correctives sinew_correctives;

/* Bytes of workspace that a file needs. Checks the whole file. */
SINEW_API sinew_runtime_status sinew_correctives_workspace_size(const void* file, size_t file_size, size_t* size);

/* Checks the whole file and places the set at the beginning of the workspace. `*set` becomes null unless ok. */
SINEW_API sinew_runtime_status sinew_correctives_open(const void* file, size_t file_size, void* workspace,
                                                      size_t workspace_size, sinew_correctives** set);

typedef struct sinew_correctives_counts {
  int levels;
  int joints;
  int influences;
} sinew_correctives_counts;

SINEW_API sinew_runtime_status sinew_correctives_get_counts(const sinew_correctives* set,
                                                            sinew_correctives_counts* counts);

/* The mesh of a level, inside the file. */
typedef struct sinew_correctives_level {
  size_t vertex_count;
  size_t triangle_count;
  const float* rest_positions; /* x y z per vertex */
  const uint32_t* triangles;   /* three vertices each */
} sinew_correctives_level;

SINEW_API sinew_runtime_status sinew_correctives_get_level(const sinew_correctives* set, int level,
                                                           sinew_correctives_level* mesh);

typedef struct sinew_correctives_result {
  int detail_level;    /* finest level whose own detail is in the result; the number of levels when none is */
  double microseconds; /* spent */
} sinew_correctives_result;

/* `rotations`: x y z w per joint, relative to its parent, unit length; `joint_count` of them. `budget_microseconds`: 0
 * for none; otherwise detail of the finest levels is left out when there is no time for it. `result` may be null. */
SINEW_API sinew_runtime_status sinew_correctives_evaluate(sinew_correctives* set, const float* rotations,
                                                          size_t joint_count, int level, double budget_microseconds,
                                                          sinew_correctives_result* result);

/* Rest positions plus displacements of a level that was evaluated: room for `vertex_count` times x y z. */
SINEW_API sinew_runtime_status sinew_correctives_positions(const sinew_correctives* set, int level, float* positions,
                                                           size_t vertex_count);

/* Sets vertex_count, joint_count, influences, joints and weights of a job to those of the level. */
SINEW_API sinew_runtime_status sinew_correctives_fill_job(const sinew_correctives* set, int level,
                                                          sinew_skinning_job* job);

/* Normals of posed positions, area-weighted, shared across UV seams and apart at hard edges, as in the rest pose. */
SINEW_API sinew_runtime_status sinew_correctives_normals(const sinew_correctives* set, int level, const float* posed,
                                                         float* normals, size_t vertex_count);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming) */

#endif
