/// The line of `name=value` pairs that a program prints when it ends.
public struct ResultLine: Sendable, Hashable {
  private let values: [String: String]

  /// Parses the last line of `output` that contains a pair; nil without one.
  public init?(in output: String) {
    for line in output.split(separator: "\n").reversed() {
      var values: [String: String] = [:]
      for pair in line.split(separator: " ") {
        guard let equals = pair.firstIndex(of: "=") else { continue }
        values[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
      }
      if !values.isEmpty {
        self.values = values
        return
      }
    }
    return nil
  }

  /// Returns a value as text.
  public func text(_ name: String) -> String? { values[name] }

  /// Returns a value as a number; nil if it isn't one.
  public func number(_ name: String) -> Double? {
    values[name].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }
}
