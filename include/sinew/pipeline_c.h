/* The work of Sinew in C: recognise, fit, generate, bind, train, rig, retarget, paint, levels of detail, correctives, evaluate, render.
 *
 * Every call takes the character, options (NULL: the defaults), a progress function (NULL: none) and a result (NULL: only
 * the status is told). The headers of the same names for C++ (bind.h, fit.h, …) say more about each option; members have
 * the same names and defaults. `threads`: 0 for all cores. sinew_result_json has the report of a call. */
#ifndef SINEW_PIPELINE_C_H
#define SINEW_PIPELINE_C_H

#include <stddef.h>
#include <stdint.h>

#include "sinew/character_c.h"
#include "sinew/export.h"
#include "sinew/result_c.h"

/* Names as C has them. NOLINTBEGIN(readability-identifier-naming) */
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Recognise ---- */

typedef struct sinew_recognise_options {
  size_t struct_size;
  int cells; /* of the voxel grid along the longest side, 48 to 256 */
  int threads;
  double up[3];      /* which way is up, any length; zeros: look for it among the axes */
  double forward[3]; /* which way it faces, any length; zeros: look for it */
} sinew_recognise_options;

SINEW_API void sinew_recognise_options_defaults(sinew_recognise_options* options, size_t struct_size);

/* What a mesh shows. The texts are valid for ever. */
typedef struct sinew_body {
  size_t struct_size;
  const char* kind;   /* "person", "four legs", "bird", …: docs/recognise.md has them all */
  double probability; /* that it is of this kind */
  double up[3];
  double up_probability; /* that this is up; 1 when it was given */
  double forward[3];
  double forward_probability; /* that it faces this way, if up is right; 1 when it was given */
  double mirror_point[3];     /* between left and right */
  double symmetry;            /* share of the inside whose mirror image is inside */
  const char* pose;           /* of a person: "T", "A", "arms down" or "other"; otherwise NULL */
  double pose_probability;
} sinew_body;

/* Which kind of body the mesh of the character shows, which way it stands and faces, and how a person holds the arms. The
 * report has the probability of every kind ("probabilities"). `body` may be NULL; its struct_size says how much is wanted. */
SINEW_API sinew_status sinew_recognise(const sinew_character* character, const sinew_recognise_options* options,
                                       const sinew_progress* progress, sinew_body* body, sinew_result* result);

/* ---- Fit ---- */

typedef struct sinew_fit_options {
  size_t struct_size;
  int cells;            /* of the voxel grid along the longest side, 48 to 256 */
  int y_is_up;          /* do not look for another up axis */
  int keep_axes;        /* leave a body that stands along another axis as it lies */
  int symmetric;        /* mirror left and right joints where the mesh is symmetric */
  int use_networks;     /* trained networks as a second opinion about people */
  int networks_alone;   /* do not read the inside of the mesh */
  const void* networks; /* bytes of a .sinewfit file; NULL: the networks that come with the library */
  size_t networks_size;
  size_t held_count; /* joints that keep their place */
  const int32_t* held_joints;
  const double* held_positions; /* x y z per held joint */
  int threads;
  int unused;
  double up[3];                    /* which way is up in the mesh, any length; zeros: look for it */
  double forward[3];               /* which way the body faces, any length; zeros: look for it */
  const char* kind;                /* "person" or "four-legs": then an unsure fit only warns; NULL: the judge decides */
  double least_confidence;         /* a fit that is less probably right is refused, 0 to 1 */
  int explain;                     /* the report has "readings", also when the fit is refused */
  size_t marker_count;             /* places of the body that a person pointed at */
  const char* const* marker_names; /* "chin", "wrist.L", …: see sinew_list_markers; or a joint of the skeleton */
  const double* marker_positions;  /* x y z per marker, in the mesh's space: where the joint is */
  const uint8_t* marker_on_skin; /* per marker, 1: the place is on the skin, the joint in the limb behind it; or NULL */
  size_t ignore_count;           /* parts of the mesh that say nothing about the body */
  const char* const* ignore;     /* names, materials, or "#N" for the Nth piece */
} sinew_fit_options;

SINEW_API void sinew_fit_options_defaults(sinew_fit_options* options, size_t struct_size);

