import Synchronization

/// The state of one call: whether the server may have processed the request, for the errors that report it.
///
/// It is the only heap object that a pipeline allocates for a call without observers.
@usableFromInline
final class Call: Sendable {
  let pipeline: Pipeline
  /// Reports the messages that the dispatcher receives and returns; nil if they aren't recorded.
  let recording: Observation?
  private let isProcessed = Atomic(false)

  init(of pipeline: Pipeline, recordedBy recording: Observation? = nil) {
    self.pipeline = pipeline
    self.recording = recording
  }

  /// Records that the server may have processed the request.
  func noteProcessed() { isProcessed.store(true, ordering: .relaxed) }

  /// Throws ``NetworkError/Kind/cancelled(_:)`` if the current task is cancelled.
  @usableFromInline
  func checkCancellation(of request: Request) throws(NetworkError) {
    if Task.isCancelled { throw cancellation(of: request) }
  }

  /// Returns a request that ends with its call.
  ///
  /// - Throws: ``NetworkError/Kind/timeout(_:)`` if no time is left.
  @inline(never)
  func limited(_ request: Request, by deadline: CallDeadline) throws(NetworkError) -> Request {
    let request = deadline.limited(request)
    guard request.callLimit ?? .zero > .zero else {
      throw deadline.error(
        request, attempt: request.attempt,
        requestMayHaveBeenProcessed: isProcessed.load(ordering: .relaxed))
    }
    return request
  }

  // Errors are rare, so the functions that create them are kept out of line.

  @inline(never)
  private func cancellation(of request: Request) -> NetworkError {
    NetworkError(
      .cancelled(.task), "The request was cancelled.",
      requestMayHaveBeenProcessed: isProcessed.load(ordering: .relaxed), origin: .pipeline,
      attempt: request.attempt
    ).of(request)
  }

  /// Returns an interceptor's error, wrapped unless it is already a ``NetworkError``.
  @usableFromInline
  @inline(never)
  func failure(of request: Request, at step: Step, with error: any Error) -> NetworkError {
    NetworkError.wrapping(
      error, of: request, origin: .interceptor(step.name), attempt: request.attempt,
      requestMayHaveBeenProcessed: isProcessed.load(ordering: .relaxed))
  }

  /// Returns the dispatcher's error with its origin, and records whether the server may have processed the
  /// request.
  @inline(never)
  func failureOfDispatcher(_ request: Request, with error: NetworkError) -> NetworkError {
    if error.requestMayHaveBeenProcessed { noteProcessed() }
    return NetworkError.wrapping(
      error, of: request, origin: .dispatcher(pipeline.baseName), attempt: request.attempt,
      requestMayHaveBeenProcessed: false)
  }
}
