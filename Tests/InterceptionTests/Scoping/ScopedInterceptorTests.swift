import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

/// Adds its mark to a field of the request.
private struct Marking: Interceptor {
  let mark: String
  var traits = InterceptorTraits(stage: .signing)

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    var request = request
    request.head.headerFields.append(HTTPField(name: .via, value: mark))
    return try await next.dispatch(request)
  }
}

/// An interceptor that also observes.
private struct Watching: Interceptor, SelectiveObserver {
  let recorder: EventRecorder
  var isObserving = true
  let traits = InterceptorTraits(stage: .logging)

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    try await next.dispatch(request)
  }

  func observe(_ event: PipelineEvent) { recorder.observe(event) }
}

@Suite("Interceptors that are limited to some requests")
struct ScopedInterceptorTests {
  private static func request(_ service: String, body: RequestBody = .empty) -> Request {
    var request = Request(method: .post, authority: "\(service).example", path: "/", body: body)
    request.context.api = APIIdentity(service: service, name: "houses.list")
    return request
  }

  private static func streamed(_ service: String) -> Request {
    request(service, body: .once(length: nil, ScriptedByteSource([[1, 2], [3]])))
  }

  private static func marks(_ server: ScriptedDispatcher) -> [String?] {
    server.requests.map { $0.head.headerFields[.via] }
  }

  @Test("B5: A limited interceptor processes the requests of its scope, and others pass it unchanged")
  func limited() async throws {
    let server = ScriptedDispatcher()
    let pipeline = try Pipeline(over: server) {
      Marking(mark: "a").only(for: .service("estate"))
    }
    for service in ["estate", "media"] { _ = try await pipeline.send(Self.request(service)) }
    #expect(Self.marks(server) == ["a", nil])
    #expect(pipeline.names == ["Marking"])
  }

  @Test("It has the traits and the name of its base, and satisfies the laws")
  func traits() async throws {
    let base = Marking(mark: "a")
    let scoped = base.only(for: .service("estate"))
    #expect(scoped.traits == base.traits)
    #expect(scoped.name == base.name)
    let report = await checkInterceptorLaws(base.only(for: .where { $0.head.method == .get }))
    #expect(report.violations.isEmpty, "\(report)")
    #expect(report.unproven.isEmpty, "\(report)")
  }

  @Test("Called without a pipeline, it processes the requests of its scope, too")
  func called() async throws {
    let server = ScriptedDispatcher()
    let marking = Marking(mark: "a").only(for: .service("estate"))
    for service in ["estate", "media"] {
      _ = try await marking.intercept(Self.request(service), next: server)
    }
    #expect(Self.marks(server) == ["a", nil])
  }

  @Test("A limit on a limited interceptor applies in addition")
  func twice() async throws {
    let server = ScriptedDispatcher()
    let pipeline = try Pipeline(over: server) {
      Marking(mark: "a").only(for: .service("estate")).only(for: .where { $0.head.method == .post })
    }
    var get = Self.request("estate")
    get.head.method = .get
    for request in [Self.request("estate"), get, Self.request("media")] {
      _ = try await pipeline.send(request)
    }
    #expect(Self.marks(server) == ["a", nil, nil])
  }

  @Test("An interceptor that may be registered once may be registered for several scopes")
  func severalScopes() async throws {
    let server = ScriptedDispatcher()
    let pipeline = try Pipeline(over: server) {
      Marking(mark: "a").only(for: .service("estate"))
      Marking(mark: "b").only(for: .service("media"))
      Marking(mark: "c").only(for: .where { $0.context.api == nil })
    }
    for service in ["estate", "media", "news"] { _ = try await pipeline.send(Self.request(service)) }
    #expect(Self.marks(server) == ["a", "b", nil])
  }

