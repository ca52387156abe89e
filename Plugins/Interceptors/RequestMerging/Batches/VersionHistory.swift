import Interception

/// The HTTP version that each origin was last seen speaking; bounded.
struct VersionHistory: Sendable {
  /// The maximum number of origins; a further one makes room by removing all.
  static let capacity = 256

  private var multiplexed: [RequestOrigin: Bool] = [:]

  /// The number of origins.
  var count: Int { multiplexed.count }

  /// Whether an origin was last seen speaking a version that multiplexes requests over one connection.
  func isMultiplexed(_ origin: RequestOrigin) -> Bool { multiplexed[origin] ?? false }

  /// Records the version of a response.
  mutating func record(_ version: TransportReport.HTTPVersion, of origin: RequestOrigin) {
    if multiplexed.count >= Self.capacity, multiplexed[origin] == nil { multiplexed = [:] }
    multiplexed[origin] = version != .http1
  }
}
