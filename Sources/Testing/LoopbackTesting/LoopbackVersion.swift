#if LoopbackTesting

/// A version of HTTP that a loopback server supports.
public enum LoopbackVersion: String, Sendable, Hashable, CaseIterable {
  /// RFC 9112.
  case http1 = "HTTP/1.1"
  /// RFC 9113, offered by ALPN only.
  case http2 = "HTTP/2"
}
#endif
