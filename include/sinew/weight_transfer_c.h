/* Weights in C that come from other characters or from text, and twist joints.
 *
 *   sinew_transfer_weights(shirt, body, NULL, NULL, result);          // any mesh at the same place
 *   sinew_copy_weights(hero, painted, NULL, NULL, result);            // the same vertices, in any order
 *
 * weight_transfer.h, weight_files.h and twist_joints.h say what each does; options have the same names and defaults. The
 * report of every call has what weight_tools_c.h says, and what is its own. */
#ifndef SINEW_WEIGHT_TRANSFER_C_H
#define SINEW_WEIGHT_TRANSFER_C_H

#include <stddef.h>
#include <stdint.h>

#include "sinew/character_c.h"
#include "sinew/export.h"
#include "sinew/result_c.h"
#include "sinew/weight_tools_c.h"

/* Names as C has them. NOLINTBEGIN(readability-identifier-naming) */
#ifdef __cplusplus
extern "C" {
#endif

/* ---- From other characters ---- */

typedef struct sinew_transfer_options {
  size_t struct_size;
  const sinew_weight_selection* selection; /* NULL: all */
  double max_distance;                     /* of the source's bounding diagonal: farther surfaces are no match */
  double max_angle;                        /* degrees between the normals, 0 to 180: others are no match */
  int both_sides;                          /* normals may also point the other way: linings */
  int max_influences;                      /* joints per vertex, 1 to 16 */
  int threads;
} sinew_transfer_options;

SINEW_API void sinew_transfer_options_defaults(sinew_transfer_options* options, size_t struct_size);

/* Weights of another mesh of the same body: a level of detail, the body under a garment. A character without a skeleton
 * gets the source's, with its motions. The report also has matched, inpainted, guessed, mean_distance and joints. */
SINEW_API sinew_status sinew_transfer_weights(sinew_character* character, const sinew_character* source,
                                              const sinew_transfer_options* options, const sinew_progress* progress,
                                              sinew_result* result);

typedef struct sinew_copy_options {
  size_t struct_size;
  const sinew_weight_selection* selection; /* NULL: all */
  double tolerance;                        /* of the bounding diagonal: vertices this near are the same */
  int threads;
} sinew_copy_options;

SINEW_API void sinew_copy_options_defaults(sinew_copy_options* options, size_t struct_size);

/* Exact weights of the same vertices, in the same or another order. The report also has by_order, matched, unmatched and
 * joints. */
SINEW_API sinew_status sinew_copy_weights(sinew_character* character, const sinew_character* source,
                                          const sinew_copy_options* options, const sinew_progress* progress,
                                          sinew_result* result);

/* Another result for the same vertices. This struct never grows. */
typedef struct sinew_weight_layer {
  const sinew_character* source;
  const char* parts; /* only here: names with commas, '*' stands for any run of characters; NULL: everywhere */
  size_t mask_count; /* vertices of the character; 0: all of the layer */
  const float* mask; /* how much of the layer, per vertex, 0 to 1 */
} sinew_weight_layer;

typedef struct sinew_combine_options {
  size_t struct_size;
  const sinew_weight_selection* selection; /* NULL: all */
  double tolerance;                        /* as for sinew_copy_weights */
  int max_influences;                      /* joints per vertex, 1 to 16; 0: the most that character or layers have */
  int threads;
} sinew_combine_options;

SINEW_API void sinew_combine_options_defaults(sinew_combine_options* options, size_t struct_size);

/* One layer over the other, in order: where a mask is 0.3, three tenths of the layer and seven of what is below. */
SINEW_API sinew_status sinew_combine_weights(sinew_character* character, const sinew_weight_layer* layers,
                                             size_t layer_count, const sinew_combine_options* options,
                                             const sinew_progress* progress, sinew_result* result);

/* A mask from painted vertex colours, as values of the result. `channel`: "red", "green", "blue", "alpha" or "grey". */
SINEW_API sinew_status sinew_mask_from_colors(const sinew_character* character, const char* channel,
                                              sinew_result* result);

/* ---- As text ---- */

/* The file "weights.json" or "weights.csv" (docs/formats/weights.md). `form`: "json" or "csv". */
SINEW_API sinew_status sinew_export_weights(const sinew_character* character, const char* form, sinew_result* result);
/* Sets the weights of the vertices that the text names, JSON or CSV, whichever it is. `selection` may be NULL. */
SINEW_API sinew_status sinew_import_weights(sinew_character* character, const char* text, size_t size,
                                            const sinew_weight_selection* selection, sinew_result* result);

/* ---- Twist joints ---- */

typedef struct sinew_twist_options {
  size_t struct_size;
  int per_limb; /* twist joints in each part of a limb, 1 to 3 */
  int upper_arms;
  int forearms;
  int thighs;
  int shins;
  int max_influences; /* joints per vertex, 1 to 16; 0: as many as the character has, at least 4 */
} sinew_twist_options;

SINEW_API void sinew_twist_options_defaults(sinew_twist_options* options, size_t struct_size);

/* Extra joints along limbs that take a share of their turn. New joints come after all others. The report has added and
 * kept (each limb's joint and its twists) and changed_vertices. */
SINEW_API sinew_status sinew_add_twist_joints(sinew_character* character, const sinew_twist_options* options,
                                              sinew_result* result);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming) */

#endif
