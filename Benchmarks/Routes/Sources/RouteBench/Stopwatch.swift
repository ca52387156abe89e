/// Times loops: the least of many rounds, since whatever else the machine does only adds.
enum Stopwatch {
  /// The time of one pass over `count` things, in nanoseconds for each thing.
  static func nanoseconds(_ count: Int, rounds: Int, _ pass: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    var least = Double.infinity
    for _ in 0..<rounds {
      let parts = try clock.measure(pass).components
      least = min(least, Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9)
    }
    return least / Double(max(count, 1))
  }

  /// The same of one pass that waits.
  static func nanoseconds(_ count: Int, _ pass: () async throws -> Void) async rethrows -> Double {
    let parts = try await ContinuousClock().measure(pass).components
    return (Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9) / Double(max(count, 1))
  }

  /// Keeps a value that nobody reads from being left out.
  @inline(never)
  static func keep<Value>(_ value: Value) { withExtendedLifetime(value) {} }
}
