#ifndef SWITCHYARD_CURL_SHIMS_H
#define SWITCHYARD_CURL_SHIMS_H
#include <curl/curl.h>
#endif
