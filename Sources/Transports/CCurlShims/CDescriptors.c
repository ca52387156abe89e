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

static int is_idle_pair(int descriptor) {
  return is_inherited_pair(descriptor) && pending(descriptor, FIONREAD) == 0 && pending(descriptor, SIOCOUTQ) == 0;
}

static int is_pair_with_byte(int descriptor) {
  return is_inherited_pair(descriptor)
      && (pending(descriptor, FIONREAD) == 1 || pending(descriptor, SIOCOUTQ) > 0);
}

// Keeps the descriptors of which something is true.
static int keep(int *descriptors, int count, int (*is_kept)(int)) {
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (is_kept(descriptors[i])) descriptors[kept++] = descriptors[i];
  return kept;
}

// Returns the ends of idle socket pairs that child processes would inherit; the caller frees them.
static int *idle_pairs(int *count) {
  *count = 0;
  DIR *folder = opendir("/proc/self/fd");
  if (!folder) return NULL;
  int *found = NULL;
  int capacity = 0;
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    if (entry->d_name[0] == '.' || !is_idle_pair(atoi(entry->d_name))) continue;
    if (*count == capacity) {
      capacity = capacity ? 2 * capacity : 16;
      int *larger = realloc(found, capacity * sizeof(int));
      if (!larger) break;
      found = larger;
    }
    found[(*count)++] = atoi(entry->d_name);
  }
  closedir(folder);
  return found;
}

// A wake-up leaves one byte in libcurl's pair until it is read, which distinguishes it from other pairs of
// the process. The second round excludes those that another thread uses at the same moment.
static void close_wakeup_on_exec(CURLM *multi) {
  int count;
  int *found = idle_pairs(&count);
  for (int round = 0; round < 2 && count > 0; round++) {
    if (curl_multi_wakeup(multi) != CURLM_OK) count = 0;
    count = keep(found, count, is_pair_with_byte);
    // Reads the byte.
    curl_multi_poll(multi, NULL, 0, 0, NULL);
    count = keep(found, count, is_idle_pair);
  }
  for (int i = 0; i < count; i++) fcntl(found[i], F_SETFD, FD_CLOEXEC);
  free(found);
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
