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

/// SHA-1 (FIPS 180-4), for the handshake of WebSockets alone, which does not depend on its resistance to
/// collisions (RFC 6455, section 10.8).
///
/// It is not a ``HashAlgorithm``, so that no protocol can negotiate it.
package enum HandshakeHash {
  /// Returns the hash of bytes in memory.
  package static func hash(of bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: 20)
    guard EVP_Q_digest(nil, "SHA1", nil, bytes, bytes.count, &hash, nil) == 1 else {
      throw CryptographyError(operation: "SHA-1")
    }
    return hash
  }
}

/// An incremental SHA-1, SHA-256 or SHA-512 of content that is read in chunks.
///
/// For SHA-256 of what is in memory, ``HashValue`` and ``Digest`` allocate less.
// Safe to send: the context is mutated only through this value, which can't be copied.
package struct ContentHash: ~Copyable, @unchecked Sendable {
  /// A hash of FIPS 180-4.
  package enum Algorithm: String, Sendable, Hashable, CaseIterable {
    /// For checksums against errors of the transfer alone, because it isn't collision-resistant.
    case sha1 = "SHA-1"
    case sha256 = "SHA-256"
    case sha512 = "SHA-512"

    /// The length of a hash in bytes.
    package var size: Int {
      switch self {
      case .sha1: 20
      case .sha256: 32
      case .sha512: 64
      }
    }

    /// Returns the hash of bytes in memory.
    package func hash(of bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
      var hash = [UInt8](repeating: 0, count: size)
      guard let fetched, EVP_Digest(bytes, bytes.count, &hash, nil, fetched, nil) == 1 else { throw failure }
      return hash
    }

    // A fetched algorithm is immutable and can be shared by threads; fetching it costs more than a hash.
    nonisolated(unsafe) private static let fetchedSHA512: OpaquePointer? = EVP_MD_fetch(nil, "SHA512", nil)
    // Immutable, as above.
    nonisolated(unsafe) private static let fetchedSHA1: OpaquePointer? = EVP_MD_fetch(nil, "SHA1", nil)

    fileprivate var fetched: OpaquePointer? {
      switch self {
      case .sha1: Self.fetchedSHA1
      case .sha256: Digest.algorithm
      case .sha512: Self.fetchedSHA512
      }
    }
    fileprivate var failure: CryptographyError { CryptographyError(operation: rawValue) }
  }

  private let algorithm: Algorithm
  private let context: OpaquePointer

  /// Creates the hash of empty content.
  package init(_ algorithm: Algorithm) throws(CryptographyError) {
    guard let context = EVP_MD_CTX_new() else { throw algorithm.failure }
    guard let fetched = algorithm.fetched, EVP_DigestInit_ex2(context, fetched, nil) == 1 else {
      EVP_MD_CTX_free(context)
      throw algorithm.failure
    }
    self.algorithm = algorithm
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds bytes to the content.
  package mutating func update(_ bytes: [UInt8]) throws(CryptographyError) {
    guard EVP_DigestUpdate(context, bytes, bytes.count) == 1 else { throw algorithm.failure }
  }

  /// Returns the hash of the content.
  package consuming func finish() throws(CryptographyError) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: algorithm.size)
    guard EVP_DigestFinal_ex(context, &hash, nil) == 1 else { throw algorithm.failure }
    return hash
  }
}
