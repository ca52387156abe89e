/// What a figure counts, and how it is written.
public enum Unit: Sendable, Hashable {
  /// Requests a second.
  case requestsPerSecond
  /// Megabytes (10^6) a second.
  case megabytesPerSecond
  /// Microseconds for each request.
  case microseconds
  /// Nanoseconds for each look-up.
  case nanoseconds
  /// Milliseconds.
  case milliseconds
  /// Mebibytes.
  case mebibytes
  /// Instructions for each request, of user code.
  case instructions
  /// Heap blocks for each request.
  case blocks

  /// The number with its unit, without a space.
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
    }
  }
}
