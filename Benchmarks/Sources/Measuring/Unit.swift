/// The unit of a figure, and its formatting.
public enum Unit: Sendable, Hashable {
  /// Requests, events or messages per second.
  case requestsPerSecond
  /// Megabytes (10^6) per second.
  case megabytesPerSecond
  /// Microseconds per request.
  case microseconds
  /// Nanoseconds per lookup.
  case nanoseconds
  /// Milliseconds.
  case milliseconds
  /// Mebibytes.
  case mebibytes
  /// Instructions of user code per request.
  case instructions
  /// Heap blocks per request.
  case blocks
  /// Context switches per request.
  case switches
  /// Transfers of a dispatcher.
  case transfers
  /// Threads of a process.
  case threads
  /// Descriptors per connection.
  case descriptors
  /// Bytes per unit.
  case bytes
  /// The exponent of a growth, as in ``GrowthSeries/exponent``.
  case exponent

  /// Returns the number with its unit, without a space.
  public func text(_ value: Double) -> String {
    switch self {
    case .requestsPerSecond: "\(Decimals.text(value, 0))/s"
    case .megabytesPerSecond: "\(Decimals.text(value, 0))MB/s"
    case .microseconds: "\(Decimals.text(value, 3))us"
    case .nanoseconds: "\(Decimals.text(value, 1))ns"
    case .milliseconds: "\(Decimals.text(value, 2))ms"
    case .mebibytes: "\(Decimals.text(value, 1))MiB"
    case .instructions: "\(Decimals.text(value, 0))instructions"
    case .blocks: "\(Decimals.text(value, 2))blocks"
    case .switches: "\(Decimals.text(value, 3))switches"
    case .transfers: "\(Decimals.text(value, 0))transfers"
    case .threads: "\(Decimals.text(value, 0))threads"
    case .descriptors: "\(Decimals.text(value, 2))descriptors"
    case .bytes: "\(Decimals.text(value, value < 10 ? 2 : 0))B"
    case .exponent: "n^\(Decimals.text(value, 2))"
    }
  }

  /// Returns a time or a size with two digits and a larger unit where one fits, for the axis of a plot.
  func short(_ value: Double) -> String {
    let steps: [(Double, String)]
    switch self {
    case .nanoseconds: steps = [(1, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")]
    case .microseconds: steps = [(1e-3, "ns"), (1, "µs"), (1e3, "ms"), (1e6, "s")]
    case .bytes: steps = [(1, "B"), (1e3, "kB"), (1e6, "MB"), (1e9, "GB")]
    default: return text(value)
    }
    let step = steps.last { $0.0 <= value * 1.000_001 } ?? steps[0]
    let number = value / step.0
    return "\(Decimals.text(number, number < 9.95 && number != number.rounded() ? 1 : 0)) \(step.1)"
  }

  /// Returns a round number with its thousands or millions as a letter.
  static func short(count: Double) -> String {
    count >= 1e6
      ? "\(Decimals.text(count / 1e6, 0))M"
      : count >= 1e3 ? "\(Decimals.text(count / 1e3, 0))k" : Decimals.text(count, 0)
  }
}
