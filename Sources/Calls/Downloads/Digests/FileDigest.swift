import Cryptography
public import Interception

/// A digest of a file's whole content.
///
/// ```swift
/// let sum = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
/// let digest = try FileDigest(.sha256, hexadecimal: sum)
/// let download = FileDownload(request, to: "/data/chart.bin", expecting: digest)
/// ```
public struct FileDigest: Sendable, Hashable {
  /// A hash algorithm for digests (RFC 9530, section 5); the insecure ones, such as MD5, are not supported.
  public enum Algorithm: String, Sendable, Hashable, CaseIterable {
    /// SHA-256, with 32 bytes.
    case sha256 = "sha-256"
    /// SHA-512, with 64 bytes.
    case sha512 = "sha-512"

    var hash: ContentHash.Algorithm { self == .sha256 ? .sha256 : .sha512 }
    /// The algorithm's name for people.
    var title: String { hash.rawValue }
  }

  /// The hash algorithm.
  package let algorithm: Algorithm
  /// The hash, 32 or 64 bytes.
  package let bytes: [UInt8]

  /// Creates a digest from a hash.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` if the length is not that of the algorithm.
  package init(_ algorithm: Algorithm, bytes: [UInt8]) throws(NetworkError) {
    let size = algorithm.hash.size
    guard bytes.count == size else {
      throw NetworkError(
        .invalidRequest,
        "A digest by \(algorithm.title) has \(size) bytes, not \(bytes.count); check where it is from.")
    }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Creates a digest from hexadecimal digits, as `sha256sum` prints them.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` if these are not 64 or 128 digits.
  public init(_ algorithm: Algorithm, hexadecimal digits: String) throws(NetworkError) {
    let size = algorithm.hash.size
    guard let bytes = Hexadecimal.decode(digits.lowercased(), count: size) else {
      throw NetworkError(
        .invalidRequest,
        "A digest by \(algorithm.title) has \(2 * size) hexadecimal digits; check where it is from.")
    }
    try self.init(algorithm, bytes: bytes)
  }

  /// Creates a digest from a hash of a peer or of a file; nil if its length is not that of the algorithm.
  init?(_ algorithm: Algorithm, stated bytes: [UInt8]?) {
    guard let bytes, bytes.count == algorithm.hash.size else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// The bytes in base64, with padding.
  var base64: String { Base64.encode(bytes) }
}
