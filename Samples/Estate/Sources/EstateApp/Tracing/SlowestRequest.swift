import Switchyard
import Synchronization

/// Remembers the trace of the slowest request that was answered.
final class SlowestRequest: Sendable {
  private let slowest = Mutex<Trace?>(nil)

  /// The trace, or `nil` if no request was answered yet.
  var trace: Trace? { slowest.withLock { $0 } }

  func consider(_ trace: Trace) {
    guard trace.status != nil else { return }
    slowest.withLock { slowest in
      if let known = slowest, Self.time(of: known) >= Self.time(of: trace) { return }
      slowest = trace
    }
  }

  private static func time(of trace: Trace) -> Duration { trace.steps.first?.total ?? .zero }
}
