import COpenSSL

/// An incremental SHA-256 that owns a libcrypto hash context.
///
/// A context can compute several hashes in turn: ``restart()`` begins the next one.
// Safe to send: the context is mutated only through this value, which can't be copied.
struct Digest: ~Copyable, @unchecked Sendable {
  /// The length of a SHA-256 in bytes.
  static let size = 32
  /// The SHA-256 of empty input.
  static let ofNothing: [UInt8] = [
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
    0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
  ]
  // A fetched algorithm is immutable and can be shared by threads; fetching it costs more than a hash.
  private nonisolated(unsafe) static let algorithm: OpaquePointer? = EVP_MD_fetch(nil, "SHA256", nil)

  private let context: OpaquePointer

  /// Creates a hash context.
  init() throws(CryptographyFailure) {
    guard let context = EVP_MD_CTX_new() else { throw Self.failure }
    guard Self.begin(in: context) else {
      EVP_MD_CTX_free(context)
      throw Self.failure
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Starts a new hash, discarding previous input.
  mutating func restart() throws(CryptographyFailure) {
    guard Self.begin(in: context) else { throw Self.failure }
  }

  /// Starts a new hash with the input that another one has consumed; the other one is unchanged.
  mutating func restart(after other: borrowing Digest) throws(CryptographyFailure) {
    guard EVP_MD_CTX_copy_ex(context, other.context) == 1 else { throw Self.failure }
  }

  /// Adds bytes to the input.
  mutating func update(_ bytes: [UInt8]) throws(CryptographyFailure) {
    guard EVP_DigestUpdate(context, bytes, bytes.count) == 1 else { throw Self.failure }
  }

  /// Adds bytes to the input; returns false if libcrypto fails.
  mutating func takes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
  }

  /// Returns the hash of the input; the next input requires a restart.
  mutating func value() throws(CryptographyFailure) -> HashValue {
    let hash = HashValue { memory in
      EVP_DigestFinal_ex(context, memory.bindMemory(to: UInt8.self).baseAddress, nil) == 1
    }
    guard let hash else { throw Self.failure }
    return hash
  }

  /// Returns the hash of the input.
  consuming func finish() throws(CryptographyFailure) -> [UInt8] { try value().bytes }

  /// Returns the SHA-256 of bytes in memory.
  static func sha256(_ bytes: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
    guard !bytes.isEmpty else { return ofNothing }
    var digest = try Digest()
    try digest.update(bytes)
    return try digest.finish()
  }

  private static func begin(in context: OpaquePointer) -> Bool {
    algorithm.map { EVP_DigestInit_ex2(context, $0, nil) == 1 } ?? false
  }

  /// The error for a failure of libcrypto.
  static var failure: CryptographyFailure { CryptographyFailure(operation: "SHA-256") }
}
