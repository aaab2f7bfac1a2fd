/* What watched_calls.c saw: calls of functions that act on the process as a whole, and the module each came from. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct WatchedCall {
  const char* function; /* "getenv" */
  const char* module;   /* path of the program or shared library that called it */
};

/* Begins to note calls, with none noted yet; 0 ends it. */
void watch_calls(int on);
int watched_call_count(void);
struct WatchedCall watched_call(int index);

#ifdef __cplusplus
}
#endif
