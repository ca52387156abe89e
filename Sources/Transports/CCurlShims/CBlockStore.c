#include "CBlockStore.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SWITCHYARD_SANITIZED 1
#endif
#endif

// The blocks of a class have the same capacity. libcurl uses few sizes, so small steps waste little.
enum {
  SMALL_STEP = 16, MAXIMUM_SMALL = 1024, SMALL_CLASSES = MAXIMUM_SMALL / SMALL_STEP,
  MIDDLE_STEP = 1024, MAXIMUM_MIDDLE = 16384, MIDDLE_CLASSES = (MAXIMUM_MIDDLE - MAXIMUM_SMALL) / MIDDLE_STEP,
  LARGE_STEP = 16384, MAXIMUM_LARGE = 262144, LARGE_CLASSES = (MAXIMUM_LARGE - MAXIMUM_MIDDLE) / LARGE_STEP,
  CLASSES = SMALL_CLASSES + MIDDLE_CLASSES + LARGE_CLASSES,
  MAXIMUM_KEPT = 32 << 20,
};

// Precedes each block, and keeps it aligned for any type.
typedef struct {
  _Alignas(max_align_t) size_t capacity;
  size_t class;
} block_head;

typedef struct kept_block {
  struct kept_block *next;
} kept_block;

typedef struct {
  size_t bytes;
  kept_block *kept[CLASSES];
} block_store;

// "initial-exec" finds the variable without a call.
static _Thread_local block_store *store __attribute__((tls_model("initial-exec")));

// Returns CLASSES for sizes that are not kept.
static size_t class_of(size_t size) {
  if (size <= MAXIMUM_SMALL) return size ? (size - 1) / SMALL_STEP : 0;
  if (size <= MAXIMUM_MIDDLE) return SMALL_CLASSES + (size - MAXIMUM_SMALL - 1) / MIDDLE_STEP;
  if (size <= MAXIMUM_LARGE) return SMALL_CLASSES + MIDDLE_CLASSES + (size - MAXIMUM_MIDDLE - 1) / LARGE_STEP;
  return CLASSES;
}

static size_t capacity_of(size_t class) {
  if (class < SMALL_CLASSES) return (class + 1) * SMALL_STEP;
  if (class < SMALL_CLASSES + MIDDLE_CLASSES) return MAXIMUM_SMALL + (class - SMALL_CLASSES + 1) * MIDDLE_STEP;
  return MAXIMUM_MIDDLE + (class - SMALL_CLASSES - MIDDLE_CLASSES + 1) * LARGE_STEP;
}

// Not inlined, to keep the common path, which runs forty times per request, at a dozen instructions.
__attribute__((noinline, cold)) static void *take_new(size_t size, size_t class) {
  size_t capacity = class < CLASSES ? capacity_of(class) : size;
  if (capacity > SIZE_MAX - sizeof(block_head)) return NULL;
  block_head *head = malloc(sizeof(block_head) + capacity);
  if (!head) return NULL;
  head->capacity = capacity;
  head->class = class;
  return head + 1;
}

// Removes a kept block; NULL if there is none of the class.
static void *take_kept(block_store *own, size_t class) {
  kept_block *block = own->kept[class];
  if (!block) return NULL;
  own->kept[class] = block->next;
  own->bytes -= ((block_head *)(void *)block - 1)->capacity;
  return block;
}

void *switchyard_block_take(size_t size) {
  size_t class = class_of(size);
  block_store *own = store;
  void *block = own && class < CLASSES ? take_kept(own, class) : NULL;
  return block ? block : take_new(size, class);
}

void switchyard_block_give_back(void *block) {
  if (!block) return;
  block_head *head = (block_head *)block - 1;
  block_store *own = store;
  if (!own || head->class == CLASSES || head->capacity > MAXIMUM_KEPT - own->bytes) return free(head);
  kept_block *kept = block;
  kept->next = own->kept[head->class];
  own->kept[head->class] = kept;
  own->bytes += head->capacity;
}

void *switchyard_block_resize(void *block, size_t size) {
  if (!block) return switchyard_block_take(size);
  size_t capacity = ((block_head *)block - 1)->capacity;
  if (size <= capacity) return block;
  void *larger = switchyard_block_take(size);
  if (!larger) return NULL;
  memcpy(larger, block, capacity);
  switchyard_block_give_back(block);
  return larger;
}

void switchyard_block_store_open(void) {
  // If this fails, the thread works without a store.
  if (!store) store = calloc(1, sizeof(block_store));
}

size_t switchyard_block_store_kept(void) { return store ? store->bytes : 0; }

void switchyard_block_store_trim(size_t bytes) {
  block_store *own = store;
  for (size_t class = CLASSES; own && class > 0; class--) {
    void *block;
    while (own->bytes > bytes && (block = take_kept(own, class - 1))) free((block_head *)block - 1);
  }
}

void switchyard_block_store_close(void) {
  switchyard_block_store_trim(0);
  free(store);
  store = NULL;
}

#ifndef SWITCHYARD_SANITIZED

static char *copy_of(const char *string) {
  size_t size = strlen(string) + 1;
  char *copy = switchyard_block_take(size);
  return copy ? memcpy(copy, string, size) : NULL;
}

static void *take_zeroed(size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) return NULL;
  void *block = switchyard_block_take(count * size);
  return block ? memset(block, 0, count * size) : NULL;
}

#endif

CURLcode switchyard_curl_global_init(void) {
#ifdef SWITCHYARD_SANITIZED
  return curl_global_init(CURL_GLOBAL_DEFAULT);
#else
  return curl_global_init_mem(
      CURL_GLOBAL_DEFAULT, switchyard_block_take, switchyard_block_give_back, switchyard_block_resize, copy_of,
      take_zeroed);
#endif
}
