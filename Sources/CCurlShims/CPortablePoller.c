// The poller of systems without epoll, by curl_multi_poll. It watches no idle connections.
#include "CCurlPoller.h"

#ifndef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct switchyard_poller {
  CURLM *multi;
  size_t open_count;
};

switchyard_poller *switchyard_poller_new(CURLM *multi) {
  switchyard_poller *poller = calloc(1, sizeof(switchyard_poller));
  if (poller) poller->multi = multi;
  return poller;
}

void switchyard_poller_free(switchyard_poller *poller) { free(poller); }

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  switchyard_handle_state *state = context;
  int descriptor = socket(address->family, address->socktype, address->protocol);
  if (descriptor < 0) {
    state->open_error = errno;
    return CURL_SOCKET_BAD;
  }
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  state->poller->open_count++;
  return descriptor;
}

static int on_close(void *context, curl_socket_t socket) {
  switchyard_poller *poller = context;
  poller->open_count--;
  return close(socket);
}

size_t switchyard_poller_open_count(const switchyard_poller *poller) { return poller->open_count; }

CURLcode switchyard_poller_watch(switchyard_poller *poller, CURL *easy, switchyard_handle_state *state) {
  state->poller = poller;
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, state);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, poller);
  return code;
}

void switchyard_poller_rest(switchyard_poller *poller, switchyard_handle_state *state) {}

void switchyard_poller_cut(switchyard_poller *poller, switchyard_handle_state *state) {}

int switchyard_poller_advance(switchyard_poller *poller) {
  switchyard_poller_expire(poller);
  return 0;
}

int switchyard_poller_next_suspect(switchyard_poller *poller) { return -1; }

void switchyard_poller_judge(switchyard_poller *poller, int carries_request) {}

void switchyard_poller_expire(switchyard_poller *poller) {
  int running = 0;
  curl_multi_perform(poller->multi, &running);
}

int switchyard_poller_wait(switchyard_poller *poller, int milliseconds) {
  int count = 0;
  curl_multi_poll(poller->multi, NULL, 0, milliseconds, &count);
  return count;
}

void switchyard_poller_wake(switchyard_poller *poller) { curl_multi_wakeup(poller->multi); }

#endif