/* Gives the character the skeleton of `source`, moved into its mesh. NULL: the one that suits what the mesh shows, the
 * built-in one of a person or a four-legged animal or one made for it ("skeleton" in the report: adult, quadruped,
 * generated; otherwise given). Its weights and motions go. The report has every
 * joint's position, confidence and whether it is inside, the up and forward axes, symmetry, whether the body stands on
 * four legs, and the confidence, which is the probability that the fit is right. With `explain` it also has every way in
 * which the mesh was read ("readings": reading, probability, objection, up, forward, bones), the most probable first, and
 * the file "readings.png" shows them. */
SINEW_API sinew_status sinew_fit(sinew_character* character, const sinew_character* source,
                                 const sinew_fit_options* options, const sinew_progress* progress,
                                 sinew_result* result);

/* The report has "markers": every name of a place of the body that marker_names of sinew_fit_options takes beside names of
 * joints, with ".L" and ".R" where there are two. */
SINEW_API sinew_status sinew_list_markers(sinew_result* result);

/* The middle of the limb behind a place on the skin of the mesh, both x y z: where a joint belongs that was clicked at. */
SINEW_API sinew_status sinew_middle_of_limb(const sinew_character* character, const double* on_surface, double* middle,
                                            sinew_result* result);

/* ---- Generate a skeleton ---- */

typedef struct sinew_generate_options {
  size_t struct_size;
  int cells;         /* of the voxel grid along the longest side, 48 to 256 */
  int max_joints;    /* at most so many, 4 to 1,000; 0: no limit */
  double density;    /* joints along limbs, spine and tail over what artists use, 0.25 to 4 */
  int small_parts;   /* fingers, toes, ears, horns */
  int symmetric;     /* mirror left and right where the mesh is symmetric */
  double up[3];      /* names follow from it: legs reach down */
  double forward[3]; /* where the head is; zeros: found from the shape */
  int threads;
  int unused;
  size_t ignore_count; /* parts of the mesh that say nothing about the creature */
  const char* const* ignore;
} sinew_generate_options;

SINEW_API void sinew_generate_options_defaults(sinew_generate_options* options, size_t struct_size);

/* Gives the character, any creature, a skeleton made from its mesh alone. Its weights and motions go. The report is that
 * of sinew_fit. */
SINEW_API sinew_status sinew_generate_skeleton(sinew_character* character, const sinew_generate_options* options,
                                               const sinew_progress* progress, sinew_result* result);

/* ---- Bind ---- */

typedef enum sinew_part_rule_kind {
  SINEW_PART_RIGID = 0,  /* all of it follows one joint; without a joint, the one that the method gives most of it */
  SINEW_PART_ATTACH = 1, /* hung on a joint as a prop is, and not looked at when the rest is bound */
  SINEW_PART_IGNORE = 2, /* not bound, and not looked at when the rest is bound */
  SINEW_PART_KEEP = 3    /* the weights it has stay */
} sinew_part_rule_kind;

/* What a person decides about a part of the mesh, whatever the method. This struct never grows. */
typedef struct sinew_part_rule {
  const char* part; /* name of parts or of their material, '*' for any run of characters; "#N": the Nth piece, from 1 */
  const char* joint; /* of rigid and attach; NULL: none */
  int kind;          /* sinew_part_rule_kind */
} sinew_part_rule;

typedef struct sinew_bind_options {
  size_t struct_size;
  const char* method;        /* "auto", "heat", …: see sinew_list_methods */
  const char* const* values; /* options of the method, each "name=value" */
  size_t value_count;
  int max_influences; /* joints per vertex, 1 to 16 */
  const char* joints; /* that take weights: "auto", "all", "weighted", or names with commas */
  uint64_t seed;
  int threads;

  /* What some methods take; NULL for none. */
  const char* pins;                 /* JSON: weights that stay as they are (docs/methods/biharmonic.md) */
  const char* joint_softness;       /* JSON: {"default": 0.5, "LeftForeArm": 0.2} */
  const sinew_character* body;      /* a garment stays outside it */
  const sinew_character* poses;     /* its motions are what the skin is optimised over */
  const sinew_character* reference; /* its weights, for the same vertices, are what a field is first fitted to */
  const void* networks;             /* bytes of a .sinewweights file for auto */
  size_t networks_size;
  const void* resume; /* a state that save_state was given: continue from it */
  size_t resume_size;
  void (*save_state)(void* user, const void* state, size_t size); /* called now and then */
  void* save_state_user;

  size_t part_count; /* a later rule overrules an earlier one */
  const sinew_part_rule* parts;
} sinew_bind_options;

