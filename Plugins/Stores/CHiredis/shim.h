#ifndef SWITCHYARD_CHIREDIS_H
#define SWITCHYARD_CHIREDIS_H

#include <hiredis/hiredis.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>

/* Starts a detached thread with SIGPIPE blocked, because hiredis writes to sockets with write(2). Returns 0, or
   the error of pthread_create. */
static inline int switchyard_hiredis_thread_start(void *(*run)(void *), void *context) {
  sigset_t pipe, previous;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  /* The new thread inherits the mask. */
  pthread_sigmask(SIG_BLOCK, &pipe, &previous);
  pthread_t thread;
  int code = pthread_create(&thread, 0, run, context);
  pthread_sigmask(SIG_SETMASK, &previous, 0);
  if (!code) pthread_detach(thread);
  return code;
}

/* Waits until a descriptor is readable: 1, 0 after the time, -1 for an error. */
static inline int switchyard_hiredis_wait(int descriptor, int milliseconds) {
  struct pollfd entry = {.fd = descriptor, .events = POLLIN};
  return poll(&entry, 1, milliseconds);
}

#endif
