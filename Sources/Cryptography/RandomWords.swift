import COpenSSL

/// Random numbers from libcrypto's generator, which is suitable for nonces and keys.
///
/// Drawing many at once is cheaper than a system call for each. A child process made by `fork` without
/// `exec` must draw its own.
package enum RandomWords {
  /// Returns `count` random numbers, or nil if libcrypto's generator fails.
  package static func draw(_ count: Int) -> [UInt64]? {
    var words = [UInt64](repeating: 0, count: count)
    let isDone = words.withUnsafeMutableBytes { buffer in
      guard let size = Int32(exactly: buffer.count) else { return false }
      return RAND_bytes(buffer.bindMemory(to: UInt8.self).baseAddress, size) == 1
    }
    return isDone ? words : nil
  }
}
