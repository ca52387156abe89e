#define _GNU_SOURCE 1
#include "CCurlPoller.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAXIMUM_EVENTS = 256, MAXIMUM_UNSENT = 128 << 10 };

// The state of a socket; the table's index is its descriptor.
typedef struct {
  // The events that libcurl waits for and those that epoll reports: CURL_POLL_IN, CURL_POLL_OUT or both.
  uint8_t wanted;
  uint8_t told;
  // Whether libcurl reports when it closes the socket. Only then epoll may report more than libcurl wants.
  uint8_t is_tracked;
  // Whether its connection is idle, so that any input is unexpected.
  uint8_t rests;
  // Distinguishes sockets that have the same descriptor one after another.
  uint32_t generation;
  // The inode of a tracked socket.
  ino_t inode;
  // What receives the events instead of libcurl; NULL if libcurl does.
  switchyard_handle_state *follower;
} watched_socket;

struct switchyard_poller {
  CURLM *multi;
  int epoll;
  int waker;
  // A socket whose other end is closed, so that reading it returns 0.
  int ended;
  watched_socket *sockets;
  size_t capacity;
  // The events of the last wait that were not handled.
  int count;
  // The number of events, at the array's start, of connections that are marked as idle, and those judged.
  int suspects;
  int judged;
  struct epoll_event events[MAXIMUM_EVENTS];
};

static watched_socket *socket_entry(switchyard_poller *poller, curl_socket_t socket) {
  if (socket < 0) return NULL;
  size_t index = (size_t)socket;
  if (index >= poller->capacity) {
    size_t capacity = poller->capacity ? poller->capacity : 64;
    while (capacity <= index) capacity *= 2;
    watched_socket *sockets = realloc(poller->sockets, capacity * sizeof(watched_socket));
    if (!sockets) return NULL;
    for (size_t i = poller->capacity; i < capacity; i++) sockets[i] = (watched_socket){0};
    poller->sockets = sockets;
    poller->capacity = capacity;
  }
  return &poller->sockets[index];
}

static void tell_epoll(switchyard_poller *poller, curl_socket_t socket, watched_socket *entry) {
  if (entry->told == entry->wanted) return;
  struct epoll_event event = {0};
  event.data.u64 = (uint64_t)entry->generation << 32 | (uint32_t)socket;
  if (entry->wanted & CURL_POLL_IN) event.events |= EPOLLIN;
  if (entry->wanted & CURL_POLL_OUT) event.events |= EPOLLOUT;
  int operation = !entry->wanted ? EPOLL_CTL_DEL : entry->told ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  int code = epoll_ctl(poller->epoll, operation, socket, &event);
  // The descriptor may have been closed and reused unnoticed: the table follows the system.
  if (code < 0 && operation == EPOLL_CTL_MOD && errno == ENOENT)
    code = epoll_ctl(poller->epoll, EPOLL_CTL_ADD, socket, &event);
  else if (code < 0 && operation == EPOLL_CTL_ADD && errno == EEXIST)
    code = epoll_ctl(poller->epoll, EPOLL_CTL_MOD, socket, &event);
  entry->told = code < 0 ? 0 : entry->wanted;
}

static int on_socket(CURL *easy, curl_socket_t socket, int what, void *context, void *assigned) {
  switchyard_poller *poller = context;
  watched_socket *entry = socket_entry(poller, socket);
  // Without memory the transfer times out; an error here would end all transfers.
  if (!entry) return 0;
  if (what != CURL_POLL_REMOVE) {
    entry->rests = 0;
    // libcurl opens the socket pair of a name lookup itself, before 8.14 without close-on-exec.
    if (!entry->is_tracked) fcntl(socket, F_SETFD, FD_CLOEXEC);
    switchyard_handle_state *state = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_PRIVATE, &state) == CURLE_OK && state) {
      state->socket = socket;
      state->generation = entry->generation;
    }
  }
  // CURL_POLL_INOUT is both bits; CURL_POLL_REMOVE has neither.
  entry->wanted = what & CURL_POLL_INOUT;
  // Each request removes and adds its connection's socket; epoll need not follow until an event occurs.
  if (entry->is_tracked && (entry->wanted & ~entry->told) == 0) return 0;
  tell_epoll(poller, socket, entry);
  return 0;
}

// The inode of a socket, which distinguishes it from a later one with the same descriptor; 0 if it is closed.
static ino_t inode(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

// Opens a socket that child processes do not inherit, and keeps the errno of a failure.
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  switchyard_handle_state *state = context;
  int descriptor = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (descriptor < 0) {
    state->open_error = errno;
    return CURL_SOCKET_BAD;
  }
  // Otherwise the system takes megabytes of an upload at once, and sending them looks like a silence.
  int unsent = MAXIMUM_UNSENT;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
  watched_socket *entry = socket_entry(state->poller, descriptor);
  if (entry) {
    *entry = (watched_socket){
        .is_tracked = 1, .generation = entry->generation + 1, .inode = inode(descriptor)};
  }
  state->on_open(state->owner);
  return descriptor;
}

