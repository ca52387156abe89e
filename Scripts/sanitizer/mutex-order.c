// Tells ThreadSanitizer about the slow paths of Synchronization.Mutex.
//
// The mutex's fast paths are compiled into the program and instrumented with it. Its slow paths, taken when
// two threads contend, are in libswiftSynchronization.so, which is not instrumented: ThreadSanitizer misses
// their acquire and release, and reports every contended lock as a race. This library is loaded before that
// one (LD_PRELOAD), calls it, and adds exactly the two orderings of a mutex: other races are still reported,
// which planted-race.swift proves before each run.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Weak, so that programs without the sanitizer can be started with this library too.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

SWIFT void switchyard_lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT bool switchyard_try_lock_slow(SELF) __asm__(TRY_LOCK_SLOW);
SWIFT void switchyard_unlock_slow(SELF) __asm__(UNLOCK_SLOW);

typedef SWIFT void (*lock_slow)(uint32_t thread, SELF);
typedef SWIFT bool (*try_lock_slow)(SELF);
typedef SWIFT void (*unlock_slow)(SELF);

static void *next_named(const char *name, void **known) {
  void *found = __atomic_load_n(known, __ATOMIC_ACQUIRE);
  if (found) return found;
  found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  __atomic_store_n(known, found, __ATOMIC_RELEASE);
  return found;
}

SWIFT void switchyard_lock_slow(uint32_t thread, SELF) {
  static void *known;
  ((lock_slow)next_named(LOCK_SLOW, &known))(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool switchyard_try_lock_slow(SELF) {
  static void *known;
  bool is_locked = ((try_lock_slow)next_named(TRY_LOCK_SLOW, &known))(self);
  if (is_locked && __tsan_acquire) __tsan_acquire(self);
  return is_locked;
}

SWIFT void switchyard_unlock_slow(SELF) {
  static void *known;
  unlock_slow next = (unlock_slow)next_named(UNLOCK_SLOW, &known);
  if (__tsan_release) __tsan_release(self);
  next(self);
}
