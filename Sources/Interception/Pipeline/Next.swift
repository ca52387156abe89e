/// The rest of a pipeline, from one index on: what an interceptor is handed as `next`.
struct Next: Dispatcher {
  let pipeline: Pipeline
  let index: Int
  let call: Call
  let parent: Int?

  var capabilities: DispatcherCapabilities { pipeline.capabilities }

  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    guard !Task.isCancelled else {
      throw NetworkError(
        .cancelled(.task), "The request was cancelled.", requestMayHaveBeenProcessed: call.wasProcessed,
        origin: .pipeline, attempt: request.attempt)
    }
    var response =
      index < pipeline.links.count
      ? try await intercepted(request, by: pipeline.links[index]) : try await dispatched(request)
    if index > 0, case .bytes(let limit) = pipeline.links[index - 1].responseBody,
      case .stream = response.body
    {
      response = try await response.buffered(upTo: limit)
    }
    return response
  }

  private func intercepted(_ request: Request, by link: Pipeline.Link) async throws(NetworkError) -> Response
  {
    let frame = call.enter(.interceptor(link.name, link.stage), parent: parent, attempt: request.attempt)
    do {
      let next = Next(pipeline: pipeline, index: index + 1, call: call, parent: frame)
      let response = try await link.interceptor.intercept(request, next: next)
      call.leave(frame, with: .success(response), attempt: request.attempt)
      return response
    } catch {
      let error = NetworkError.wrapping(
        error, origin: .interceptor(link.name), attempt: request.attempt,
        requestMayHaveBeenProcessed: call.wasProcessed)
      call.leave(frame, with: .failure(error), attempt: request.attempt)
      throw error
    }
  }

  private func dispatched(_ request: Request) async throws(NetworkError) -> Response {
    let frame = call.enter(.dispatcher(pipeline.baseName), parent: parent, attempt: request.attempt)
    do throws(NetworkError) {
      var response = try await pipeline.base.dispatch(request)
      call.noteProcessed()
      response.exchange.attempts = max(response.exchange.attempts, request.attempt)
      call.leave(frame, with: .success(response), attempt: request.attempt)
      return response
    } catch {
      if error.requestMayHaveBeenProcessed { call.noteProcessed() }
      let error = NetworkError.wrapping(
        error, origin: .dispatcher(pipeline.baseName), attempt: request.attempt,
        requestMayHaveBeenProcessed: false)
      call.leave(frame, with: .failure(error), attempt: request.attempt)
      throw error
    }
  }
}
