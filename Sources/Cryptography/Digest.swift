/// An incremental SHA-256.
///
/// A digest can compute several hashes in turn: ``restart()`` begins the next one.
package struct Digest: ~Copyable, Sendable {
  /// The length of a SHA-256 in bytes.
  @inlinable package static var size: Int { HashValue.size }
  /// The SHA-256 of empty input.
  package static let ofNothing: [UInt8] = [
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
    0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
  ]

  private var hash: Backend.Hash

  /// Creates the hash of empty input.
  package init() throws(CryptographyError) {
    guard let hash = Backend.Hash(.sha256) else { throw Self.failure }
    self.hash = hash
  }

  /// Whether the library provides SHA-256; libcrypto's configuration may forbid it.
  package static var isAvailable: Bool { Backend.isAvailable(.sha256) }

  /// Starts a new hash, discarding previous input.
  package mutating func restart() throws(CryptographyError) {
    guard hash.restart() else { throw Self.failure }
  }

  /// Starts a new hash with the input that another one has consumed; the other one is unchanged.
  package mutating func restart(after other: borrowing Digest) throws(CryptographyError) {
    guard hash.restart(after: other.hash) else { throw Self.failure }
  }

  /// Adds bytes to the input.
  package mutating func update(_ bytes: [UInt8]) throws(CryptographyError) {
    guard bytes.withUnsafeBytes({ takes($0) }) else { throw Self.failure }
  }

  /// Adds bytes to the input; returns false if the library fails.
  package mutating func takes(_ bytes: UnsafeRawBufferPointer) -> Bool { hash.takes(bytes) }

  /// Returns the hash of the input; the next input requires a restart.
  package mutating func value() throws(CryptographyError) -> HashValue {
    guard let value = HashValue({ hash.finish(into: $0) }) else { throw Self.failure }
    return value
  }

  /// Returns the hash of the input.
  package consuming func finish() throws(CryptographyError) -> [UInt8] { try value().bytes }

  /// Returns the SHA-256 of bytes in memory.
  package static func sha256(_ bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
    guard !bytes.isEmpty else { return ofNothing }
    return try HashValue(sha256: bytes).bytes
  }

  /// The error for a failure of the library.
  package static var failure: CryptographyError { CryptographyError(operation: "SHA-256") }
}

/// The 32 bytes of a SHA-256 or HMAC-SHA256, stored inline.
@usableFromInline
package struct HashValue: Sendable {
  /// The length in bytes.
  @inlinable package static var size: Int { 32 }

  @usableFromInline let words: (UInt64, UInt64, UInt64, UInt64)

  /// Creates a value from the bytes that `write` stores in the given memory; nil if it returns false.
  @inlinable
  package init?(_ write: (UnsafeMutableRawBufferPointer) -> Bool) {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    guard withUnsafeMutableBytes(of: &words, write) else { return nil }
    self.words = words
  }

  /// Creates a value from its bytes; nil unless there are 32.
  package init?(bytes: ArraySlice<UInt8>) {
    guard bytes.count == Self.size else { return nil }
    self.init { memory in
      memory.copyBytes(from: bytes)
      return true
    }
  }

  /// Computes the SHA-256 of bytes in memory.
  package init(sha256 bytes: [UInt8]) throws(CryptographyError) {
    let hash = HashValue { Backend.hash(bytes, with: .sha256, into: $0) }
    guard let hash else { throw Digest.failure }
    self = hash
  }

  /// Returns the SHA-256 of a list of texts in hexadecimal digits; nil if the library can't compute it.
  package static func text(of texts: String...) -> String? {
    var fields = LengthPrefixed(reserving: 128)
    for text in texts { fields.append(text) }
    return (try? HashValue(sha256: fields.bytes))?.description
  }

  /// Calls a closure with the bytes.
  @inlinable
  package func withBytes<Result>(_ read: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: words, read)
  }

  /// The bytes as an array.
  @inlinable package var bytes: [UInt8] { withBytes { Array($0) } }

  /// The first eight bytes, sufficient to distinguish entries in a hash table.
  @inlinable package var prefix: UInt64 { words.0 }
}

extension HashValue: Hashable {
  @inlinable
  package static func == (left: HashValue, right: HashValue) -> Bool { left.words == right.words }

  @inlinable
  package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

extension HashValue: CustomStringConvertible {
  /// The 64 hexadecimal digits.
  @usableFromInline
  package var description: String { Hexadecimal.encode(self) }
}

/// A failed operation of the cryptographic library.
package struct CryptographyError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Why an operation can fail.
  package enum Reason: Sendable, Hashable {
    /// For lack of memory, by the library's configuration, or because its input is invalid.
    case failed
    /// The library has no such operation: CryptoKit has no RSA and no SHA-512/256.
    case unsupported
  }

  /// The operation that failed.
  package let operation: String

  package init(operation: String) { self.operation = operation }

  /// Why it failed; known by the operation, so that errors that only name the operation lose nothing.
  package var reason: Reason { Backend.unsupportedOperations.contains(operation) ? .unsupported : .failed }

  /// The failed operation and the remedy.
  package var description: String {
    switch reason {
    case .failed: "\(Backend.name) could not compute \(operation); \(Backend.remedy)."
    case .unsupported: "\(Backend.name) has no \(operation); use another algorithm on this platform."
    }
  }
}

#if canImport(CryptoKit) || SWITCHYARD_SWIFT_CRYPTO
/// The library that computes: CryptoKit where it is part of the system; swift-crypto, which has CryptoKit's
/// interface, where the variable of the manifest asks for it; otherwise libcrypto.
///
/// A backend has the primitives of ``OpenSSLBackend``, by the same names. What the protocols require, such as
/// the lengths of keys, is checked by the types of this module, which use the primitives.
typealias Backend = CryptoKitBackend
#else
typealias Backend = OpenSSLBackend
#endif
