#ifndef SWITCHYARD_CURL_POLLER_H
#define SWITCHYARD_CURL_POLLER_H

#include <curl/curl.h>
#include <stdint.h>

#ifndef SWITCHYARD_SENDABLE
#define SWITCHYARD_SENDABLE __attribute__((swift_attr("@Sendable")))
#endif

// Waits for the sockets of a multi handle and drives it by them: one turn costs what is ready, not what runs.
//
// On Linux it is an epoll set with an eventfd for waking; elsewhere curl_multi_poll and curl_multi_perform.
// Everything but switchyard_poller_wake belongs to one thread.
//
// On Linux it also sees to it that a kept HTTP/1.1 connection over which bytes come while no request is under
// way carries none again: libcurl takes such a connection for live, and would read the bytes as the next
// answer. One whose last answer was there before libcurl had to wait is not known here, and is not watched.
typedef struct switchyard_poller switchyard_poller;

// Makes a poller and hands it the multi handle's sockets. Returns NULL when the system gives none.
switchyard_poller *_Nullable switchyard_poller_new(CURLM *_Nonnull multi);

// Gives up a poller; the multi handle must be gone before.
void switchyard_poller_free(switchyard_poller *_Nonnull poller);

// Called when libcurl opens a socket for a handle's request: no kept connection carries it, or no longer.
typedef void (*SWITCHYARD_SENDABLE switchyard_open_callback)(void *_Nonnull owner);

// What CURLOPT_PRIVATE of every easy handle points to.
typedef struct {
  // Whom the handle belongs to, and what is called with that.
  void *_Nonnull owner;
  switchyard_open_callback _Nonnull on_open;
  // The poller that watches the handle.
  switchyard_poller *_Nullable poller;
  // The socket that libcurl last waited for on the handle's behalf, or -1, and what tells it from others of
  // its number.
  int socket;
  uint32_t generation;
  // The errno of the last socket that could not be opened; 0 if none failed.
  int open_error;
} switchyard_handle_state;

// Makes an easy handle, whose state is named, report the sockets that it opens and closes; curl_easy_reset
// undoes it.
CURLcode switchyard_poller_watch(
    switchyard_poller *_Nonnull poller, CURL *_Nonnull easy, switchyard_handle_state *_Nonnull state);

// Notes that no request is under way on the socket of a handle, whose HTTP/1.1 answer is complete and which
// was taken out of the multi handle.
void switchyard_poller_rest(switchyard_poller *_Nonnull poller, switchyard_handle_state *_Nonnull state);

// Makes the connection of a handle, which carries nothing else and is about to be closed, end at once. Else
// the system would go on sending what it holds, for as long as the other side makes room.
void switchyard_poller_cut(switchyard_poller *_Nonnull poller, switchyard_handle_state *_Nonnull state);

// Lets every transfer go on that can: by what the last wait found, because it was just added or resumed, or
// because its time has come.
void switchyard_poller_advance(switchyard_poller *_Nonnull poller);

// Waits for the network, the multi handle's timer, a wake-up or the end of the time; returns how many sockets
// have news. switchyard_poller_advance follows.
int switchyard_poller_wait(switchyard_poller *_Nonnull poller, int milliseconds);

// Ends the present or the next wait; any thread may call it.
void switchyard_poller_wake(switchyard_poller *_Nonnull poller);

#endif
