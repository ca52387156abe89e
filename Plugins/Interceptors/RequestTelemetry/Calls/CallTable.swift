#if Telemetry
import Interception
import Tracing

/// The calls in flight, and how many requests each has sent.
struct CallTable: Sendable {
  /// A call in flight.
  struct Call: Sendable {
    let api: APIIdentity?
    let startedAt: Duration
    let span: (any Span)?
    /// The number of requests sent, including those of redirects and of renewed credentials.
    var sends = 0

    init(api: APIIdentity?, startedAt: Duration, span: (any Span)?) {
      self.api = api
      self.startedAt = startedAt
      self.span = span
    }
  }

  // Copies of a request share its id, so concurrent calls with the same id are stacked.
  private var calls: [RequestID: [Call]] = [:]

  /// Whether no call is in flight.
  var isEmpty: Bool { calls.isEmpty }

  mutating func begin(_ call: Call, _ id: RequestID) { calls[id, default: []].append(call) }

  /// Records that a request is sent; returns nil if its call has ended, as with a revalidation in the
  /// background, or was never observed.
  mutating func noteSend(of id: RequestID) -> (span: (any Span)?, earlierSends: Int)? {
    guard let index = calls.index(forKey: id), let last = calls.values[index].indices.last else { return nil }
    defer { calls.values[index][last].sends += 1 }
    return (calls.values[index][last].span, calls.values[index][last].sends)
  }

  mutating func end(_ id: RequestID) -> Call? {
    guard let call = calls[id]?.popLast() else { return nil }
    if calls[id]?.isEmpty == true { calls[id] = nil }
    return call
  }
}
#endif
