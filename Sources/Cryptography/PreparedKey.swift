/// An HMAC-SHA256 key (RFC 2104) with its two padded blocks already hashed, which halves the work for a short
/// message.
///
/// Tags are computed on copies of the two hashes, so threads can share a key.
package final class PreparedKey: Sendable {
  private static let blockSize = 64
  private let inner: Digest
  private let outer: Digest

  /// Creates a key from at most 64 bytes; a derived key has 32.
  package init(_ key: [UInt8]) throws(CryptographyError) {
    guard key.count <= Self.blockSize else { throw CryptographyError(operation: "HMAC-SHA256") }
    let block = key + [UInt8](repeating: 0, count: Self.blockSize - key.count)
    var inner = try Digest()
    try inner.update(block.map { $0 ^ 0x36 })
    self.inner = inner
    var outer = try Digest()
    try outer.update(block.map { $0 ^ 0x5C })
    self.outer = outer
  }

  /// Returns the 32 bytes of HMAC-SHA256, computed with a hash context that can be reused.
  package func tag(of message: [UInt8], in digest: inout Digest) throws(CryptographyError) -> [UInt8] {
    try authenticate(in: &digest) { digest in message.withUnsafeBytes { digest.takes($0) } }.bytes
  }

  /// Returns the HMAC-SHA256 of the input that `take` adds to the hash; `take` returns whether that
  /// succeeded.
  package func authenticate(
    in digest: inout Digest, _ take: (inout Digest) -> Bool
  ) throws(CryptographyError) -> HashValue {
    try digest.restart(after: inner)
    guard take(&digest) else { throw Digest.failure }
    let hash = try digest.value()
    try digest.restart(after: outer)
    guard hash.withBytes({ digest.takes($0) }) else { throw Digest.failure }
    return try digest.value()
  }
}

extension PreparedKey: CustomReflectable, CustomStringConvertible, CustomDebugStringConvertible {
  /// Empty, so that `dump` and `Mirror` can't reveal material derived from the secret.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
  package var description: String { "(secret)" }
  package var debugDescription: String { description }
}
