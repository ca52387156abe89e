import Foundation
import Switchyard
import Synchronization

/// What a run has counted: requests, cache hits and errors, and the slowest request that was answered.
final class Tally: Sendable {
  private struct State {
    var requests = 0
    var hits = 0
    var errors = 0
    var slowest: Trace?
    /// When the app was started, until the first answer.
    var start: Date?
  }

  private let state: Mutex<State>

  /// - Parameter start: The moment from which the time to the first answer is counted.
  init(since start: Date?) { state = Mutex(State(start: start)) }

  /// The number of answers from the cache so far.
  var hits: Int { state.withLock { $0.hits } }
  /// The trace of the slowest request that was answered.
  var slowest: Trace? { state.withLock { $0.slowest } }

  var line: String {
    state.withLock { "demo: \($0.requests) requests, \($0.hits) from cache, \($0.errors) errors" }
  }

  /// Counts a request, and returns the line to print about the first answer, if it is that.
  func count(_ trace: Trace) -> String? {
    state.withLock { state in
      state.requests += 1
      if trace.cache?.isHit == true { state.hits += 1 }
      guard trace.status != nil else { return nil }
      if state.slowest.map({ $0.time < trace.time }) ?? true { state.slowest = trace }
      defer { state.start = nil }
      return state.start.map { "demo: first answer after \(Int(Date().timeIntervalSince($0).rounded())) s" }
    }
  }

  func countError() { state.withLock { $0.errors += 1 } }
}

extension Trace {
  fileprivate var time: Duration { steps.first?.total ?? .zero }
}
