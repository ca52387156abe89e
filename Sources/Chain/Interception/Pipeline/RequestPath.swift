// The path of a request through a pipeline, from top to bottom.

extension Pipeline {
  /// Sends a request through the chain, away from the caller's actor.
  @concurrent public func send(_ request: Request) async throws(NetworkError) -> Response {
    var response = try await dispatch(request)
    // A copy would cost more than a name is worth here.
    response.note(request, copying: false)
    return response
  }

  /// Sends a request through the chain, on the caller's executor, or in a child task if the call has a time
  /// limit.
  @inline(__always)
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    let request = identifies ? identified(request) : request
    if !observers.isEmpty, let observation = Observation.begin(request, by: observers, time: time) {
      return try await dispatch(request, observedBy: observation)
    }
    return try await start(request, observedBy: nil)
  }

  /// Sends a request through the chain, and reports the call.
  private func dispatch(
    _ request: Request, observedBy observation: Observation
  ) async throws(NetworkError) -> Response {
    do throws(NetworkError) {
      let response = try await start(request, observedBy: observation)
      return observation.finish(with: response, attempt: request.attempt)
    } catch {
      observation.finish(with: error)
      throw error
    }
  }

  @inline(__always)
  private func start(
    _ request: Request, observedBy observation: Observation?
  ) async throws(NetworkError) -> Response {
    guard request.callLimit == nil, bodyNeeds.areMet(by: request) else {
      return try await prepare(request, observedBy: observation)
    }
    return try await Call(of: self, observedBy: observation).proceed(request, to: first, within: nil)
  }

  /// Sends a request whose body must be collected first, or whose call has a time limit.
  @inline(never)
  private func prepare(
    _ request: Request, observedBy observation: Observation?
  ) async throws(NetworkError) -> Response {
    try await CallDeadline.limiting(request, time: time) { [self] request throws(NetworkError) in
      let request = bodyNeeds.areMet(by: request) ? request : try await bodyNeeds.satisfied(by: request)
      return try await Call(of: self, observedBy: observation).proceed(request, to: first, within: nil)
    }
  }
}

extension Call {
  /// Takes a request through a step and all after it, or to the dispatcher after the last one.
  ///
  /// - Parameter outer: The run of the step before it; nil at the start of the chain.
  // Inlined, because each call of an asynchronous function takes a frame, and a return to the executor.
  @inline(__always)
  func proceed(
    _ request: Request, to step: Step?, within outer: Int?
  ) async throws(NetworkError) -> Response {
    try checkCancellation(of: request)
    if let step, step.isDeparture, request.departures.isEmpty {
      return try await proceed(request, past: step, within: outer)
    }
    let run = startRun(of: step, with: request, within: outer)
    do {
      let response =
        switch step {
        case nil: try await dispatch(request)
        case let step? where step.isLimited: try await enter(limited: step, with: request, as: run)
        case let step?: try await enter(step, with: request, as: run)
        }
      steps?.leave(run, with: .success(response), attempt: request.attempt)
      return response
    } catch {
      let error = failure(of: request, at: step, with: error)
      steps?.leave(run, with: .failure(error), attempt: request.attempt)
      throw error
    }
  }

  @inline(__always)
  private func enter(_ step: Step, with request: Request, as run: Int) async throws -> Response {
    let response = try await step.interceptor.intercept(request, next: Next(step: step, run: run, call: self))
    try checkNextCalls(of: run, by: step, with: request)
    return response
  }

  /// Enters a step if the request is in its scope, with a body that its interceptor can read.
  ///
  /// Bodies were collected for requests in the scope when they entered the pipeline. An outer interceptor may
  /// have changed the request since.
  @inline(never)
  private func enter(limited step: Step, with request: Request, as run: Int) async throws -> Response {
    guard step.applies(to: request) else { return try await proceed(request, to: step.next, within: run) }
    let needs = step.bodyNeeds
    return try await enter(
      step, with: needs.areMet(by: request) ? request : needs.satisfied(by: request), as: run)
  }

  /// Passes a departure that has nothing to complete, which is no step of the call.
  @inline(never)
  private func proceed(
    _ request: Request, past step: Step, within outer: Int?
  ) async throws(NetworkError) -> Response {
    try await proceed(request, to: step.next, within: outer)
  }
}

/// The remainder of a call's chain, as one of its interceptors receives it.
struct Next: Dispatcher {
  // Three words, so that `any Dispatcher` holds it without an allocation.
  /// The step whose interceptor receives this value.
  let step: Step
  /// The number of the interceptor's run in the call.
  let run: Int
  let call: Call

  var capabilities: DispatcherCapabilities { call.pipeline.capabilities }

  /// Proceeds to the next step, and collects the response's body if the interceptor reads it.
  @inline(__always)
  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    if step.callsNext != .anyNumber, call.nextCalls.add(to: run) > 1 {
      try call.checkNextCalls(of: run, by: step, with: request)
    }
    let response = try await call.proceed(request, to: step.next, within: run)
    guard let limit = step.responseLimit, case .stream = response.body else { return response }
    return try await response.buffered(upTo: limit)
  }

  /// Proceeds, and completes the request when it leaves the device.
  func dispatch(
    _ request: Request, onDeparture departure: Request.Departure
  ) async throws(NetworkError) -> Response {
    guard step.precedesDeparture else {
      return try await departure.dispatch(request, by: step.name, next: self)
    }
    return try await dispatch(request.deferring(departure, by: step.name))
  }
}
