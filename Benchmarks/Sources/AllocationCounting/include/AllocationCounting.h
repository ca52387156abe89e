#ifndef BENCHMARKS_ALLOCATION_COUNTING_H
#define BENCHMARKS_ALLOCATION_COUNTING_H

#include <stdint.h>

// The heap blocks that this process has taken so far, by malloc, calloc, realloc of nothing and the aligned
// forms, on all threads. Linking this target puts the counting before the C library's own functions.
uint64_t allocation_count(void);

#endif
