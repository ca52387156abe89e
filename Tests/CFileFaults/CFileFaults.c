#define _GNU_SOURCE
#include "CFileFaults.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static atomic_long changes;
static atomic_long first;
static atomic_long length;
static atomic_int armed;
static atomic_flag timed = ATOMIC_FLAG_INIT;

void file_faults_arm(enum file_fault fault, long position, long count) {
  atomic_store(&changes, 0);
  atomic_store(&first, position);
  atomic_store(&length, count);
  atomic_store(&armed, fault);
}

long file_faults_count(void) { return atomic_load(&changes); }

static void *kill_later(void *argument) {
  long microseconds = (long)(intptr_t)argument;
  struct timespec pause = {microseconds / 1000000, microseconds % 1000000 * 1000};
  nanosleep(&pause, 0);
  kill(getpid(), SIGKILL);
  return 0;
}

void file_faults_kill_after(long microseconds) {
  if (atomic_flag_test_and_set(&timed)) return;
  pthread_t thread;
  if (pthread_create(&thread, 0, kill_later, (void *)(intptr_t)microseconds) == 0) pthread_detach(thread);
}

int file_faults_fork(void) { return fork(); }

#if defined(__linux__) && defined(__GLIBC__)
#include <sys/syscall.h>

/// Counts a change, and returns the fault that it gets.
static enum file_fault next_fault(void) {
  long number = atomic_fetch_add(&changes, 1) + 1;
  enum file_fault fault = atomic_load(&armed);
  long start = atomic_load(&first);
  if (fault == file_fault_none || number < start) return file_fault_none;
  if (fault == file_fault_full) return number < start + atomic_load(&length) ? fault : file_fault_none;
  if (fault == file_fault_kill_before) kill(getpid(), SIGKILL);
  return fault;
}

static int is_file(int descriptor) {
  struct stat status;
  return descriptor > 2 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/// Ends a change without bytes.
static long finish(long result, enum file_fault fault) {
  if (fault == file_fault_kill_within) kill(getpid(), SIGKILL);
  return result;
}

static ssize_t put(int descriptor, const void *bytes, size_t count, off_t offset, int at_offset) {
  enum file_fault fault = is_file(descriptor) ? next_fault() : file_fault_none;
  if (fault == file_fault_full) {
    errno = ENOSPC;
    return -1;
  }
  if (fault == file_fault_kill_within) count /= 2;
  ssize_t result = at_offset ? syscall(SYS_pwrite64, descriptor, bytes, count, offset)
                             : syscall(SYS_write, descriptor, bytes, count);
  return finish(result, fault);
}

ssize_t write(int descriptor, const void *bytes, size_t count) { return put(descriptor, bytes, count, 0, 0); }

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return put(descriptor, bytes, count, offset, 1);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  return put(descriptor, bytes, count, offset, 1);
}

// The faults of a full disk concern writes only.
static enum file_fault kill_fault(void) {
  enum file_fault fault = next_fault();
  return fault == file_fault_full ? file_fault_none : fault;
}

int ftruncate(int descriptor, off_t size) {
  enum file_fault fault = kill_fault();
  return (int)finish(syscall(SYS_ftruncate, descriptor, size), fault);
}

int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }

int fdatasync(int descriptor) {
  enum file_fault fault = kill_fault();
  return (int)finish(syscall(SYS_fdatasync, descriptor), fault);
}

int fsync(int descriptor) {
  enum file_fault fault = kill_fault();
  return (int)finish(syscall(SYS_fsync, descriptor), fault);
}

int unlink(const char *path) {
  enum file_fault fault = kill_fault();
  return (int)finish(syscall(SYS_unlinkat, -100, path, 0), fault);
}
#endif
