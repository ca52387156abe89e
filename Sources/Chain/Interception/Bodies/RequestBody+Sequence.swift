import Synchronization

extension RequestBody {
  /// Creates a body from an async sequence of chunks that can be iterated only once.
  ///
  /// A chunk is requested only when the transport can send it. The sequence is iterated in its own task,
  /// which starts with the first read and is cancelled if the request ends early. If the sequence ends
  /// because that task was cancelled, as `AsyncStream` does, the upload fails rather than being cut short.
  ///
  /// A ``NetworkError`` thrown by the sequence reaches the caller unchanged. Any other error is reported as
  /// ``NetworkError/Kind/rejected``, with that error as `underlying`.
  ///
  /// - Parameter length: The number of bytes, or nil if it is not known in advance.
  public static func sequence<Chunks: AsyncSequence & Sendable & SendableMetatype>(
    length: Int64?, _ chunks: Chunks
  ) -> RequestBody where Chunks.Element: Collection<UInt8> {
    .once(length: length, SequenceByteSource { chunks })
  }

  /// Creates a body from an async sequence of chunks that is created anew each time the body is sent.
  ///
  /// - Parameters:
  ///   - length: The number of bytes, or nil if it is not known in advance.
  ///   - make: Creates the sequence for one attempt. Errors that it throws are handled like those of the
  ///     sequence.
  public static func sequence<Chunks: AsyncSequence & SendableMetatype>(
    length: Int64?, makingEach make: @escaping @Sendable () async throws -> Chunks
  ) -> RequestBody where Chunks.Element: Collection<UInt8> {
    .restartable(length: length) { () throws(NetworkError) in SequenceByteSource(make) }
  }
}

/// The bytes of an async sequence, read chunk by chunk from a task that iterates it.
///
/// An iterator must stay in one task, and ``cancel()`` needs a task that it can cancel.
final class SequenceByteSource: ByteSource {
  private let handover = ChunkHandover()
  private let start: SingleUse<@Sendable () -> Task<Void, Never>>

  init<Chunks: AsyncSequence & SendableMetatype>(_ make: @escaping @Sendable () async throws -> Chunks)
  where Chunks.Element: Collection<UInt8> {
    let handover = handover
    start = SingleUse { Task { await Self.walk(handover, make) } }
  }

  deinit { handover.cancel() }

  func read() async throws(NetworkError) -> [UInt8]? {
    if let start = start.take() { handover.adopt(start()) }
    return try await handover.read()
  }

  func cancel() { handover.cancel() }

  private static func walk<Chunks: AsyncSequence & SendableMetatype>(
    _ handover: ChunkHandover, _ make: @Sendable () async throws -> Chunks
  ) async where Chunks.Element: Collection<UInt8> {
    do {
      guard await handover.awaitDemand() else { return }
      var iterator = try await make().makeAsyncIterator()
      while let chunk = try await iterator.next() {
        guard !chunk.isEmpty else { continue }
        handover.deliver(.success(Array(chunk)))
        guard await handover.awaitDemand() else { return }
      }
      handover.deliver(.success(nil))
    } catch let error as NetworkError {
      handover.deliver(.failure(error))
    } catch is CancellationError {
      handover.deliver(.failure(ChunkHandover.cancellation))
    } catch {
      let reason = "The body's sequence failed, so the request was not sent completely: \(type(of: error))."
      handover.deliver(.failure(NetworkError(.rejected, reason, underlying: error)))
    }
  }
}

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
