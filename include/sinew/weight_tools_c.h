/* Tools in C for weights that a character has: mirror, smooth, prune, limit.
 *
 * weight_tools.h says what each does; options have the same names and defaults. The report of every call has
 * changed_vertices, largest_change, mean_change, mean_influences and max_influences, and what is the tool's own. */
#ifndef SINEW_WEIGHT_TOOLS_C_H
#define SINEW_WEIGHT_TOOLS_C_H

#include <stddef.h>
#include <stdint.h>

#include "sinew/character_c.h"
#include "sinew/export.h"
#include "sinew/result_c.h"

/* Names as C has them. NOLINTBEGIN(readability-identifier-naming) */
#ifdef __cplusplus
extern "C" {
#endif

/* What a tool may touch. Zeros: everything. */
typedef struct sinew_weight_selection {
  size_t struct_size;
  size_t vertex_count; /* 0: all; copies along a seam follow */
  const uint32_t* vertices;
  size_t locked_count; /* joints whose weights stay as they are */
  const int32_t* locked;
  const char* parts; /* the vertices of these parts: "Coat*,-CoatLining"; not together with `vertices`; NULL: all */
  const char* locked_joints; /* by name, in the same way, beside `locked`; NULL: none */
} sinew_weight_selection;

typedef struct sinew_mirror_options {
  size_t struct_size;
  const sinew_weight_selection* selection; /* of the vertices that may change; NULL: all */
  int from_right;                          /* take the weights of the body's right side; otherwise of its left */
  int by_topology;                         /* pair vertices by connectivity where both sides have the same */
  double vertex_tolerance; /* of the bounding diagonal: a vertex this near to the mirrored place is the one */
  double reach;            /* of the bounding diagonal: how far the other side's surface may be */
  int threads;
} sinew_mirror_options;

SINEW_API void sinew_mirror_options_defaults(sinew_mirror_options* options, size_t struct_size);

/* One side's weights for both. The report also has by_topology, by_vertex, by_surface, middle, unmatched, joint_pairs and
 * unpaired_joints. */
SINEW_API sinew_status sinew_mirror_weights(sinew_character* character, const sinew_mirror_options* options,
                                            const sinew_progress* progress, sinew_result* result);

typedef struct sinew_smooth_options {
  size_t struct_size;
  const sinew_weight_selection* selection; /* NULL: all */
  size_t joint_count;                      /* whose weights are smoothed; 0: all */
  const int32_t* joints;
  double strength;    /* 0 to 1 */
  int iterations;     /* 0 to 1000 */
  int max_influences; /* joints per vertex, 1 to 16; 0: the most that any vertex has now */
  int threads;
} sinew_smooth_options;

SINEW_API void sinew_smooth_options_defaults(sinew_smooth_options* options, size_t struct_size);

SINEW_API sinew_status sinew_smooth_weights(sinew_character* character, const sinew_smooth_options* options,
                                            const sinew_progress* progress, sinew_result* result);

typedef struct sinew_prune_options {
  size_t struct_size;
  const sinew_weight_selection* selection; /* NULL: all */
  size_t joint_count;                      /* whose influences may go; 0: all */
  const int32_t* joints;
  double threshold; /* 0 to 1: weights below it go */
  int threads;
} sinew_prune_options;

SINEW_API void sinew_prune_options_defaults(sinew_prune_options* options, size_t struct_size);

SINEW_API sinew_status sinew_prune_weights(sinew_character* character, const sinew_prune_options* options,
                                           const sinew_progress* progress, sinew_result* result);

typedef struct sinew_limit_options {
  size_t struct_size;
  const sinew_weight_selection* selection; /* NULL: all */
  int max_influences;                      /* joints per vertex, 1 to 16 */
  int poses;                               /* in which the error is measured */
  uint64_t seed;
  int threads;
} sinew_limit_options;

SINEW_API void sinew_limit_options_defaults(sinew_limit_options* options, size_t struct_size);

/* Fewer influences with the least change of the moving skin. The report also has reduced, mean_error and max_error, and
 * the same of keeping the strongest: truncated_mean_error and truncated_max_error. */
SINEW_API sinew_status sinew_limit_influences(sinew_character* character, const sinew_limit_options* options,
                                              const sinew_progress* progress, sinew_result* result);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming) */

#endif
