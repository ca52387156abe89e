/// A hash algorithm for protocols that negotiate one.
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

  /// The length of a hash in bytes.
  package var size: Int { kind.size }

  /// Whether the library provides the algorithm: CryptoKit has no SHA-512/256, and libcrypto's configuration
  /// may forbid one.
  package var isAvailable: Bool { Backend.isAvailable(kind) }

  /// Returns the hash of bytes in memory.
  ///
  /// - Throws: ``CryptographyError``, also if the algorithm isn't available.
  package func hash(of bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
    guard let hash = kind.hash(of: bytes) else { throw CryptographyError(operation: rawValue) }
    return hash
  }

  private var kind: HashKind {
    switch self {
    case .md5: .md5
    case .sha256: .sha256
    case .sha512: .sha512
    case .sha512By256: .sha512By256
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
    guard let hash = HashKind.sha1.hash(of: bytes) else { throw CryptographyError(operation: "SHA-1") }
    return hash
  }
}

/// An incremental SHA-1, SHA-256 or SHA-512 of content that is read in chunks.
///
/// For SHA-256 of what is in memory, ``HashValue`` and ``Digest`` allocate less.
package struct ContentHash: ~Copyable, Sendable {
  /// A hash of FIPS 180-4.
  package enum Algorithm: String, Sendable, Hashable, CaseIterable {
    /// For checksums against errors of the transfer alone, because it isn't collision-resistant.
    case sha1 = "SHA-1"
    case sha256 = "SHA-256"
    case sha512 = "SHA-512"

    /// The length of a hash in bytes.
    package var size: Int { kind.size }

    /// Returns the hash of bytes in memory.
    package func hash(of bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
      guard let hash = kind.hash(of: bytes) else { throw failure }
      return hash
    }

    fileprivate var kind: HashKind {
      switch self {
      case .sha1: .sha1
      case .sha256: .sha256
      case .sha512: .sha512
      }
    }
    fileprivate var failure: CryptographyError { CryptographyError(operation: rawValue) }
  }

  private let algorithm: Algorithm
  private var hash: Backend.Hash

  /// Creates the hash of empty content.
  package init(_ algorithm: Algorithm) throws(CryptographyError) {
    guard let hash = Backend.Hash(algorithm.kind) else { throw algorithm.failure }
    self.algorithm = algorithm
    self.hash = hash
  }

  /// Adds bytes to the content.
  package mutating func update(_ bytes: [UInt8]) throws(CryptographyError) {
    guard bytes.withUnsafeBytes({ hash.takes($0) }) else { throw algorithm.failure }
  }

  /// Returns the hash of the content.
  package consuming func finish() throws(CryptographyError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: algorithm.size)
    guard bytes.withUnsafeMutableBytes({ hash.finish(into: $0) }) else { throw algorithm.failure }
    return bytes
  }
}

/// A hash function of a backend.
enum HashKind: Sendable, CaseIterable {
  case md5, sha1, sha256, sha512, sha512By256

  /// The length of a hash in bytes.
  var size: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256, .sha512By256: 32
    case .sha512: 64
    }
  }

  /// Returns the hash of bytes in memory; nil if the library doesn't provide the function.
  func hash(of bytes: [UInt8]) -> [UInt8]? {
    var hash = [UInt8](repeating: 0, count: size)
    return hash.withUnsafeMutableBytes { Backend.hash(bytes, with: self, into: $0) } ? hash : nil
  }
}
