#include "CCurlShims.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__
#include <dirent.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>

enum { MAXIMUM_FOUND = 64 };

static int pending(int descriptor, unsigned long request) {
  int count = 0;
  return ioctl(descriptor, request, &count) < 0 ? -1 : count;
}

// Whether a descriptor is an end of a socket pair without close-on-exec.
static int is_inherited_pair(int descriptor) {
  int flags = fcntl(descriptor, F_GETFD);
  struct sockaddr_storage name;
  socklen_t length = sizeof name;
  return flags >= 0 && !(flags & FD_CLOEXEC) && getsockname(descriptor, (struct sockaddr *)&name, &length) == 0
      && name.ss_family == AF_UNIX && length == sizeof(sa_family_t);
}

// Finds the ends of empty socket pairs that child processes would inherit.
static int idle_pairs(int *found) {
  DIR *folder = opendir("/proc/self/fd");
  if (!folder) return 0;
  int count = 0;
  for (struct dirent *entry = readdir(folder); entry && count < MAXIMUM_FOUND; entry = readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    int descriptor = atoi(entry->d_name);
    if (is_inherited_pair(descriptor) && pending(descriptor, FIONREAD) == 0 && pending(descriptor, SIOCOUTQ) == 0)
      found[count++] = descriptor;
  }
  closedir(folder);
  return count;
}

// A wake-up leaves one byte in libcurl's pair, which distinguishes it from other pairs of the process.
static void close_wakeup_on_exec(CURLM *multi) {
  int found[MAXIMUM_FOUND];
  int count = idle_pairs(found);
  if (count == 0 || curl_multi_wakeup(multi) != CURLM_OK) return;
  for (int i = 0; i < count; i++) {
    int is_end = pending(found[i], FIONREAD) == 1 || pending(found[i], SIOCOUTQ) > 0;
    if (is_end && is_inherited_pair(found[i])) fcntl(found[i], F_SETFD, FD_CLOEXEC);
  }
  // Reads the byte.
  curl_multi_poll(multi, NULL, 0, 0, NULL);
}
#endif

// libcurl 7.88 creates curl_multi_wakeup's socket pair without close-on-exec, 8.14 with it
// (lib/socketpair.c).
CURLM *switchyard_multi_new(void) {
  CURLM *multi = curl_multi_init();
#ifdef __linux__
  if (multi && curl_version_info(CURLVERSION_NOW)->version_num < 0x080E00) close_wakeup_on_exec(multi);
#endif
  return multi;
}

int switchyard_descriptors_are_exhausted(void) {
  int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno == EMFILE || errno == ENFILE;
  close(descriptor);
  return 0;
}
