import HTTPTypes
import Interception

/// When ``ReconnectingEvents`` requests its stream again.
///
/// It requests the stream again after the end of a stream, a lost or refused connection, an exceeded time
/// limit, without a network, and after the statuses 408, 429 and 5xx. The status 204 ends the events; every
/// other status and error is thrown. An attempt without an event is a failure, and the wait doubles with each
/// failure in a row.
///
/// After a stream with events, a server may shorten the wait by `retry:` to at least 100 ms. After a failure
/// the wait is never shorter than `wait`, so that a failing server that has sent `retry: 0` is not flooded
/// with requests.
public struct EventReconnection: Sendable, Hashable {
  /// The shortest wait after a failure, and after a stream unless the server requests another one with
  /// `retry:`; 3 s by default, and at least 100 ms.
  package var wait: Duration
  /// The maximum of all waits, also of those that a server requests; 60 s by default, and at least 100
  /// ms.
  package var maximumWait: Duration
  /// The maximum number of failures in a row; nil, the default, means no maximum.
  package var failureLimit: Int?

  /// Creates a policy.
  public init(
    wait: Duration = .seconds(3), maximumWait: Duration = .seconds(60), failureLimit: Int? = nil
  ) {
    self.wait = wait
    self.maximumWait = maximumWait
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

  /// The shortest wait that a server can request, and an app can choose.
  private static let shortestWait = Duration.milliseconds(100)

  private let wait: Duration
  private let maximumWait: Duration
  private let failureLimit: Int
  /// The ID after which the next stream continues.
  private(set) var lastEventID: String
  private var failures = 0
  private var retry: Duration?

  init(_ policy: EventReconnection, lastEventID: String) {
    maximumWait = max(policy.maximumWait, Self.shortestWait)
    wait = min(max(policy.wait, Self.shortestWait), maximumWait)
    failureLimit = policy.failureLimit ?? .max
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
      asked = RetryAfter.wait(in: fields, now: now) ?? .zero
    case .failure(let error):
      guard error.isOfNetwork else { return .rethrow }
    }
    if !hasEvents { failures += 1 }
    guard failures < failureLimit else { return .rethrow }
    // Longer than what was requested, so that the clients of a server that restarts do not return at once.
    let wait = wait(after: failures) * (1 + random / 2)
    return .reconnect(after: min(max(wait, asked), maximumWait))
  }

  private func wait(after failures: Int) -> Duration {
    // A server can shorten the wait only as long as it sends events.
    var shortest = max(retry ?? wait, failures > 0 ? wait : Self.shortestWait)
    for _ in 1..<max(failures, 1) where shortest < maximumWait { shortest *= 2 }
    return min(shortest, maximumWait)
  }
}
