import Synchronization

/// Tells any number of listeners how far a transfer has come.
///
/// The transfer never waits for a listener: who is slow gets the newest value and misses those between.
///
/// ```swift
/// let meter = TransferMeter()
/// async let response = dispatcher.dispatch(request, reportingTo: meter)
/// for await progress in meter.updates() { show(progress.fraction) }
/// print(try await response.status)
/// ```
public final class TransferMeter: Sendable {
  private struct State {
    var latest: TransferProgress?
    var isFinished = false
    var lastID = 0
    var listeners: [Int: AsyncStream<TransferProgress>.Continuation] = [:]
  }

  private let state = Mutex(State())

  /// Makes a meter of a transfer that hasn't begun.
  public init() {}

  deinit { finish() }

  /// The newest value; nil before the first byte.
  public var latest: TransferProgress? { state.withLock { $0.latest } }

  /// Returns the values from now on, beginning with the newest one there is; they end with the transfer.
  ///
  /// At most one value waits for the listener. An upload that is tried again begins anew at 0.
  public func updates() -> AsyncStream<TransferProgress> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
    let (id, isFinished) = state.withLock { state in
      state.lastID += 1
      if !state.isFinished { state.listeners[state.lastID] = continuation }
      // Under the lock, so that no listener gets an older value after a newer one.
      if let latest = state.latest { continuation.yield(latest) }
      return (state.lastID, state.isFinished)
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
    }
    if isFinished { continuation.finish() }
    return stream
  }

  /// Takes note of a value and passes it on; ignored once the meter is finished.
  public func report(_ progress: TransferProgress) {
    state.withLock { state in
      guard !state.isFinished else { return }
      state.latest = progress
      for listener in state.listeners.values { listener.yield(progress) }
    }
  }

  /// Ends everybody's updates; who listens later gets the last value alone.
  public func finish() {
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
