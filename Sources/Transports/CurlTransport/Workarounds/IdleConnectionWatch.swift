/// Decides whether idle HTTP/1.1 connections are watched for unexpected bytes.
///
/// Affected: libcurl before 8.1. It reuses an idle connection with unread bytes, and reads them as the
/// response to the next request, so that a server or an attacker could respond before the request is sent.
/// The poller (`rests` and `abandon` in CCurlPoller.c) closes such a connection when it receives bytes.
///
/// Upstream: pull request 10690 of March 2023 prevents the reuse; 8.1.0 and 8.14.1 have it
/// (`Curl_conn_seems_dead`). Delete this and the poller's part once the oldest supported version is 8.1.
enum IdleConnectionWatch {
  static func isNeeded(by library: LoadedLibrary) -> Bool { library.version < LibraryVersion(8, 1) }
}
