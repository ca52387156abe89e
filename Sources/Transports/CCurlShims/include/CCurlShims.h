#pragma once

#include <curl/curl.h>
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "CBlockStore.h"
#include "CCurlPoller.h"

// Swift cannot call libcurl's variadic setters and getters. A function per type rejects values of other
// types.

// CURLAUTH_BASIC is a macro with a cast, which Swift cannot import.
static const long switchyard_auth_basic = CURLAUTH_BASIC;

#define SWITCHYARD_SETTER(name, type) \
  static inline CURLcode switchyard_easy_set_##name(CURL *_Nonnull easy, CURLoption option, type value) { \
    return curl_easy_setopt(easy, option, value); \
  }

SWITCHYARD_SETTER(long, long)
SWITCHYARD_SETTER(offset, curl_off_t)
SWITCHYARD_SETTER(string, const char *_Nullable)
SWITCHYARD_SETTER(pointer, void *_Nullable)

static inline CURLcode switchyard_easy_get_long(CURL *_Nonnull easy, CURLINFO info, long *_Nonnull value) {
  return curl_easy_getinfo(easy, info, value);
}

// Returns the socket of a connection that was opened with CURLOPT_CONNECT_ONLY, or -1.
static inline int switchyard_easy_get_socket(CURL *_Nonnull easy) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) ? -1 : (int)socket;
}

static inline CURLMcode switchyard_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// The type of the write, header and read callbacks.
typedef size_t (*SWITCHYARD_SENDABLE switchyard_bytes_callback)(
    char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

// Called when the connection is ready and the request is about to be sent.
typedef int (*SWITCHYARD_SENDABLE switchyard_ready_callback)(
    void *_Nullable context, char *_Nullable remote, char *_Nullable local, int remote_port, int local_port);

// Moves to another position of the request's body.
typedef int (*SWITCHYARD_SENDABLE switchyard_seek_callback)(
    void *_Nullable context, curl_off_t offset, int origin);

// Takes what libcurl logs; the bytes do not end in a zero byte.
typedef int (*SWITCHYARD_SENDABLE switchyard_log_callback)(
    CURL *_Nonnull easy, curl_infotype kind, char *_Nullable bytes, size_t count, void *_Nullable context);

// Gives the fields that follow a request's content, in a list that libcurl frees.
typedef int (*SWITCHYARD_SENDABLE switchyard_trailers_callback)(
    struct curl_slist *_Nullable *_Nonnull list, void *_Nullable context);

// Sets the callback of trailer fields, or removes it. Its context is CURLOPT_TRAILERDATA.
static inline CURLcode switchyard_easy_set_trailers(
    CURL *_Nonnull easy, switchyard_trailers_callback _Nullable function) {
  return curl_easy_setopt(easy, CURLOPT_TRAILERFUNCTION, function);
}

// Defines switchyard_easy_set_NAME, which sets a callback and its context.
#define SWITCHYARD_CALLBACK(name, type, option) \
  static inline CURLcode switchyard_easy_set_##name( \
      CURL *_Nonnull easy, type _Nonnull function, void *_Nonnull context) { \
    CURLcode code = curl_easy_setopt(easy, CURLOPT_##option##FUNCTION, function); \
    return code ? code : curl_easy_setopt(easy, CURLOPT_##option##DATA, context); \
  }

SWITCHYARD_CALLBACK(write, switchyard_bytes_callback, WRITE)
SWITCHYARD_CALLBACK(head, switchyard_bytes_callback, HEADER)
SWITCHYARD_CALLBACK(read, switchyard_bytes_callback, READ)
SWITCHYARD_CALLBACK(seek, switchyard_seek_callback, SEEK)
SWITCHYARD_CALLBACK(ready, switchyard_ready_callback, PREREQ)
SWITCHYARD_CALLBACK(log, switchyard_log_callback, DEBUG)

// Returns the PEM text of the server's certificate if CURLOPT_CERTINFO is set and this transfer made the
// connection. The text is valid until the handle's next transfer.
const char *_Nullable switchyard_easy_leaf_certificate(CURL *_Nonnull easy);

// The version of HTTP that ALPN has chosen for the connection of the current transfer: 2, 3, or 0 for
// HTTP/1.1 and without ALPN. Valid in a callback.
int switchyard_easy_negotiated_version(CURL *_Nonnull easy);

// Creates a share of connections, resolved names and TLS sessions for one thread; NULL without memory.
CURLSH *_Nullable switchyard_share_new(void);

// What libcurl measured; times are microseconds from the transfer's start.
typedef struct {
  curl_off_t uploaded;
  curl_off_t downloaded;
  curl_off_t named;
  curl_off_t connected;
  curl_off_t secured;
  curl_off_t ready;
  curl_off_t first_byte;
  curl_off_t last_byte;
  // The number of connections that the transfer opened.
  long connections;
  long port;
  // Valid until the handle is used again.
  const char *_Nullable address;
} switchyard_figures;

switchyard_figures switchyard_easy_get_figures(CURL *_Nonnull easy);

// Gives the handle's owner and the result of the next finished transfer; returns 0 if there is none.
int switchyard_multi_next_finished(
    CURLM *_Nonnull multi, void *_Nullable *_Nonnull context, CURLcode *_Nonnull result);

// The version and the features of the loaded library.
static inline const curl_version_info_data *_Nonnull switchyard_curl_info(void) {
  return curl_version_info(CURLVERSION_NOW);
}

// Runs a function on a new, detached thread that blocks SIGPIPE: OpenSSL writes to sockets without
// MSG_NOSIGNAL, and a peer that closes its end must not end the process. Returns 0 on success.
int switchyard_thread_start(void *_Nullable (*_Nonnull run)(void *_Nullable context), void *_Nonnull context);

static inline void switchyard_yield(void) { sched_yield(); }

// Creates a multi handle whose descriptors child processes do not inherit; NULL if the system has none left.
// Use curl_multi_init once the oldest supported version is 8.14; CDescriptors.c says why.
CURLM *_Nullable switchyard_multi_new(void);

// Whether the process or the system has no file descriptor left.
int switchyard_descriptors_are_exhausted(void);

// Hints to the processor that this is a spin loop.
static inline void switchyard_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}
