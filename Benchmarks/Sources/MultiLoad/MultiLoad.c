#include "MultiLoad.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct transfer {
  CURL *easy;
  long long bytes;
};

static size_t count_bytes(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes;
  ((struct transfer *)context)->bytes += (long long)(size * count);
  return size * count;
}

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// The context switches of this process.
static long switches(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nvcsw + usage.ru_nivcsw;
}

static int prepare(struct transfer *transfer, const struct multi_load_order *order) {
  CURL *easy = curl_easy_init();
  if (!easy) return -1;
  transfer->easy = easy;
  transfer->bytes = 0;
  curl_easy_setopt(easy, CURLOPT_URL, order->url);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, (char *)transfer);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, count_bytes);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(
      easy, CURLOPT_HTTP_VERSION,
      (long)(order->http_version == 3 ? CURL_HTTP_VERSION_3ONLY : CURL_HTTP_VERSION_2TLS));
  curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 20000L);
  if (order->accept_encoding) curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, order->accept_encoding);
  if (order->authority_file) curl_easy_setopt(easy, CURLOPT_CAINFO, order->authority_file);
  return 0;
}

static void note_failure(struct multi_load_result *result, const char *text) {
  result->failed++;
  if (!result->error) result->error = text;
}

static void note_end(const CURLMsg *message, struct multi_load_result *result) {
  long status = 0;
  long version = 0;
  if (message->data.result != CURLE_OK) {
    note_failure(result, curl_easy_strerror(message->data.result));
    return;
  }
  curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
  if (status != 200) {
    note_failure(result, "the status is not 200");
    return;
  }
  curl_easy_getinfo(message->easy_handle, CURLINFO_HTTP_VERSION, &version);
  result->http_version = version == CURL_HTTP_VERSION_3 ? 3 : version == CURL_HTTP_VERSION_2_0 ? 2 : 1;
  result->answered++;
}

// Sends `count` requests. A finished handle is added again unchanged, so no option is set twice.
static int send_all(
    CURLM *multi, struct transfer *transfers, long in_flight, long count, struct multi_load_result *result) {
  long started = 0;
  long ended = 0;
  int running = 0;
  for (; started < in_flight && started < count; started++) {
    if (curl_multi_add_handle(multi, transfers[started].easy) != CURLM_OK) return -1;
  }
  while (ended < count) {
    CURLMsg *message;
    int left;
    if (curl_multi_perform(multi, &running) != CURLM_OK) return -1;
    while ((message = curl_multi_info_read(multi, &left))) {
      CURL *easy = message->easy_handle;
      if (message->msg != CURLMSG_DONE) continue;
      note_end(message, result);
      ended++;
      curl_multi_remove_handle(multi, easy);
      if (started < count) {
        if (curl_multi_add_handle(multi, easy) != CURLM_OK) return -1;
        started++;
      }
    }
    if (ended < count && curl_multi_poll(multi, NULL, 0, 1000, NULL) != CURLM_OK) return -1;
  }
  return 0;
}

static long long take_bytes(struct transfer *transfers, long count) {
  long long sum = 0;
  for (long index = 0; index < count; index++) {
    sum += transfers[index].bytes;
    transfers[index].bytes = 0;
  }
  return sum;
}

int multi_load_run(const struct multi_load_order *order, struct multi_load_result *result) {
  struct transfer *transfers = NULL;
  CURLM *multi = NULL;
  int status = -1;
  memset(result, 0, sizeof *result);
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return -1;
  transfers = calloc((size_t)order->in_flight, sizeof *transfers);
  multi = curl_multi_init();
  if (!transfers || !multi) goto end;
  curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, order->in_flight + 16);
  for (long index = 0; index < order->in_flight; index++) {
    if (prepare(&transfers[index], order) != 0) goto end;
  }
  if (send_all(multi, transfers, order->in_flight, order->warm_up, result) != 0) goto end;
  take_bytes(transfers, order->in_flight);
  result->answered = 0;
  double start = now(CLOCK_MONOTONIC);
  double cpu_start = now(CLOCK_PROCESS_CPUTIME_ID);
  long switches_start = switches();
  if (send_all(multi, transfers, order->in_flight, order->requests, result) != 0) goto end;
  result->seconds = now(CLOCK_MONOTONIC) - start;
  result->cpu_seconds = now(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
  result->switches = switches() - switches_start;
  result->bytes = take_bytes(transfers, order->in_flight);
  status = 0;
end:
  for (long index = 0; transfers && index < order->in_flight; index++) {
    if (!transfers[index].easy) continue;
    if (multi) curl_multi_remove_handle(multi, transfers[index].easy);
    curl_easy_cleanup(transfers[index].easy);
  }
  free(transfers);
  if (multi) curl_multi_cleanup(multi);
  return status;
}
