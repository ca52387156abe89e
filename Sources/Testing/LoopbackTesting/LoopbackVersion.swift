#if LoopbackTesting

/// A version of HTTP that a loopback server supports.
public enum LoopbackVersion: Sendable, Hashable {
  /// RFC 9112.
  case http1
  /// RFC 9113, offered by ALPN only.
  case http2
}
#endif
