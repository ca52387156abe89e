/// Which request bodies are compressed with gzip.
public enum RequestCompression: Sendable, Hashable {
  /// None.
  case never
  /// Bodies above the threshold, once the server has announced that it accepts gzip.
  ///
  /// It announces that by an `Accept-Encoding` field in a response from the same resource (RFC 7694, section
  /// 3). Choose this for third-party servers: one that doesn't know the coding may respond with a 400, which
  /// isn't recognized as a refusal, instead of a 415.
  case whereAccepted
  /// Bodies above the threshold, unless the server has refused them; the default.
  case whenLarge
}
