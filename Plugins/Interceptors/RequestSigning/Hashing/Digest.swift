import COpenSSL

/// SHA-256 of bytes that come piece by piece; the one owner of a libcrypto hash context.
///
/// One context serves for one hash after the other: ``restart()`` begins the next.
// A context is changed by whoever holds the value, and a value that cannot be copied has one holder at a
// time.
struct Digest: ~Copyable, @unchecked Sendable {
  /// The number of bytes of a SHA-256.
  static let size = 32
  /// The SHA-256 of no bytes at all.
  static let ofNothing: [UInt8] = [
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
    0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
  ]
  // An algorithm never changes once it is fetched, and any thread may use it; to look it up costs more than
  // to hash.
  private nonisolated(unsafe) static let algorithm: OpaquePointer? = EVP_MD_fetch(nil, "SHA256", nil)

  private let context: OpaquePointer

  /// Begins a hash.
  init() throws(CryptographyFailure) {
    guard let context = EVP_MD_CTX_new() else { throw Self.failure }
    guard Self.begin(in: context) else {
      EVP_MD_CTX_free(context)
      throw Self.failure
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Begins anew, and forgets what was taken in.
  mutating func restart() throws(CryptographyFailure) {
    guard Self.begin(in: context) else { throw Self.failure }
  }

  /// Begins anew with what another hash has taken in, which stays as it is.
  mutating func restart(after other: borrowing Digest) throws(CryptographyFailure) {
    guard EVP_MD_CTX_copy_ex(context, other.context) == 1 else { throw Self.failure }
  }

  /// Takes the next bytes in.
  mutating func update(_ bytes: [UInt8]) throws(CryptographyFailure) {
    guard EVP_DigestUpdate(context, bytes, bytes.count) == 1 else { throw Self.failure }
  }

  /// Takes the next bytes in; returns false where libcrypto cannot.
  mutating func takes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
  }

  /// Returns the hash of everything that was taken in; nothing more can be, until the next restart.
  mutating func value() throws(CryptographyFailure) -> HashValue {
    let hash = HashValue { memory in
      EVP_DigestFinal_ex(context, memory.bindMemory(to: UInt8.self).baseAddress, nil) == 1
    }
    guard let hash else { throw Self.failure }
    return hash
  }

  /// Returns the hash of everything that was taken in.
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

  /// What is thrown where libcrypto fails.
  static var failure: CryptographyFailure { CryptographyFailure(operation: "SHA-256") }
}
