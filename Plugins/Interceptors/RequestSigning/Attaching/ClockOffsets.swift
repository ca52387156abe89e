import Synchronization

/// The offsets between the local clock and the clocks of servers, as learned from refusals.
///
/// Each authority has its own, so that a server with a wrong clock doesn't affect signatures for others.
final class ClockOffsets: Sendable {
  /// The maximum number of authorities remembered; an app has few.
  static let capacity = 64

  private let offsets = Mutex<[String: Duration]>([:])

  /// The offset to add to the local clock for an authority.
  subscript(authority: String) -> Duration {
    // The table is usually empty, which saves hashing the authority.
    offsets.withLock { $0.isEmpty ? .zero : $0[authority] ?? .zero }
  }

  /// Stores an offset; beyond the capacity another authority's offset is evicted, and learned again if
  /// needed.
  func learn(_ offset: Duration, for authority: String) {
    offsets.withLock { offsets in
      if offsets[authority] == nil, offsets.count >= Self.capacity, let other = offsets.keys.first {
        offsets[other] = nil
      }
      offsets[authority] = offset
    }
  }
}
