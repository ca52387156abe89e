import COpenSSL

/// A hash algorithm of libcrypto, for protocols that negotiate one.
///
/// Signing and caching use ``Digest`` and ``HashValue``, which compute SHA-256 only and allocate less.
package enum HashAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// MD5 (RFC 1321), which isn't collision-resistant; a FIPS configuration of libcrypto forbids it.
  case md5 = "MD5"
  /// SHA-256 (FIPS 180-4).
  case sha256 = "SHA-256"
  /// SHA-512 (FIPS 180-4).
  case sha512 = "SHA-512"
  /// SHA-512/256 (FIPS 180-4), which is not a truncated SHA-512: its initial value differs.
  case sha512By256 = "SHA-512/256"

  // A fetched algorithm is immutable and can be shared by threads; fetching it costs more than a hash.
  nonisolated(unsafe) private static let fetchedMD5: OpaquePointer? = EVP_MD_fetch(nil, "MD5", nil)
  // Immutable, as above.
  nonisolated(unsafe) private static let fetchedSHA512: OpaquePointer? = EVP_MD_fetch(nil, "SHA512", nil)
  // Immutable, as above.
  nonisolated(unsafe) private static let fetchedSHA512By256: OpaquePointer? = EVP_MD_fetch(
    nil, "SHA512-256", nil)

  /// The length of a hash in bytes.
  package var size: Int {
    switch self {
    case .md5: 16
    case .sha256, .sha512By256: 32
    case .sha512: 64
    }
  }

  /// Whether libcrypto provides the algorithm; its configuration may forbid it.
  package var isAvailable: Bool { fetched != nil }

  /// Returns the hash of bytes in memory.
  ///
  /// - Throws: ``CryptographyError``, also if libcrypto's configuration forbids the algorithm.
  package func hash(of bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: size)
    guard let fetched, EVP_Digest(bytes, bytes.count, &hash, nil, fetched, nil) == 1 else {
      throw CryptographyError(operation: rawValue)
    }
    return hash
  }

  private var fetched: OpaquePointer? {
    switch self {
    case .md5: Self.fetchedMD5
    case .sha256: Digest.algorithm
    case .sha512: Self.fetchedSHA512
    case .sha512By256: Self.fetchedSHA512By256
    }
  }
}
