/// Formats numbers for people.
package enum Amounts {
  /// Whole dollars, as in `$59,222`.
  package static func dollars(_ amount: Int) -> String {
    (amount < 0 ? "-$" : "$") + grouped(amount.magnitude)
  }

  /// Cents as dollars, as in `$1,234.56`.
  package static func cents(_ amount: Int) -> String {
    let rest = amount.magnitude % 100
    return (amount < 0 ? "-$" : "$") + grouped(amount.magnitude / 100)
      + (rest < 10 ? ".0\(rest)" : ".\(rest)")
  }

  /// A number without a needless fraction, as in `2` or `1.5`.
  package static func number(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }

  /// The text, padded with spaces to at least `width` characters.
  package static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// A time in milliseconds with three decimals, as in `1.250 ms`.
  package static func milliseconds(_ time: Duration) -> String {
    let microseconds = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
    let rest = String(microseconds % 1_000)
    return "\(microseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest + " ms"
  }

  private static func grouped(_ number: UInt) -> String {
    let digits = Array(String(number))
    return digits.indices.map { index in
      let left = digits.count - index
      return (index > 0 && left % 3 == 0 ? "," : "") + String(digits[index])
    }.joined()
  }
}
