/// Numbers as people read them.
public enum Figures {
  /// Returns a duration with three digits, such as "1.23 s", "45.6 ms" or "789 µs".
  public static func text(_ duration: Duration) -> String {
    let seconds = seconds(duration)
    if seconds >= 60 {
      // Rounded before it is divided, so that there are never 60 seconds.
      let whole = Int(seconds.rounded())
      return "\(whole / 60) min \(whole % 60) s"
    }
    for (limit, factor, unit) in [(0.9995, 1.0, "s"), (0.0009995, 1e3, "ms")] where seconds >= limit {
      return threeDigits(seconds * factor) + " " + unit
    }
    return threeDigits(seconds * 1e6) + " µs"
  }

  /// Returns a number of bytes, such as "512 B", "1.5 KiB" or "3.2 GiB".
  public static func bytes(_ count: Int64) -> String {
    guard count >= 1024 else { return "\(count) B" }
    var value = Double(count) / 1024
    for unit in ["KiB", "MiB", "GiB"] {
      if value < 1023.95 { return decimals(value, 1) + " " + unit }
      value /= 1024
    }
    return decimals(value, 1) + " TiB"
  }

  /// Returns a number with its noun, such as "1 request" or "2 requests".
  public static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }

  /// Returns a share as a percentage with one decimal.
  public static func percent(_ share: Double) -> String { decimals(100 * share, 1) + " %" }

  /// Returns a positive number with up to three digits, and all digits before the decimal point.
  public static func threeDigits(_ value: Double) -> String {
    value >= 99.95 ? decimals(value, 0) : value >= 9.995 ? decimals(value, 1) : decimals(value, 2)
  }

  /// Returns a positive number, rounded to at most three decimals.
  static func decimals(_ value: Double, _ count: Int) -> String {
    let scale = [1, 10, 100, 1000][min(max(count, 0), 3)]
    // The bound prevents an overflow.
    let scaled = Int((min(max(value, 0), 1e12) * Double(scale)).rounded())
    guard scale > 1 else { return "\(scaled)" }
    let rest = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: count - rest.utf8.count) + rest
  }

  /// Returns a duration in seconds.
  public static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// Returns a text, preceded by spaces up to a width in characters.
  public static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// Returns a text, followed by spaces up to a width in characters.
  public static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
