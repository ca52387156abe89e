import COpenSSL

/// A SHA-256 hash (FIPS 180-4).
struct SHA256Digest: Sendable, Hashable {
  /// The length of a hash in bytes.
  static let size = 32

  // A fetched algorithm is immutable and can be shared by threads; fetching it costs more than a hash.
  private nonisolated(unsafe) static let algorithm: OpaquePointer? = EVP_MD_fetch(nil, "SHA256", nil)

  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// Hashes bytes; nil if OpenSSL doesn't provide SHA-256 or can't allocate memory.
  init?(of bytes: [UInt8]) {
    guard let algorithm = Self.algorithm else { return nil }
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    let isDone = withUnsafeMutableBytes(of: &words) { output in
      EVP_Digest(bytes, bytes.count, output.bindMemory(to: UInt8.self).baseAddress, nil, algorithm, nil) == 1
    }
    guard isDone else { return nil }
    self.words = words
  }

  /// Whether OpenSSL provides SHA-256; its configuration may forbid it.
  static var isAvailable: Bool { algorithm != nil }

  /// The first eight bytes, sufficient to distinguish entries in a hash table or a ghost queue.
  var fingerprint: UInt64 { words.0 }

  /// The 32 bytes.
  var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

  /// Calls a closure with the 32 bytes.
  func withBytes<Result>(_ read: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withUnsafeBytes(of: words) { $0.withMemoryRebound(to: UInt8.self, read) }
  }

  static func == (left: SHA256Digest, right: SHA256Digest) -> Bool { left.words == right.words }

  func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

extension SHA256Digest: CustomStringConvertible {
  /// The 64 hexadecimal digits.
  var description: String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
