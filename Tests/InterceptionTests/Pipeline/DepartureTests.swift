import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@Suite("Departure")
struct DepartureTests {
  /// Adds its name to a field when the request leaves.
  private struct Stamping: Interceptor {
    let name: String
    let stage: Stage
    let failure: NetworkError?
    let arrivals = WaitableValue<[String]>([])

    init(_ name: String, _ stage: Stage, failing failure: NetworkError? = nil) {
      (self.name, self.stage, self.failure) = (name, stage, failure)
    }

    var traits: InterceptorTraits { InterceptorTraits(stage: stage, allowsSeveral: true) }

    func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
      let departure = Request.Departure(receive: { response in
        arrivals.update { $0.append("\(name) \(response.status.code)") }
      }) { request in
        if let failure { throw failure }
        request.head.headerFields.append(HTTPField(name: .userAgent, value: name))
      }
      return try await next.dispatch(request, onDeparture: departure)
    }
  }

  /// Responds by itself to paths that begin with /stored.
  private struct Store: Interceptor {
    let traits = InterceptorTraits(stage: .caching, callsNext: .atMostOnce)

    func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
      if request.head.path?.hasPrefix("/stored") == true { return Response(status: .ok) }
      return try await next.dispatch(request)
    }
  }

  private struct Repeating: Interceptor {
    let traits = InterceptorTraits(stage: .retry, callsNext: .anyNumber)

    func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
      _ = try await next.dispatch(request)
      return try await next.dispatch(request.asAttempt(2))
    }
  }

  private static func stamps(_ request: Request) -> [String] {
    request.head.headerFields[values: .userAgent]
  }

  @Test(
    "Deferred work is done in order, for each attempt that leaves, and its interceptors see what arrives",
    arguments: [false, true])
  func order(isObserved: Bool) async throws {
    let server = ScriptedDispatcher()
    let (first, second) = (Stamping("first", .authorization), Stamping("second", .signing))
    let pipeline = try Pipeline(over: server, observers: isObserved ? [TraceRecorder()] : []) {
      Repeating()
      first
      second
      Store()
    }
    _ = try await pipeline.send(Request(authority: "api.example", path: "/"))
    #expect(server.requests.map(Self.stamps) == [["first", "second"], ["first", "second"]])
    #expect(first.arrivals.value == ["first 200", "first 200"])
    #expect(second.arrivals.value == ["second 200", "second 200"])
  }

  @Test("A response from a store needs no deferred work, even if that would fail", arguments: [false, true])
  func stored(isObserved: Bool) async throws {
    let server = ScriptedDispatcher()
    let failing = Stamping("failing", .authorization, failing: NetworkError(.rejected, "No token."))
    let pipeline = try Pipeline(over: server, observers: isObserved ? [TraceRecorder()] : []) {
      failing
      Store()
    }
    let response = try await pipeline.send(Request(authority: "api.example", path: "/stored"))
    #expect(response.status == .ok)
    let error = await #expect(throws: NetworkError.self) {
      try await pipeline.send(Request(authority: "api.example", path: "/"))
    }
    #expect(error?.origin == .interceptor("failing") && error?.preventedDeparture == true)
    #expect(server.requests.isEmpty && failing.arrivals.value.isEmpty)
  }

  @Test("Without an interceptor that may respond by itself, and behind the departure, work is done at once")
  func immediate() async throws {
    let server = ScriptedDispatcher()
    let pipeline = try Pipeline(over: server) { Stamping("alone", .signing) }
    _ = try await pipeline.send(Request(authority: "api.example", path: "/"))
    let later = try Pipeline(over: server) {
      Store()
      Stamping("late", .wire)
    }
    _ = try await later.send(Request(authority: "api.example", path: "/"))
    _ = try await Stamping("called", .signing).intercept(
      Request(authority: "api.example", path: "/"), next: server)
    #expect(server.requests.map(Self.stamps) == [["alone"], ["late"], ["called"]])
  }

  /// Defers its work to an object's methods.
  private final class Handler: Interceptor, Request.DepartureHandler {
    let traits = InterceptorTraits(stage: .authorization)
    let name = "handler"
    /// Whether the work needs no suspension; nil if it fails instead.
    let isImmediate: Bool?
    let steps = WaitableValue<[String]>([])

    init(isImmediate: Bool?) { self.isImmediate = isImmediate }

    func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
      try await next.dispatch(request, onDeparture: Request.Departure(self))
    }

    func completeWithoutSuspending(_ request: inout Request) throws -> Bool {
      guard let isImmediate else { throw NetworkError(.rejected, "No token.") }
      steps.update { $0.append("at once") }
      if isImmediate { mark(&request) }
      return isImmediate
    }

    func complete(_ request: inout Request) async throws {
      steps.update { $0.append("later") }
      mark(&request)
    }

    func receive(_ response: Response) { steps.update { $0.append("\(response.status.code)") } }

    private func mark(_ request: inout Request) {
      request.head.headerFields.append(HTTPField(name: .userAgent, value: name))
    }
  }

  @Test(
    "An object completes a request without suspending if it can, and otherwise later; never in both ways",
    arguments: [true, false], [true, false])
  func handlers(isImmediate: Bool, isDeferred: Bool) async throws {
    let server = ScriptedDispatcher()
    let handler = Handler(isImmediate: isImmediate)
    let pipeline = try Pipeline(over: server) {
      handler
      if isDeferred { Store() }
    }
    for _ in 1...2 { _ = try await pipeline.send(Request(authority: "api.example", path: "/")) }
    #expect(server.requests.map(Self.stamps) == [["handler"], ["handler"]])
    let once = isImmediate ? ["at once", "200"] : ["at once", "later", "200"]
    #expect(handler.steps.value == once + once)
  }

  @Test("An object that fails prevents the departure, and is named", arguments: [true, false])
  func failingHandler(isDeferred: Bool) async throws {
    let server = ScriptedDispatcher()
    let pipeline = try Pipeline(over: server) {
      Handler(isImmediate: nil)
      if isDeferred { Store() }
    }
    let error = await #expect(throws: NetworkError.self) {
      try await pipeline.send(Request(authority: "api.example", path: "/"))
    }
    #expect(error?.origin == .interceptor("handler") && error?.preventedDeparture == true)
    #expect(server.requests.isEmpty)
  }
}
