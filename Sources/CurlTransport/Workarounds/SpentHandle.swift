/// A request after which libcurl's handle, and its connection, are released.
///
/// Affected: libcurl before 8.7. Once a handle has sent trailer fields, the next request of unknown length
/// over it writes before the beginning of a buffer: the handle still has the state of the former fields. On
/// any version such a request has a connection of its own, because libcurl sends them over HTTP/1.1 only, and
/// the origin's other requests may share one of HTTP/2.
///
/// Upstream: no report is known; the readers of 8.7.0 replaced the code. On newer libraries run the test
/// "They follow the content in chunks, are announced, and not sent with the next request" without this.
extension RequestPlan {
  /// Whether its handle is used for no other request.
  var spendsHandle: Bool { trailers != nil }
}
