import Synchronization

/// One call of a pipeline: whether the server may have processed its request, and the errors that say so.
///
/// It is the only heap object that a pipeline allocates for a call without observers.
@usableFromInline
final class Call: Sendable {
  let pipeline: Pipeline
  private let isProcessed = Atomic(false)

  init(of pipeline: Pipeline) { self.pipeline = pipeline }

  /// Notes that the server may have processed the request.
  func noteProcessed() { isProcessed.store(true, ordering: .relaxed) }

  /// Throws ``NetworkError/Kind/cancelled(_:)`` if the current task is cancelled.
  @usableFromInline
  func checkCancellation(of request: Request) throws(NetworkError) {
    if Task.isCancelled { throw cancellation(of: request) }
  }

  // The errors are made in functions of their own that are not inlined, because they are rare.

  @inline(never)
  private func cancellation(of request: Request) -> NetworkError {
    NetworkError(
      .cancelled(.task), "The request was cancelled.",
      requestMayHaveBeenProcessed: isProcessed.load(ordering: .relaxed), origin: .pipeline,
      attempt: request.attempt)
  }

  /// Returns the error of an interceptor: its own, or one that wraps what it threw.
  @usableFromInline
  @inline(never)
  func failure(of request: Request, at step: Step, with error: any Error) -> NetworkError {
    NetworkError.wrapping(
      error, origin: .interceptor(step.name), attempt: request.attempt,
      requestMayHaveBeenProcessed: isProcessed.load(ordering: .relaxed))
  }

  /// Returns the dispatcher's error with its origin, and notes what it says of the request.
  @inline(never)
  func failureOfDispatcher(_ request: Request, with error: NetworkError) -> NetworkError {
    if error.requestMayHaveBeenProcessed { noteProcessed() }
    return NetworkError.wrapping(
      error, origin: .dispatcher(pipeline.baseName), attempt: request.attempt,
      requestMayHaveBeenProcessed: false)
  }
}
