/// Decides whether idle connections of HTTP/1.1 are watched for bytes that no request asked for.
///
/// Affected: libcurl before 8.1. It takes a kept connection with unread bytes for live, and reads them as the
/// answer to the next request: a server, or an attacker in its place, could answer a request before it is
/// sent. So the poller (`rests` and `abandon` in CCurlPoller.c) ends such a connection as soon as something
/// comes over it.
///
/// Upstream: pull request 10690 of March 2023 denies the reuse of a connection with pending input; it is in
/// 8.1.0 at the latest, and in 8.14.1 (`Curl_conn_seems_dead`). Delete this and the poller's part once the
/// oldest supported version is 8.1.
enum IdleConnectionWatch {
  /// Whether a library reads unasked bytes as the next answer.
  static func isNeeded(by library: LoadedLibrary) -> Bool { library.version < LibraryVersion(8, 1) }
}
