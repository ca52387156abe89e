/// Decimal numbers as text, without Foundation.
public enum Decimals {
  /// Formats `value` with `places` digits after the point, rounded half away from zero.
  ///
  /// - Parameter places: 0 to 9; other values are clamped.
  public static func text(_ value: Double, _ places: Int) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "\(value)" }
    let scale = repeatElement(10, count: min(max(places, 0), 9)).reduce(1, *)
    let scaled = Int((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard scale > 1 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % scale + scale).dropFirst()
    return "\(sign)\(scaled / scale).\(fraction)"
  }
}
