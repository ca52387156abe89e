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
  }

  /// Ends the back-off after a success.
  package mutating func succeed() { self = DeliveryBackOff() }

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
    writer.append(end == nil ? 0 : 1)
    writer.append(end?.seconds ?? 0)
    writer.append(end?.nanoseconds ?? 0)
  }

  /// Decodes the state.
  package init(from reader: inout RecordReader) throws(RecordDamage) {
    failures = try reader.count()
    let hasEnd = try reader.number() == 1
    let (seconds, nanoseconds) = (try reader.number(), try reader.number())
    end = hasEnd ? WallTime(secondsSince1970: seconds, nanoseconds: nanoseconds) : nil
  }
}
