import COpenSSL

/// A SHA-256 hash, FIPS 180-4.
struct SHA256Digest: Sendable, Hashable {
  /// The number of bytes of a hash.
  static let size = 32

  // An algorithm never changes once it is fetched, and any thread may use it; to look it up costs more than
  // to hash.
  private nonisolated(unsafe) static let algorithm: OpaquePointer? = EVP_MD_fetch(nil, "SHA256", nil)

  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// Hashes bytes; nil when OpenSSL has no SHA-256 to offer or no memory left.
  init?(of bytes: [UInt8]) {
    guard let algorithm = Self.algorithm else { return nil }
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    let isDone = withUnsafeMutableBytes(of: &words) { output in
      EVP_Digest(bytes, bytes.count, output.bindMemory(to: UInt8.self).baseAddress, nil, algorithm, nil) == 1
    }
    guard isDone else { return nil }
    self.words = words
  }

  /// Whether OpenSSL has SHA-256 to offer; its configuration may forbid it.
  static var isAvailable: Bool { algorithm != nil }

  /// The first eight bytes: enough to tell entries apart in a hash table or a ghost queue.
  var fingerprint: UInt64 { words.0 }

  /// The 32 bytes.
  var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

  /// Hands out the 32 bytes.
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
