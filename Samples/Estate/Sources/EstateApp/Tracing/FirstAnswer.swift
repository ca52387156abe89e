import Foundation
import Switchyard
import Synchronization

/// Reports how long it took from a moment before the app started to the first answer of a server.
final class FirstAnswer: Sendable {
  private let start: Mutex<Date?>

  /// Creates a report, which is empty without a start time.
  init(since start: Date?) { self.start = Mutex(start) }

  /// Returns the line to print for the first answered request, and `nil` for all others.
  func line(for trace: Trace, at now: Date = Date()) -> String? {
    guard trace.status != nil else { return nil }
    let start = start.withLock { start in
      defer { start = nil }
      return start
    }
    return start.map { "demo: first answer after \(Int(now.timeIntervalSince($0).rounded())) s" }
  }
}
