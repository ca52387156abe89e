#pragma once

#include <curl/curl.h>
#include <stddef.h>

// Memory that libcurl frees on a thread and that the thread keeps for its next transfers.
//
// A transfer allocates and frees some forty blocks; many at once exceed what the C library caches.

// Initializes libcurl with these functions. They remain unused if the program has initialized libcurl before,
// and under the address sanitizer, which must see each block.
CURLcode switchyard_curl_global_init(void);

// Creates and frees the calling thread's store. Without one, blocks are allocated and freed by the C library;
// a block may be freed on another thread than it was allocated on.
void switchyard_block_store_open(void);
void switchyard_block_store_close(void);

// The number of bytes that the calling thread's store keeps.
size_t switchyard_block_store_kept(void);

// Frees kept blocks, the largest first, until at most a number of bytes is kept.
void switchyard_block_store_trim(size_t bytes);

// libcurl's malloc, free and realloc.
void *_Nullable switchyard_block_take(size_t size);
void switchyard_block_give_back(void *_Nullable block);
void *_Nullable switchyard_block_resize(void *_Nullable block, size_t size);
