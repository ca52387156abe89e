/// The rest of a pipeline, from one step on: what an interceptor is handed as `next`.
struct Next: Dispatcher {
  let call: Call
  let index: Int
  let parent: Int?

  var capabilities: DispatcherCapabilities { call.pipeline.capabilities }

  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    guard !Task.isCancelled else { throw cancelled(request) }
    // The common step takes one frame and copies nothing; each further frame is felt six times in a chain of six.
    let pipeline = call.pipeline
    guard index < pipeline.plainSteps, !call.isObserved else { return try await specially(request) }
    do {
      let next = Next(call: call, index: index + 1, parent: nil)
      return try await pipeline.links[index].interceptor.intercept(request, next: next)
    } catch {
      throw wrapped(error, request)
    }
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
      if error.requestMayHaveBeenProcessed { call.noteProcessed() }
      let error = NetworkError.wrapping(
        error, origin: .dispatcher(name), attempt: request.attempt, requestMayHaveBeenProcessed: false)
      call.leave(frame, with: .failure(error), attempt: request.attempt)
      throw error
    }
  }

  private func wrapped(_ error: any Error, _ request: Request) -> NetworkError {
    NetworkError.wrapping(
      error, origin: .interceptor(call.pipeline.links[index].name), attempt: request.attempt,
      requestMayHaveBeenProcessed: call.wasProcessed)
  }

  private func cancelled(_ request: Request) -> NetworkError {
    NetworkError(
      .cancelled(.task), "The request was cancelled.", requestMayHaveBeenProcessed: call.wasProcessed,
      origin: .pipeline, attempt: request.attempt)
  }
}
