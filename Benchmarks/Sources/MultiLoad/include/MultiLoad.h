#ifndef BENCHMARKS_MULTI_LOAD_H
#define BENCHMARKS_MULTI_LOAD_H

// What is asked of a load, and what came of it.
struct multi_load_order {
  const char *url;
  const char *authority_file;  // certificates to trust; NULL for a plain http URL
  long in_flight;
  long warm_up;
  long requests;
};

struct multi_load_result {
  long answered;
  long failed;
  long long bytes;
  double seconds;
  long http_version;  // 1 or 2, of the last answer
  const char *error;  // of the first failure, or NULL
};

// Sends `warm_up` requests and then `requests` more, `in_flight` of them at a time, over one libcurl multi
// handle on the calling thread, and measures the latter. Returns 0, or -1 if libcurl refuses to start.
int multi_load_run(const struct multi_load_order *order, struct multi_load_result *result);

#endif
