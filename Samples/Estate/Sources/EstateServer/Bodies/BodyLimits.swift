/// The maximum sizes of request bodies.
enum BodyLimits {
  /// Bytes as sent.
  static let encoded = 256 * 1024
  /// Bytes after content decoding, which stops as soon as there are more.
  static let decoded = 1024 * 1024
}
