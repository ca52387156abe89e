import COpenSSL

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
