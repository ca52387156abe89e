extension Request {
  /// The part of an interceptor's work that is needed only if the request leaves the device.
  ///
  /// An interceptor before stage ``Stage/departure`` that adds what only a server needs passes it on with the
  /// request. The pipeline completes the request between caching and routing, so a response from a store
  /// needs no token, no signature and no nonce, and is returned even if they can't be obtained:
  ///
  /// ```swift
  /// struct Stamping: Interceptor {
  ///   let traits = InterceptorTraits(stage: .signing)
  ///   func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
  ///     let departure = Request.Departure { request in
  ///       request.head.headerFields[.date] = HTTPDate.format(TimeSource.system.wallTime())
  ///     }
  ///     return try await next.dispatch(request, onDeparture: departure)
  ///   }
  /// }
  /// ```
  ///
  /// Don't use it for what a cache must see, such as `Accept-Language`: a response is stored under the
  /// request as it is before its departure.
  ///
  /// The departures of several interceptors are completed in the order of the interceptors, each time the
  /// request leaves: once for each attempt, hop and replay. The first error ends the request with the name of
  /// its interceptor, and the rest of the chain receives nothing. In a chain without an interceptor that may
  /// respond by itself, and outside of a pipeline, the request is completed at once.
  public struct Departure: Sendable {
    private enum Work: Sendable {
      case closures(
        complete: @Sendable (inout Request) async throws -> Void, receive: (@Sendable (Response) -> Void)?)
      /// Decides whether the request may leave, before all departures and once more after them.
      case check(@Sendable (Request) throws -> Void)
      case handler(any DepartureHandler)
    }

    private let work: Work
    /// The interceptor's name, for errors.
    fileprivate(set) var name = ""

    /// Creates a departure.
    ///
    /// - Parameters:
    ///   - receive: Receives each response that arrives from beyond the departure, before any interceptor
    ///     before it, such as a cache that replaces the response. It must return at once, and must not read
    ///     the body.
    ///   - complete: Completes the request. It is called again for each attempt, and must not keep anything
    ///     from the call before.
    public init(
      receive: (@Sendable (Response) -> Void)? = nil,
      _ complete: @escaping @Sendable (inout Request) async throws -> Void
    ) {
      work = .closures(complete: complete, receive: receive)
    }

    /// Creates a departure that only decides whether a request may leave.
    ///
    /// - Parameter check: Throws the reason why it may not. It is called before the request is completed, so
    ///   that no token is fetched for a request that is refused, and again afterwards, since that may take
    ///   long.
    package init(checking check: @escaping @Sendable (Request) throws -> Void) {
      work = .check(check)
    }

    /// Creates a departure whose work is done by the methods of an object.
    package init(_ handler: some DepartureHandler) {
      work = .handler(handler)
    }

    /// Sends a request that is completed at once.
    ///
    /// - Parameter name: The name of its interceptor; nil if the interceptor's own step adds it to errors.
    func dispatch(
      _ request: Request, by name: String?, next: some Dispatcher
    ) async throws(NetworkError) -> Response {
      var request = request
      if try !completeWithoutSuspending(&request, by: name) { try await complete(&request, by: name) }
      let response = try await next.dispatch(request)
      receive(response)
      return response
    }

    /// Completes the request if that needs no suspension, and returns whether it is complete.
    fileprivate func completeWithoutSuspending(
      _ request: inout Request, by name: String?
    ) throws(NetworkError) -> Bool {
      do {
        switch work {
        case .closures: return false
        case .check(let check):
          try check(request)
          return true
        case .handler(let handler): return try handler.completeWithoutSuspending(&request)
        }
      } catch {
        throw Self.prevented(request, by: name, error)
      }
    }

    /// Completes the request, which ``completeWithoutSuspending(_:by:)`` could not.
    fileprivate func complete(_ request: inout Request, by name: String?) async throws(NetworkError) {
      do {
        switch work {
        case .closures(let complete, _): try await complete(&request)
        case .check: break
        case .handler(let handler): try await handler.complete(&request)
        }
      } catch {
        throw Self.prevented(request, by: name, error)
      }
    }

    fileprivate func confirm(_ request: Request) throws(NetworkError) {
      guard case .check(let check) = work else { return }
      do {
        try check(request)
      } catch {
        throw Self.prevented(request, by: name, error)
      }
    }

    fileprivate func receive(_ response: Response) {
      switch work {
      case .closures(_, let receive): receive?(response)
      case .check: break
      case .handler(let handler): handler.receive(response)
      }
    }

    private static func prevented(_ request: Request, by name: String?, _ error: any Error) -> NetworkError {
      let origin = name.map { NetworkError.Origin.interceptor($0) }
      let isOwn = (error as? NetworkError)?.origin == nil
      var error = NetworkError.wrapping(
        error, of: request, origin: origin ?? .pipeline, attempt: request.attempt,
        requestMayHaveBeenProcessed: false)
      if isOwn { error.origin = origin }
      error.preventedDeparture = true
      return error
    }
  }

  /// The work of a ``Departure`` as methods of an object.
  ///
  /// An interceptor that defers work for every request needs no closure for each of them, and no suspension
  /// if what it adds is available.
  package protocol DepartureHandler: AnyObject, Sendable {
    /// Completes the request if that needs no suspension; otherwise returns false, and leaves it as it is.
    ///
    /// As ``complete(_:)``, it may be called for each attempt.
    func completeWithoutSuspending(_ request: inout Request) throws -> Bool

    /// Completes the request, after ``completeWithoutSuspending(_:)`` has returned false.
    func complete(_ request: inout Request) async throws

    /// Receives each response that arrives for a request that has left; does nothing by default.
    func receive(_ response: Response)
  }

  /// Returns the request with one more departure.
  package func deferring(_ departure: Departure, by name: String) -> Request {
    var copy = self
    var departure = departure
    departure.name = name
    copy.departures.append(departure)
    return copy
  }
}

extension Request.DepartureHandler {
  package func receive(_ response: Response) {}
}

extension Dispatcher {
  /// Completes the request, and sends it.
  public func dispatch(
    _ request: Request, onDeparture departure: Request.Departure
  ) async throws(NetworkError) -> Response {
    try await departure.dispatch(request, by: nil, next: self)
  }
}

/// The pipeline's own step between caching and routing, which completes requests.
struct DepartureInterceptor: Interceptor {
  let traits = InterceptorTraits(stage: .departure)
  var name: String { "Departure" }

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let departures = request.departures
    var completed = request
    completed.departures = []
    for departure in departures {
      if try departure.completeWithoutSuspending(&completed, by: departure.name) { continue }
      try await departure.complete(&completed, by: departure.name)
    }
    for departure in departures { try departure.confirm(completed) }
    let response = try await next.dispatch(completed)
    for departure in departures.reversed() { departure.receive(response) }
    return response
  }

  /// The number of interceptors before the departure of a chain; nil for a chain that needs none, because
  /// every request that enters it leaves the device.
  static func index(among traits: [InterceptorTraits]) -> Int? {
    let before = traits.prefix { $0.stage < .departure }
    return before.contains { $0.callsNext != .exactlyOnce } ? before.count : nil
  }

  static func step(before next: Step?) -> Step {
    Step(PipelineCheck.Member(DepartureInterceptor()), precedesDeparture: false, next: next)
  }
}
