import Cryptography

/// A hash algorithm for digests of content (RFC 9530, section 5).
///
/// The algorithms that the registry calls insecure, such as `md5`, are not supported.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// SHA-256, with 32 bytes.
  case sha256 = "sha-256"
  /// SHA-512, with 64 bytes.
  case sha512 = "sha-512"

  var hash: ContentHash.Algorithm { self == .sha256 ? .sha256 : .sha512 }

  /// Returns the digest of content in memory.
  func digest(of content: [UInt8]) throws(MessageSignatureError) -> [UInt8] {
    do throws(CryptographyError) { return try hash.hash(of: content) } catch {
      throw .cryptography(operation: error.operation)
    }
  }
}
