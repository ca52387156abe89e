import Interception

/// The kind of an error, by the label that an archive has of it.
struct FailureLabel: Sendable, Hashable {
  /// The kind; a lost connection if the label is unknown.
  let kind: NetworkError.Kind
  /// Whether the server may have processed the request.
  let mayHaveBeenProcessed: Bool

  private static let unsent: [NetworkError.Kind] =
    [
      .invalidRequest, .offline, .resolve, .connect, .proxyAuthentication, .queueFull, .descriptorsExhausted,
      .unsupported, .bodyNotReplayable, .rejected, .needsLogin, .notStored, .timeout(.queue),
      .timeout(.connect),
    ] + [.untrusted, .nameMismatch, .expired, .pinMismatch, .handshake].map { .tls($0) }
  private static let sent: [NetworkError.Kind] = [
    .protocolViolation, .transport, .bodyTooLarge(limit: 0), .timeout(.firstByte), .timeout(.idle),
    .timeout(.whole), .timeout(.call),
  ]

  /// Creates the kind of a label, such as `tls_untrusted`.
  init(_ label: String) {
    let unsent = Self.unsent.first { NetworkError($0, "").label == label }
    kind = unsent ?? Self.sent.first { NetworkError($0, "").label == label } ?? .transport
    mayHaveBeenProcessed = unsent == nil
  }

  /// Returns the label of an error as an archive names it: the library's own word, or a browser's name.
  static func label(comment: String?, browserError: String?) -> String {
    if let browserError {
      let name = browserError.split(separator: ":").last.map(String.init) ?? browserError
      return browserLabels.first { name.hasPrefix($0.name) }?.label ?? "transport"
    }
    let word = String(comment?.prefix { $0 != " " } ?? "")
    if word.hasPrefix("cancelled") { return word }
    let known = (unsent + sent).map { NetworkError($0, "").label }
    return known.contains(word) ? word : "transport"
  }

  // The first name that the error begins with counts.
  private static let browserLabels: [(name: String, label: String)] = [
    ("ERR_CONNECTION_REFUSED", "connect"), ("ERR_CONNECTION_TIMED_OUT", "timeout_connect"),
    ("ERR_ADDRESS_UNREACHABLE", "connect"), ("ERR_NAME_NOT_RESOLVED", "resolve"),
    ("ERR_INTERNET_DISCONNECTED", "offline"), ("ERR_NETWORK_CHANGED", "transport"),
    ("ERR_TIMED_OUT", "timeout_whole"), ("ERR_CERT_AUTHORITY_INVALID", "tls_untrusted"),
    ("ERR_CERT_COMMON_NAME_INVALID", "tls_nameMismatch"), ("ERR_CERT_DATE_INVALID", "tls_expired"),
    ("ERR_SSL_PINNED_KEY_NOT_IN_CERT_CHAIN", "tls_pinMismatch"), ("ERR_CERT", "tls_untrusted"),
    ("ERR_SSL", "tls_handshake"), ("ERR_HTTP2", "protocol_violation"), ("ERR_QUIC", "protocol_violation"),
    ("ERR_INVALID", "protocol_violation"), ("ERR_ABORTED", "cancelled_task"),
  ]
}
