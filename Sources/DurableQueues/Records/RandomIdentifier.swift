/// Identifiers of 128 random bits, as 32 hexadecimal digits.
package enum RandomIdentifier {
  /// Returns a new identifier.
  package static func next(using random: inout some RandomNumberGenerator) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let bits = (random.next() as UInt64, random.next() as UInt64)
    let identifier = (0..<32).map { index in
      let half = index < 16 ? bits.0 : bits.1
      return digits[Int(truncatingIfNeeded: half >> UInt64(index % 16 * 4) & 0xF)]
    }
    return String(decoding: identifier, as: UTF8.self)
  }
}
