/// When the loop's thread spins for a command before it blocks: after a response, for the next request, and
/// after bytes of an upgraded connection, for what its user sends next.
struct LoopSpinning {
  /// What has happened since the thread last spun or blocked.
  private enum Occasion {
    case none
    case response
    /// An upgraded connection received bytes; responses may have come as well.
    case bytes
  }

  private var policy: SpinPolicy
  private var occasion = Occasion.none
  // The upgraded connection that received the latest bytes.
  private var latest: TransferID?

  init(isEnabled: Bool) { policy = SpinPolicy(isEnabled: isEnabled) }

  /// Notes that a request has started, and how many are in flight now.
  mutating func noteStart(inFlight count: Int) { policy.note(inFlight: count) }

  mutating func noteResponse() { if case .none = occasion { occasion = .response } }

  /// Notes that an upgraded connection received bytes.
  mutating func noteBytes(of id: TransferID) {
    occasion = .bytes
    // Several connections are like several requests in flight.
    if latest != id { policy.note(inFlight: 2) }
    latest = id
  }

  /// Whether an upgraded connection received the latest bytes of all.
  func isLatest(_ id: TransferID) -> Bool { latest == id }

  /// Whether the thread spins now.
  ///
  /// - Parameters:
  ///   - isIdle: Whether no transfer runs, whose socket must be polled.
  ///   - hasCommand: Whether there is a command already.
  mutating func shouldSpin(isIdle: Bool, hasCommand: @autoclosure () -> Bool) -> Bool {
    switch occasion {
    case .none: return false
    // What is done with received bytes on this thread comes first.
    case .bytes where hasCommand(): return false
    case .response, .bytes: occasion = .none
    }
    return isIdle && policy.shouldSpin()
  }

  /// Records whether a command came while the thread was spinning.
  mutating func record(success: Bool) { policy.record(success: success) }
}
