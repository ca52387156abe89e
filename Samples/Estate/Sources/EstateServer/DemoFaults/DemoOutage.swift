import Foundation
import Synchronization

/// An outage that begins with the first request and ends by itself; the next request begins another one.
final class DemoOutage: Sendable {
  private let length: TimeInterval
  private let end = Mutex<Date?>(nil)

  /// Creates an outage of a length in seconds.
  init(length: TimeInterval) { self.length = length }

  /// Returns whether a request meets the outage.
  func isMet(at now: Date) -> Bool {
    end.withLock { end in
      guard let known = end else {
        end = now + length
        return true
      }
      if now < known { return true }
      end = nil
      return false
    }
  }
}
