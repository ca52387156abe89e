#ifndef SWITCHYARD_DESCRIPTORS_H
#define SWITCHYARD_DESCRIPTORS_H

#include <curl/curl.h>

// Creates a multi handle whose descriptors child processes do not inherit; NULL if the system has none left.
//
// libcurl 7.88 creates the socket pair of curl_multi_wakeup without close-on-exec; 8.14 sets it
// (lib/socketpair.c). Use curl_multi_init once the oldest supported version is 8.14.
CURLM *_Nullable switchyard_multi_new(void);

// Whether the process or the system has no file descriptor left.
int switchyard_descriptors_are_exhausted(void);

#endif
