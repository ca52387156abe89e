import COpenSSL

/// HMAC-SHA256 (RFC 2104), HKDF-SHA256 (RFC 5869) and a constant-time comparison.
package enum MessageAuthentication {
  /// The maximum number of bytes that HKDF-SHA256 can derive (RFC 5869, section 2.3).
  package static let longestDerivedKey = 255 * Digest.size

  /// Returns the 32 bytes of HMAC-SHA256.
  package static func hmacSHA256(key: [UInt8], message: [UInt8]) throws(CryptographyError) -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: Digest.size)
    var length: UInt32 = 0
    guard Digest.isAvailable, let keyLength = Int32(exactly: key.count),
      HMAC(Digest.algorithm, key, keyLength, message, message.count, &tag, &length) != nil,
      length == UInt32(Digest.size)
    else { throw CryptographyError(operation: "HMAC-SHA256") }
    return tag
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
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}
