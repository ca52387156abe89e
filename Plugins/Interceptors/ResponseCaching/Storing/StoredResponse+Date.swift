import HTTPTypes
import Interception

extension StoredResponse {
  /// Whether the server created this response before another one (RFC 9111, section 4).
  ///
  /// A response that arrives late must not replace a newer one, and of several that match a request the most
  /// recent one is used. The `Date` fields decide, in seconds; without one, the arrival less the age. If only
  /// one of them is later than its arrival, the clock of that server is wrong, and the arrival counts.
  ///
  /// Call it on the response that arrived last.
  public func isOlder(than other: StoredResponse) -> Bool {
    let (created, otherCreated) = (self.created, other.created)
    let (arrival, otherArrival) = (freshness.received.wall.seconds, other.freshness.received.wall.seconds)
    // This one has just arrived, so the clock was set back since; the other one may be of any age.
    guard arrival >= otherArrival - Self.maximumDelay else { return false }
    switch (created > arrival, otherCreated > otherArrival) {
    case (true, false): return arrival < otherCreated
    case (false, true): return created < otherArrival
    case (true, true), (false, false): return created < otherCreated
    }
  }

  /// The maximum time between the arrival of a response and its storing, in seconds.
  private static let maximumDelay: Int64 = 60

  /// The time of creation in seconds since 1970.
  private var created: Int64 {
    let received = freshness.received.wall
    let date = head.headerFields.value(of: .date).flatMap { HTTPDate.parse($0, now: received) }
    return (date ?? received.advanced(by: .zero - freshness.initialAge)).seconds
  }
}
