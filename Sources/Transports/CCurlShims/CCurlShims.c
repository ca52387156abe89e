#include "CCurlShims.h"

#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

const char *switchyard_easy_leaf_certificate(CURL *easy) {
  struct curl_certinfo *chain = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &chain) || !chain || chain->num_of_certs < 1) return NULL;
  for (struct curl_slist *line = chain->certinfo[0]; line; line = line->next)
    if (!strncmp(line->data, "Cert:", 5)) return line->data + 5;
  return NULL;
}

int switchyard_easy_negotiated_version(CURL *easy) {
  struct curl_tlssessioninfo *session = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) || !session
      || session->backend != CURLSSLBACKEND_OPENSSL || !session->internals)
    return 0;
  const unsigned char *name = NULL;
  unsigned int length = 0;
  SSL_get0_alpn_selected(session->internals, &name, &length);
  return length == 2 && (!memcmp(name, "h2", 2) || !memcmp(name, "h3", 2)) ? name[1] - '0' : 0;
}

CURLSH *switchyard_share_new(void) {
  CURLSH *share = curl_share_init();
  if (share && !curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT)
      && !curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS)
      && !curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION))
    return share;
  curl_share_cleanup(share);
  return NULL;
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
  // A reused connection has none of the other phases.
  if (figures.connections == 0) return figures;
  curl_easy_getinfo(easy, CURLINFO_NAMELOOKUP_TIME_T, &figures.named);
  curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &figures.connected);
  curl_easy_getinfo(easy, CURLINFO_APPCONNECT_TIME_T, &figures.secured);
  return figures;
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

int switchyard_thread_start(void *(*run)(void *), void *context) {
  sigset_t pipe, previous;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  // The new thread inherits the mask.
  pthread_sigmask(SIG_BLOCK, &pipe, &previous);
  pthread_t thread;
  int code = pthread_create(&thread, NULL, run, context);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  if (!code) pthread_detach(thread);
  return code;
}
