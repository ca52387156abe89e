import Cryptography
import Synchronization

/// A hash context that successive signatures reuse: creating one costs as much as hashing a hundred bytes.
final class DigestReuse: Sendable {
  private let idle = Mutex<Digest?>(nil)

  /// Calls a closure with a hash context.
  func withDigest<Result>(
    _ work: (inout Digest) throws(CryptographyError) -> Result
  ) throws(VendorSignatureError) -> Result {
    do throws(CryptographyError) {
      var digest: Digest
      if let known = idle.withLock({ $0.take() }) { digest = known } else { digest = try Digest() }
      let result = try work(&digest)
      var used: Digest? = digest
      idle.withLock { swap(&$0, &used) }
      return result
    } catch { throw VendorSignatureError(error) }
  }
}

extension Digest {
  /// Returns the hash of bytes, discarding previous input.
  mutating func hash(of bytes: [UInt8]) throws(CryptographyError) -> HashValue {
    try restart()
    try update(bytes)
    return try value()
  }
}

extension PreparedKey {
  /// Returns the HMAC-SHA256 of a message.
  func value(of message: [UInt8], in digest: inout Digest) throws(CryptographyError) -> HashValue {
    try authenticate(in: &digest) { digest in message.withUnsafeBytes { digest.takes($0) } }
  }

  /// Creates a key from a secret of any length; one longer than a block is hashed first (RFC 2104, section
  /// 2).
  convenience init(secret: [UInt8]) throws(CryptographyError) {
    try self.init(secret.count > 64 ? Digest.sha256(secret) : secret)
  }
}
