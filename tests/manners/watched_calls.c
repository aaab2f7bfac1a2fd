/* Functions of the C library that a guest leaves alone. A program's own function comes before that of the C library for
 * every shared library in it, so each of these notes who called it and then does what was asked. In C, because C++ would
 * have to repeat every exception specification of the C library's headers. */
#define _GNU_SOURCE
#include "tests/manners/watched_calls.h"

#include <dlfcn.h>
#include <locale.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { most_calls = 4096 };
static struct WatchedCall calls[most_calls];
static atomic_int call_count;
static atomic_int watching;

static void note(const char* function, const void* caller) {
  if (!atomic_load(&watching)) return;
  const int index = atomic_fetch_add(&call_count, 1);
  if (index >= most_calls) return;
  Dl_info module;
  calls[index].function = function;
  calls[index].module = dladdr(caller, &module) && module.dli_fname ? module.dli_fname : "an unknown module";
}

void watch_calls(int on) {
  if (on) atomic_store(&call_count, 0);
  atomic_store(&watching, on);
}

int watched_call_count(void) {
  const int count = atomic_load(&call_count);
  return count < most_calls ? count : most_calls;
}

struct WatchedCall watched_call(int index) { return calls[index]; }

#define WATCHED __attribute__((visibility("default")))
#define WATCH(result, name, parameters, arguments)             \
  WATCHED result name parameters {                             \
    static result(*real) parameters;                           \
    note(#name, __builtin_return_address(0));                  \
    if (!real) *(void**)&real = dlsym(RTLD_NEXT, #name);       \
    return real arguments;                                     \
  }

WATCH(char*, getenv, (const char* key), (key))
WATCH(char*, secure_getenv, (const char* key), (key))
WATCH(int, setenv, (const char* key, const char* value, int replace), (key, value, replace))
WATCH(int, unsetenv, (const char* key), (key))
WATCH(int, putenv, (char* entry), (entry))
WATCH(pid_t, fork, (void), ())
WATCH(int, execv, (const char* path, char* const words[]), (path, words))
WATCH(int, execvp, (const char* path, char* const words[]), (path, words))
WATCH(int, execve, (const char* path, char* const words[], char* const env[]), (path, words, env))
WATCH(int, posix_spawn,
      (pid_t * child, const char* path, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
       char* const words[], char* const env[]),
      (child, path, actions, attributes, words, env))
WATCH(int, posix_spawnp,
      (pid_t * child, const char* path, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
       char* const words[], char* const env[]),
      (child, path, actions, attributes, words, env))
WATCH(int, system, (const char* command), (command))
WATCH(FILE*, popen, (const char* command, const char* kind), (command, kind))
WATCH(__sighandler_t, signal, (int number, __sighandler_t handler), (number, handler))
WATCH(int, sigaction, (int number, const struct sigaction* action, struct sigaction* old), (number, action, old))
WATCH(int, raise, (int number), (number))
WATCH(int, kill, (pid_t process, int number), (process, number))
WATCH(char*, setlocale, (int category, const char* name), (category, name))
WATCH(locale_t, uselocale, (locale_t locale), (locale))
WATCH(int, chdir, (const char* path), (path))
WATCH(int, fchdir, (int folder), (folder))
WATCH(mode_t, umask, (mode_t mask), (mask))
WATCH(int, setpriority, (__priority_which_t which, id_t who, int value), (which, who, value))
WATCH(int, nice, (int change), (change))
WATCH(int, sched_setaffinity, (pid_t process, size_t size, const cpu_set_t* set), (process, size, set))
WATCH(int, rand, (void), ())
