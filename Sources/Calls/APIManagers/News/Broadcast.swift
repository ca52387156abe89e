import Interception

/// Sends values to any number of readers, each of which has a bounded buffer of the latest ones.
///
/// Use it for news that cross the layers of an app, such as "the account changed". For the status of the
/// network use ``ReachabilityState``, for a login that is needed ``LoginRequirement``, and for stale data
/// ``TagRegistry``.
///
/// ```swift
/// let uploads = Broadcast<String>()  // events: a reader receives those from now on
/// let theme = Broadcast(startingWith: "light")  // a state: a reader receives the current value first
/// uploads.send("photo 7")
/// theme.update("dark")
/// ```
///
/// The sender never waits. A reader that is slower than the sender misses the oldest values.
public final class Broadcast<Element: Sendable>: Sendable {
  private let readers: Multicast<Element>

  /// Creates a broadcast of events: a reader receives those that are sent after it started to read.
  ///
  /// - Parameter capacity: The number of unread events that are kept for each reader, the newest ones; 16 by
  ///   default, at least 1.
  public init(keeping capacity: Int = 16) { readers = Multicast(keeping: capacity) }

  /// Creates a broadcast of a state: a reader receives the current value, and then the latest one after each
  /// change.
  public init(startingWith value: Element) { readers = Multicast(startingWith: value) }

  /// The current value of a state; nil for events.
  public var latest: Element? { readers.latest }

  /// Returns a stream for one reader, which ends when the broadcast is released.
  public func values() -> AsyncStream<Element> { readers.values() }

  /// Sends a value to every reader; for a state, it becomes the current value.
  public func send(_ value: Element) { readers.send(value) }

  /// The number of active streams.
  var readerCount: Int { readers.readerCount }
}

extension Broadcast where Element: Equatable {
  /// Sends a value, unless it is the current value of a state.
  public func update(_ value: Element) { readers.update(value) }
}
