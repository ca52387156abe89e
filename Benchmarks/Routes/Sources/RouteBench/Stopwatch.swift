/// Measures loops: the minimum of many rounds, because disturbances only add time.
enum Stopwatch {
  /// Returns the time of one pass over `count` items, in nanoseconds per item.
  static func nanoseconds(_ count: Int, rounds: Int, _ pass: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    var least = Double.infinity
    for _ in 0..<rounds {
      let parts = try clock.measure(pass).components
      least = min(least, Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9)
    }
    return least / Double(max(count, 1))
  }

  /// Returns the same for one asynchronous pass.
  static func nanoseconds(_ count: Int, _ pass: () async throws -> Void) async rethrows -> Double {
    let parts = try await ContinuousClock().measure(pass).components
    return (Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9) / Double(max(count, 1))
  }

  /// Prevents the optimizer from removing an unused value.
  @inline(never)
  static func keep<Value>(_ value: Value) { withExtendedLifetime(value) {} }
}
