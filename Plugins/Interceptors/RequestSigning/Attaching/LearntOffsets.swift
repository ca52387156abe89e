import Synchronization

/// By how much the clocks of servers differ from the local one, as far as refusals have taught.
///
/// Each authority has its own, so that one server with a wrong clock spoils no other's signatures.
final class LearntOffsets: Sendable {
  /// The most authorities remembered; an app has few.
  static let capacity = 64

  private let offsets = Mutex<[String: Duration]>([:])

  /// What to add to the local clock for an authority.
  subscript(authority: String) -> Duration {
    // An empty table is the rule, and an authority's hash is not to be computed for it.
    offsets.withLock { $0.isEmpty ? .zero : $0[authority] ?? .zero }
  }

  /// Remembers an offset; where there is no room, another authority learns its own anew.
  func learn(_ offset: Duration, for authority: String) {
    offsets.withLock { offsets in
      if offsets[authority] == nil, offsets.count >= Self.capacity, let other = offsets.keys.first {
        offsets[other] = nil
      }
      offsets[authority] = offset
    }
  }
}
