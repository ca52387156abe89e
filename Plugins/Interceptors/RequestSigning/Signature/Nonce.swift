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
    var bytes = [UInt8](repeating: 0, count: 16)
    for index in 0..<8 {
      let shift = UInt64(56 - 8 * index)
      bytes[index] = UInt8(truncatingIfNeeded: high >> shift)
      bytes[index + 8] = UInt8(truncatingIfNeeded: low >> shift)
    }
    return bytes
  }

  /// The 32 lower-case hexadecimal digits.
  public var description: String { Hexadecimal.encode(bytes) }
}
