extension Call {
  /// Sends the request by the dispatcher at the end of the chain; `frame` is that of the last interceptor.
  @usableFromInline
  func end(_ request: Request, from frame: Int) async throws(NetworkError) -> Response {
    try await endInline(request, from: frame)
  }

  /// Does what ``end(_:from:)`` does, within whoever calls it.
  @inline(__always)
  func endInline(_ request: Request, from frame: Int) async throws(NetworkError) -> Response {
    guard !CurrentTask.isCancelled else { throw cancelled(request) }
    guard !isObserved, pipeline.answerLimit == nil else {
      return try await endSpecially(request, from: frame)
    }
    do throws(NetworkError) {
      return answered(try await Self.dispatch(pipeline, request), request)
    } catch {
      throw failed(error, request)
    }
  }

  // The pipeline is lent to a function of its own, so that it isn't counted up and down.
  @inline(__always)
  private static func dispatch(
    _ pipeline: Pipeline, _ request: Request
  ) async throws(NetworkError) -> Response {
    try await pipeline.base.dispatch(request)
  }

  private func endSpecially(_ request: Request, from parent: Int) async throws(NetworkError) -> Response {
    let frame = enter(.dispatcher(pipeline.baseName), parent: parent, attempt: request.attempt)
    let response: Response
    do throws(NetworkError) {
      response = answered(try await pipeline.base.dispatch(request), request)
    } catch {
      let error = failed(error, request)
      leave(frame, with: .failure(error), attempt: request.attempt)
      throw error
    }
    leave(frame, with: .success(response), attempt: request.attempt)
    guard let limit = pipeline.answerLimit, case .stream = response.body else { return response }
    return try await response.buffered(upTo: limit)
  }

  @inline(__always)
  private func answered(_ response: Response, _ request: Request) -> Response {
    noteProcessed()
    var response = response
    response.raiseAttempts(to: request.attempt)
    return response
  }

  @inline(never)
  private func failed(_ error: NetworkError, _ request: Request) -> NetworkError {
    if error.requestMayHaveBeenProcessed { noteProcessed() }
    return NetworkError.wrapping(
      error, origin: .dispatcher(pipeline.baseName), attempt: request.attempt,
      requestMayHaveBeenProcessed: false)
  }

  /// The error of a request whose task was cancelled before the next step.
  @inline(never)
  func cancelled(_ request: Request) -> NetworkError {
    NetworkError(
      .cancelled(.task), "The request was cancelled.", requestMayHaveBeenProcessed: wasProcessed,
      origin: .pipeline, attempt: request.attempt)
  }
}