  @Test("Scopes that name the same requests, and one interceptor without a scope, are repetitions")
  func repetitions() throws {
    let same = try #require(throws: PipelineIssue.self) {
      try Pipeline(over: ScriptedDispatcher()) {
        Marking(mark: "a").only(for: .service("estate"))
        Marking(mark: "b").only(for: .api(APIIdentity(service: "estate", name: "houses.list")))
        Marking(mark: "c").only(for: .service("media"))
      }
    }
    #expect(same.faults == [.repeated("Marking", count: 2)])
    #expect(same.description.contains("only(for:)"))
    let unlimited = try #require(throws: PipelineIssue.self) {
      try Pipeline(over: ScriptedDispatcher()) {
        Marking(mark: "a")
        Marking(mark: "b").only(for: .service("media"))
        Marking(mark: "c").only(for: .service("media")).only(for: .where { _ in true })
      }
    }
    #expect(unlimited.faults == [.repeated("Marking", count: 3)])
  }

  @Test("Order and requirements of a limited interceptor are checked")
  func checks() throws {
    let needy = InterceptorTraits(stage: .validation, requires: [.dispatcher(.connectTarget)])
    let issue = try #require(throws: PipelineIssue.self) {
      try Pipeline(over: ScriptedDispatcher(capabilities: [])) {
        Standing("Logger", .logging)
        Marking(mark: "a", traits: needy).only(for: .service("estate"))
      }
    }
    #expect(
      issue.faults == [
        .misplaced("Marking", .validation, after: "Logger", .logging),
        .missingCapability(.connectTarget, neededBy: "Marking", dispatcher: "ScriptedDispatcher"),
      ])
  }

  @Test("The request's body is collected only for requests in the scope")
  func requestBodies() async throws {
    let server = ScriptedDispatcher()
    let reading = InterceptorTraits(stage: .signing, requestBody: .bytes(upTo: 3))
    let pipeline = try Pipeline(over: server) {
      Marking(mark: "a", traits: reading).only(for: .service("estate"))
    }
    for service in ["estate", "media"] { _ = try await pipeline.send(Self.streamed(service)) }
    #expect(server.requests.map(\.body.bytes) == [[1, 2, 3], nil])

    let replaying = InterceptorTraits(stage: .signing, requestBody: .replayable)
    let strict = try Pipeline(over: server) {
      Marking(mark: "a", traits: replaying).only(for: .service("estate"))
    }
    _ = try await strict.send(Self.streamed("media"))
    let error = await #expect(throws: NetworkError.self) { try await strict.send(Self.streamed("estate")) }
    #expect(error?.kind == .bodyNotReplayable)
    #expect(error?.origin == .interceptor("Marking"))
  }

  @Test("A body that is collected for a limited interceptor is collected once, before an outer retry")
  func retriedBody() async throws {
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: number == 1 ? .serviceUnavailable : .ok)
    }
    let reading = InterceptorTraits(stage: .signing, requestBody: .bytes(upTo: 3))
    let pipeline = try Pipeline(over: server) {
      Persisting(attempts: 2)
      Marking(mark: "a", traits: reading).only(for: .service("estate"))
    }
    #expect(try await pipeline.send(Self.streamed("estate")).status == .ok)
    #expect(server.requests.map(\.body.bytes) == [[1, 2, 3], [1, 2, 3]])
  }

  @Test("A request that an outer interceptor moves into the scope has its body collected, too")
  func movedIntoScope() async throws {
    let server = ScriptedDispatcher()
    let reading = InterceptorTraits(stage: .signing, requestBody: .bytes(upTo: 3))
    for observers in [[], [EventRecorder()]] {
      let pipeline = try Pipeline(over: server, observers: observers) {
        InlineInterceptor("Moving", stage: .redirects) { request, next in
          var request = request
          request.head.authority = "estate.example"
          return try await next.dispatch(request)
        }
        Marking(mark: "a", traits: reading).only(for: .authority("estate.example"))
      }
      _ = try await pipeline.send(Self.streamed("media"))
    }
    #expect(server.requests.map(\.body.bytes) == [[1, 2, 3], [1, 2, 3]])
  }

  @Test("The response's body is collected only for requests in the scope")
  func responseBodies() async throws {
    let server = ScriptedDispatcher { _, _ throws(NetworkError) in
      Response(
        HTTPResponse(status: .ok), body: .stream(BodyStream(length: 3, ScriptedByteSource([[1, 2], [3]]))))
    }
    let reading = InterceptorTraits(stage: .signing, responseBodyLimit: 3)
    let pipeline = try Pipeline(over: server) {
      Marking(mark: "a", traits: reading).only(for: .service("estate"))
    }
    guard case .bytes([1, 2, 3]) = try await pipeline.send(Self.request("estate")).body,
      case .stream = try await pipeline.send(Self.request("media")).body
    else {
      Issue.record("A body was collected outside the scope, or not within it")
      return
    }
    #expect(Self.marks(server) == ["a", nil])
  }

  @Test(
    "A pipeline refuses a limit to an authority that no request has",
    arguments: [
      "*.api.example", "https://api.example", "api.example:", "api.example:0", ".api.example", "127.1", "",
      "api.example/path", "ann@api.example", "[::1%25lo]", "::1",
    ])
  func malformed(text: String) throws {
    let scopes: [Request.Scope] = [
      .authority(text), .service("estate").intersection(.authority("a.example").union(.authority(text))),
    ]
    for scope in scopes {
      let issue = try #require(throws: PipelineIssue.self) {
        _ = try Pipeline(over: ScriptedDispatcher()) { Marking(mark: "a").only(for: scope) }
      }
      #expect(issue.faults == [.malformedAuthority(text, ofLimit: "Marking")])
      #expect(issue.description.contains("\"\(text)\""))
    }
    for text in ["api.example", "API.example.:8443", "127.0.0.1", "[fe80::1%25eth0]:80", "localhost"] {
      _ = try Pipeline(over: ScriptedDispatcher()) { Marking(mark: "a").only(for: .authority(text)) }
    }
  }

  @Test("Events report the step of a limited interceptor also for a request that passes it unchanged")
  func reportedSteps() async throws {
    let (server, recorder) = (ScriptedDispatcher(), EventRecorder())
    let pipeline = try Pipeline(over: server, observers: [recorder]) {
      Marking(mark: "a").only(for: .service("estate"))
    }
    _ = try await pipeline.send(Self.request("media"))
    let steps = recorder.events.compactMap { event in
      if case .entered(let step) = event.kind { step } else { nil }
    }
    #expect(steps == [.interceptor("Marking", .signing), .dispatcher("ScriptedDispatcher")])
    #expect(Self.marks(server) == [nil])
  }

  @Test("An observer that is limited receives the events of calls in its scope")
  func observing() async throws {
    let (recorder, silent) = (EventRecorder(), EventRecorder())
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      Watching(recorder: recorder).only(for: .service("estate"))
      Watching(recorder: silent, isObserving: false).only(for: .service("media"))
    }
    let request = Self.request("estate")
    for request in [request, Self.request("media")] { _ = try await pipeline.send(request) }
    #expect(Set(recorder.events.map(\.request)) == [request.id])
    #expect(recorder.lines.first == "started")
    #expect(recorder.lines.last == "finished")
    #expect(silent.events.isEmpty)
  }
}
