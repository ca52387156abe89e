#ifndef SWITCHYARD_HEAD_GATHERER_H
#define SWITCHYARD_HEAD_GATHERER_H

#include <stddef.h>
#include <stdint.h>

// Gathers the lines that libcurl hands over one by one, until the head of an answer is complete.
//
// Whoever reads heads is called once for each of them, and can tell at one glance whether it is the head of an answer
// before.

#ifndef SWITCHYARD_SENDABLE
#define SWITCHYARD_SENDABLE __attribute__((swift_attr("@Sendable")))
#endif

// Takes whole lines: a head to its empty line, one line after the head, or as many as may be held. Returns 0 to end the
// transfer.
typedef int (*SWITCHYARD_SENDABLE switchyard_head_callback)(
    const uint8_t *_Nonnull bytes, size_t count, void *_Nonnull owner);

// Is told that a line came, the first one of this round.
typedef void (*SWITCHYARD_SENDABLE switchyard_receipt_callback)(void *_Nonnull owner);

typedef struct {
  void *_Nonnull owner;
  switchyard_head_callback _Nonnull on_lines;
  switchyard_receipt_callback _Nonnull on_receipt;
  // Counts the rounds of the thread, and the one in which on_receipt was called last. Without a counter it is
  // called for each line.
  const uint64_t *_Nullable rounds;
  uint64_t told;
  // The most bytes that are held.
  size_t limit;
  uint8_t *_Nullable bytes;
  size_t count;
  size_t capacity;
  // Whether lines are passed on as they come: trailers do.
  int passes;
} switchyard_head_gatherer;

// Begins an answer. Of a large head before it no memory is kept.
void switchyard_head_begin(switchyard_head_gatherer *_Nonnull gatherer);

// The header function of an easy handle; the context is a switchyard_head_gatherer.
size_t switchyard_head_line(
    char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

// Gives up the memory.
void switchyard_head_free(switchyard_head_gatherer *_Nonnull gatherer);

#endif
