import Synchronization

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
  private struct State {
    var latest: Element?
    var streams: [UInt64: AsyncStream<Element>.Continuation] = [:]
    var lastStream: UInt64 = 0
  }

  private let state: Mutex<State>
  private let capacity: Int
  private let isState: Bool

  /// Creates a broadcast of events: a reader receives those that are sent after it started to read.
  ///
  /// - Parameter capacity: The number of unread events that are kept for each reader, the newest ones; 16 by
  ///   default, at least 1.
  public init(keeping capacity: Int = 16) {
    state = Mutex(State())
    self.capacity = max(1, capacity)
    isState = false
  }

  /// Creates a broadcast of a state: a reader receives the current value, and then the latest one after each
  /// change.
  public init(startingWith value: Element) {
    state = Mutex(State(latest: value))
    capacity = 1
    isState = true
  }

  deinit { for stream in state.withLock({ $0.streams.values }) { stream.finish() } }

  /// The current value of a state; nil for events.
  public var latest: Element? { state.withLock { $0.latest } }

  /// Returns a stream for one reader, which ends when the broadcast is released.
  public func values() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(capacity))
    let number = state.withLock { state in
      state.lastStream += 1
      state.streams[state.lastStream] = continuation
      // Yielded under the lock, so that no later value precedes it.
      if let latest = state.latest { continuation.yield(latest) }
      return state.lastStream
    }
    continuation.onTermination = { [weak self] _ in
      // The continuation is released outside the lock.
      _ = self?.state.withLock { $0.streams.removeValue(forKey: number) }
    }
    return stream
  }

  /// Sends a value to every reader; for a state, it becomes the current value.
  public func send(_ value: Element) {
    // The former value is released outside the lock.
    _ = state.withLock { state in Self.send(value, isState: isState, &state) }
  }

  /// The number of active streams.
  var readerCount: Int { state.withLock { $0.streams.count } }

  private static func send(_ value: Element, isState: Bool, _ state: inout State) -> Element? {
    for stream in state.streams.values { stream.yield(value) }
    guard isState else { return nil }
    let former = state.latest
    state.latest = value
    return former
  }
}

extension Broadcast where Element: Equatable {
  /// Sends a value, unless it is the current value of a state.
  public func update(_ value: Element) {
    _ = state.withLock { state in
      state.latest == value ? nil : Self.send(value, isState: isState, &state)
    }
  }
}
