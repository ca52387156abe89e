#ifndef SWITCHYARD_DESCRIPTORS_H
#define SWITCHYARD_DESCRIPTORS_H

#include <curl/curl.h>

// Creates a multi handle whose descriptors child processes do not inherit; NULL when the system gives none.
//
// libcurl 7.88 creates the socket pair of curl_multi_wakeup without close-on-exec; 8.14 sets it
// (lib/socketpair.c). Delete the search for the pair when no older version is supported: curl_multi_init is
// enough then.
CURLM *_Nullable switchyard_multi_new(void);

// Whether the process, or the system, has no file descriptor left at this moment.
int switchyard_descriptors_are_exhausted(void);

#endif
