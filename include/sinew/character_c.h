/* Characters in C: mesh, skeleton, weights and motions, from files or from arrays, and poses of them.
 *
 *   sinew_mesh_arrays mesh = {.struct_size = sizeof mesh};    // what is not set is absent
 *   mesh.vertex_count = 8;     mesh.positions = positions;
 *   mesh.triangle_count = 12;  mesh.triangles = triangles;
 *   sinew_character* box = NULL;
 *   sinew_character_create("box", &box, result);
 *   sinew_set_mesh(box, &mesh, result);
 *
 * Everything is in one space, character space: metres-like scene space, in the bind pose. Matrices are 16 numbers, column
 * by column. sinew_c.h has the rules of borrowed arrays, struct_size and results. */
#ifndef SINEW_CHARACTER_C_H
#define SINEW_CHARACTER_C_H

#include <stddef.h>
#include <stdint.h>

#include "sinew/export.h"
#include "sinew/result_c.h"

/* Names as C has them. NOLINTBEGIN(readability-identifier-naming) */
#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_character sinew_character;

/* `*character` becomes NULL unless ok; so do all handles that calls give. */
SINEW_API sinew_status sinew_character_create(const char* name, sinew_character** character, sinew_result* result);

/* Shares all arrays with the original until one of the two is changed. */
SINEW_API sinew_status sinew_character_copy(const sinew_character* character, sinew_character** copy,
                                            sinew_result* result);

/* NULL and what was destroyed before are ignored. A call that is using it ends first. */
SINEW_API void sinew_character_destroy(sinew_character* character);

typedef struct sinew_character_info {
  size_t struct_size;
  const char* name;
  const char* format; /* of the file it was read from: "glb", "obj"; "" for what was made */
  size_t vertex_count;
  size_t triangle_count; /* 0: a point cloud */
  size_t part_count;
  size_t joint_count;
  int influences; /* slots of the weights; 0: no weights */
  size_t motion_count;
} sinew_character_info;

SINEW_API sinew_status sinew_get_info(const sinew_character* character, sinew_character_info* info,
                                      sinew_result* result);
SINEW_API sinew_status sinew_set_name(sinew_character* character, const char* name, sinew_result* result);

/* ---- Files ---- */

typedef struct sinew_load_options {
  size_t struct_size;
  const char* name;        /* what messages call the file; NULL: its path */
  const char* format;      /* "glb", "fbx", …; NULL: recognised by content, then by the name's extension */
  uint64_t max_file_bytes; /* larger files are refused */
  int max_node_depth;      /* deeper hierarchies are refused */
  uint64_t max_elements;   /* vertices, indices or keys that one file may declare */
  int isolate;             /* read FBX, COLLADA and Draco in a forked process, so that a crash is an error */
  int unused;
  int threads; /* 0: all cores; so in all options */
  int unused_2;
} sinew_load_options;

SINEW_API void sinew_load_options_defaults(sinew_load_options* options, size_t struct_size);

/* From a file, or from its bytes, which may name no other file. */
SINEW_API sinew_status sinew_load(const char* path, const sinew_load_options* options, sinew_character** character,
                                  sinew_result* result);
SINEW_API sinew_status sinew_read(const void* bytes, size_t size, const sinew_load_options* options,
                                  sinew_character** character, sinew_result* result);

typedef struct sinew_save_options {
  size_t struct_size;
  int max_influences;   /* 0: as many as the weights have */
  int quantise_weights; /* glTF: 8-bit weights instead of float */
  int embed;            /* glTF: buffers and pictures inside the file */
  int unused;
  const char* names; /* joints named and turned for "mixamo", "unreal", "unity", "vrm", "rigify"; "keep": as they are */
  const char* vrm_name;        /* what a .vrm file says about itself; NULL: the character's name */
  const char* vrm_license_url; /* NULL: the VRM Public License 1.0 */
  size_t vrm_author_count;
  const char* const* vrm_authors; /* none: "unknown", with a warning */
  int keep_old_skeleton; /* glTF: a character with another skeleton than its file keeps the old one's nodes there */
  int unused_2;
} sinew_save_options;

