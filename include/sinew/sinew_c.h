/* All of Sinew for C, and for every language that can call C (C99). sinew.h is the C++ interface, hence this name.
 *
 *   sinew_result* result = sinew_result_create();
 *   sinew_character* hero = NULL;
 *   if (sinew_load("hero.glb", NULL, &hero, result) != SINEW_OK) puts(sinew_result_message(result));
 *
 *   sinew_bind_options options;
 *   sinew_bind_options_defaults(&options, sizeof options);
 *   options.method = "heat";
 *   sinew_bind(hero, &options, NULL, result);               // weights for hero's skeleton
 *   sinew_save(hero, "hero_bound.glb", NULL, result);
 *   sinew_character_destroy(hero);
 *   sinew_result_destroy(result);
 *
 * result_c.h     status, result, progress: what every call has in common
 * character_c.h  characters: files, arrays, poses
 * pipeline_c.h   fit, generate, bind, rig, retarget, paint, levels of detail, correctives, evaluate, render
 * check_c.h      check and repair skins
 * weight_tools_c.h     mirror, smooth, prune and limit weights
 * weight_transfer_c.h  transfer, copy and combine weights, weights as text, twist joints
 * runtime/runtime_c.h is the interface for real time: it allocates nothing and has a status of its own.
 *
 * Rules that hold for every call
 * - A call returns SINEW_OK or the number of an error (docs/errors.md). What went wrong, what was repaired and what came
 *   out is in the sinew_result that it was given. There is no "last error" of a thread: two parts of a program, or two
 *   languages in one process, cannot overwrite each other's. A result may be NULL, then only the number is told.
 * - A call that fails changes nothing but the result.
 * - Arrays that go in are the caller's, are read during the call and copied once. Arrays that come out are borrowed: they
 *   stay valid until the handle that they came from is changed or destroyed. A copy of a character costs nothing until
 *   one of the two is changed: keep a copy to keep its arrays.
 * - Structs begin with struct_size. `..._defaults(&options, sizeof options)` sets it and every member that your header
 *   has, or set it to sizeof the struct and the rest to zero. A later version of the library adds members at the end and
 *   still fills and takes the shorter struct of an earlier header. A struct_size that no version has is
 *   SINEW_ARGUMENT_INVALID.
 * - Texts are UTF-8 and end with a zero byte. Switches are 0 or 1.
 *
 * What is checked
 * - Handles are numbers in the shape of pointers and are never used again. NULL, a destroyed handle or one of another kind
 *   is SINEW_ARGUMENT_INVALID, always.
 * - Counts are checked against each other, indices against their arrays, numbers for being finite.
 * - A character that is being changed by one call cannot be used by another: SINEW_NOT_NOW. Different handles may be used
 *   by different threads at the same time, also copies of one character.
 * - Not checked, because C cannot: whether an array is as long as its count says, whether a text has an end, and whether
 *   a borrowed pointer is still valid.
 * - No exception leaves a call. A progress function that throws makes the call fail. */
#ifndef SINEW_SINEW_C_H
#define SINEW_SINEW_C_H

#include "sinew/character_c.h"
#include "sinew/check_c.h"
#include "sinew/export.h"
#include "sinew/pipeline_c.h"
#include "sinew/result_c.h"
#include "sinew/version.h"
#include "sinew/weight_tools_c.h"
#include "sinew/weight_transfer_c.h"

/* Names as C has them. NOLINTBEGIN(readability-identifier-naming) */
#ifdef __cplusplus
extern "C" {
#endif

/* SINEW_VERSION and SINEW_VERSION_NUMBER of the library that is linked or loaded: "0.1.0" and 100. */
SINEW_API const char* sinew_version(void);
SINEW_API int sinew_version_number(void);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming) */

#endif
