#define _GNU_SOURCE
#include "AllocationCounting.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static _Atomic uint64_t taken;

uint64_t allocation_count(void) { return atomic_load_explicit(&taken, memory_order_relaxed); }

static void note(void) { atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed); }

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);
static void *(*real_memalign)(size_t, size_t);

// dlsym may allocate memory before the real functions are known; it gets this memory, which is never grown.
static char early[16384] __attribute__((aligned(16)));
static _Atomic size_t early_used;

static int is_early(const void *block) {
  return (const char *)block >= early && (const char *)block < early + sizeof early;
}

static void *take_early(size_t size) {
  size_t start = atomic_fetch_add(&early_used, (size + 15) & ~(size_t)15);
  return start + size <= sizeof early ? early + start : NULL;
}

static _Thread_local int is_resolving;

static int resolve(void) {
  if (real_memalign) return 1;
  if (is_resolving) return 0;
  is_resolving = 1;
  real_malloc = dlsym(RTLD_NEXT, "malloc");
  real_calloc = dlsym(RTLD_NEXT, "calloc");
  real_realloc = dlsym(RTLD_NEXT, "realloc");
  real_free = dlsym(RTLD_NEXT, "free");
  real_memalign = dlsym(RTLD_NEXT, "memalign");
  is_resolving = 0;
  return 1;
}

// The first block is allocated before main, while there is only one thread.
__attribute__((constructor)) static void resolve_early(void) { resolve(); }

void *malloc(size_t size) {
  if (!resolve()) return take_early(size);
  note();
  return real_malloc(size);
}

void *calloc(size_t count, size_t size) {
  if (!resolve()) return take_early(count * size);
  note();
  return real_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  if (is_early(block)) {
    void *copy = malloc(size);
    size_t rest = (size_t)(early + sizeof early - (char *)block);
    if (copy) memcpy(copy, block, size < rest ? size : rest);
    return copy;
  }
  if (!resolve()) return block ? NULL : take_early(size);
  if (!block) note();
  return real_realloc(block, size);
}

void free(void *block) {
  if (!block || is_early(block)) return;
  if (resolve()) real_free(block);
}

void *memalign(size_t alignment, size_t size) {
  if (!resolve()) return NULL;
  note();
  return real_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
  *block = memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}
