/// A number of 128 bits that no two signatures share.
public struct Nonce: Sendable, Hashable, CustomStringConvertible {
  let high: UInt64
  let low: UInt64

  /// Makes a nonce of its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads 32 lower-case hexadecimal digits; nil for anything else.
  public init?(_ text: String) {
    guard let bytes = Hexadecimal.decode(text, count: 16) else { return nil }
    high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Draws a nonce from the system's random numbers.
  public static func random() -> Nonce {
    var generator = SystemRandomNumberGenerator()
    return Nonce(high: generator.next(), low: generator.next())
  }

  /// Returns a source of random nonces, which draws them from libcrypto's generator 64 at a time.
  ///
  /// A system call for each one costs more than the rest of a short signature's hashing. The source may be
  /// used by any number of threads, and belongs to one process: after a `fork` without `exec` make a new one.
  public static func drawing() -> @Sendable () -> Nonce {
    let block = NonceBlock()
    return { block.next() }
  }

  /// The 32 lower-case hexadecimal digits.
  public var description: String { Hexadecimal.encode(high, low) }
}
