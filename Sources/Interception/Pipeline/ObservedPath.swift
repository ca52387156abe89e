// The path of a request through a pipeline with observers, from top to bottom.

extension Pipeline {
  /// Sends a request through the chain and reports the call, and each step if an observer wants that.
  func dispatch(
    _ request: Request, observedBy observation: Observation
  ) async throws(NetworkError) -> Response {
    do throws(NetworkError) {
      let response =
        observation.includesSteps
        ? try await dispatchSteps(request, observedBy: observation)
        : try await dispatchUnobserved(request, recordedBy: observation.recording)
      return observation.finish(with: response, attempt: request.attempt)
    } catch {
      observation.finish(with: error)
      throw error
    }
  }

  private func dispatchSteps(
    _ request: Request, observedBy observation: Observation
  ) async throws(NetworkError) -> Response {
    try await CallDeadline.limiting(request, time: time) { [self] request throws(NetworkError) in
      let request = bodyNeeds.areMet(by: request) ? request : try await bodyNeeds.satisfied(by: request)
      let entrance = ObservedNext(
        after: nil, to: first, in: Call(of: self, recordedBy: observation.recording),
        observation: observation,
        frame: nil)
      return try await entrance.dispatch(request)
    }
  }
}

/// The remainder of an observed pipeline, as one of its interceptors receives it.
private struct ObservedNext: Dispatcher {
  /// The step of the interceptor that receives this value; nil at the start of the chain.
  let step: Step?
  /// The next interceptor's step, or nil if the dispatcher is next.
  let next: Step?
  let call: Call
  let observation: Observation
  /// The frame of the interceptor that receives this value; nil at the start of the chain.
  let frame: FrameLedger.FrameID?
  #if DEBUG
  /// The check of the interceptor that receives this value; nil at the start of the chain.
  let check: NextCallCheck?
  #endif

  init(
    after step: Step?, to next: Step?, in call: Call, observation: Observation, frame: FrameLedger.FrameID?
  ) {
    self.step = step
    self.next = next
    self.call = call
    self.observation = observation
    self.frame = frame
    #if DEBUG
    check = step.map(NextCallCheck.init)
    #endif
  }

  var capabilities: DispatcherCapabilities { call.pipeline.capabilities }

  /// Calls the next interceptor, or the dispatcher after the last one, and reports the step.
  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    #if DEBUG
    try check?.noteCall(with: request)
    #endif
    guard let step else { return try await proceed(request) }
    return try await step.collected(proceed(request))
  }

  private func proceed(_ request: Request) async throws(NetworkError) -> Response {
    try call.checkCancellation(of: request)
    // A departure without anything to complete is no step to speak of.
    let next = next?.isDeparture == true && request.departures.isEmpty ? next?.next : next
    let frame = observation.enter(
      next?.event ?? .dispatcher(call.pipeline.baseName), parent: frame, attempt: request.attempt)
    do throws(NetworkError) {
      let response =
        switch next {
        case let step?: try await enter(step, with: request, frame)
        case nil: try await call.dispatch(request)
        }
      observation.leave(frame, with: .success(response), attempt: request.attempt)
      return response
    } catch {
      observation.leave(frame, with: .failure(error), attempt: request.attempt)
      throw error
    }
  }

  /// Proceeds, and completes the request when it leaves the device.
  func dispatch(
    _ request: Request, onDeparture departure: Request.Departure
  ) async throws(NetworkError) -> Response {
    let name = step?.name ?? ""
    guard step?.precedesDeparture == true else {
      return try await departure.dispatch(request, by: name, next: self)
    }
    return try await dispatch(request.deferring(departure, by: name))
  }

  private func enter(
    _ step: Step, with request: Request, _ frame: FrameLedger.FrameID
  ) async throws(NetworkError) -> Response {
    let next = ObservedNext(
      after: step, to: step.next, in: call, observation: observation, frame: frame)
    guard step.applies(to: request) else { return try await next.proceed(request) }
    let request = try await call.readable(request, at: step)
    do {
      let response = try await step.interceptor.intercept(request, next: next)
      #if DEBUG
      try next.check?.checkEnd(of: request)
      #endif
      return response
    } catch {
      throw call.failure(of: request, at: step, with: error)
    }
  }
}
