// A WebSocket server that sends every message back, frame by frame: one thread, without extensions.

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  ROOM = 256 << 10,  // of input and output; a frame must fit
  MAXIMUM_DESCRIPTOR = 20000,
  MAXIMUM_HEADER = 14,
};

// Bytes that wait: input without its end, or output that the system had no room for.
struct bytes {
  unsigned char *start;
  size_t count;
};

struct connection {
  bool is_open;  // whether the handshake is done
  bool ends;     // whether it is closed when the output is sent
  struct bytes input;
  struct bytes output;
};

static struct connection connections[MAXIMUM_DESCRIPTOR];
static unsigned char input[ROOM];
static unsigned char output[ROOM];
static int poller;

static bool keep(struct bytes *bytes, const unsigned char *start, size_t count) {
  unsigned char *kept = count ? malloc(count) : NULL;
  if (count && !kept) return false;
  if (kept) memcpy(kept, start, count);
  free(bytes->start);
  bytes->start = kept;
  bytes->count = count;
  return true;
}

static void end(int descriptor) {
  struct connection *connection = &connections[descriptor];
  free(connection->input.start);
  free(connection->output.start);
  memset(connection, 0, sizeof *connection);
  close(descriptor);
}

static void watch(int descriptor, uint32_t events, int operation) {
  struct epoll_event event = {.events = events, .data.fd = descriptor};
  if (epoll_ctl(poller, operation, descriptor, &event) != 0) end(descriptor);
}

// MARK: The handshake (RFC 6455, section 4.2)

static const unsigned char *find(const unsigned char *bytes, size_t count, const char *text) {
  size_t length = strlen(text);
  for (size_t index = 0; index + length <= count; index++) {
    if (!strncasecmp((const char *)bytes + index, text, length)) return bytes + index + length;
  }
  return NULL;
}

