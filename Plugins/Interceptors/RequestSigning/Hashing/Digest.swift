import COpenSSL

/// SHA-256 of bytes that come piece by piece; the one owner of a libcrypto hash context.
struct Digest: ~Copyable {
  /// The number of bytes of a SHA-256.
  static let size = 32
  /// The SHA-256 of no bytes at all.
  static let ofNothing: [UInt8] = [
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
    0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
  ]

  private let context: OpaquePointer

  /// Begins a hash.
  init() throws(CryptographyFailure) {
    guard let context = EVP_MD_CTX_new() else { throw CryptographyFailure(operation: "SHA-256") }
    guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      EVP_MD_CTX_free(context)
      throw CryptographyFailure(operation: "SHA-256")
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Takes the next bytes in.
  mutating func update(_ bytes: [UInt8]) throws(CryptographyFailure) {
    guard EVP_DigestUpdate(context, bytes, bytes.count) == 1 else {
      throw CryptographyFailure(operation: "SHA-256")
    }
  }

  /// Returns the hash of everything that was taken in.
  consuming func finish() throws(CryptographyFailure) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Self.size)
    guard EVP_DigestFinal_ex(context, &hash, nil) == 1 else {
      throw CryptographyFailure(operation: "SHA-256")
    }
    return hash
  }

  /// Returns the SHA-256 of bytes in memory.
  static func sha256(_ bytes: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
    guard !bytes.isEmpty else { return ofNothing }
    var digest = try Digest()
    try digest.update(bytes)
    return try digest.finish()
  }
}
