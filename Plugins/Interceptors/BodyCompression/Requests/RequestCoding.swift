/// Which request bodies are gzip-coded.
public enum RequestCoding: Sendable, Hashable {
  /// None.
  case never
  /// Those that are long enough, where the server has said that it takes gzip.
  ///
  /// It says so by an `Accept-Encoding` field in an answer from the same resource (RFC 7694, section 3).
  /// Choose it for servers that aren't yours: one that doesn't know the coding may answer 400 in place of the
  /// 415 that can be healed.
  case whereAccepted
  /// Those that are long enough, unless the server has refused; the default.
  case whenLarge
}
