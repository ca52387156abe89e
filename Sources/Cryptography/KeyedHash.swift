import COpenSSL

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
  package var size: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha512: 64
    }
  }

  /// Returns the HMAC of a message, with a key of any length.
  package func tag(key: [UInt8], message: [UInt8]) throws(CryptographyError) -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: size)
    var length: UInt32 = 0
    guard let keyLength = Int32(exactly: key.count),
      HMAC(algorithm, key, keyLength, message, message.count, &tag, &length) != nil, Int(length) == size
    else { throw CryptographyError(operation: "HMAC-\(rawValue)") }
    return tag
  }

  /// The algorithm; a constant of libcrypto.
  var algorithm: OpaquePointer? {
    switch self {
    case .sha1: EVP_sha1()
    case .sha256: EVP_sha256()
    case .sha512: EVP_sha512()
    }
  }
}
