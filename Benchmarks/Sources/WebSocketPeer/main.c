// The C peer of WebSockets: messages over libcurl's curl_ws_send and curl_ws_recv, by one thread over one
// connection.

#include <curl/curl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MESSAGE_SIZE = 1024, PATIENCE_MILLISECONDS = 20000 };

struct load {
  CURL *easy;
  curl_socket_t socket;
  unsigned type;  // CURLWS_TEXT or CURLWS_BINARY
  char message[MESSAGE_SIZE];
  long answered;
  long long bytes;
};

static const char usage[] =
    "usage: WebSocketPeer --url URL --in-flight N --warm-up N --requests N [--text]\n";

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Whether libcurl was built with WebSockets.
static bool has_websockets(void) {
  const char *const *name = curl_version_info(CURLVERSION_NOW)->protocols;
  while (*name && strcmp(*name, "ws")) name++;
  return *name;
}

static CURLcode wait_for(const struct load *load, short events) {
  struct pollfd poll_descriptor = {load->socket, events, 0};
  return poll(&poll_descriptor, 1, PATIENCE_MILLISECONDS) == 1 ? CURLE_OK : CURLE_OPERATION_TIMEDOUT;
}

static CURLcode send_message(struct load *load) {
  size_t done = 0;
  for (;;) {
    size_t sent = 0;
    CURLcode code =
        curl_ws_send(load->easy, load->message + done, MESSAGE_SIZE - done, &sent, 0, load->type);
    if (code != CURLE_OK && code != CURLE_AGAIN) return code;
    done += sent;
    if (code == CURLE_OK && done == MESSAGE_SIZE) return CURLE_OK;
    if ((code = wait_for(load, POLLOUT)) != CURLE_OK) return code;
  }
}

static CURLcode receive_message(struct load *load) {
  static char buffer[64 << 10];
  size_t length = 0;
  for (;;) {
    size_t count = 0;
    struct curl_ws_frame *frame = NULL;
    // Newer headers have a pointer to const here.
    CURLcode code = curl_ws_recv(load->easy, buffer, sizeof buffer, &count, (void *)&frame);
    if (code == CURLE_AGAIN) code = wait_for(load, POLLIN);
    else if (code == CURLE_OK && frame && frame->flags & (int)load->type) {
      length += count;
      if (frame->bytesleft == 0) {
        if (length != MESSAGE_SIZE) return CURLE_RECV_ERROR;
        load->answered++;
        load->bytes += MESSAGE_SIZE;
        return CURLE_OK;
      }
    }
    if (code != CURLE_OK) return code;
  }
}

// Sends `count` messages, of which `in_flight` wait for their echo at a time.
static CURLcode exchange(struct load *load, long in_flight, long count) {
  long sent = 0;
  CURLcode code = CURLE_OK;
  for (; sent < in_flight && sent < count; sent++) {
    if ((code = send_message(load)) != CURLE_OK) return code;
  }
  for (long received = 0; received < count; received++) {
    // The only message in flight has not come back yet: waiting first saves a call that would find nothing.
    if (in_flight == 1 && (code = wait_for(load, POLLIN)) != CURLE_OK) return code;
    if ((code = receive_message(load)) != CURLE_OK) return code;
    if (sent < count) {
      if ((code = send_message(load)) != CURLE_OK) return code;
      sent++;
    }
  }
  return CURLE_OK;
}

static CURLcode run(struct load *load, const char *url, long in_flight, long warm_up, long requests) {
  CURLcode code = CURLE_FAILED_INIT;
  double start = 0;
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || !(load->easy = curl_easy_init())) return code;
  curl_easy_setopt(load->easy, CURLOPT_URL, url);
  curl_easy_setopt(load->easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(load->easy, CURLOPT_CONNECT_ONLY, 2L);
  if ((code = curl_easy_perform(load->easy)) != CURLE_OK) return code;
  if ((code = curl_easy_getinfo(load->easy, CURLINFO_ACTIVESOCKET, &load->socket)) != CURLE_OK) return code;
  if ((code = exchange(load, in_flight, warm_up)) != CURLE_OK) return code;
  load->answered = 0;
  load->bytes = 0;
  start = now();
  code = exchange(load, in_flight, requests);
  printf(
      "answered=%ld failed=%ld bytes=%lld seconds=%.9f protocol=- peak-kib=0\n", load->answered,
      requests - load->answered, load->bytes, now() - start);
  return code;
}

int main(int count, char **arguments) {
  struct load load = {.type = CURLWS_BINARY};
  const char *url = NULL;
  long in_flight = 1, warm_up = 0, requests = 0;
  for (int index = 1; index < count; index++) {
    const char *name = arguments[index];
    const char *value = index + 1 < count ? arguments[index + 1] : "";
    if (!strcmp(name, "--text")) {
      load.type = CURLWS_TEXT;
      continue;
    }
    index++;
    if (!strcmp(name, "--url")) url = value;
    else if (!strcmp(name, "--in-flight")) in_flight = atol(value);
    else if (!strcmp(name, "--warm-up")) warm_up = atol(value);
    else if (!strcmp(name, "--requests")) requests = atol(value);
    else {
      fprintf(stderr, "WebSocketPeer: unknown option: %s\n%s", name, usage);
      return 64;
    }
  }
  if (!url || in_flight < 1 || requests < 1) {
    fprintf(stderr, "%s", usage);
    return 64;
  }
  if (!has_websockets()) {
    fprintf(
        stderr, "libcurl %s was built without WebSockets; run Scripts/newer-libcurl\n",
        curl_version_info(CURLVERSION_NOW)->version);
    return 69;
  }
  memset(load.message, 'a', MESSAGE_SIZE);
  CURLcode code = run(&load, url, in_flight, warm_up, requests);
  if (code != CURLE_OK) fprintf(stderr, "WebSocketPeer: %s\n", curl_easy_strerror(code));
  if (load.easy) curl_easy_cleanup(load.easy);
  return code == CURLE_OK ? 0 : 1;
}
