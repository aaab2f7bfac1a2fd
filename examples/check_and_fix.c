/* Breaks a skin on purpose, checks it, writes a page with pictures of what is wrong, and repairs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/sinew_c.h"

static int joint_named(const sinew_skeleton_arrays* skeleton, const char* name) {
  for (size_t joint = 0; joint < skeleton->joint_count; ++joint) {
    if (strcmp(skeleton->names[joint], name) == 0) return (int)joint;
  }
  return 0;
}

/* Lets the belly follow the left hand, as a slip of a brush does. */
static sinew_status break_skin(sinew_character* hero, sinew_result* result) {
  sinew_mesh_arrays mesh = {.struct_size = sizeof mesh};
  sinew_skeleton_arrays skeleton = {.struct_size = sizeof skeleton};
  sinew_weight_arrays weights = {.struct_size = sizeof weights};
  sinew_get_mesh(hero, &mesh, result);
  sinew_get_skeleton(hero, &skeleton, result);
  sinew_get_weights(hero, &weights, result);
  const size_t slots = weights.vertex_count * (size_t)weights.influences;
  uint16_t* joints = malloc(slots * sizeof *joints);
  float* numbers = malloc(slots * sizeof *numbers);
  if (joints == NULL || numbers == NULL) exit(1);
  memcpy(joints, weights.joints, slots * sizeof *joints);
  memcpy(numbers, weights.weights, slots * sizeof *numbers);
  const double* belly = skeleton.rest + 16 * joint_named(&skeleton, "Spine") + 12;
  const int hand = joint_named(&skeleton, "LeftHand");
  for (size_t vertex = 0; vertex < mesh.vertex_count; ++vertex) {
    const float* place = mesh.positions + 3 * vertex;
    const double x = place[0] - belly[0], y = place[1] - belly[1], z = place[2] - belly[2];
    if (x * x + y * y + z * z > 0.2 * 0.2) continue;
    for (int slot = 0; slot < weights.influences; ++slot) {
      const size_t at = vertex * (size_t)weights.influences + (size_t)slot;
      joints[at] = slot == 0 ? (uint16_t)hand : 0;
      numbers[at] = slot == 0 ? 1.0f : 0.0f;
    }
  }
  weights.joints = joints;
  weights.weights = numbers;
  const sinew_status status = sinew_set_weights(hero, &weights, result);
  free(joints);
  free(numbers);
  return status;
}

static sinew_status write_page(const sinew_check_report* report, const char* folder, sinew_result* result) {
  sinew_finding_picture_options options;
  sinew_finding_picture_options_defaults(&options, sizeof options);
  options.width = 320;
  options.height = 160;
  options.samples = 2;
  const sinew_status status = sinew_make_check_page(report, &options, NULL, result);
  if (status != SINEW_OK) return status;
  char path[1024];
  snprintf(path, sizeof path, "%s/check.html", folder);
  const void* bytes = NULL;
  size_t size = 0;
  sinew_result_file(result, 0, NULL, &bytes, &size);
  FILE* file = fopen(path, "wb");
  if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) exit(1);
  printf("wrote %s\n", path);
  return SINEW_OK;
}

static size_t check(const sinew_character* hero, const char* folder, sinew_result* result) {
  sinew_check_report* report = NULL;
  if (sinew_check(hero, NULL, NULL, &report, result) != SINEW_OK) {
    fprintf(stderr, "%s\n", sinew_result_message(result));
    exit(1);
  }
  size_t count = 0;
  sinew_finding finding = {.struct_size = sizeof finding};
  sinew_check_pose pose = {.struct_size = sizeof pose};
  for (; sinew_get_finding(report, count, &finding, NULL) == SINEW_OK; ++count) {
    printf("%s: %s\n  %s\n", finding.kind, finding.what, finding.remedy);
    if (finding.pose >= 0 && sinew_get_check_pose(report, (size_t)finding.pose, &pose, NULL) == SINEW_OK) {
      printf("  off by %.1f %% in '%s'\n", 100 * finding.severity, pose.name);
    }
  }
  if (folder != NULL && write_page(report, folder, result) != SINEW_OK) exit(1);
  sinew_check_report_destroy(report);
  return count;
}

int main(int count, char** arguments) {
  sinew_result* result = sinew_result_create();
  sinew_builtin_options options;
  sinew_builtin_options_defaults(&options, sizeof options);
  options.vertices = 2000;
  sinew_character* hero = NULL;
  if (sinew_make_character(&options, NULL, &hero, result) != SINEW_OK || break_skin(hero, result) != SINEW_OK) {
    fprintf(stderr, "%s\n", sinew_result_message(result));
    return 1;
  }
  const size_t before = check(hero, count > 1 ? arguments[1] : NULL, result);

  sinew_fix_report* report = NULL;
  sinew_repair repair = {.struct_size = sizeof repair};
  if (sinew_fix(hero, NULL, NULL, &report, result) != SINEW_OK) {
    fprintf(stderr, "%s\n", sinew_result_message(result));
    return 1;
  }
  for (size_t i = 0; sinew_get_repair(report, i, NULL, &repair, NULL) == SINEW_OK; ++i) {
    printf("%s: %s\n", repair.outcome, repair.how);
  }
  sinew_fix_report_destroy(report);
  const size_t after = check(hero, NULL, result);
  printf("%zu findings before, %zu after\n", before, after);
  sinew_character_destroy(hero);
  sinew_result_destroy(result);
  return before == 0 || after >= before;
}
