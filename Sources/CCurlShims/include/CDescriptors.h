#ifndef SWITCHYARD_DESCRIPTORS_H
#define SWITCHYARD_DESCRIPTORS_H

#include <curl/curl.h>

// Creates a multi handle whose descriptors child processes do not inherit; NULL when the system gives none.
//
// libcurl before 8.13 creates the socket pair of curl_multi_wakeup without close-on-exec. Delete the search for it when no older
// version is supported; curl_multi_init is enough then.
CURLM *_Nullable switchyard_multi_new(void);

// Whether the process, or the system, has no file descriptor left at this moment.
int switchyard_descriptors_are_exhausted(void);

#endif
