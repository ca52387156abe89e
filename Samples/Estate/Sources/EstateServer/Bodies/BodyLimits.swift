/// How large request bodies may be.
enum BodyLimits {
  /// Bytes as sent.
  static let encoded = 256 * 1024
  /// Bytes after content decoding; a small body that swells beyond this is refused while it is being decoded.
  static let decoded = 1024 * 1024
}
