/* Binds with a progress line, then once more and cancels halfway: the character keeps the weights it had. */
#include <stdio.h>

#include "sinew/sinew_c.h"

/* `user` is how far the work may get before it is stopped. */
static int tell(void* user, double fraction, const char* stage) {
  fprintf(stderr, "\r%3.0f %% %-40s", 100 * fraction, stage);
  return fraction > *(const double*)user;
}

static sinew_status bind(sinew_character* hero, const char* method, double stop_after, sinew_result* result) {
  sinew_bind_options options;
  sinew_bind_options_defaults(&options, sizeof options);
  options.method = method;
  const sinew_progress progress = {tell, &stop_after};
  const sinew_status status = sinew_bind(hero, &options, &progress, result);
  fprintf(stderr, "\r%s: %s\n", method, status == SINEW_OK ? sinew_status_name(status) : sinew_result_message(result));
  return status;
}

int main(void) {
  sinew_result* result = sinew_result_create();
  sinew_builtin_options options;
  sinew_builtin_options_defaults(&options, sizeof options);
  options.vertices = 2000;
  sinew_character* hero = NULL;
  if (sinew_make_character(&options, NULL, &hero, result) != SINEW_OK) {
    fprintf(stderr, "%s\n", sinew_result_message(result));
    return 1;
  }
  int failed = bind(hero, "heat", 1.0, result) != SINEW_OK;
  for (size_t i = 0; i < sinew_result_warning_count(result); ++i) {
    const char* message = "";
    sinew_result_warning(result, i, NULL, &message);
    fprintf(stderr, "warning: %s\n", message);
  }

  sinew_weight_arrays before = {.struct_size = sizeof before}, after = {.struct_size = sizeof after};
  sinew_get_weights(hero, &before, result);
  failed = bind(hero, "atlas", 0.5, result) != SINEW_CANCELLED || failed;
  sinew_get_weights(hero, &after, result);
  failed = before.weights != after.weights || failed; /* a call that fails changes nothing */
  printf("%s\n", failed ? "something went wrong" : "bound by heat; atlas was cancelled and changed nothing");
  sinew_character_destroy(hero);
  sinew_result_destroy(result);
  return failed;
}
