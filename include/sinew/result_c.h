/* What every call of the C interface has in common: a status, a result that says more, and a function that is told how
 * far the work is. sinew_c.h has the rules. */
#ifndef SINEW_RESULT_C_H
#define SINEW_RESULT_C_H

#include <stddef.h>

#include "sinew/export.h"

/* Names as C has them. NOLINTBEGIN(readability-identifier-naming) */
#ifdef __cplusplus
extern "C" {
#endif

/* The numbers of sinew::ErrorCode; error.h says what each means. The hundreds tell the kind: 1 the work failed, 2 wrong
 * use, 3 bad input, 4 a gate was not met, 5 cancelled. Later versions may add some: treat an unknown one by its kind. */
typedef enum sinew_status {
  SINEW_OK = 0,

  SINEW_INTERNAL = 100,
  SINEW_OUT_OF_MEMORY = 101,
  SINEW_NO_CONVERGENCE = 102,
  SINEW_FILE_UNWRITABLE = 103,
  SINEW_DISK_FULL = 104,
  SINEW_OUTPUT_TOO_LARGE = 105,
  SINEW_INSTALLATION_INCOMPLETE = 106,
  SINEW_PROCESS_FAILED = 107,
  SINEW_SYSTEM_REFUSED = 108,

  SINEW_ARGUMENT_INVALID = 200,
  SINEW_COMMAND_UNKNOWN = 201,
  SINEW_OPTION_UNKNOWN = 202,
  SINEW_OPTION_MISSING = 203,
  SINEW_OPTION_INVALID = 204,
  SINEW_OPTION_OUT_OF_RANGE = 205,
  SINEW_OPTIONS_CONFLICT = 206,
  SINEW_CHOICE_UNKNOWN = 207,
  SINEW_METHOD_UNKNOWN = 208,
  SINEW_JOINT_UNKNOWN = 209,
  SINEW_MOTION_UNKNOWN = 210,
  SINEW_FRAME_UNKNOWN = 211,
  SINEW_OUTPUT_FORMAT_UNKNOWN = 212,
  SINEW_OUTPUT_FORMAT_UNFIT = 213,
  SINEW_WOULD_OVERWRITE = 214,
  SINEW_NOT_NOW = 215,

  SINEW_FILE_NOT_FOUND = 300,
  SINEW_FILE_UNREADABLE = 301,
  SINEW_PATH_REFUSED = 302,
  SINEW_FILE_EMPTY = 303,
  SINEW_FILE_DAMAGED = 304,
  SINEW_FORMAT_UNKNOWN = 305,
  SINEW_FORMAT_UNSUPPORTED = 306,
  SINEW_TOO_LARGE = 307,
  SINEW_READER_FAILED = 308,
  SINEW_MESH_MISSING = 310,
  SINEW_MESH_INVALID = 311,
  SINEW_MESH_DEGENERATE = 312,
  SINEW_SURFACE_MISSING = 313,
  SINEW_SKELETON_MISSING = 320,
  SINEW_SKELETON_INVALID = 321,
  SINEW_SKELETON_NOT_UNDERSTOOD = 322,
  SINEW_SKELETON_MISPLACED = 323,
  SINEW_SKELETONS_DIFFER = 324,
  SINEW_WEIGHTS_MISSING = 330,
  SINEW_WEIGHTS_INVALID = 331,
  SINEW_MOTION_MISSING = 340,
  SINEW_MOTION_INVALID = 341,
  SINEW_BODY_NOT_RECOGNISED = 350,
  SINEW_KINDS_DIFFER = 351,
  SINEW_CHARACTERS_DIFFER = 352,
  SINEW_SETTINGS_INVALID = 360,
  SINEW_FIELD_INVALID = 361,
  SINEW_NETWORK_INVALID = 362,
  SINEW_TRAINING_DATA_INVALID = 363,

  SINEW_GATE_NOT_MET = 400,

  SINEW_CANCELLED = 500
} sinew_status;

/* "file-not-found"; "ok" for 0, and "" for a number that is not a status. */
SINEW_API const char* sinew_status_name(int status);

/* ---- Results ----
 *
 * One result serves any number of calls, one after the other: each call first empties it. Pointers that come out of it are
 * valid until the next call that is given it, or until it is destroyed. */

typedef struct sinew_result sinew_result;

/* NULL when there is no memory. */
SINEW_API sinew_result* sinew_result_create(void);
/* NULL and what was destroyed before are ignored. */
SINEW_API void sinew_result_destroy(sinew_result* result);

/* What the last call returned. SINEW_ARGUMENT_INVALID when `result` is not one. */
SINEW_API sinew_status sinew_result_status(const sinew_result* result);

/* One sentence for a person; what to try; the member of an options struct that would change it. "" where there is none,
 * never NULL. */
SINEW_API const char* sinew_result_message(const sinew_result* result);
SINEW_API const char* sinew_result_advice(const sinew_result* result);
SINEW_API const char* sinew_result_option(const sinew_result* result);

/* What was repaired or ignored. `code` is for programs ("isolated-vertices", docs/warnings.md), `message` for people. */
SINEW_API size_t sinew_result_warning_count(const sinew_result* result);
SINEW_API sinew_status sinew_result_warning(const sinew_result* result, size_t index, const char** code,
                                            const char** message);

/* The report of a call as a JSON object; "" where a call has none. */
SINEW_API const char* sinew_result_json(const sinew_result* result);

/* One number of the report by its name ("mean_influences", "coverage"). SINEW_CHOICE_UNKNOWN when it has none of it. */
SINEW_API sinew_status sinew_result_number(const sinew_result* result, const char* name, double* value);

/* One number per vertex, of a call that makes such. NULL and 0 otherwise. */
SINEW_API const float* sinew_result_values(const sinew_result* result, size_t* count);

/* Files that a call made in memory: pictures, fields, written characters. `name` is relative to the first file. */
SINEW_API size_t sinew_result_file_count(const sinew_result* result);
SINEW_API sinew_status sinew_result_file(const sinew_result* result, size_t index, const char** name,
                                         const void** bytes, size_t* size);

/* ---- Progress ----
 *
 * Called now and then during long work, on the thread that works, with 0 to 1 and what is being done now. Returning
 * anything but 0 cancels: the call ends within a fraction of a second with SINEW_CANCELLED. It may use other handles,
 * but not those of the call. This struct never grows. */
typedef struct sinew_progress {
  int (*tell)(void* user, double fraction, const char* stage); /* NULL: nobody is told */
  void* user;                                                  /* handed to `tell` as it is */
} sinew_progress;

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming) */

#endif
