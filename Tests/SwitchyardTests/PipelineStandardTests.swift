import Switchyard
import SwitchyardTesting
import Testing

@Suite struct PipelineStandardTests {
  private static func part(_ name: String, _ stage: Stage) -> any Interceptor {
    InlineInterceptor(name, stage: stage) { request, next in try await next.dispatch(request) }
  }

  @Test("The recommended chain has the parts that need no argument, and sends requests")
  func defaults() async throws {
    let server = ScriptedDispatcher()
    let pipeline = try Pipeline.standard(over: server)
    #expect(
      pipeline.names == [
        "ValidationInterceptor", "SharingInterceptor", "RedirectInterceptor", "RetryInterceptor",
        "CachingInterceptor", "CompressionInterceptor",
      ])
    #expect(try await pipeline.send(Request(authority: "api.example", path: "/")).status == .ok)
    #expect(
      server.requests.map { $0.head.headerFields[.acceptEncoding] } == ["gzip, br, zstd, deflate"])
  }

  @Test(
    "A coded response is stored as it was decoded, and a hit is not decoded again", arguments: [false, true])
  func decodedBeforeTheCache(isStreamed: Bool) async throws {
    // "decoded", by Python's gzip.
    let coded: [UInt8] = [
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4B, 0x49, 0x4D, 0xCE, 0x4F, 0x49,
      0x4D, 0x01, 0x00, 0xF6, 0x9A, 0xF0, 0x1A, 0x07, 0x00, 0x00, 0x00,
    ]
    let server = ScriptedDispatcher(
      answering: Response(
        status: .ok,
        headerFields: [
          .contentEncoding: "gzip", .contentLength: "\(coded.count)", .cacheControl: "max-age=60",
          .vary: "Accept-Encoding",
        ], bytes: coded))
    let pipeline = try Pipeline.standard(over: server)
    var request = Request(authority: "api.example", path: "/")
    if isStreamed { request.options.delivery = .streamed }
    for isHit in [false, true] {
      let response = try await pipeline.send(request)
      #expect(response.exchange.cache?.isHit == isHit)
      #expect(response.head.headerFields[.contentEncoding] == nil)
      #expect(try await response.body.collect(upTo: 100) == Array("decoded".utf8))
    }
    #expect(server.requests.count == 1)
  }

  @Test("The recommended chain stores what a response states, and nothing else")
  func caching() async throws {
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      let fields: HTTPFields = request.head.path == "/stated" ? [.cacheControl: "max-age=60"] : [:]
      return Response(status: .ok, headerFields: fields)
    }
    let pipeline = try Pipeline.standard(over: server)
    for path in ["/stated", "/stated", "/silent", "/silent"] {
      _ = try await pipeline.send(Request(authority: "api.example", path: path))
    }
    #expect(server.requests.map(\.head.path) == ["/stated", "/silent", "/silent"])
  }

  @Test("Each part can be replaced, left out or added, and is placed by its stage")
  func parts() throws {
    let key = try SigningKey(id: "test", secret: Array("a secret of at least 32 characters".utf8))
    let pipeline = try Pipeline.standard(
      over: ScriptedDispatcher(), validation: nil, sharing: Self.part("own sharing", .sharing),
      redirects: nil, retry: Self.part("own retry", .retry), cookies: CookieInterceptor(),
      authorization: AuthorizationInterceptor(
        BearerAuthorization(AccessToken("a-token")), for: ["api.example"]),
      signing: SigningInterceptor(key: key), caching: nil,
      routing: DNSBypassInterceptor(try AddressTable(["api.example": ["203.0.114.7"]])), compression: nil,
      logging: LoggingInterceptor(logger: Logger(label: "test")),
      adding: [
        Self.part("second logging", .logging),
        RateLimitInterceptor(RateLimit(10)), Self.part("first", Stage(rank: 1, name: "first")),
      ])
    #expect(
      pipeline.names == [
        "first", "own sharing", "own retry", "CookieInterceptor", "AuthorizationInterceptor",
        "SigningInterceptor", "RateLimitInterceptor", "DNSBypassInterceptor", "LoggingInterceptor",
        "second logging",
      ])
  }

  @Test("Observers receive events, measured by the given clock")
  func observers() async throws {
    let recorder = EventRecorder()
    let pipeline = try Pipeline.standard(
      over: ScriptedDispatcher(), observers: [recorder], time: TimeSource(TestClock()))
    _ = try await pipeline.send(Request(authority: "api.example", path: "/"))
    #expect(recorder.lines.first == "started")
    for event in recorder.events {
      if case .left(_, _, let total, _) = event.kind { #expect(total == .zero) }
    }
  }

  @Test("Repetitions and unmet requirements are reported")
  func faults() throws {
    let issue = try #require(throws: PipelineIssue.self) {
      try Pipeline.standard(
        over: ScriptedDispatcher(capabilities: []), routing: DNSBypassInterceptor(.empty),
        adding: [SharingInterceptor()])
    }
    #expect(
      issue.faults == [
        .repeated("SharingInterceptor", count: 2),
        .missingCapability(
          .connectTarget, neededBy: "DNSBypassInterceptor", dispatcher: "ScriptedDispatcher"),
      ])
  }

  @Test(
    "A part that is added again is reported with the argument that replaces it",
    arguments: [
      (ValidationInterceptor() as any Interceptor, "validation"), (SharingInterceptor(), "sharing"),
      (RedirectInterceptor(), "redirects"), (RetryInterceptor(), "retry"), (CachingInterceptor(), "caching"),
      (CachingInterceptor().only(for: .service("estate")), "caching"),
      (CompressionInterceptor(), "compression"),
    ])
  func repetition(added: any Interceptor, argument: String) throws {
    let issue = try #require(throws: PipelineIssue.self) {
      try Pipeline.standard(over: ScriptedDispatcher(), adding: [added])
    }
    #expect(issue.faults == [.repeated(added.name, count: 2)])
    #expect(
      issue.description.contains("has it as \(argument): pass yours as that argument, and not in adding"))
  }
}
