#include "CCurlShims.h"

#include <string.h>

CURLcode switchyard_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode switchyard_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode switchyard_easy_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode switchyard_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode switchyard_easy_set_write(CURL *easy, switchyard_bytes_callback function, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
  return code ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

CURLcode switchyard_easy_set_head(CURL *easy, switchyard_bytes_callback function, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, function);
  return code ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

CURLcode switchyard_easy_set_read(CURL *easy, switchyard_bytes_callback function, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, function);
  return code ? code : curl_easy_setopt(easy, CURLOPT_READDATA, context);
}

CURLcode switchyard_easy_set_seek(CURL *easy, switchyard_seek_callback function, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
  return code ? code : curl_easy_setopt(easy, CURLOPT_SEEKDATA, context);
}

CURLcode switchyard_easy_set_ready(CURL *easy, switchyard_ready_callback function, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
  return code ? code : curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

CURLcode switchyard_easy_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLcode switchyard_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLcode switchyard_easy_get_string(CURL *easy, CURLINFO info, const char **value) {
  return curl_easy_getinfo(easy, info, value);
}

const char *switchyard_easy_leaf_certificate(CURL *easy) {
  struct curl_certinfo *chain = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &chain) || !chain || chain->num_of_certs < 1) return NULL;
  for (struct curl_slist *line = chain->certinfo[0]; line; line = line->next)
    if (!strncmp(line->data, "Cert:", 5)) return line->data + 5;
  return NULL;
}

CURLcode switchyard_easy_set_share(CURL *easy, CURLSH *share) {
  return curl_easy_setopt(easy, CURLOPT_SHARE, share);
}

CURLSH *switchyard_share_new(void) {
  static const curl_lock_data kinds[] = {
      CURL_LOCK_DATA_CONNECT, CURL_LOCK_DATA_DNS, CURL_LOCK_DATA_SSL_SESSION};
  CURLSH *share = curl_share_init();
  if (!share) return NULL;
  for (size_t index = 0; index < sizeof kinds / sizeof *kinds; index++) {
    if (curl_share_setopt(share, CURLSHOPT_SHARE, kinds[index]) == CURLSHE_OK) continue;
    curl_share_cleanup(share);
    return NULL;
  }
  return share;
}

switchyard_figures switchyard_easy_get_figures(CURL *easy) {
  switchyard_figures figures = {0};
  curl_easy_getinfo(easy, CURLINFO_SIZE_UPLOAD_T, &figures.uploaded);
  curl_easy_getinfo(easy, CURLINFO_SIZE_DOWNLOAD_T, &figures.downloaded);
  curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &figures.connections);
  curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &figures.ready);
  curl_easy_getinfo(easy, CURLINFO_STARTTRANSFER_TIME_T, &figures.first_byte);
  curl_easy_getinfo(easy, CURLINFO_TOTAL_TIME_T, &figures.last_byte);
  curl_easy_getinfo(easy, CURLINFO_PRIMARY_IP, &figures.address);
  curl_easy_getinfo(easy, CURLINFO_PRIMARY_PORT, &figures.port);
  // A kept connection had no such phases.
  if (figures.connections == 0) return figures;
  curl_easy_getinfo(easy, CURLINFO_NAMELOOKUP_TIME_T, &figures.named);
  curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &figures.connected);
  curl_easy_getinfo(easy, CURLINFO_APPCONNECT_TIME_T, &figures.secured);
  return figures;
}

CURLMcode switchyard_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

int switchyard_multi_next_finished(CURLM *multi, void **context, CURLcode *result) {
  int left = 0;
  CURLMsg *message = curl_multi_info_read(multi, &left);
  while (message && message->msg != CURLMSG_DONE) message = curl_multi_info_read(multi, &left);
  if (!message) return 0;
  *result = message->data.result;
  switchyard_handle_state *state = NULL;
  curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &state);
  *context = state ? state->owner : NULL;
  return 1;
}

int switchyard_curl_features(void) {
  return curl_version_info(CURLVERSION_NOW)->features;
}

unsigned int switchyard_curl_version(void) {
  return curl_version_info(CURLVERSION_NOW)->version_num;
}

const char *switchyard_curl_tls(void) {
  return curl_version_info(CURLVERSION_NOW)->ssl_version;
}
