// The poller of systems without epoll, by curl_multi_poll. It watches no idle connections.
#include "CCurlPoller.h"

#ifndef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

// A socket whose events its owner receives instead of libcurl.
typedef struct {
  switchyard_handle_state *state;
  int socket;
} followed_socket;

struct switchyard_poller {
  CURLM *multi;
  size_t open_count;
  followed_socket *followed;
  // The sockets as curl_multi_poll takes them, and what it has reported.
  struct curl_waitfd *events;
  unsigned int count;
  unsigned int capacity;
};

switchyard_poller *switchyard_poller_new(CURLM *multi) {
  switchyard_poller *poller = calloc(1, sizeof(switchyard_poller));
  if (poller) poller->multi = multi;
  return poller;
}

void switchyard_poller_free(switchyard_poller *poller) {
  free(poller->followed);
  free(poller->events);
  free(poller);
}

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

int switchyard_poller_follow(
    switchyard_poller *poller, switchyard_handle_state *state, int socket, int events) {
  unsigned int index = 0;
  while (index < poller->count && poller->followed[index].socket != socket) index++;
  if (index == poller->capacity) {
    unsigned int capacity = poller->capacity ? poller->capacity * 2 : 8;
    followed_socket *followed = realloc(poller->followed, capacity * sizeof(followed_socket));
    if (!followed) return 0;
    poller->followed = followed;
    struct curl_waitfd *waits = realloc(poller->events, capacity * sizeof(struct curl_waitfd));
    if (!waits) return 0;
    poller->events = waits;
    poller->capacity = capacity;
  }
  if (index == poller->count) poller->count++;
  poller->followed[index] = (followed_socket){.state = state, .socket = socket};
  short wanted = (events & CURL_POLL_IN ? CURL_WAIT_POLLIN : 0) | (events & CURL_POLL_OUT ? CURL_WAIT_POLLOUT : 0);
  poller->events[index] = (struct curl_waitfd){.fd = socket, .events = wanted};
  return 1;
}

void switchyard_poller_unfollow(switchyard_poller *poller, int socket) {
  for (unsigned int i = 0; i < poller->count; i++) {
    if (poller->followed[i].socket != socket) continue;
    poller->count--;
    poller->followed[i] = poller->followed[poller->count];
    poller->events[i] = poller->events[poller->count];
    return;
  }
}

int switchyard_poller_advance(switchyard_poller *poller) {
  for (unsigned int i = 0; i < poller->count; i++) {
    short happened = poller->events[i].revents;
    poller->events[i].revents = 0;
    if (happened) poller->followed[i].state->on_event(poller->followed[i].state->owner);
  }
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
  curl_multi_poll(poller->multi, poller->events, poller->count, milliseconds, &count);
  return count;
}

void switchyard_poller_wake(switchyard_poller *poller) { curl_multi_wakeup(poller->multi); }

#endif
