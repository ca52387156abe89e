#ifndef BENCHMARKS_MULTI_LOAD_H
#define BENCHMARKS_MULTI_LOAD_H

// The parameters of a load, and its result.
struct multi_load_order {
  const char *url;
  const char *authority_file;  // certificates to trust; NULL for a plain http URL
  const char *accept_encoding;  // codings to ask for and to decode; NULL for none
  long http_version;  // 3 for HTTP/3 alone; 0 for what the server prefers of HTTP/2 and HTTP/1.1
  long in_flight;
  long warm_up;
  long requests;
};

struct multi_load_result {
  long answered;
  long failed;
  long long bytes;
  double seconds;
  double cpu_seconds;
  long switches;  // of contexts, within these seconds
  long http_version;  // 1, 2 or 3, of the last response
  const char *error;  // of the first failure, or NULL
};

// Sends `warm_up` requests and then `requests` measured ones, `in_flight` at a time, over one libcurl multi
// handle on the calling thread. Returns 0, or -1 if libcurl fails to start.
int multi_load_run(const struct multi_load_order *order, struct multi_load_result *result);

#endif
