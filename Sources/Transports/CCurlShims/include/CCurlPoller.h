#pragma once

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

// A closure formed on an actor must not check for that actor on libcurl's thread.
#define SWITCHYARD_SENDABLE __attribute__((swift_attr("@Sendable")))

// Waits for the sockets of a multi handle and drives its transfers, by epoll and an eventfd on Linux and by
// curl_multi_poll elsewhere. All functions but switchyard_poller_wake belong to one thread.
//
// On Linux it also closes idle HTTP/1.1 connections that receive bytes, see IdleConnectionWatch.swift, except
// those whose last response came before libcurl waited for it.
typedef struct switchyard_poller switchyard_poller;

// Creates a poller that the multi handle reports its sockets to; NULL without memory or descriptors.
switchyard_poller *_Nullable switchyard_poller_new(CURLM *_Nonnull multi);

// Frees a poller, after its multi handle.
void switchyard_poller_free(switchyard_poller *_Nonnull poller);

// Called when libcurl opens a socket for a handle's request, because no connection can be reused.
typedef void (*SWITCHYARD_SENDABLE switchyard_open_callback)(void *_Nonnull owner);

// Called when a socket that is followed may be read or written, or has failed.
typedef void (*SWITCHYARD_SENDABLE switchyard_event_callback)(void *_Nonnull owner);

// What CURLOPT_PRIVATE of every easy handle points to.
typedef struct {
  // The context of the callbacks.
  void *_Nonnull owner;
  switchyard_open_callback _Nonnull on_open;
  switchyard_event_callback _Nonnull on_event;
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

// Returns the number of sockets that were opened by these handles and are not closed.
size_t switchyard_poller_open_count(const switchyard_poller *_Nonnull poller);

// Marks the HTTP/1.1 connection of a handle as idle, after the handle's removal from the multi handle.
void switchyard_poller_rest(switchyard_poller *_Nonnull poller, switchyard_handle_state *_Nonnull state);

// Makes closing a handle's connection, which must carry no other transfer, discard bytes that are not sent
// yet.
void switchyard_poller_cut(switchyard_poller *_Nonnull poller, switchyard_handle_state *_Nonnull state);

// Reports the events of a connection that libcurl has opened and left to its owner (CURLOPT_CONNECT_ONLY):
// CURL_POLL_IN, CURL_POLL_OUT, both or CURL_POLL_NONE. Returns 0 without memory.
int switchyard_poller_follow(
    switchyard_poller *_Nonnull poller, switchyard_handle_state *_Nonnull state, int socket, int events);

// Ends that, before the handle's removal from the multi handle.
void switchyard_poller_unfollow(switchyard_poller *_Nonnull poller, int socket);

// Lets libcurl handle the events of the last wait, and then does what switchyard_poller_expire does.
//
// If connections that are marked as idle have received bytes, it returns their number and stops before that:
// the caller judges each of them and calls switchyard_poller_expire, which may reuse them.
int switchyard_poller_advance(switchyard_poller *_Nonnull poller);

// Returns the local port of the next such connection, 0 if it has none, or -1 if all of them are judged.
int switchyard_poller_next_suspect(switchyard_poller *_Nonnull poller);

// Closes the connection that was returned last, unless it carries a request.
//
// libcurl doesn't report that a connection carries a request again if the response arrives, and is paused,
// before libcurl had to wait for it.
void switchyard_poller_judge(switchyard_poller *_Nonnull poller, int carries_request);

// Lets libcurl start new and resumed transfers, and handle expired timers.
void switchyard_poller_expire(switchyard_poller *_Nonnull poller);

// Waits for a socket, libcurl's next timer, a wake-up or the time limit, and returns the number of events.
int switchyard_poller_wait(switchyard_poller *_Nonnull poller, int milliseconds);

// Ends the current or the next wait. Any thread may call it.
void switchyard_poller_wake(switchyard_poller *_Nonnull poller);
