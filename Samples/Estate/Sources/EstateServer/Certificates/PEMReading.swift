import CLibcrypto

/// Reads objects of libcrypto from PEM text in memory.
enum PEMReading {
  /// Returns what `read` finds in the text, or `nil`.
  static func read(_ pem: [UInt8], _ read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
    guard let count = CInt(exactly: pem.count), let input = BIO_new(BIO_s_mem()) else { return nil }
    defer { BIO_free(input) }
    // An empty write fails.
    guard count > 0, BIO_write(input, pem, count) == count else { return nil }
    // A failure to read leaves its reason in the thread's error queue, which the next user of libcrypto would
    // find.
    defer { ERR_clear_error() }
    return read(input)
  }
}
