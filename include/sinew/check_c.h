/* Check and repair skins in C: what a lead artist would send back, found by posing the character joint by joint.
 *
 *   sinew_check_report* report = NULL;
 *   sinew_check(hero, NULL, NULL, &report, result);
 *   sinew_finding finding = {.struct_size = sizeof finding};
 *   for (size_t i = 0; sinew_get_finding(report, i, &finding, NULL) == SINEW_OK; ++i) puts(finding.what);
 *   sinew_check_report_destroy(report);
 *
 * check.h and fix.h say more about each option; members have the same names and defaults. docs/check.md says what the
 * kinds mean. A report keeps the character as it was when it was made, at no cost until the character is changed: arrays
 * and texts that come out of a report are valid as long as the report, whatever happens to the character. */
#ifndef SINEW_CHECK_C_H
#define SINEW_CHECK_C_H

#include <stddef.h>
#include <stdint.h>

#include "sinew/character_c.h"
#include "sinew/export.h"
#include "sinew/result_c.h"

/* Names as C has them. NOLINTBEGIN(readability-identifier-naming) */
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Check ---- */

typedef struct sinew_check_report sinew_check_report;

typedef struct sinew_check_options {
  size_t struct_size;
  int max_influences; /* per vertex; more is a finding */
  int threads;
  double tolerance;         /* severities below this are not reported, 0 to 1 */
  size_t kind_count;        /* 0: look for all kinds */
  const char* const* kinds; /* "bleed", "spike", …: see sinew_list_finding_kinds */
} sinew_check_options;

SINEW_API void sinew_check_options_defaults(sinew_check_options* options, size_t struct_size);

/* The report of the result has "kinds": the name of every kind of finding, as docs/check.md explains them. */
SINEW_API sinew_status sinew_list_finding_kinds(sinew_result* result);

/* Poses the character through a range of motion and looks it over. It needs skeleton and weights, and no reference. The
 * report of the result is what `sinew check --json` prints; its numbers are "findings", "worst" (the largest severity) and
 * how many there are of each kind. */
SINEW_API sinew_status sinew_check(const sinew_character* character, const sinew_check_options* options,
                                   const sinew_progress* progress, sinew_check_report** report, sinew_result* result);

/* The poses that sinew_check uses, without looking at any skin: a report without findings. Needs a skeleton alone. */
SINEW_API sinew_status sinew_range_of_motion(const sinew_character* character, sinew_check_report** report,
                                             sinew_result* result);

/* NULL and what was destroyed before are ignored. */
SINEW_API void sinew_check_report_destroy(sinew_check_report* report);

typedef struct sinew_check_info {
  size_t struct_size;
  size_t finding_count;
  size_t pose_count;
  size_t vertex_count; /* that were looked at */
  int sides_compared;  /* whether mesh and skeleton are alike on both sides */
} sinew_check_info;

SINEW_API sinew_status sinew_get_check_info(const sinew_check_report* report, sinew_check_info* info,
                                            sinew_result* result);

typedef struct sinew_finding {
  size_t struct_size;
  const char* kind; /* "bleed" */
  int joint;        /* whose influence is wrong, or at which it is wrong; -1: of no one joint */
  int part;         /* where most of the vertices are; -1: the character has no parts */
  size_t vertex_count;
  const uint32_t* vertices; /* in rising order; all copies of a place */
  double severity;          /* how far skin is off in the pose, as a share of the bounding diagonal */
  int pose;                 /* of the report, where it shows most; -1: in none */
  int unused;
  const char* what;   /* one sentence: what is wrong and where */
  const char* remedy; /* one sentence: what to do about it */
} sinew_finding;

/* Worst first. SINEW_ARGUMENT_INVALID beyond the last. */
SINEW_API sinew_status sinew_get_finding(const sinew_check_report* report, size_t index, sinew_finding* finding,
                                         sinew_result* result);

/* One joint turned about one axis; all others as in the bind pose. */
typedef struct sinew_check_pose {
  size_t struct_size;
  const char* name; /* "left elbow bent 90°" */
  int joint;
  int unused;
  double axis[3]; /* character space, unit length, through the joint */
  double degrees; /* counter-clockwise seen against the axis */
} sinew_check_pose;

