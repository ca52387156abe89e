#ifndef SWITCHYARD_CURL_POLLER_H
#define SWITCHYARD_CURL_POLLER_H

#include <curl/curl.h>
#include <stdint.h>

// Marks a callback as @Sendable: a closure formed on an actor must not bring that actor's isolation check
// onto libcurl's thread.
#define SWITCHYARD_SENDABLE __attribute__((swift_attr("@Sendable")))

// Waits for the sockets of a multi handle and drives its transfers: a round costs as much as there are ready
// sockets, however many transfers run. Uses epoll and an eventfd on Linux, curl_multi_poll and
// curl_multi_perform elsewhere.
//
// On Linux it also prevents the reuse of an idle HTTP/1.1 connection that receives bytes, which libcurl would
// read as the next response; see IdleConnectionWatch.swift. A connection whose last response came before
// libcurl waited for it has not been registered, and is not watched.
//
// All functions but switchyard_poller_wake belong to one thread.
typedef struct switchyard_poller switchyard_poller;

// Creates a poller that the multi handle reports its sockets to; NULL if the system has no memory or
// descriptor left.
switchyard_poller *_Nullable switchyard_poller_new(CURLM *_Nonnull multi);

// Frees a poller, after its multi handle.
void switchyard_poller_free(switchyard_poller *_Nonnull poller);

// Called when libcurl opens a socket for a handle's request, because no connection can be reused.
typedef void (*SWITCHYARD_SENDABLE switchyard_open_callback)(void *_Nonnull owner);

// What CURLOPT_PRIVATE of every easy handle points to.
typedef struct {
  // The context of on_open.
  void *_Nonnull owner;
  switchyard_open_callback _Nonnull on_open;
  switchyard_poller *_Nullable poller;
  // The socket that libcurl last waited for, or -1, and its generation.
  int socket;
  uint32_t generation;
  // The errno of the last socket that could not be opened; 0 if none failed.
  int open_error;
} switchyard_handle_state;

// Makes an easy handle report the sockets that it opens and closes, until curl_easy_reset.
CURLcode switchyard_poller_watch(
    switchyard_poller *_Nonnull poller, CURL *_Nonnull easy, switchyard_handle_state *_Nonnull state);

// Marks a handle's connection as idle: its HTTP/1.1 response is complete, and the handle is removed from the
// multi handle.
void switchyard_poller_rest(switchyard_poller *_Nonnull poller, switchyard_handle_state *_Nonnull state);

// Makes closing the connection of a handle discard unsent bytes, which the system would otherwise continue to
// send. The connection must carry no other transfer.
void switchyard_poller_cut(switchyard_poller *_Nonnull poller, switchyard_handle_state *_Nonnull state);

// Lets libcurl handle the events of the last wait, new and resumed transfers, and expired timers.
void switchyard_poller_advance(switchyard_poller *_Nonnull poller);

// Waits for a socket, libcurl's next timer, a wake-up or the time limit, and returns the number of events.
int switchyard_poller_wait(switchyard_poller *_Nonnull poller, int milliseconds);

// Ends the current or the next wait. Any thread may call it.
void switchyard_poller_wake(switchyard_poller *_Nonnull poller);

#endif
