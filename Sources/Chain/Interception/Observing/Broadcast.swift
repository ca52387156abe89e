import Synchronization

/// Sends values to any number of streams, each of which has a bounded buffer of the latest ones.
///
/// All streams yield the values in one order: that in which they were sent. The sender never waits for a
/// reader. A reader that is slower than the sender misses the oldest values.
package final class Broadcast<Element: Sendable>: Sendable {
  private typealias Readers = [UInt64: AsyncStream<Element>.Continuation]

  /// A value to yield to some readers; the end of their streams without one.
  private struct Delivery {
    let value: Element?
    let readers: Readers
    /// Whether it is for all readers at the time, and not the first value of one.
    let isForAll: Bool
  }

  private struct State {
    var latest: Element?
    var readers: Readers = [:]
    var lastReader: UInt64 = 0
    /// What was posted and is not yielded yet, in order.
    var pending: [Delivery] = []
    /// Whether a caller yields; it also yields what is posted meanwhile.
    var isDelivering = false
    var isFinished = false

    mutating func takePending() -> [Delivery] {
      isDelivering = !pending.isEmpty
      defer { pending = [] }
      return pending
    }
  }

  private let state: Mutex<State>
  private let capacity: Int
  private let isState: Bool

  /// Creates a broadcast of events: a reader receives those that are sent after it started to read.
  ///
  /// - Parameter capacity: The number of unread events that are kept for each reader, the newest ones; 16 by
  ///   default, at least 1.
  package init(keeping capacity: Int = 16) {
    state = Mutex(State())
    self.capacity = max(1, capacity)
    isState = false
  }

  /// Creates a broadcast of a state: a reader receives the current value, if there is one, and then the
  /// latest one after each change.
  package init(startingWith value: Element?) {
    state = Mutex(State(latest: value))
    capacity = 1
    isState = true
  }

  deinit { finish() }

  /// The current value of a state; nil for events.
  package var latest: Element? { state.withLock { $0.latest } }

  /// The number of streams that are still read.
  package var readerCount: Int { state.withLock { $0.readers.count } }

  /// Returns a stream for one reader, which ends when the broadcast is released.
  package func values() -> AsyncStream<Element> {
    let stream = makeStream()
    deliver()
    return stream
  }

  /// Returns a stream like that of ``values()``, whose first value is yielded by ``deliver()``.
  ///
  /// - Parameter first: The first value; by default the current value of a state.
  package func makeStream(startingWith first: Element? = nil) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(capacity))
    let number = state.withLock { state in
      state.lastReader += 1
      let reader = [state.lastReader: continuation]
      if !state.isFinished { state.readers[state.lastReader] = continuation }
      if let value = first ?? state.latest {
        state.pending.append(Delivery(value: value, readers: reader, isForAll: false))
      }
      if state.isFinished { state.pending.append(Delivery(value: nil, readers: reader, isForAll: false)) }
      return state.lastReader
    }
    continuation.onTermination = { [weak self] _ in
      // The continuation is released outside the lock.
      _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
    }
    return stream
  }

  /// Sends a value to every reader; for a state, it becomes the current value.
  package func send(_ value: Element) {
    post(value)
    deliver()
  }

  /// Determines that a value is the next one, without yielding it.
  ///
  /// Call it under the lock that decides on the value, and ``deliver()`` after that lock is released. The
  /// value that it replaces is released here, so its `deinit` must not need that lock.
  package func post(_ value: Element) {
    _ = state.withLock { record(value, &$0) }
  }

  /// Yields what was posted, unless another caller is yielding it.
  ///
  /// It also yields what others post meanwhile, so that the order stays theirs; and when it returns at once,
  /// because another caller yields, the readers may not have the value yet.
  package func deliver() {
    // Outside the lock, because to yield may run code of a reader's executor.
    var batch = state.withLock { $0.isDelivering ? [] : $0.takePending() }
    while !batch.isEmpty {
      for delivery in batch {
        for reader in delivery.readers.values {
          if let value = delivery.value { reader.yield(value) } else { reader.finish() }
        }
      }
      batch = state.withLock { $0.takePending() }
    }
  }

  /// Ends all streams, after the values that were posted before; later values are ignored, and a later stream
  /// has only its first value.
  package func finish() {
    state.withLock { state in
      state.isFinished = true
      state.pending.append(Delivery(value: nil, readers: state.readers, isForAll: false))
      state.readers = [:]
    }
    deliver()
  }

  private func record(_ value: Element, _ state: inout State) -> (former: Element?, dropped: Delivery?) {
    guard !state.isFinished else { return (nil, nil) }
    var dropped: Delivery?
    if !state.readers.isEmpty {
      state.pending.append(Delivery(value: value, readers: state.readers, isForAll: true))
      // Several wait only while another thread yields; a reader's buffer would drop the oldest in any case.
      if state.pending.count(where: \.isForAll) > capacity,
        let oldest = state.pending.firstIndex(where: \.isForAll)
      {
        dropped = state.pending.remove(at: oldest)
      }
    }
    guard isState else { return (nil, dropped) }
    defer { state.latest = value }
    return (state.latest, dropped)
  }
}

extension Broadcast where Element: Equatable {
  /// Sends a value, unless it is the current value of a state.
  package func update(_ value: Element) {
    _ = state.withLock { state in state.latest == value ? (nil, nil) : record(value, &state) }
    deliver()
  }
}