SINEW_API void sinew_save_options_defaults(sinew_save_options* options, size_t struct_size);

/* The extension says the format: .glb .gltf .vrm .fbx .obj .ply .stl .off .bvh. The file appears complete or not at all. */
SINEW_API sinew_status sinew_save(const sinew_character* character, const char* path, const sinew_save_options* options,
                                  sinew_result* result);
/* `format`: "glb" and so on. The result's files are the file itself and those that it names. */
SINEW_API sinew_status sinew_write(const sinew_character* character, const char* format,
                                   const sinew_save_options* options, sinew_result* result);

typedef struct sinew_builtin_options {
  size_t struct_size;
  const char* kind;    /* "adult", "child", "toon", "bulky", "quadruped" */
  const char* pose;    /* "T" or "A" */
  const char* garment; /* "automatic", "bare", "none", "sport", "casual", "jacket", "skirt" */
  uint64_t vertices;   /* of the whole character, 1,000 to 500,000 */
  uint64_t seed;
} sinew_builtin_options;

SINEW_API void sinew_builtin_options_defaults(sinew_builtin_options* options, size_t struct_size);

/* A procedural character with skeleton, weights and motions. */
SINEW_API sinew_status sinew_make_character(const sinew_builtin_options* options, const sinew_progress* progress,
                                            sinew_character** character, sinew_result* result);
/* A skeleton alone: "adult", "mitten" (the same with one finger) or "quadruped". */
SINEW_API sinew_status sinew_builtin_skeleton(const char* name, sinew_character** character, sinew_result* result);

/* ---- Mesh ---- */

typedef enum sinew_part_binding {
  SINEW_PART_SKINNED = 0,  /* follows its weights */
  SINEW_PART_ATTACHED = 1, /* follows one joint rigidly: a sword in a hand */
  SINEW_PART_FIXED = 2     /* does not move */
} sinew_part_binding;

/* A run of vertices and triangles: one object, one material. This struct never grows. */
typedef struct sinew_part {
  const char* name;
  const char* material;
  size_t first_vertex;
  size_t vertex_count;
  size_t first_triangle;
  size_t triangle_count;
  int binding; /* sinew_part_binding */
} sinew_part;

typedef struct sinew_mesh_arrays {
  size_t struct_size;
  size_t vertex_count;
  size_t triangle_count;     /* 0: a point cloud */
  const float* positions;    /* x y z per vertex */
  const uint32_t* triangles; /* three vertices each, counter-clockwise from outside */
  const float* normals;      /* x y z, unit length; or NULL, as all that follow */
  const float* tangents;     /* x y z and handedness */
  const float* uvs;          /* u v, v downwards */
  const float* colors;       /* linear r g b a */
  size_t part_count;
  const sinew_part* parts; /* cover the mesh in order */
} sinew_mesh_arrays;

SINEW_API sinew_status sinew_get_mesh(const sinew_character* character, sinew_mesh_arrays* mesh, sinew_result* result);
/* Weights go, and what was kept of the file that the character came from. */
SINEW_API sinew_status sinew_set_mesh(sinew_character* character, const sinew_mesh_arrays* mesh, sinew_result* result);

/* ---- Skeleton ---- */

typedef enum sinew_joint_kind {
  SINEW_JOINT = 0,       /* may deform the skin */
  SINEW_JOINT_END = 1,   /* only marks where its parent's bone ends */
  SINEW_JOINT_HELPER = 2 /* carries or groups joints */
} sinew_joint_kind;

typedef struct sinew_skeleton_arrays {
  size_t struct_size;
  size_t joint_count;       /* at most 65,535 */
  const char* const* names; /* need not be unique */
  const int32_t* parents;   /* -1 for a root; a parent comes before its children */
  const double* rest;       /* matrix per joint: joint space to character space in the bind pose */
  const uint8_t* kinds;     /* sinew_joint_kind each; NULL: all may deform the skin */
} sinew_skeleton_arrays;

SINEW_API sinew_status sinew_get_skeleton(const sinew_character* character, sinew_skeleton_arrays* skeleton,
                                          sinew_result* result);
/* Weights and motions go. */
SINEW_API sinew_status sinew_set_skeleton(sinew_character* character, const sinew_skeleton_arrays* skeleton,
                                          sinew_result* result);
