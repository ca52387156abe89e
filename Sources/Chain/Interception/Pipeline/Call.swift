import Synchronization

/// The state of one call: whether the server may have processed it, how often its interceptors called `next`,
/// and its observers.
///
/// It is the only heap object that a pipeline allocates for a call without observers.
final class Call: Sendable {
  let pipeline: Pipeline
  /// Reports the steps; nil if no observer wants their events.
  let steps: Observation?
  /// Reports the call; nil if nothing of it is observed.
  let observation: Observation?
  /// Whether the server may have processed the request.
  private let isProcessed = Atomic(false)
  let nextCalls = NextCallCounts()

  init(of pipeline: Pipeline, observedBy observation: Observation?) {
    self.pipeline = pipeline
    steps = observation?.includesSteps == true ? observation : nil
    self.observation = observation
  }

  /// Reports that a step starts, or the dispatcher if `step` is nil, and returns the number of its run.
  @inline(__always)
  func startRun(of step: Step?, with request: Request, within outer: Int?) -> Int {
    guard let steps else { return nextCalls.startRun() }
    return steps.enter(
      step?.event ?? .dispatcher(pipeline.baseName), parent: outer, attempt: request.attempt)
  }

  /// Throws ``NetworkError/Kind/cancelled(_:)`` if the current task is cancelled.
  func checkCancellation(of request: Request) throws(NetworkError) {
    if Task.isCancelled { throw cancellation(of: request) }
  }

  /// Returns a request that ends with its call.
  ///
  /// - Throws: ``NetworkError/Kind/timeout(_:)`` if no time is left.
  @inline(never)
  private func limited(_ request: Request, by deadline: CallDeadline) throws(NetworkError) -> Request {
    let request = deadline.limited(request)
    guard request.callLimit ?? .zero > .zero else {
      throw deadline.error(
        request, attempt: request.attempt,
        requestMayHaveBeenProcessed: isProcessed.load(ordering: .relaxed))
    }
    return request
  }

  /// Sends a request with the pipeline's dispatcher, and reports it and its response if they are recorded.
  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    let recording = observation?.recording
    let exchange = recording?.sent(request)
    do throws(NetworkError) {
      var response =
        if let deadline = request.deadline, !deadline.isShared {
          try await pipeline.base.dispatch(limited(request, by: deadline))
        } else {
          try await pipeline.base.dispatch(request)
        }
      isProcessed.store(true, ordering: .relaxed)
      response.raiseAttempts(to: request.attempt)
      guard let recording, let exchange else { return response }
      return recording.received(response, in: exchange)
    } catch {
      let error = failureOfDispatcher(request, with: error)
      if let recording, let exchange { recording.failed(error, in: exchange) }
      throw error
    }
  }

  /// Checks whether an interceptor has called `next` as often as its traits declare.
  ///
  /// - Throws: ``NetworkError/Kind/rejected`` if it hasn't.
  @inline(__always)
  func checkNextCalls(of run: Int, by step: Step, with request: Request) throws(NetworkError) {
    let calls = nextCalls.count(of: run)
    // Nearly always, and always declared.
    guard calls != 1, let fault = step.callsNext.fault(after: calls) else { return }
    throw misuse("\(step.name) \(fault)", with: request, wasPassedOn: calls > 0)
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

  @inline(never)
  private func misuse(_ reason: String, with request: Request, wasPassedOn: Bool) -> NetworkError {
    NetworkError(
      .rejected, reason, requestMayHaveBeenProcessed: wasPassedOn, origin: .pipeline, attempt: request.attempt
    )
  }

  /// Returns an error with the name of the step where it was thrown, wrapped unless it is already a
  /// ``NetworkError``.
  @inline(never)
  func failure(of request: Request, at step: Step?, with error: any Error) -> NetworkError {
    NetworkError.wrapping(
      error, of: request, origin: step.map { .interceptor($0.name) } ?? .dispatcher(pipeline.baseName),
      attempt: request.attempt, requestMayHaveBeenProcessed: isProcessed.load(ordering: .relaxed))
  }

  /// Returns the dispatcher's error with its origin, and records whether the server may have processed the
  /// request.
  @inline(never)
  private func failureOfDispatcher(_ request: Request, with error: NetworkError) -> NetworkError {
    if error.requestMayHaveBeenProcessed { isProcessed.store(true, ordering: .relaxed) }
    return NetworkError.wrapping(
      error, of: request, origin: .dispatcher(pipeline.baseName), attempt: request.attempt,
      requestMayHaveBeenProcessed: false)
  }
}