SINEW_API void sinew_bind_options_defaults(sinew_bind_options* options, size_t struct_size);

/* The report has "methods": name, summary, options with type, default, range, choices and help, and the inputs it takes. */
SINEW_API sinew_status sinew_list_methods(sinew_result* result);

/* Replaces the character's weights. A method that makes a field gives it as the file "field.skincells". */
SINEW_API sinew_status sinew_bind(sinew_character* character, const sinew_bind_options* options,
                                  const sinew_progress* progress, sinew_result* result);

/* Weights out of a field, for another mesh, level of detail, garment or cloud that lies where the field's mesh lay. The
 * character has a skeleton with the field's joints. `field`: a .skincells file, or a GLB with one inside. */
SINEW_API sinew_status sinew_apply_field(sinew_character* character, const void* field, size_t size,
                                         sinew_result* result);

/* ---- Teach the method auto ---- */

typedef struct sinew_train_weights_options {
  size_t struct_size;
  int vertices;       /* of each character to learn from, drawn at random, 50 to 10,000 */
  int epochs;         /* passes over all characters, 1 to 1,000 */
  int hidden;         /* size of the networks, 8 to 512 */
  int members;        /* networks, 1 to 16; each learns without one part of the characters */
  size_t apart_count; /* characters to measure on later: nothing that shares geometry with them is learned from */
  const sinew_character* const* apart;
  uint64_t seed;
  int threads;
} sinew_train_weights_options;

SINEW_API void sinew_train_weights_options_defaults(sinew_train_weights_options* options, size_t struct_size);

/* Learns from rigged characters how their artists weight, for the method "auto". `groups`: a name per character; those of
 * one group (a studio, a folder) are alike, and every group counts the same. NULL: all are one group. A character that
 * cannot be learned from is left out with a warning; at least two must remain. The file "trained.sinewweights" is for
 * `networks` of sinew_bind_options. The report has "characters" learned from, and "unseen_ratio" and "seen_ratio": the
 * error over that of bone heat, on characters that were left out and on those learned from. */
SINEW_API sinew_status sinew_train_weights(const sinew_character* const* characters, const char* const* groups,
                                           size_t character_count, const sinew_train_weights_options* options,
                                           const sinew_progress* progress, sinew_result* result);

/* ---- Retarget and rig ---- */

typedef struct sinew_retarget_options {
  size_t struct_size;
  int keep_contacts;           /* feet that stand in the clip stand in the result */
  int in_place;                /* leave out the path over the ground */
  double scale;                /* of the hips' path; 0: by the lengths of the legs */
  double contact_speed;        /* leg lengths per second: slower is standing */
  double contact_height;       /* leg lengths above the ground */
  double contact_shortest;     /* seconds */
  double contact_ground_share; /* of the frames that are taken to be on the ground */
  size_t motion_count;         /* 0: all motions of the clip */
  const int32_t* motions;      /* of the clip, by index */
  double frames_per_second;    /* 0: the clip's own */
  int keep_motions;            /* that the character has; otherwise they go */
  const sinew_character* rest; /* whose rest rotations the clip's rest pose has; NULL: found out */
  const char* joint_map;       /* JSON with corrections to the automatic map (docs/retarget.md); NULL: none */
  int threads;
} sinew_retarget_options;

SINEW_API void sinew_retarget_options_defaults(sinew_retarget_options* options, size_t struct_size);

/* Adds the clip's motions to the character, played on its skeleton. */
SINEW_API sinew_status sinew_retarget(sinew_character* character, const sinew_character* clip,
                                      const sinew_retarget_options* options, const sinew_progress* progress,
                                      sinew_result* result);
/* Which joint would follow which. The file "joint_map.json" is for people to edit and for `joint_map`. */
SINEW_API sinew_status sinew_map_retargeting(const sinew_character* character, const sinew_character* clip,
                                             const sinew_retarget_options* options, sinew_result* result);

