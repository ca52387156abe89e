/// The 32 bytes of a SHA-256 or HMAC-SHA256, stored inline.
struct HashValue: Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// Creates a value from the bytes that `write` stores in the given memory; nil if it returns false.
  init?(_ write: (UnsafeMutableRawBufferPointer) -> Bool) {
    guard withUnsafeMutableBytes(of: &words, write) else { return nil }
  }

  /// Calls a closure with the bytes.
  func withBytes<Result>(_ read: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: words, read)
  }

  /// The bytes as an array.
  var bytes: [UInt8] { withBytes { Array($0) } }
}
