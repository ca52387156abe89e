import Synchronization

/// Sends events to any number of streams, each of which keeps the latest ones until they are read.
final class EventBroadcast: Sendable {
  /// The number of events that a stream keeps.
  static let capacity = 16

  private struct State {
    var last: UInt64 = 0
    var streams: [UInt64: AsyncStream<AuthorizationEvent>.Continuation] = [:]
  }

  private let state = Mutex(State())

  deinit {
    for stream in state.withLock(\.streams).values { stream.finish() }
  }

  /// The number of streams that are still read.
  var count: Int { state.withLock { $0.streams.count } }

  /// Returns a stream of the events from now on, which `first` precedes.
  func stream(after first: AuthorizationEvent?) -> AsyncStream<AuthorizationEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: AuthorizationEvent.self, bufferingPolicy: .bufferingNewest(Self.capacity))
    if let first { continuation.yield(first) }
    let id = state.withLock { state in
      state.last += 1
      state.streams[state.last] = continuation
      return state.last
    }
    continuation.onTermination = { [weak self] _ in
      // The continuation is released outside the lock.
      _ = self?.state.withLock { $0.streams.removeValue(forKey: id) }
    }
    return stream
  }

  /// Sends an event to every stream.
  func send(_ event: AuthorizationEvent) {
    for stream in state.withLock(\.streams).values { stream.yield(event) }
  }
}
