#include "CHeadGatherer.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_KEPT = 16 * 1024 };

static int append(switchyard_head_gatherer *gatherer, const char *bytes, size_t count) {
  if (gatherer->capacity - gatherer->count < count) {
    size_t capacity = gatherer->capacity ? gatherer->capacity * 2 : 1024;
    while (capacity - gatherer->count < count) capacity *= 2;
    uint8_t *grown = realloc(gatherer->bytes, capacity);
    if (!grown) return 0;
    gatherer->bytes = grown;
    gatherer->capacity = capacity;
  }
  memcpy(gatherer->bytes + gatherer->count, bytes, count);
  gatherer->count += count;
  return 1;
}

void switchyard_head_begin(switchyard_head_gatherer *gatherer) {
  if (gatherer->capacity > MOST_KEPT) switchyard_head_free(gatherer);
  gatherer->count = 0;
  gatherer->passes = 0;
  // The round in which the handle's last answer came may still go on.
  gatherer->told = UINT64_MAX;
}

size_t switchyard_head_line(char *bytes, size_t size, size_t count, void *context) {
  switchyard_head_gatherer *gatherer = context;
  size_t length = size * count;
  if (!gatherer || !gatherer->owner) return 0;
  if (!gatherer->rounds || gatherer->told != *gatherer->rounds) {
    if (gatherer->rounds) gatherer->told = *gatherer->rounds;
    gatherer->on_receipt(gatherer->owner);
  }
  if (gatherer->passes) return gatherer->on_lines((const uint8_t *)bytes, length, gatherer->owner) ? length : 0;
  // libcurl hands over no empty line without its line break.
  if (length == 0 && gatherer->count == 0) return 0;
  if (!append(gatherer, bytes, length)) return 0;
  int is_blank = length == 0 || bytes[0] == '\n' || (bytes[0] == '\r' && (length == 1 || bytes[1] == '\n'));
  if (!is_blank && gatherer->count <= gatherer->limit) return length;
  size_t gathered = gatherer->count;
  // Whoever takes the lines may begin another answer.
  gatherer->count = 0;
  return gatherer->on_lines(gatherer->bytes, gathered, gatherer->owner) ? length : 0;
}

void switchyard_head_free(switchyard_head_gatherer *gatherer) {
  free(gatherer->bytes);
  gatherer->bytes = NULL;
  gatherer->count = gatherer->capacity = 0;
}
