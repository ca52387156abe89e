#ifndef SWITCHYARD_BLOCK_STORE_H
#define SWITCHYARD_BLOCK_STORE_H

#include <curl/curl.h>
#include <stddef.h>

// Freed blocks that a thread keeps for libcurl's next transfers.
//
// A transfer takes and gives back some forty blocks, the receive buffer among them, and many transfers begin
// and end at once: more than the C library keeps for a thread, which then locks, merges and splits, and gives
// memory back to the system to ask for it again.

// Initializes libcurl so that its blocks come from here. Where the program has initialized it before, libcurl
// goes on with the memory it was given then, and stores stay empty. So they do under the address sanitizer,
// which must see each block.
CURLcode switchyard_curl_global_init(void);

// Gives the calling thread a store, until it closes it. A thread without one has the C library's memory
// alone; blocks may be taken by one thread and given back by another.
void switchyard_block_store_open(void);
void switchyard_block_store_close(void);

// The bytes that the calling thread's store keeps.
size_t switchyard_block_store_kept(void);

// Gives back to the C library, the largest blocks first, what exceeds a number of bytes.
void switchyard_block_store_trim(size_t bytes);

// What libcurl calls in place of malloc, free and realloc.
void *_Nullable switchyard_block_take(size_t size);
void switchyard_block_give_back(void *_Nullable block);
void *_Nullable switchyard_block_resize(void *_Nullable block, size_t size);

#endif