static int on_close(void *context, curl_socket_t socket) {
  switchyard_poller *poller = context;
  if (socket >= 0 && (size_t)socket < poller->capacity) {
    watched_socket *entry = &poller->sockets[socket];
    // Closing would not remove it from the epoll set while a forked child has a copy, and its events would
    // recur endlessly.
    entry->wanted = 0;
    tell_epoll(poller, socket, entry);
    *entry = (watched_socket){.generation = entry->generation + 1};
  }
  return close(socket);
}

// Returns a socket whose other end is closed, or -1.
static int ended_socket(void) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -1;
  close(pair[1]);
  return pair[0];
}

switchyard_poller *switchyard_poller_new(CURLM *multi) {
  switchyard_poller *poller = calloc(1, sizeof(switchyard_poller));
  if (!poller) return NULL;
  poller->multi = multi;
  poller->epoll = epoll_create1(EPOLL_CLOEXEC);
  poller->waker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  poller->ended = ended_socket();
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint32_t)poller->waker};
  if (poller->epoll < 0 || poller->waker < 0 || poller->ended < 0
      || epoll_ctl(poller->epoll, EPOLL_CTL_ADD, poller->waker, &event) < 0) {
    switchyard_poller_free(poller);
    return NULL;
  }
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, poller);
  return poller;
}

void switchyard_poller_free(switchyard_poller *poller) {
  if (poller->ended >= 0) close(poller->ended);
  if (poller->waker >= 0) close(poller->waker);
  if (poller->epoll >= 0) close(poller->epoll);
  free(poller->sockets);
  free(poller);
}

// libcurl reports no end of a socket that it closes before it is connected, so the system is asked.
size_t switchyard_poller_open_count(const switchyard_poller *poller) {
  size_t count = 0;
  for (size_t i = 0; i < poller->capacity; i++) {
    if (poller->sockets[i].is_tracked && poller->sockets[i].inode == inode((int)i)) count++;
  }
  return count;
}

CURLcode switchyard_poller_watch(switchyard_poller *poller, CURL *easy, switchyard_handle_state *state) {
  state->poller = poller;
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, state);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, poller);
  return code;
}

// Makes epoll report input only, although libcurl waits for no event.
static void keep_watching(switchyard_poller *poller, curl_socket_t socket, watched_socket *entry) {
  entry->wanted = CURL_POLL_IN;
  tell_epoll(poller, socket, entry);
  entry->wanted = 0;
}

// Returns the entry of a handle's socket, or NULL if that was closed and its descriptor possibly reused.
static watched_socket *handle_entry(switchyard_poller *poller, const switchyard_handle_state *state) {
  if (state->socket < 0 || (size_t)state->socket >= poller->capacity) return NULL;
  watched_socket *entry = &poller->sockets[state->socket];
  return entry->is_tracked && entry->generation == state->generation ? entry : NULL;
}

void switchyard_poller_rest(switchyard_poller *poller, switchyard_handle_state *state) {
  curl_socket_t socket = state->socket;
  watched_socket *entry = handle_entry(poller, state);
  state->socket = -1;
  // It may already carry another request.
  if (!entry || entry->wanted) return;
  entry->rests = 1;
  if (!(entry->told & CURL_POLL_IN)) keep_watching(poller, socket, entry);
}

int switchyard_poller_follow(
    switchyard_poller *poller, switchyard_handle_state *state, int socket, int events) {
  watched_socket *entry = socket_entry(poller, socket);
  if (!entry) return 0;
  entry->follower = state;
  entry->rests = 0;
  entry->wanted = events & CURL_POLL_INOUT;
  tell_epoll(poller, socket, entry);
  return entry->told == entry->wanted;
}

void switchyard_poller_unfollow(switchyard_poller *poller, int socket) {
  watched_socket *entry = socket_entry(poller, socket);
  if (!entry || !entry->follower) return;
  entry->follower = NULL;
  entry->wanted = 0;
  tell_epoll(poller, socket, entry);
}

// Replaces the socket of a connection that must not be reused by an ended one: its input can no longer be
// read, and libcurl finds the connection closed when it checks it before reuse.
static void abandon(switchyard_poller *poller, curl_socket_t socket, watched_socket *entry) {
  // libcurl may have closed the socket unreported, and another one may have its descriptor.
  if (entry->inode != inode(socket)) {
    *entry = (watched_socket){.generation = entry->generation + 1};
    return;
  }
  entry->rests = 0;
  entry->wanted = 0;
  tell_epoll(poller, socket, entry);
  if (dup3(poller->ended, socket, O_CLOEXEC) < 0) shutdown(socket, SHUT_RDWR);
}

