/* Correctives in real time, for C and for engines that want a plain interface. correctives.h says what each call does.
 *
 *   sinew_correctives* set = sinew_correctives_open(bytes, size, workspace, workspace_size, &status);
 *   sinew_correctives_evaluate(set, rotations, 0, 0.0);
 *   sinew_correctives_positions(set, 0, positions);
 *
 * Nothing allocates. `bytes` and `workspace` are the caller's, begin at multiples of 64 and must stay; `set` lies at
 * the beginning of the workspace. Levels count from 0, the finest. Functions that take a null set do nothing and return
 * 0. */
#ifndef SINEW_CORRECTIVES_C_H
#define SINEW_CORRECTIVES_C_H

#include <stddef.h>

#include "sinew/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_correctives sinew_correctives;

/* Bytes of workspace that a file needs; 0 when the file is not valid. Reads the file once. */
SINEW_API size_t sinew_correctives_workspace(const void* bytes, size_t size);

/* Null when the file is not valid or the workspace is too small or misaligned. `status`, when not null: 0 ok, 1 the
 * bytes are misaligned, 2 no such file, 3 a newer version, 4 damaged, 5 the workspace does not do. */
SINEW_API sinew_correctives* sinew_correctives_open(const void* bytes, size_t size, void* workspace,
                                                    size_t workspace_size, int* status);

SINEW_API int sinew_correctives_levels(const sinew_correctives* set);
SINEW_API int sinew_correctives_joints(const sinew_correctives* set);
SINEW_API size_t sinew_correctives_vertices(const sinew_correctives* set, int level);

/* `rotations`: x y z w per joint, relative to its parent. `budget_microseconds`: 0 for none. Returns the finest level
 * whose detail was computed. */
SINEW_API int sinew_correctives_evaluate(sinew_correctives* set, const float* rotations, int level,
                                         double budget_microseconds);

/* Rest positions plus displacements: 3 floats per vertex. */
SINEW_API void sinew_correctives_positions(const sinew_correctives* set, int level, float* positions);

/* Linear blend skinning of `positions`: `matrices` are 16 floats per joint, column by column, and begin at a multiple
 * of 64 bytes. */
SINEW_API void sinew_correctives_skin(const sinew_correctives* set, int level, const float* matrices,
                                      const float* positions, float* posed);
SINEW_API void sinew_correctives_normals(const sinew_correctives* set, int level, const float* posed, float* normals);

#ifdef __cplusplus
}
#endif

#endif
