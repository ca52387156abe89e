import Synchronization

/// Hands chunks over from a producing task to one reader, one chunk per demand.
final class ChunkHandover: Sendable {
  private typealias Outcome = Result<[UInt8]?, NetworkError>

  private struct State {
    var isCancelled = false
    var isOver = false
    var hasDemand = false
    var reader: CheckedContinuation<Outcome, Never>?
    var producer: CheckedContinuation<Bool, Never>?
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())

  static var cancellation: NetworkError {
    NetworkError(.cancelled(.task), "Reading the body's sequence was cancelled.")
  }

  /// Stores the producing task, so that ``cancel()`` cancels it.
  func adopt(_ task: Task<Void, Never>) {
    let isLate = state.withLock { state in
      if !state.isCancelled { state.task = task }
      return state.isCancelled
    }
    if isLate { task.cancel() }
  }

  // MARK: The reader's side

  /// Requests a chunk and waits for it; returns nil at the end.
  func read() async throws(NetworkError) -> [UInt8]? {
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { reader in demand(for: reader) }
    } onCancel: {
      cancel()
    }
    return try outcome.get()
  }

  private func demand(for reader: CheckedContinuation<Outcome, Never>) {
    let (refusal, producer) = state.withLock { state -> (Outcome?, CheckedContinuation<Bool, Never>?) in
      if state.isCancelled { return (.failure(Self.cancellation), nil) }
      if state.isOver { return (.success(nil), nil) }
      if state.reader != nil {
        return (
          .failure(
            NetworkError(
              .bodyNotReplayable, "The body's sequence already has a reader; read it in only one place.")),
          nil
        )
      }
      state.reader = reader
      state.hasDemand = state.producer == nil
      defer { state.producer = nil }
      return (nil, state.producer)
    }
    if let refusal { reader.resume(returning: refusal) }
    producer?.resume(returning: true)
  }

  /// Cancels both sides: the reader throws, and the producer's task is cancelled.
  func cancel() {
    let old = state.withLock { state in
      defer {
        state.isCancelled = true
        (state.reader, state.producer, state.task) = (nil, nil, nil)
      }
      return state
    }
    old.task?.cancel()
    old.reader?.resume(returning: .failure(Self.cancellation))
    old.producer?.resume(returning: false)
  }

  // MARK: The producer's side

  /// Waits for demand; returns true when a chunk is requested, and false if none will be.
  func awaitDemand() async -> Bool {
    await withCheckedContinuation { producer in
      let answer: Bool? = state.withLock { state in
        if state.isCancelled { return false }
        if state.hasDemand {
          state.hasDemand = false
          return true
        }
        state.producer = producer
        return nil
      }
      if let answer { producer.resume(returning: answer) }
    }
  }

  /// Delivers a chunk, the end (nil) or an error; the latter two end the body.
  func deliver(_ outcome: Result<[UInt8]?, NetworkError>) {
    let reader = state.withLock { state in
      if case .success(.some) = outcome {
      } else {
        state.isOver = true
        state.task = nil
      }
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: outcome)
  }
}