// Returns whether the event is unexpected input, which is left to switchyard_poller_next_suspect.
static int serve(switchyard_poller *poller, struct epoll_event *event) {
  curl_socket_t socket = (int)(uint32_t)event->data.u64;
  uint32_t happened = event->events;
  watched_socket *entry = socket_entry(poller, socket);
  // The descriptor may have been closed and reused since.
  if (!entry || entry->generation != event->data.u64 >> 32) return 0;
  if (entry->follower) {
    entry->follower->on_event(entry->follower->owner);
    return 0;
  }
  if (entry->rests && happened & ~(uint32_t)EPOLLOUT) return 1;
  if (entry->rests) {
    keep_watching(poller, socket, entry);
    return 0;
  }
  // Level-triggered events that libcurl does not want would recur endlessly.
  if (entry->told & ~entry->wanted) tell_epoll(poller, socket, entry);
  int mask = 0;
  if (happened & EPOLLIN && entry->wanted & CURL_POLL_IN) mask |= CURL_CSELECT_IN;
  if (happened & EPOLLOUT && entry->wanted & CURL_POLL_OUT) mask |= CURL_CSELECT_OUT;
  if (happened & (EPOLLERR | EPOLLHUP)) mask |= CURL_CSELECT_ERR;
  int running = 0;
  if (entry->wanted && mask) curl_multi_socket_action(poller->multi, socket, mask, &running);
  return 0;
}

// The entry of the suspect that is judged, or NULL if it was closed or carries a request by now.
static watched_socket *suspect(switchyard_poller *poller) {
  struct epoll_event *event = &poller->events[poller->judged];
  watched_socket *entry = socket_entry(poller, (int)(uint32_t)event->data.u64);
  return entry && entry->generation == event->data.u64 >> 32 && entry->rests ? entry : NULL;
}

int switchyard_poller_next_suspect(switchyard_poller *poller) {
  for (; poller->judged < poller->suspects; poller->judged++) {
    if (!suspect(poller)) continue;
    struct sockaddr_storage name = {0};
    socklen_t length = sizeof name;
    curl_socket_t socket = (int)(uint32_t)poller->events[poller->judged].data.u64;
    if (getsockname(socket, (struct sockaddr *)&name, &length) < 0) return 0;
    if (name.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&name)->sin_port);
    return name.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)&name)->sin6_port) : 0;
  }
  return -1;
}

void switchyard_poller_judge(switchyard_poller *poller, int carries_request) {
  watched_socket *entry = suspect(poller);
  struct epoll_event *event = &poller->events[poller->judged++];
  if (!entry) return;
  if (!carries_request) return abandon(poller, (int)(uint32_t)event->data.u64, entry);
  // libcurl has paused the response before it ever waited for it, and waits for it once that is resumed.
  entry->rests = 0;
  serve(poller, event);
}

void switchyard_poller_cut(switchyard_poller *poller, switchyard_handle_state *state) {
  watched_socket *entry = handle_entry(poller, state);
  if (!entry || entry->inode != inode(state->socket)) return;
  struct linger none = {.l_onoff = 1, .l_linger = 0};
  setsockopt(state->socket, SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

// The time until libcurl's next timer in milliseconds, or -1. A timer callback would be called, and the clock
// read, several times per request.
static long timer(switchyard_poller *poller) {
  long milliseconds = -1;
  curl_multi_timeout(poller->multi, &milliseconds);
  return milliseconds;
}

int switchyard_poller_advance(switchyard_poller *poller) {
  poller->suspects = poller->judged = 0;
  for (int i = 0; i < poller->count; i++) {
    if (poller->events[i].data.u64 == (uint32_t)poller->waker) {
      uint64_t ignored;
      (void)!read(poller->waker, &ignored, sizeof ignored);
    } else if (serve(poller, &poller->events[i])) {
      poller->events[poller->suspects++] = poller->events[i];
    }
  }
  poller->count = 0;
  if (!poller->suspects) switchyard_poller_expire(poller);
  return poller->suspects;
}

void switchyard_poller_expire(switchyard_poller *poller) {
  if (timer(poller) != 0) return;
  int running = 0;
  curl_multi_socket_action(poller->multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

int switchyard_poller_wait(switchyard_poller *poller, int milliseconds) {
  long limit = timer(poller);
  if (limit >= 0 && (milliseconds < 0 || limit < milliseconds)) milliseconds = (int)limit;
  int count = epoll_wait(poller->epoll, poller->events, MAXIMUM_EVENTS, milliseconds);
  poller->count = count < 0 ? 0 : count;
  return poller->count;
}

void switchyard_poller_wake(switchyard_poller *poller) {
  uint64_t one = 1;
  (void)!write(poller->waker, &one, sizeof one);
}

#endif
