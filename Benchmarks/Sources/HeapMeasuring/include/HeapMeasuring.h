#ifndef HEAP_MEASURING_H
#define HEAP_MEASURING_H

// Returns the number of bytes in allocated heap blocks, those with a mapping of their own included.
//
// Resident memory also has what the allocator keeps for later, which depends on what was freed before.
long heap_bytes(void);

#endif
