/// Works around an upload over HTTP/3 that ends before its content was sent: requests with content use
/// HTTP/2.
///
/// libcurl removes such a transfer, and not its stream. When nghttp3 asks for the content of the stream,
/// libcurl fails, with all other requests of the connection, and leaves a packet unfinished, by which an
/// assertion of ngtcp2 ends the process (`NGTCP2_CONN_FLAG_PPE_PENDING`). It does not tell whether all
/// content was sent, so short content isn't safe either, and any request may be cancelled.
///
/// Affected: 8.23.0 at least, with ngtcp2 1.25.0, found by a soak with cancelled uploads. Upstream: no report
/// is known. Delete this, and `sendsContentOverHTTP3`, once the oldest version with HTTP/3 removes the
/// stream.
enum EndedUpload {
  /// Whether a request must not be sent over HTTP/3.
  static func rulesOutHTTP3(for plan: RequestPlan) -> Bool { plan.hasBytes }
}
