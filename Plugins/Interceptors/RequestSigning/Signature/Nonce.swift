/// A number of 128 bits that no two signatures share.
public struct Nonce: Sendable, Hashable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

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

  /// The 16 bytes, most significant first.
  var bytes: [UInt8] {
    [high, low].flatMap { half in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> UInt64($0)) }
    }
  }

  /// The 32 lower-case hexadecimal digits.
  public var description: String { Hexadecimal.encode(bytes) }
}
