/// Works around HTTP/3 by other QUIC libraries than ngtcp2, which libcurl calls experimental: such a library
/// counts as one without HTTP/3.
///
/// Affected: 8.14.1 of Debian 13, by the QUIC of OpenSSL 3.5, which loses the content of a response with
/// trailer fields and ignores the time limit of the first byte; libcurl removed it in 8.19. Builds with
/// quiche were not tried. Delete this once the oldest version is 8.19, and quiche is not experimental.
enum ExperimentalQUIC {
  /// Whether the text in which libcurl names its QUIC libraries names others than ngtcp2.
  ///
  /// That of ngtcp2 is such as "ngtcp2/1.25.0 nghttp3/1.18.0".
  static func isUsed(in libraries: String) -> Bool { !libraries.hasPrefix("ngtcp2/") }
}
