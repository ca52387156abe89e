package import Interception

/// The wait after failed deliveries, as a value that a queue can store.
package struct DeliveryBackOff: Sendable, Hashable {
  /// The limit of the first wait.
  private static let base = Duration.seconds(1)
  /// The maximum of all waits, also of those that a server requests.
  package static let maximum = Duration.seconds(300)

  /// The number of failures since the last success.
  package private(set) var failures = 0
  /// The time before which nothing is sent, by the wall clock; nil for none.
  package private(set) var end: WallTime?
  /// The end of what the server has asked for; nil if it has asked for no wait.
  package private(set) var requestedEnd: WallTime?

  /// Creates a back-off without failures.
  package init() {}

  /// Begins a wait: a random part of a limit that doubles from 1 s to 5 min, or what the server requests, if
  /// that is longer; at most 5 min.
  ///
  /// - Parameter random: A number from 0 up to, but not including, 1.
  package mutating func fail(retryAfter: Duration?, now: WallTime, random: Double) {
    failures = min(failures + 1, 1_000)
    let doublings = min(failures - 1, 20)
    let limit = min(Self.base * (1 << doublings), Self.maximum)
    let requested = min(retryAfter ?? .zero, Self.maximum)
    end = now.advanced(by: max(limit * random, requested))
    requestedEnd = requested > .zero ? now.advanced(by: requested) : nil
  }

  /// Ends the back-off after a success.
  package mutating func succeed() { self = DeliveryBackOff() }

  /// Ends the wait, except for what the server has asked for; the failures still count.
  package mutating func endOwnWait() { end = requestedEnd }

  /// The remaining wait; nil for none.
  ///
  /// It is never longer than the maximum; an end that is further away shows that the clock was set back, and
  /// is ignored.
  package func wait(now: WallTime) -> Duration? {
    guard let end else { return nil }
    let wait = now.duration(to: end)
    return wait > .zero && wait <= Self.maximum ? wait : nil
  }
}

extension DeliveryBackOff {
  /// Encodes the state.
  package func encode(to writer: inout RecordWriter) {
    writer.append(failures)
    // Files of versions without `requestedEnd` have 0 or 1.
    writer.append(end == nil ? 0 : requestedEnd == nil ? 1 : 2)
    for time in [end ?? WallTime(secondsSince1970: 0)] + (end == nil ? [] : requestedEnd.map { [$0] } ?? []) {
      writer.append(time.seconds)
      writer.append(time.nanoseconds)
    }
  }

  /// Decodes the state.
  package init(from reader: inout RecordReader) throws(RecordDamage) {
    failures = try reader.count()
    let form = try reader.number()
    func time() throws(RecordDamage) -> WallTime {
      WallTime(secondsSince1970: try reader.number(), nanoseconds: try reader.number())
    }
    let first = try time()
    end = form == 0 ? nil : first
    requestedEnd = form == 2 ? try time() : nil
  }
}
