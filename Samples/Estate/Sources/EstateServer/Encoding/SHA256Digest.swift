import CLibcrypto

/// SHA-256 by libcrypto.
enum SHA256Digest {
  /// The 32 bytes of the digest.
  static func bytes(of message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
      // libcrypto reads exactly the bytes of `message` and writes exactly the requested capacity.
      message.withUnsafeBufferPointer { input in
        _ = SHA256(input.baseAddress, input.count, digest.baseAddress)
      }
      count = Int(SHA256_DIGEST_LENGTH)
    }
  }
}
