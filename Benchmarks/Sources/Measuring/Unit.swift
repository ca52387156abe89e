/// The unit of a figure, and its formatting.
public enum Unit: Sendable, Hashable {
  /// Requests, or events, per second.
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
    }
  }
}