/* Takes skeleton and motions of another character; attached parts follow the joint of the same name. */
SINEW_API sinew_status sinew_use_skeleton(sinew_character* character, const sinew_character* source,
                                          sinew_result* result);

/* `mirror[joint]`: the joint on the other side, itself in the middle, -1 when there is none. `plane`: points p between
 * left and right have p · (plane[0], plane[1], plane[2]) = plane[3]; may be NULL. */
SINEW_API sinew_status sinew_mirror_joints(const sinew_character* character, int32_t* mirror, size_t joint_count,
                                           double* plane, sinew_result* result);

/* ---- Weights ---- */

typedef struct sinew_weight_arrays {
  size_t struct_size;
  size_t vertex_count;
  int influences;         /* slots per vertex, 1 to 32 */
  const uint16_t* joints; /* [vertex][slot], strongest first; 0 in slots that are not used */
  const float* weights;   /* same layout; not negative, sum to 1 or are all 0 */
} sinew_weight_arrays;

/* vertex_count is 0 for a character without weights. */
SINEW_API sinew_status sinew_get_weights(const sinew_character* character, sinew_weight_arrays* weights,
                                         sinew_result* result);
/* Vertices whose weights do not sum to 1, name a joint twice or are not sorted are put right; valid ones are taken bit for
 * bit. NULL removes the weights. */
SINEW_API sinew_status sinew_set_weights(sinew_character* character, const sinew_weight_arrays* weights,
                                         sinew_result* result);

/* ---- Motions and poses ---- */

/* Of a joint relative to its parent, or to character space for roots. This struct never grows. */
typedef struct sinew_joint_transform {
  double translation[3];
  double unused_1;    /* any value */
  double rotation[4]; /* x y z w, unit length */
  double scale[3];
  double unused_2;
} sinew_joint_transform;

typedef struct sinew_motion_arrays {
  size_t struct_size;
  const char* name;
  double frames_per_second;
  size_t frame_count;
  size_t joint_count;
  const sinew_joint_transform* transforms; /* [frame][joint] */
} sinew_motion_arrays;

SINEW_API sinew_status sinew_get_motion(const sinew_character* character, size_t index, sinew_motion_arrays* motion,
                                        sinew_result* result);
SINEW_API sinew_status sinew_add_motion(sinew_character* character, const sinew_motion_arrays* motion,
                                        sinew_result* result);
SINEW_API sinew_status sinew_remove_motion(sinew_character* character, size_t index, sinew_result* result);

/* A pose is one sinew_joint_transform per joint, in memory of the caller. `joint_count` is that of the skeleton. */
SINEW_API sinew_status sinew_rest_pose(const sinew_character* character, sinew_joint_transform* pose,
                                       size_t joint_count, sinew_result* result);
/* Interpolated between frames; clamped to the ends of the motion, or wrapped around when `loop`. */
SINEW_API sinew_status sinew_sample_motion(const sinew_character* character, size_t motion, double seconds, int loop,
                                           sinew_joint_transform* pose, size_t joint_count, sinew_result* result);

/* One matrix per joint: joint space to character space. */
SINEW_API sinew_status sinew_pose_joints(const sinew_character* character, const sinew_joint_transform* pose,
                                         size_t joint_count, double* matrices, sinew_result* result);
/* One matrix per joint as sinew_skinning_job wants them: bind pose to posed. */
SINEW_API sinew_status sinew_pose_matrices(const sinew_character* character, const sinew_joint_transform* pose,
                                           size_t joint_count, float* matrices, sinew_result* result);

typedef enum sinew_skinning_method { SINEW_LINEAR_BLEND = 0, SINEW_DUAL_QUATERNIONS = 1 } sinew_skinning_method;

/* The mesh in a pose: x y z per vertex. `normals` may be NULL, and must be for a mesh without normals. */
SINEW_API sinew_status sinew_pose_vertices(const sinew_character* character, const sinew_joint_transform* pose,
                                           size_t joint_count, int method, float* positions, float* normals,
                                           size_t vertex_count, sinew_result* result);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming) */

#endif