typedef struct sinew_rig_options {
  size_t struct_size;
  const sinew_character* skeleton; /* to fit instead of the clip's own; NULL: none */
  const sinew_fit_options* fit;    /* NULL: the defaults; so the next two */
  const sinew_bind_options* bind;
  const sinew_retarget_options* retarget;
  int threads; /* of all steps */
  int unused;
  const sinew_generate_options* generate; /* make a skeleton from the mesh instead of fitting one; NULL: fit */
} sinew_rig_options;

SINEW_API void sinew_rig_options_defaults(sinew_rig_options* options, size_t struct_size);

/* From a bare mesh and a clip to a moving character: fit, bind and retarget. Without a clip (NULL) the character stays at
 * rest, and without a skeleton as well it gets the one that suits it. */
SINEW_API sinew_status sinew_rig(sinew_character* character, const sinew_character* clip,
                                 const sinew_rig_options* options, const sinew_progress* progress,
                                 sinew_result* result);

/* ---- Paint ----
 *
 *   sinew_painter_create(hero, NULL, NULL, &painter, result);             // gets ready, once
 *   sinew_painter_brush(painter, hero, &stroke, result);                  // the stroke becomes pins
 *   sinew_painter_solve(painter, hero, 0, NULL, result);                  // 0: around the stroke; 1: everywhere
 */

typedef struct sinew_painter sinew_painter;

typedef struct sinew_stroke {
  size_t struct_size;
  int joint;
  double target; /* 0 to 1: the weight of the joint where the amount is 1 */
  size_t vertex_count;
  const uint32_t* vertices;
  const float* amounts; /* one per vertex, 0 to 1, counted from the weights of `before` */
} sinew_stroke;

/* `options`: with the method "biharmonic", which NULL means. */
SINEW_API sinew_status sinew_painter_create(const sinew_character* character, const sinew_bind_options* options,
                                            const sinew_progress* progress, sinew_painter** painter,
                                            sinew_result* result);
SINEW_API void sinew_painter_destroy(sinew_painter* painter);
SINEW_API sinew_status sinew_painter_brush(sinew_painter* painter, const sinew_character* before,
                                           const sinew_stroke* stroke, sinew_result* result);
/* Vertices are painted no more; NULL: all of them. */
SINEW_API sinew_status sinew_painter_free(sinew_painter* painter, const uint32_t* vertices, size_t vertex_count,
                                          sinew_result* result);
/* All pins as JSON, the file "pins.json"; and the other way. */
SINEW_API sinew_status sinew_painter_get_pins(const sinew_painter* painter, sinew_result* result);
SINEW_API sinew_status sinew_painter_set_pins(sinew_painter* painter, const char* pins, sinew_result* result);
/* Gives the character, whose mesh and skeleton are those of the painter, weights that follow the pins. */
SINEW_API sinew_status sinew_painter_solve(sinew_painter* painter, sinew_character* character, int everywhere,
                                           const sinew_progress* progress, sinew_result* result);

/* ---- Levels of detail ---- */

typedef struct sinew_lod_options {
  size_t struct_size;
  int levels;                           /* with the finest, 1 to 16 */
  double ratio;                         /* vertices of a level over those of the next finer one */
  size_t coarse_count;                  /* when not 0, what follows replaces `levels` and `ratio` */
  const uint64_t* coarse_vertex_counts; /* vertices of the coarser levels, descending */
  double weight_importance;             /* cost of an error of 1 in a weight, in bounding diagonals */
  double uv_importance;                 /* cost of texture sliding over that of the same distance off the surface */
  int keep_seams;                       /* seams and borders keep their shape, even if a level keeps more vertices */
  int unused;
  double max_error; /* the chain ends before a level that is off by more than this share of the diagonal; 0: no limit */
  int whole_pieces; /* small pieces keep their shape or go as a whole, never as shards */
  int unused_2;
} sinew_lod_options;

SINEW_API void sinew_lod_options_defaults(sinew_lod_options* options, size_t struct_size);

/* `levels` has room for `capacity` handles, as many as levels are asked for; the first is the finest. */
SINEW_API sinew_status sinew_make_lods(const sinew_character* character, const sinew_lod_options* options,
                                       const sinew_progress* progress, sinew_character** levels, size_t capacity,
                                       size_t* count, sinew_result* result);

/* ---- Correctives ---- */

