/// The rest of a pipeline, from one step on: what an interceptor is handed as `next`.
struct Next: Dispatcher {
  let call: Call
  let index: Int
  let parent: Int?

  var capabilities: DispatcherCapabilities { call.pipeline.capabilities }

  // Inlined where it is called, for each frame is felt at every step; the common step counts no reference.
  @inline(__always)
  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    guard !Task.isCancelled else { throw cancelled(request) }
    guard call.plainSteps.contains(index) else { return try await specially(request) }
    if index < call.pipeline.links.count {
      do {
        return try await Self.enter(
          call.pipeline, index, request, Next(call: call, index: index + 1, parent: nil))
      } catch {
        throw wrapped(error, request)
      }
    }
    do throws(NetworkError) {
      var response = try await Self.end(call.pipeline, request)
      call.noteProcessed()
      response.raiseAttempts(to: request.attempt)
      return response
    } catch {
      throw failed(error, request)
    }
  }

  // Whatever is handed to a function of its own is lent to it, so that nothing is counted up and down.
  @inline(__always)
  private static func enter(
    _ pipeline: Pipeline, _ index: Int, _ request: Request, _ next: Next
  ) async throws -> Response {
    try await pipeline.links.enter(index, request, next: next)
  }

  @inline(__always)
  private static func end(_ pipeline: Pipeline, _ request: Request) async throws(NetworkError) -> Response {
    try await pipeline.base.dispatch(request)
  }

  private func specially(_ request: Request) async throws(NetworkError) -> Response {
    guard let limit = call.pipeline.answerLimits[index] else { return try await step(request) }
    let response = try await step(request)
    guard case .stream = response.body else { return response }
    return try await response.buffered(upTo: limit)
  }

  private func step(_ request: Request) async throws(NetworkError) -> Response {
    guard index < call.pipeline.links.count else { return try await dispatched(request) }
    let link = call.pipeline.links[index]
    let frame = call.enter(.interceptor(link.name, link.stage), parent: parent, attempt: request.attempt)
    do {
      let next = Next(call: call, index: index + 1, parent: frame)
      let response = try await link.interceptor.intercept(request, next: next)
      call.leave(frame, with: .success(response), attempt: request.attempt)
      return response
    } catch {
      let error = wrapped(error, request)
      call.leave(frame, with: .failure(error), attempt: request.attempt)
      throw error
    }
  }

  private func dispatched(_ request: Request) async throws(NetworkError) -> Response {
    let name = call.pipeline.baseName
    let frame = call.enter(.dispatcher(name), parent: parent, attempt: request.attempt)
    do throws(NetworkError) {
      var response = try await call.pipeline.base.dispatch(request)
      call.noteProcessed()
      response.raiseAttempts(to: request.attempt)
      call.leave(frame, with: .success(response), attempt: request.attempt)
      return response
    } catch {
      let error = failed(error, request)
      call.leave(frame, with: .failure(error), attempt: request.attempt)
      throw error
    }
  }

  @inline(never)
  private func failed(_ error: NetworkError, _ request: Request) -> NetworkError {
    if error.requestMayHaveBeenProcessed { call.noteProcessed() }
    return NetworkError.wrapping(
      error, origin: .dispatcher(call.pipeline.baseName), attempt: request.attempt,
      requestMayHaveBeenProcessed: false)
  }

  @inline(never)
  private func wrapped(_ error: any Error, _ request: Request) -> NetworkError {
    NetworkError.wrapping(
      error, origin: .interceptor(call.pipeline.links[index].name), attempt: request.attempt,
      requestMayHaveBeenProcessed: call.wasProcessed)
  }

  @inline(never)
  private func cancelled(_ request: Request) -> NetworkError {
    NetworkError(
      .cancelled(.task), "The request was cancelled.", requestMayHaveBeenProcessed: call.wasProcessed,
      origin: .pipeline, attempt: request.attempt)
  }
}
