/// The 32 bytes of a SHA-256 or of an HMAC-SHA256, without a heap object.
struct HashValue: Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// Takes the bytes that `write` puts into the memory it is handed; nil where it says that it failed.
  init?(_ write: (UnsafeMutableRawBufferPointer) -> Bool) {
    guard withUnsafeMutableBytes(of: &words, write) else { return nil }
  }

  /// Hands out the bytes.
  func withBytes<Result>(_ read: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: words, read)
  }

  /// The bytes as an array.
  var bytes: [UInt8] { withBytes { Array($0) } }
}