typedef struct sinew_simulate_options {
  size_t struct_size;
  int poses;               /* along random paths within the joints' limits */
  int own_motions;         /* simulate the character's motions too */
  size_t motion_count;     /* 0: all of them */
  const int32_t* motions;  /* by index */
  int every;               /* of a motion, take every Nth frame */
  int run_length;          /* poses that follow one another; what a stop may cost */
  double step;             /* degrees a joint turns at most between neighbouring random poses */
  int cells;               /* about this many elements, 100 to 1,000,000 */
  double cell_size;        /* edge of an element instead; 0: by `cells` */
  double bone_thickness;   /* radius of a bone over its depth under the skin, 0.05 to 0.9 */
  double volume_stiffness; /* resistance to change of volume over shear */
  int contact;             /* the skin does not pass through itself */
  uint64_t seed;
  int threads;
} sinew_simulate_options;

SINEW_API void sinew_simulate_options_defaults(sinew_simulate_options* options, size_t struct_size);

/* Writes training shapes into a folder; a second call with the same options continues there. */
SINEW_API sinew_status sinew_simulate(const sinew_character* character, const char* folder,
                                      const sinew_simulate_options* options, const sinew_progress* progress,
                                      sinew_result* result);

typedef struct sinew_train_options {
  size_t struct_size;
  int isolate;                  /* as in sinew_load_options, for frames in FBX or COLLADA */
  const sinew_lod_options* lod; /* levels of detail to train for; NULL: the defaults */
  uint64_t regions;             /* points of the extra level that regions come from */
  double tolerance;             /* of the bases: RMS per vertex, of the bounding diagonal */
  size_t test_motion_count;     /* 0: chosen */
  const char* const* test_motions;
  int most_joints; /* that a network may see */
  int hidden;      /* largest size of the hidden layers */
  uint64_t seed;
  int threads;
} sinew_train_options;

SINEW_API void sinew_train_options_defaults(sinew_train_options* options, size_t struct_size);

/* Trains from a folder of shapes. The file "correctives.sinewc" is for runtime/runtime_c.h to play. */
SINEW_API sinew_status sinew_train_correctives(const char* folder, const sinew_train_options* options,
                                               const sinew_progress* progress, sinew_result* result);

/* ---- Evaluate and render ---- */

typedef struct sinew_evaluate_options {
  size_t struct_size;
  int max_influences;     /* reduce the weights to this many first; 0: as they are */
  int poses_per_motion;   /* evenly in time */
  int random_poses;       /* of each kind */
  double normal_degrees;  /* standard deviation of the random poses without limits */
  int intersection_poses; /* in which self-intersections are counted */
  uint64_t seed;
  const char* joint_limits; /* JSON (docs/metrics.md); NULL: by joint role */
  int threads;
} sinew_evaluate_options;

SINEW_API void sinew_evaluate_options_defaults(sinew_evaluate_options* options, size_t struct_size);

/* Metrics (docs/metrics.md) as numbers of the result, all that was measured in the report, and, with a truth, the mean
 * error of each of its vertices as values. `truth` may be NULL. */
SINEW_API sinew_status sinew_evaluate(const sinew_character* character, const sinew_character* truth,
                                      const sinew_evaluate_options* options, const sinew_progress* progress,
                                      sinew_result* result);

typedef struct sinew_render_options {
  size_t struct_size;
  const char* mode;     /* "shaded", "weights", "dominant", "blended", "influences", "parts" */
  const char* joint;    /* by name, for "weights"; NULL: none */
  const char* view;     /* "front", "side", "back", "three-quarter", …, or "TURN:HEIGHT" in degrees */
  int width;            /* pixels */
  int height;           /* pixels */
  int motion;           /* by index; -1: the bind pose */
  double seconds;       /* into the motion */
  int dual_quaternions; /* instead of linear blend skinning */
  int skeleton;         /* drawn over the mesh */
  int legend;
  int samples;        /* rays per pixel */
  const char* format; /* "png", or "rgba": four bytes per pixel, row by row, top left first */
  int threads;
} sinew_render_options;

SINEW_API void sinew_render_options_defaults(sinew_render_options* options, size_t struct_size);

/* The file "picture.png" or "picture.rgba". */
SINEW_API sinew_status sinew_render(const sinew_character* character, const sinew_render_options* options,
                                    const sinew_progress* progress, sinew_result* result);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming) */

#endif
