import Switchyard
import Synchronization

/// Counts the requests, cache hits and errors of a run.
final class Tally: Sendable {
  private struct Counts {
    var requests = 0
    var hits = 0
    var errors = 0
  }

  private let counts = Mutex(Counts())

  /// The number of answers from the cache so far.
  var hits: Int { counts.withLock { $0.hits } }

  /// The last line of a run.
  var line: String {
    counts.withLock { "demo: \($0.requests) requests, \($0.hits) from cache, \($0.errors) errors" }
  }

  func count(_ trace: Trace) {
    counts.withLock { counts in
      counts.requests += 1
      if trace.cache?.isHit == true { counts.hits += 1 }
    }
  }

  func countError() { counts.withLock { $0.errors += 1 } }
}