// Writes the response to a complete request; returns the bytes of the request, 0 if it is not complete, -1 if
// it is none.
static long shake_hands(const unsigned char *bytes, size_t count, size_t *written) {
  static const char salt[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  enum { KEY = 24 };
  unsigned char text[KEY + sizeof salt], digest[SHA_DIGEST_LENGTH], acceptance[32];
  const unsigned char *rest = find(bytes, count, "\r\n\r\n");
  if (!rest) return count < ROOM ? 0 : -1;
  const unsigned char *key = find(bytes, (size_t)(rest - bytes), "\r\nsec-websocket-key:");
  if (!key) return -1;
  while (*key == ' ') key++;
  if (rest - key < KEY) return -1;
  memcpy(text, key, KEY);
  memcpy(text + KEY, salt, sizeof salt);
  SHA1(text, KEY + sizeof salt - 1, digest);
  EVP_EncodeBlock(acceptance, digest, sizeof digest);
  *written = (size_t)snprintf(
      (char *)output, ROOM,
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: %s\r\n\r\n",
      acceptance);
  return rest - bytes;
}

// MARK: Frames (RFC 6455, section 5.2)

static void unmask(unsigned char *to, const unsigned char *from, size_t count, const unsigned char *key) {
  uint64_t word, mask;
  size_t index = 0;
  memcpy(&mask, key, 4);
  memcpy((unsigned char *)&mask + 4, key, 4);
  for (; index + 8 <= count; index += 8) {
    memcpy(&word, from + index, 8);
    word ^= mask;
    memcpy(to + index, &word, 8);
  }
  for (; index < count; index++) to[index] = from[index] ^ key[index % 4];
}

// Writes the response to the frame at the start of `bytes`; returns its size, 0 if it is not complete, -1 if
// it is not allowed.
static long echo(const unsigned char *bytes, size_t count, size_t *written, bool *ends) {
  enum { CLOSE = 8, PING = 9, PONG = 10, FINAL = 0x80, MASKED = 0x80 };
  if (count < 2) return 0;
  if (!(bytes[1] & MASKED)) return -1;
  size_t length = bytes[1] & 0x7F;
  size_t header = length < 126 ? 2 : length == 126 ? 4 : 10;
  if (count < header + 4) return 0;
  if (header > 2) {
    length = 0;
    for (size_t index = 2; index < header; index++) length = length << 8 | bytes[index];
  }
  if (length > ROOM - MAXIMUM_HEADER) return -1;
  if (count < header + 4 + length) return 0;
  unsigned char type = bytes[0] & 0x0F;
  if (type == CLOSE) *ends = true;
  if (type != PONG) {
    unsigned char *response = output + *written;
    memcpy(response, bytes, header);
    if (type == PING) response[0] = FINAL | PONG;
    response[1] &= (unsigned char)~MASKED;
    unmask(response + header, bytes + header + 4, length, bytes + header);
    *written += header + length;
  }
  return (long)(header + 4 + length);
}

// MARK: Connections

// Sends the response, and keeps what the system has no room for; reads no more until it is sent.
static void respond(int descriptor, const unsigned char *bytes, size_t count) {
  struct connection *connection = &connections[descriptor];
  bool waited = connection->output.count > 0;
  ssize_t sent = count ? send(descriptor, bytes, count, MSG_NOSIGNAL) : 0;
  if (sent < 0 && errno != EAGAIN) return end(descriptor);
  if (sent < 0) sent = 0;
  if (!keep(&connection->output, bytes + sent, count - (size_t)sent)) return end(descriptor);
  bool waits = connection->output.count > 0;
  if (!waits && connection->ends) return end(descriptor);
  if (waits != waited) watch(descriptor, waits ? EPOLLOUT : EPOLLIN, EPOLL_CTL_MOD);
}

static void receive(int descriptor) {
  struct connection *connection = &connections[descriptor];
  size_t count = connection->input.count, used = 0, written = 0;
  if (count) memcpy(input, connection->input.start, count);
  ssize_t received = recv(descriptor, input + count, ROOM - count, 0);
  if (received < 0 && errno == EAGAIN) return;
  if (received <= 0) return end(descriptor);
  count += (size_t)received;
  while (used < count && !connection->ends) {
    long step = connection->is_open ? echo(input + used, count - used, &written, &connection->ends)
                                    : shake_hands(input, count, &written);
    if (step < 0) return end(descriptor);
    if (step == 0) break;
    connection->is_open = true;
    used += (size_t)step;
  }
  if (!keep(&connection->input, input + used, count - used)) return end(descriptor);
  if (written || connection->ends) respond(descriptor, output, written);
}

static void accept_all(int listener) {
  int on = 1;
  for (;;) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) return;
    if (descriptor >= MAXIMUM_DESCRIPTOR) {
      close(descriptor);
      continue;
    }
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    watch(descriptor, EPOLLIN, EPOLL_CTL_ADD);
  }
}

static int listen_on(long port) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener < 0) return -1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4096) != 0) return -1;
  return listener;
}

int main(int count, char **arguments) {
  long port = count == 3 && !strcmp(arguments[1], "--port") ? atol(arguments[2]) : 0;
  if (port < 1 || port > 65535) {
    fprintf(stderr, "usage: EchoServer --port PORT\n");
    return 64;
  }
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  int listener = listen_on(port);
  poller = epoll_create1(EPOLL_CLOEXEC);
  if (listener < 0 || poller < 0) {
    fprintf(stderr, "EchoServer: can't listen on port %ld: %s\n", port, strerror(errno));
    return 1;
  }
  watch(listener, EPOLLIN, EPOLL_CTL_ADD);
  for (;;) {
    struct epoll_event events[256];
    int ready = epoll_wait(poller, events, 256, -1);
    if (ready < 0 && errno != EINTR) return 1;
    for (int index = 0; index < ready; index++) {
      int descriptor = events[index].data.fd;
      struct connection *connection = &connections[descriptor];
      if (descriptor == listener) accept_all(listener);
      else if (connection->output.count) respond(descriptor, connection->output.start, connection->output.count);
      else receive(descriptor);
    }
  }
}
