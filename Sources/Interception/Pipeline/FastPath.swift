// The path of a request whose steps are not observed, from top to bottom. ObservedPath.swift is the
// path with observers of steps.

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
    return try await dispatchUnobserved(request, recordedBy: nil)
  }

  /// Sends a request through the chain without reporting the steps.
  @inline(__always)
  func dispatchUnobserved(
    _ request: Request, recordedBy recording: Observation?
  ) async throws(NetworkError) -> Response {
    guard request.callLimit == nil, bodyNeeds.areMet(by: request) else {
      return try await dispatchPrepared(request, recordedBy: recording)
    }
    return try await Next.proceed(request, to: first, in: Call(of: self, recordedBy: recording))
  }

  /// Sends a request whose body must be collected first, or whose call has a time limit.
  @inline(never)
  private func dispatchPrepared(
    _ request: Request, recordedBy recording: Observation?
  ) async throws(NetworkError) -> Response {
    try await CallDeadline.limiting(request, time: time) { [self] request throws(NetworkError) in
      let request = bodyNeeds.areMet(by: request) ? request : try await bodyNeeds.satisfied(by: request)
      return try await Next.proceed(request, to: first, in: Call(of: self, recordedBy: recording))
    }
  }
}

extension Pipeline {
  /// The remainder of a pipeline, as one of its interceptors receives it.
  ///
  /// Don't use this type: declare `next` as `some Dispatcher`, so that the interceptor works with every
  /// dispatcher. The type is public and its methods are inlinable only so that the compiler can specialize an
  /// interceptor for it in the interceptor's module.
  public struct Next: Dispatcher {
    @usableFromInline let step: Step
    @usableFromInline let call: Call
    #if DEBUG
    @usableFromInline let check: NextCallCheck
    #endif

    @inlinable
    @inline(__always)
    init(after step: Step, in call: Call) {
      self.step = step
      self.call = call
      #if DEBUG
      check = NextCallCheck(step)
      #endif
    }

    /// The capabilities of the pipeline's dispatcher.
    public var capabilities: DispatcherCapabilities { call.pipeline.capabilities }

    /// Proceeds to the next interceptor, or to the dispatcher after the last one.
    @inlinable
    @inline(__always)
    public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      #if DEBUG
      try check.noteCall(with: request)
      #endif
      guard step.responseLimit == nil else { return try await collecting(request) }
      return try await Self.proceed(request, to: step.next, in: call)
    }

    /// Proceeds, and collects the response's body for the step's interceptor.
    @usableFromInline
    @inline(never)
    func collecting(_ request: Request) async throws(NetworkError) -> Response {
      try await step.collected(Self.proceed(request, to: step.next, in: call))
    }

    /// Proceeds, and completes the request when it leaves the device.
    public func dispatch(
      _ request: Request, onDeparture departure: Request.Departure
    ) async throws(NetworkError) -> Response {
      guard step.precedesDeparture else {
        return try await departure.dispatch(request, by: step.name, next: self)
      }
      return try await dispatch(request.deferring(departure, by: step.name))
    }

    // There are two functions because a function does not retain its parameters. As a single function, the
    // step is retained and released, the interceptor's `intercept` is not inlined, and a step takes nearly
    // twice as many instructions.
    @inlinable
    @inline(__always)
    static func proceed(
      _ request: Request, to step: Step?, in call: Call
    ) async throws(NetworkError) -> Response {
      try call.checkCancellation(of: request)
      switch step {
      case let step? where step.isLimited: return try await proceed(request, toLimited: step, in: call)
      case let step?: return try await enter(step, with: request, in: call)
      case nil: return try await call.dispatch(request)
      }
    }

    /// Enters a step if the request is in its scope, and the one after it otherwise.
    @usableFromInline
    @inline(never)
    static func proceed(
      _ request: Request, toLimited step: Step, in call: Call
    ) async throws(NetworkError) -> Response {
      guard step.applies(to: request) else { return try await proceed(request, to: step.next, in: call) }
      return try await enter(step, with: call.readable(request, at: step), in: call)
    }

    // `_enter` is a public requirement, with an underscore as those of the standard library, because only the
    // witness table leads to code of the interceptor's module that is specialized for `Next`. Without it a
    // call of six interceptors that pass on takes 47 % more instructions.
    @inlinable
    @inline(__always)
    static func enter(
      _ step: Step, with request: Request, in call: Call
    ) async throws(NetworkError) -> Response {
      try await step.interceptor._enter(request, next: Next(after: step, in: call))
    }
  }
}

extension Pipeline.Next: IdentifyingDispatcher {
  package var identityProviders: [any Request.IdentityProvider] { call.pipeline.identityProviders }
  package var credentialFields: CredentialFields { call.pipeline.credentialFields }
}

extension Interceptor {
  /// Intercepts a request as a step of a pipeline.
  ///
  /// Don't call this method.
  @inlinable
  @inline(__always)
  public func _enter(_ request: Request, next: Pipeline.Next) async throws(NetworkError) -> Response {
    do {
      #if DEBUG
      let response = try await intercept(request, next: next)
      try next.check.checkEnd(of: request)
      return response
      #else
      return try await intercept(request, next: next)
      #endif
    } catch {
      throw next.call.failure(of: request, at: next.step, with: error)
    }
  }
}

extension Call {
  /// Returns the request with a body that a limited step's interceptor can read.
  ///
  /// The pipeline has done this for requests that are in the scope when they enter it. An outer interceptor
  /// may have changed the request since.
  func readable(_ request: Request, at step: Step) async throws(NetworkError) -> Request {
    guard !step.bodyNeeds.areMet(by: request) else { return request }
    do throws(NetworkError) {
      return try await step.bodyNeeds.satisfied(by: request)
    } catch {
      throw failure(of: request, at: step, with: error)
    }
  }

  /// Sends a request with the pipeline's dispatcher, and records whether the server may have processed it.
  @usableFromInline
  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    guard recording == nil else { return try await dispatchRecorded(request) }
    return try await dispatchUnrecorded(request)
  }

  @inline(__always)
  private func dispatchUnrecorded(_ request: Request) async throws(NetworkError) -> Response {
    do throws(NetworkError) {
      var response =
        if let deadline = request.deadline, !deadline.isShared {
          try await pipeline.base.dispatch(limited(request, by: deadline))
        } else {
          try await pipeline.base.dispatch(request)
        }
      noteProcessed()
      response.raiseAttempts(to: request.attempt)
      return response
    } catch {
      throw failureOfDispatcher(request, with: error)
    }
  }
  /// Sends a request with the pipeline's dispatcher, and reports it and its response.
  @inline(never)
  private func dispatchRecorded(_ request: Request) async throws(NetworkError) -> Response {
    guard let recording else { return try await dispatchUnrecorded(request) }
    let exchange = recording.sent(request)
    do throws(NetworkError) {
      return recording.received(try await dispatchUnrecorded(request), in: exchange)
    } catch {
      recording.failed(error, in: exchange)
      throw error
    }
  }
}
