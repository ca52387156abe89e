import Cryptography
import Interception
import Synchronization

/// A unique number of 128 bits for one signature.
public struct Nonce: Sendable, Hashable, CustomStringConvertible {
  package let high: UInt64
  package let low: UInt64

  /// Creates a nonce from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Parses 32 lower-case hexadecimal digits; nil for anything else.
  package init?(_ text: String) {
    guard let bytes = Hexadecimal.decode(text, count: 16) else { return nil }
    high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns a nonce from the system's random number generator.
  public static func random() -> Nonce {
    var generator = SystemRandomNumberGenerator()
    return Nonce(high: generator.next(), low: generator.next())
  }

  /// Returns a source of random nonces, which fetches them from the cryptographic library's generator
  /// 64 at a time.
  ///
  /// A system call per nonce would cost more than the remaining hashing of a short signature. The source can
  /// be called from any thread, but not across a `fork` without `exec`: create a new one in the child
  /// process.
  package static func drawing() -> @Sendable () -> Nonce {
    let block = NonceBlock()
    return { block.next() }
  }

  /// The 32 lower-case hexadecimal digits.
  public var description: String { Hexadecimal.encode(high, low) }
}
