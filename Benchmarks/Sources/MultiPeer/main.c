// The C peer: a load over libcurl's multi interface, written as efficiently as C allows.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "MultiLoad.h"

static const char usage[] =
    "usage: MultiPeer --url URL --in-flight N --warm-up N --requests N [--authorities FILE] "
    "[--accept-encoding CODINGS] [--http-version 3]\n";

static int fail_usage(const char *sentence, const char *culprit) {
  fprintf(stderr, "MultiPeer: %s: %s\n%s", sentence, culprit, usage);
  return 64;
}

static long positive(const char *text) {
  char *end;
  long number = strtol(text, &end, 10);
  return *text && !*end && number >= 0 ? number : -1;
}

static long peak_kib(void) {
  char line[256];
  long kib = 0;
  FILE *file = fopen("/proc/self/status", "r");
  if (!file) return 0;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "VmHWM: %ld", &kib) == 1) break;
  }
  fclose(file);
  return kib;
}

int main(int count, char **arguments) {
  struct multi_load_order order = {.in_flight = 1, .requests = 1};
  struct multi_load_result result;
  for (int index = 1; index < count; index += 2) {
    const char *name = arguments[index];
    const char *value = index + 1 < count ? arguments[index + 1] : "";
    long *number = !strcmp(name, "--in-flight")      ? &order.in_flight
                   : !strcmp(name, "--warm-up")      ? &order.warm_up
                   : !strcmp(name, "--requests")     ? &order.requests
                   : !strcmp(name, "--http-version") ? &order.http_version
                                                     : NULL;
    if (number) {
      *number = positive(value);
      if (*number < 0) return fail_usage("not a number", name);
    } else if (!strcmp(name, "--url")) {
      order.url = value;
    } else if (!strcmp(name, "--accept-encoding")) {
      order.accept_encoding = value;
    } else if (!strcmp(name, "--authorities")) {
      order.authority_file = value;
    } else {
      return fail_usage("unknown option", name);
    }
  }
  if (!order.url || order.in_flight < 1) return fail_usage("missing", order.url ? "--in-flight" : "--url");
  if (order.http_version && order.http_version != 3) return fail_usage("not 3", "--http-version");
  if (multi_load_run(&order, &result) != 0) {
    fprintf(stderr, "MultiPeer: libcurl refused a handle or a call of its multi interface\n");
    return 1;
  }
  if (result.error) fprintf(stderr, "MultiPeer: the first failure: %s\n", result.error);
  printf(
      "answered=%ld failed=%ld bytes=%lld seconds=%.9f protocol=h%ld peak-kib=%ld cpu-seconds=%.9f switches=%ld\n",
      result.answered, result.failed, result.bytes, result.seconds, result.http_version,
      peak_kib(), result.cpu_seconds, result.switches);
  return 0;
}
