import COpenSSL

/// An incremental SHA-256 that owns a libcrypto hash context.
///
/// A context can compute several hashes in turn: ``restart()`` begins the next one.
// Safe to send: the context is mutated only through this value, which can't be copied.
package struct Digest: ~Copyable, @unchecked Sendable {
  /// The length of a SHA-256 in bytes.
  @inlinable package static var size: Int { HashValue.size }
  /// The SHA-256 of empty input.
  package static let ofNothing: [UInt8] = [
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
    0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
  ]
  // A fetched algorithm is immutable and can be shared by threads; fetching it costs more than a hash.
  nonisolated(unsafe) static let algorithm: OpaquePointer? = EVP_MD_fetch(nil, "SHA256", nil)

  private let context: OpaquePointer

  /// Creates a hash context.
  package init() throws(CryptographyError) {
    guard let context = EVP_MD_CTX_new() else { throw Self.failure }
    guard Self.begin(in: context) else {
      EVP_MD_CTX_free(context)
      throw Self.failure
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Whether libcrypto provides SHA-256; its configuration may forbid it.
  package static var isAvailable: Bool { algorithm != nil }

  /// Starts a new hash, discarding previous input.
  package mutating func restart() throws(CryptographyError) {
    guard Self.begin(in: context) else { throw Self.failure }
  }

  /// Starts a new hash with the input that another one has consumed; the other one is unchanged.
  package mutating func restart(after other: borrowing Digest) throws(CryptographyError) {
    guard EVP_MD_CTX_copy_ex(context, other.context) == 1 else { throw Self.failure }
  }

  /// Adds bytes to the input.
  package mutating func update(_ bytes: [UInt8]) throws(CryptographyError) {
    guard EVP_DigestUpdate(context, bytes, bytes.count) == 1 else { throw Self.failure }
  }

  /// Adds bytes to the input; returns false if libcrypto fails.
  package mutating func takes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
  }

  /// Returns the hash of the input; the next input requires a restart.
  package mutating func value() throws(CryptographyError) -> HashValue {
    let hash = HashValue { memory in
      EVP_DigestFinal_ex(context, memory.bindMemory(to: UInt8.self).baseAddress, nil) == 1
    }
    guard let hash else { throw Self.failure }
    return hash
  }

  /// Returns the hash of the input.
  package consuming func finish() throws(CryptographyError) -> [UInt8] { try value().bytes }

  /// Returns the SHA-256 of bytes in memory.
  package static func sha256(_ bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
    guard !bytes.isEmpty else { return ofNothing }
    return try HashValue(sha256: bytes).bytes
  }

  private static func begin(in context: OpaquePointer) -> Bool {
    algorithm.map { EVP_DigestInit_ex2(context, $0, nil) == 1 } ?? false
  }

  /// The error for a failure of libcrypto.
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
    let algorithm = Digest.algorithm
    let hash = HashValue { memory in
      let output = memory.bindMemory(to: UInt8.self).baseAddress
      return algorithm != nil && EVP_Digest(bytes, bytes.count, output, nil, algorithm, nil) == 1
    }
    guard let hash else { throw Digest.failure }
    self = hash
  }

  /// Returns the SHA-256 of a list of texts in hexadecimal digits; nil if libcrypto can't compute it.
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

/// A failed operation of libcrypto, for lack of memory or because its configuration forbids an algorithm.
package struct CryptographyError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The operation that failed.
  package let operation: String

  package init(operation: String) { self.operation = operation }

  /// The failed operation and the remedy.
  package var description: String {
    "libcrypto could not compute \(operation); check its configuration (openssl.cnf) and the free memory."
  }
}
