#ifndef SWITCHYARD_CURL_SHIMS_H
#define SWITCHYARD_CURL_SHIMS_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

#include "CBlockStore.h"
#include "CCurlPoller.h"
#include "CDescriptors.h"

// libcurl's setters and getters are variadic, which Swift cannot call. Each kind of value has a function of
// its own here, so that a value of the wrong type does not compile.
//
// The callbacks are @Sendable: a closure that is formed on an actor must not carry that actor's run-time
// check into libcurl's thread.

// The macro is a cast, which Swift cannot read.
static const long switchyard_auth_basic = CURLAUTH_BASIC;

#ifndef SWITCHYARD_SENDABLE
#define SWITCHYARD_SENDABLE __attribute__((swift_attr("@Sendable")))
#endif

// Takes or gives bytes; the form of the write, header and read functions.
typedef size_t (*SWITCHYARD_SENDABLE switchyard_bytes_callback)(
    char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

// Called when the connection is ready and the request is about to be sent.
typedef int (*SWITCHYARD_SENDABLE switchyard_ready_callback)(
    void *_Nullable context, char *_Nullable remote, char *_Nullable local, int remote_port, int local_port);

// Moves to another place of the request's body.
typedef int (*SWITCHYARD_SENDABLE switchyard_seek_callback)(
    void *_Nullable context, curl_off_t offset, int origin);

CURLcode switchyard_easy_set_long(CURL *_Nonnull easy, CURLoption option, long value);
CURLcode switchyard_easy_set_offset(CURL *_Nonnull easy, CURLoption option, curl_off_t value);
CURLcode switchyard_easy_set_string(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value);
CURLcode switchyard_easy_set_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value);

// Each sets a function together with its context.
CURLcode switchyard_easy_set_write(
    CURL *_Nonnull easy, switchyard_bytes_callback _Nonnull function, void *_Nonnull context);
CURLcode switchyard_easy_set_head(
    CURL *_Nonnull easy, switchyard_bytes_callback _Nonnull function, void *_Nonnull context);
CURLcode switchyard_easy_set_read(
    CURL *_Nonnull easy, switchyard_bytes_callback _Nonnull function, void *_Nonnull context);
CURLcode switchyard_easy_set_seek(
    CURL *_Nonnull easy, switchyard_seek_callback _Nonnull function, void *_Nonnull context);
CURLcode switchyard_easy_set_ready(
    CURL *_Nonnull easy, switchyard_ready_callback _Nonnull function, void *_Nonnull context);

CURLcode switchyard_easy_get_long(CURL *_Nonnull easy, CURLINFO info, long *_Nonnull value);
CURLcode switchyard_easy_get_offset(CURL *_Nonnull easy, CURLINFO info, curl_off_t *_Nonnull value);
CURLcode switchyard_easy_get_string(
    CURL *_Nonnull easy, CURLINFO info, const char *_Nullable *_Nonnull value);

// The PEM text of the server's own certificate, where CURLOPT_CERTINFO was set and this transfer made the
// connection; it lives until the handle's next transfer.
const char *_Nullable switchyard_easy_leaf_certificate(CURL *_Nonnull easy);

// A store of connections, looked-up names and TLS sessions, for handles of one thread; NULL without memory.
CURLSH *_Nullable switchyard_share_new(void);
CURLcode switchyard_easy_set_share(CURL *_Nonnull easy, CURLSH *_Nullable share);

// What libcurl measured of a transfer; times are microseconds from its start.
typedef struct {
  curl_off_t uploaded;
  curl_off_t downloaded;
  curl_off_t named;
  curl_off_t connected;
  curl_off_t secured;
  curl_off_t ready;
  curl_off_t first_byte;
  curl_off_t last_byte;
  // How many connections were opened for it.
  long connections;
  long port;
  // Lives as long as the handle isn't used again.
  const char *_Nullable address;
} switchyard_figures;

switchyard_figures switchyard_easy_get_figures(CURL *_Nonnull easy);

CURLMcode switchyard_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value);

// Takes the next finished transfer off the multi handle's list: its handle's owner and its result.
// Returns 0 when there is none.
int switchyard_multi_next_finished(
    CURLM *_Nonnull multi, void *_Nullable *_Nonnull context, CURLcode *_Nonnull result);

// The features of the library that is loaded, a set of CURL_VERSION_ bits.
int switchyard_curl_features(void);

// The version of the library that is loaded: a byte for each of major, minor and patch.
unsigned int switchyard_curl_version(void);

// The names and versions of the TLS libraries of the library that is loaded; NULL where it has none.
const char *_Nullable switchyard_curl_tls(void);

// Tells the processor that a loop only waits for another thread.
static inline void switchyard_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

#endif
