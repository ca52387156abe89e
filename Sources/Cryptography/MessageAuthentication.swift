/// HMAC-SHA256 (RFC 2104), HKDF-SHA256 (RFC 5869) and a constant-time comparison.
package enum MessageAuthentication {
  /// The maximum number of bytes that HKDF-SHA256 can derive (RFC 5869, section 2.3).
  package static let longestDerivedKey = 255 * Digest.size

  /// Returns the 32 bytes of HMAC-SHA256.
  package static func hmacSHA256(key: [UInt8], message: [UInt8]) throws(CryptographyError) -> [UInt8] {
    try KeyedHash.sha256.tag(key: key, message: message)
  }

  /// Returns `size` bytes derived from a secret; `info` identifies their purpose.
  ///
  /// - Throws: ``CryptographyError``, also if more than 255 × 32 bytes are requested.
  package static func hkdfSHA256(
    secret: [UInt8], salt: [UInt8] = [], info: [UInt8], size: Int
  ) throws(CryptographyError) -> [UInt8] {
    guard (0...longestDerivedKey).contains(size) else {
      throw CryptographyError(operation: "an HKDF-SHA256 of \(size) bytes")
    }
    let pseudorandomKey = try hmacSHA256(key: salt, message: secret)
    var derived: [UInt8] = []
    var block: [UInt8] = []
    var counter: UInt8 = 0
    while derived.count < size {
      counter += 1
      block = try hmacSHA256(key: pseudorandomKey, message: block + info + [counter])
      derived += block
    }
    return Array(derived.prefix(size))
  }

  /// Whether two tags are equal, compared in constant time.
  package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && Backend.areEqual(left, right)
  }
}

/// HMAC (RFC 2104) with a hash that a protocol names.
///
/// Signatures with HMAC-SHA256 alone use ``PreparedKey``, which allocates less.
package enum KeyedHash: String, Sendable, Hashable, CaseIterable {
  /// SHA-1 (FIPS 180-4): not collision-resistant, which HMAC doesn't require.
  case sha1 = "SHA1"
  /// SHA-256 (FIPS 180-4).
  case sha256 = "SHA256"
  /// SHA-512 (FIPS 180-4).
  case sha512 = "SHA512"

  /// The length of a tag in bytes.
  package var size: Int { kind.size }

  /// Returns the HMAC of a message, with a key of any length.
  package func tag(key: [UInt8], message: [UInt8]) throws(CryptographyError) -> [UInt8] {
    guard let tag = Backend.authenticate(message, key: key, with: kind) else {
      throw CryptographyError(operation: "HMAC-\(rawValue)")
    }
    return tag
  }

  private var kind: HashKind {
    switch self {
    case .sha1: .sha1
    case .sha256: .sha256
    case .sha512: .sha512
    }
  }
}

/// An HMAC-SHA256 key (RFC 2104) with its two padded blocks already hashed, which halves the work for a short
/// message.
///
/// Tags are computed on copies of the two hashes, so threads can share a key.
package final class PreparedKey: Sendable {
  private static let blockSize = 64
  private let inner: Digest
  private let outer: Digest

  /// Creates a key from at most 64 bytes; a derived key has 32.
  package init(_ key: [UInt8]) throws(CryptographyError) {
    guard key.count <= Self.blockSize else { throw CryptographyError(operation: "HMAC-SHA256") }
    let block = key + [UInt8](repeating: 0, count: Self.blockSize - key.count)
    var inner = try Digest()
    try inner.update(block.map { $0 ^ 0x36 })
    self.inner = inner
    var outer = try Digest()
    try outer.update(block.map { $0 ^ 0x5C })
    self.outer = outer
  }

  /// Returns the 32 bytes of HMAC-SHA256, computed with a hash context that can be reused.
  package func tag(of message: [UInt8], in digest: inout Digest) throws(CryptographyError) -> [UInt8] {
    try authenticate(in: &digest) { digest in message.withUnsafeBytes { digest.takes($0) } }.bytes
  }

  /// Returns the HMAC-SHA256 of the input that `take` adds to the hash; `take` returns whether that
  /// succeeded.
  package func authenticate(
    in digest: inout Digest, _ take: (inout Digest) -> Bool
  ) throws(CryptographyError) -> HashValue {
    try digest.restart(after: inner)
    guard take(&digest) else { throw Digest.failure }
    let hash = try digest.value()
    try digest.restart(after: outer)
    guard hash.withBytes({ digest.takes($0) }) else { throw Digest.failure }
    return try digest.value()
  }
}

extension PreparedKey: CustomReflectable, CustomStringConvertible, CustomDebugStringConvertible {
  /// Empty, so that `dump` and `Mirror` can't reveal material derived from the secret.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
  package var description: String { "(secret)" }
  package var debugDescription: String { description }
}