SINEW_API sinew_status sinew_get_check_pose(const sinew_check_report* report, size_t index, sinew_check_pose* pose,
                                            sinew_result* result);
/* The same as a pose of the whole skeleton, for sinew_pose_vertices. */
SINEW_API sinew_status sinew_take_check_pose(const sinew_check_report* report, size_t index,
                                             sinew_joint_transform* pose, size_t joint_count, sinew_result* result);

typedef struct sinew_finding_picture_options {
  size_t struct_size;
  int width;   /* pixels: the whole character, and beside it the place, seen from where it faces */
  int height;  /* pixels */
  int samples; /* rays per pixel */
  int threads;
} sinew_finding_picture_options;

SINEW_API void sinew_finding_picture_options_defaults(sinew_finding_picture_options* options, size_t struct_size);

/* The file "finding.png": the finding in the pose where it shows most, its vertices dark red. */
SINEW_API sinew_status sinew_picture_finding(const sinew_check_report* report, size_t index,
                                             const sinew_finding_picture_options* options,
                                             const sinew_progress* progress, sinew_result* result);
/* The file "check.html": every finding with its picture, pose, severity and remedy. It needs no other file. */
SINEW_API sinew_status sinew_make_check_page(const sinew_check_report* report,
                                             const sinew_finding_picture_options* options,
                                             const sinew_progress* progress, sinew_result* result);

/* ---- Fix ---- */

typedef struct sinew_fix_report sinew_fix_report;

typedef struct sinew_fix_options {
  size_t struct_size;
  const sinew_check_options* check; /* what counts as a finding; its kinds are what is repaired. NULL: the defaults */
  int max_repairs;                  /* findings to try, worst kinds first; 1 or more */
  int threads;
} sinew_fix_options;

SINEW_API void sinew_fix_options_defaults(sinew_fix_options* options, size_t struct_size);

/* Repairs what a check finds and nothing else: a repair stays when its finding is gone or much smaller and nothing else
 * became worse. Changes the weights only. The report of the result is what `sinew fix --json` prints; its numbers are
 * "findings_before" and "findings_after". `report` may be NULL. */
SINEW_API sinew_status sinew_fix(sinew_character* character, const sinew_fix_options* options,
                                 const sinew_progress* progress, sinew_fix_report** report, sinew_result* result);

/* NULL and what was destroyed before are ignored. */
SINEW_API void sinew_fix_report_destroy(sinew_fix_report* report);

typedef struct sinew_fix_info {
  size_t struct_size;
  size_t repair_count;
  size_t findings_before;
  size_t findings_after;
  size_t beyond_count;       /* what no weights can repair */
  const char* const* beyond; /* one sentence each: a joint whose twist pinches the limb, and what would help */
} sinew_fix_info;

SINEW_API sinew_status sinew_get_fix_info(const sinew_fix_report* report, sinew_fix_info* info, sinew_result* result);

typedef struct sinew_repair {
  size_t struct_size;
  const char* outcome; /* "repaired", "improved" or "left-alone" */
  double severity;     /* of what is left */
  size_t vertex_count;
  const uint32_t* vertices; /* whose weights are others now, in rising order */
  const char* how;          /* one sentence: what was done, or why nothing was */
} sinew_repair;

/* In the order in which they were tried. `finding` is the finding before the repair, with a pose of the report before. One
 * of the two structs may be NULL. SINEW_ARGUMENT_INVALID beyond the last. */
SINEW_API sinew_status sinew_get_repair(const sinew_fix_report* report, size_t index, sinew_finding* finding,
                                        sinew_repair* repair, sinew_result* result);

/* The checks before and after, to be destroyed by the caller. Either may be NULL. */
SINEW_API sinew_status sinew_get_fix_checks(const sinew_fix_report* report, sinew_check_report** before,
                                            sinew_check_report** after, sinew_result* result);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming) */

#endif
