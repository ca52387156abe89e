// The C libraries alone: what they compress, what a round trip to a Redis and what reading a row by SQLite
// take, called as directly as C allows.

#include <brotli/encode.h>
#include <hiredis/hiredis.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>
#include <zstd.h>

enum { BODY_SIZE = 1 << 20, LEVEL = 6 };

static const char usage[] =
    "usage: LibraryPeer coding --coding gzip|brotli|zstd --requests N\n"
    "       LibraryPeer nonces --port PORT --warm-up N --requests N\n"
    "       LibraryPeer select --file DATABASE --requests N\n";

static int fail(const char *sentence, const char *culprit) {
  fprintf(stderr, "LibraryPeer: %s: %s\n%s", sentence, culprit, usage);
  return 64;
}

static double seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void report(long requests, long long bytes, double time) {
  printf("answered=%ld failed=0 bytes=%lld seconds=%.9f protocol=- peak-kib=0\n", requests, bytes, time);
}

// The body of CodingLoad.swift.
static char *make_body(void) {
  char *body = malloc(BODY_SIZE + 128);
  size_t length = 0;
  for (unsigned number = 0; body && length < BODY_SIZE; number++) {
    length += (size_t)snprintf(
        body + length, 128, "{\"id\":%u,\"city\":\"CITY-%u\",\"price\":%u}\n", number, number * 7919 % 97,
        number * 2654435761u % 900000);
  }
  return body;
}

static size_t encode(const char *coding, const char *body, unsigned char *output, size_t room) {
  if (!strcmp(coding, "gzip")) {
    z_stream stream = {0};
    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (unsigned char *)body;
    stream.avail_in = BODY_SIZE;
    stream.next_out = output;
    stream.avail_out = (unsigned)room;
    int code = deflate(&stream, Z_FINISH);
    size_t length = room - stream.avail_out;
    deflateEnd(&stream);
    return code == Z_STREAM_END ? length : 0;
  }
  if (!strcmp(coding, "brotli")) {
    size_t length = room;
    return BrotliEncoderCompress(
               LEVEL, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, BODY_SIZE, (const unsigned char *)body,
               &length, output)
        ? length
        : 0;
  }
  size_t length = ZSTD_compress(output, room, body, BODY_SIZE, LEVEL);
  return ZSTD_isError(length) ? 0 : length;
}

static int run_coding(const char *coding, long requests) {
  char *body = make_body();
  size_t room = BODY_SIZE * 2;
  unsigned char *output = malloc(room);
  if (!body || !output) return 1;
  double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
  for (long request = 0; request < requests; request++) {
    if (!encode(coding, body, output, room)) return 1;
  }
  report(requests, (long long)requests * BODY_SIZE, seconds(CLOCK_PROCESS_CPUTIME_ID) - start);
  free(body);
  free(output);
  return 0;
}

static int run_nonces(int port, long warm_up, long requests) {
  redisContext *context = redisConnect("127.0.0.1", port);
  if (!context || context->err) return 1;
  double start = 0;
  for (long number = -warm_up; number < requests; number++) {
    if (number == 0) start = seconds(CLOCK_MONOTONIC);
    redisReply *reply = redisCommand(context, "SET peer-%d-%ld 1 NX PX 600000", (int)time(NULL), number);
    if (!reply || reply->type == REDIS_REPLY_ERROR) return 1;
    freeReplyObject(reply);
  }
  report(requests, 0, seconds(CLOCK_MONOTONIC) - start);
  redisFree(context);
  return 0;
}

static sqlite3_int64 *read_keys(sqlite3 *database, long *count) {
  sqlite3_stmt *statement = NULL;
  sqlite3_int64 *keys = NULL;
  long room = 0;
  *count = 0;
  if (sqlite3_prepare_v2(database, "SELECT key FROM response ORDER BY id", -1, &statement, NULL)) return NULL;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    if (*count == room) keys = realloc(keys, sizeof *keys * (size_t)(room = 2 * room + 1000));
    if (!keys) return NULL;
    keys[(*count)++] = sqlite3_column_int64(statement, 0);
  }
  sqlite3_finalize(statement);
  return keys;
}

// Reads head and body of each response of a store, one after another, and copies them.
static int run_select(const char *file, long requests) {
  static const char sql[] = "SELECT head, body FROM response JOIN content USING (id) WHERE key = ?";
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  long stored = 0;
  long long bytes = 0;
  if (sqlite3_open_v2(file, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)) return 1;
  sqlite3_int64 *keys = read_keys(database, &stored);
  if (!keys || sqlite3_prepare_v2(database, sql, -1, &statement, NULL)) return 1;
  double start = seconds(CLOCK_MONOTONIC);
  for (long request = 0; request < requests; request++) {
    sqlite3_bind_int64(statement, 1, keys[request % stored]);
    if (sqlite3_step(statement) != SQLITE_ROW) return 1;
    for (int column = 0; column < 2; column++) {
      const void *blob = sqlite3_column_blob(statement, column);
      size_t length = (size_t)sqlite3_column_bytes(statement, column);
      char *copy = malloc(length + 1);
      if (!blob || !copy) return 1;
      memcpy(copy, blob, length);
      copy[length] = 0;
      bytes += (long long)length + copy[0] - copy[0];
      free(copy);
    }
    sqlite3_reset(statement);
  }
  report(requests, bytes, seconds(CLOCK_MONOTONIC) - start);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  free(keys);
  return 0;
}

int main(int count, char **arguments) {
  const char *coding = NULL, *file = NULL;
  long requests = 0, warm_up = 0, port = 0;
  for (int index = 2; index + 1 < count; index += 2) {
    const char *name = arguments[index], *value = arguments[index + 1];
    if (!strcmp(name, "--coding")) coding = value;
    else if (!strcmp(name, "--file")) file = value;
    else if (!strcmp(name, "--requests")) requests = atol(value);
    else if (!strcmp(name, "--warm-up")) warm_up = atol(value);
    else if (!strcmp(name, "--port")) port = atol(value);
    else return fail("unknown option", name);
  }
  if (count < 2 || requests < 1) return fail("missing", "--requests");
  if (!strcmp(arguments[1], "coding") && coding) return run_coding(coding, requests);
  if (!strcmp(arguments[1], "nonces") && port > 0) return run_nonces((int)port, warm_up, requests);
  if (!strcmp(arguments[1], "select") && file) return run_select(file, requests);
  return fail("unknown load", arguments[1]);
}
