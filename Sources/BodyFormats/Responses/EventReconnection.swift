import HTTPTypes
import Interception

/// When ``ReconnectingEvents`` requests its stream again.
///
/// It does so after the end of a stream, a lost or refused connection, an exceeded time limit, without a
/// network, and after the statuses 408, 429 and 5xx. The status 204 ends the events, and every other status
/// and error is thrown. The wait doubles with each failure in a row, which is an attempt without an event.
public struct EventReconnection: Sendable, Hashable {
  /// The shortest wait, unless the server requests another one with `retry:`; 3 s by default.
  public var wait: Duration
  /// The maximum of all waits, also of those that a server requests; 60 s by default.
  public var maximumWait: Duration
  /// The maximum number of failures in a row; nil, the default, means no maximum.
  public var failureLimit: Int?

  /// Creates a policy.
  public init(
    wait: Duration = .seconds(3), maximumWait: Duration = .seconds(60), failureLimit: Int? = nil
  ) {
    self.wait = max(wait, .zero)
    self.maximumWait = max(maximumWait, .zero)
    self.failureLimit = failureLimit.map { max($0, 1) }
  }
}

/// The decisions of one sequence of events: the pure part of ``ReconnectingEvents``.
struct EventCourse: Sendable {
  /// How an attempt ended.
  enum Ending {
    /// The server ended the stream.
    case end
    /// The server responded with a status other than 200.
    case status(HTTPResponse)
    /// The attempt failed.
    case failure(NetworkError)
  }

  enum Decision: Hashable {
    case finish
    case rethrow
    case reconnect(after: Duration)
  }

  private let policy: EventReconnection
  /// The ID after which the next stream continues.
  private(set) var lastEventID: String
  private var failures = 0
  private var retry: Duration?

  init(_ policy: EventReconnection, lastEventID: String) {
    self.policy = policy
    self.lastEventID = lastEventID
  }

  /// Records that an event was received.
  mutating func noteEvent() { failures = 0 }

  /// Records what a stream said besides its events.
  mutating func noteStream(lastEventID: String, retry: Duration?) {
    self.lastEventID = lastEventID
    self.retry = retry ?? self.retry
  }

  /// Counts an attempt that has ended.
  ///
  /// - Parameters:
  ///   - hasEvents: Whether it brought an event.
  ///   - random: A number from 0 up to, but not including, 1.
  mutating func decide(
    on ending: Ending, hasEvents: Bool, now: WallTime, random: Double
  ) -> Decision {
    var asked = Duration.zero
    switch ending {
    case .end: break
    case .status(let head) where head.status == .noContent: return .finish
    case .status(let head):
      guard [408, 429].contains(head.status.code) || head.status.code >= 500 else { return .rethrow }
      let fields = head.headerFields
      asked = RetryAfter.wait(fields[.retryAfter], date: fields[.date], now: now) ?? .zero
    case .failure(let error):
      guard error.isOfNetwork else { return .rethrow }
    }
    if !hasEvents { failures += 1 }
    guard failures < policy.failureLimit ?? .max else { return .rethrow }
    // Longer than what was requested, so that the clients of a server that restarts do not return at once.
    let wait = limit(after: failures) * (1 + random / 2)
    return .reconnect(after: min(max(wait, asked), policy.maximumWait))
  }

  private func limit(after failures: Int) -> Duration {
    var limit = retry ?? policy.wait
    for _ in 1..<max(failures, 1) where limit < policy.maximumWait { limit *= 2 }
    return min(limit, policy.maximumWait)
  }
}
