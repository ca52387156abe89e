/// Decides whether idle HTTP/1.1 connections are watched for unexpected bytes.
///
/// libcurl reuses an idle connection with unread bytes, and reads them as the response to the next request,
/// so that a server or an attacker could respond before the request is sent. The poller (`rests` and
/// `abandon` in CCurlPoller.c) closes such a connection when it receives bytes.
///
/// Affected: before 8.1, and again after 8.20. Pull request 10690 of March 2023 prevents the reuse; 8.1.0 and
/// 8.14.1 have it. Since pull request 22169 of June 2026 libcurl checks a connection only once per second, so
/// that a newer one (seen on 8.23.0) reuses a connection that receives bytes within a second of the latest
/// check. It then cannot write to the closed socket and opens another connection, over which a request leaves
/// that may be sent again; a POST fails as if it might have been processed. Delete this and the poller's part
/// once the oldest supported version checks a connection before each reuse.
enum IdleConnectionWatch {
  static func isNeeded(by library: LoadedLibrary) -> Bool {
    library.version < LibraryVersion(8, 1) || library.version >= LibraryVersion(8, 21)
  }
}
