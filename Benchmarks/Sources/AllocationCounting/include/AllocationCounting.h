#ifndef BENCHMARKS_ALLOCATION_COUNTING_H
#define BENCHMARKS_ALLOCATION_COUNTING_H

#include <stdint.h>

// The number of heap blocks that this process has allocated so far, by malloc, calloc, realloc of NULL and
// the aligned variants, on all threads. Linking this target interposes the counting functions before the C
// library's own.
uint64_t allocation_count(void);

#endif
