// Keeps LD_LIBRARY_PATH and LD_PRELOAD of a test program from the programs of the system that it starts.
//
// A libcurl of a newer system brings an OpenSSL of its own, with which the system's programs crash. This
// library is preloaded into the test program. Of the programs that it starts, only the test program itself,
// which is started again for tests of a process's end, gets the two variables.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef int (*spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                     char *const[], char *const[]);

static int is_this_program(const char *path) {
  struct stat one, other;
  return !stat(path, &one) && !stat("/proc/self/exe", &other) && one.st_dev == other.st_dev
    && one.st_ino == other.st_ino;
}

static int names_libraries(const char *variable) {
  return !strncmp(variable, "LD_LIBRARY_PATH=", 16) || !strncmp(variable, "LD_PRELOAD=", 11);
}

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const words[], char *const environment[]) {
  spawn next = (spawn)dlsym(RTLD_NEXT, "posix_spawn");
  if (!next) return ENOSYS;
  if (!environment || is_this_program(path)) return next(process, path, actions, attributes, words, environment);
  size_t count = 0, kept = 0;
  while (environment[count]) count++;
  char **rest = calloc(count + 1, sizeof *rest);
  if (!rest) return ENOMEM;
  for (size_t index = 0; index < count; index++)
    if (!names_libraries(environment[index])) rest[kept++] = environment[index];
  int status = next(process, path, actions, attributes, words, rest);
  free(rest);
  return status;
}
