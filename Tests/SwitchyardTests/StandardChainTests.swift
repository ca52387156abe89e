import Logging
import LoopbackServing
import Switchyard
import SwitchyardTesting
import Testing

@Suite("The standard chain", .timeLimit(.minutes(5)))
struct StandardChainTests {
  private static let host = "estate.invalid"
  private static let names = [
    "ValidationInterceptor", "SigningInterceptor", "CachingInterceptor", "Departure",
    "DNSBypassInterceptor", "CompressionInterceptor", "LoggingInterceptor", "CurlDispatcher",
  ]

  private func pipeline(
    over dispatcher: CurlDispatcher, for authority: String, key: SigningKey, recorder: TraceRecorder
  ) throws -> Pipeline {
    let addresses = try AddressTable([authority: ["127.0.0.1"]], allowing: [.loopback])
    return try Pipeline(over: dispatcher, observers: [recorder]) {
      ValidationInterceptor()
      SigningInterceptor(key: key)
      CachingInterceptor()
      DNSBypassInterceptor(addresses)
      CompressionInterceptor()
      LoggingInterceptor(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
  }

  private func cacheable(_ request: Request) -> Request {
    var request = request
    request.context.api = APIIdentity(service: "estate", name: "houses.list")
    request.context.cacheRule = .timed()
    return request
  }

  @Test("G2: The six interceptors run in order on a real request, and the trace has each one's own time")
  func order() async throws {
    let key = try SigningKey(id: "test", secret: Array(repeating: 7, count: 32))
    let verifier = SignatureVerifier(keys: SigningKeys(key), start: WallTime(secondsSince1970: 0))
    let server = try ScriptedServer { request in
      let claims = try? verifier.verify(SignedRequest(request))
      return .text("\(claims?.api?.name ?? "unsigned")", status: claims == nil ? 401 : 200)
    }
    let authority = "\(Self.host):\(server.port)"
    let recorder = TraceRecorder()
    let chain = try pipeline(over: CurlDispatcher(), for: authority, key: key, recorder: recorder)
    let request = cacheable(
      Request(scheme: "http", authority: authority, path: "/v1/houses?page=1"))
    let response = try await chain.send(request)
    #expect(response.status == .ok)
    #expect(try await response.body.collect(upTo: 64) == Array("houses.list".utf8))
    let trace = try #require(recorder.trace(of: request.id))
    #expect(trace.steps.map(\.name) == Self.names)
    for step in trace.steps {
      let (own, total) = (try #require(step.own), try #require(step.total))
      #expect(own > .zero && own <= total)
    }
    // Own times add up to at most the total, because none is counted twice.
    let whole = try #require(trace.steps.first?.total)
    #expect(trace.steps.compactMap(\.own).reduce(.zero, +) <= whole)
    #expect(trace.transports.first?.remoteAddress == "127.0.0.1:\(server.port)")
    #expect(server.requests.first?.value(of: "Host") == authority)
  }

  @Test("G2: The second request is served from the cache, no step after it runs, and nothing is sent")
  func secondLook() async throws {
    let key = try SigningKey(id: "test", secret: Array(repeating: 7, count: 32))
    let server = try ScriptedServer { _ in .text("hello") }
    let authority = "\(Self.host):\(server.port)"
    let recorder = TraceRecorder()
    let chain = try pipeline(over: CurlDispatcher(), for: authority, key: key, recorder: recorder)
    var statuses: [Bool?] = []
    for _ in 0..<2 {
      let request = cacheable(
        Request(scheme: "http", authority: authority, path: "/v1/houses?page=1"))
      let response = try await chain.send(request)
      #expect(try await response.body.collect(upTo: 64) == Array("hello".utf8))
      statuses.append(recorder.trace(of: request.id)?.cache?.isHit)
    }
    #expect(statuses == [false, true])
    #expect(recorder.traces.last?.steps.map(\.name) == Array(Self.names.prefix(3)))
    #expect(server.counts.requests == 1)
  }

  @Test("G2: The six interceptors run in order over TLS and HTTP/2", .enabled(if: NginxServer.runsSuites))
  func overTLS() async throws {
    let key = try SigningKey(id: "test", secret: Array(repeating: 7, count: 32))
    let server = try await NginxServer(files: ["houses.json": Array("[]".utf8)])
    let dispatcher = CurlDispatcher(
      configuration: CurlDispatcher.Configuration(
        tls: TLSPolicy(authorityFile: server.certificates.authorityFile)))
    let authority = "\(CertificateSet.name):\(server.tlsPort())"
    let recorder = TraceRecorder()
    let chain = try pipeline(over: dispatcher, for: authority, key: key, recorder: recorder)
    let request = Request(authority: authority, path: "/houses.json")
    let response = try await chain.send(request)
    #expect(response.status == .ok)
    let trace = try #require(recorder.trace(of: request.id))
    #expect(trace.steps.map(\.name) == Self.names)
    #expect(trace.transports.first?.version == .http2)
    #expect(trace.transports.first?.phases.tls != nil)
  }

  @Test("A request changed after signing is refused by the server's verifier")
  func tampering() async throws {
    let key = try SigningKey(id: "test", secret: Array(repeating: 7, count: 32))
    let verifier = SignatureVerifier(keys: SigningKeys(key), start: WallTime(secondsSince1970: 0))
    let server = try ScriptedServer { request in
      do {
        try verifier.verify(SignedRequest(request))
        return .text("accepted")
      } catch {
        return .text("\(error)", status: 401)
      }
    }
    let chain = try Pipeline(over: CurlDispatcher()) {
      SigningInterceptor(key: key)
      InlineInterceptor("Attacker", traits: InterceptorTraits(stage: .wire)) { request, next in
        var request = request
        request.head.path = "/v1/houses?page=2"
        return try await next.dispatch(request)
      }
    }
    let response = try await chain.send(
      Request(scheme: "http", authority: server.authority, path: "/v1/houses?page=1"))
    #expect(response.status == .unauthorized)
  }

  @Test("G1: The standard chain in another order is refused with all faults")
  func wrongOrder() throws {
    let key = try SigningKey(id: "test", secret: Array(repeating: 7, count: 32))
    let issue = try #require(throws: PipelineIssue.self) {
      try Pipeline(over: ScriptedDispatcher(capabilities: [])) {
        CachingInterceptor()
        SigningInterceptor(key: key)
        ValidationInterceptor()
        DNSBypassInterceptor(.empty)
      }
    }
    #expect(
      issue.faults == [
        .misplaced("SigningInterceptor", .signing, after: "CachingInterceptor", .caching),
        .misplaced("ValidationInterceptor", .validation, after: "CachingInterceptor", .caching),
        .misplaced("ValidationInterceptor", .validation, after: "SigningInterceptor", .signing),
        .missingCapability(
          .connectTarget, neededBy: "DNSBypassInterceptor", dispatcher: "ScriptedDispatcher"),
      ])
  }
}

extension SignedRequest {
  /// Creates a signed request from one received by the server.
  fileprivate init(_ request: ReceivedRequest) {
    var fields = HTTPFields()
    for (name, value) in request.fields {
      guard let name = HTTPField.Name(name) else { continue }
      fields.append(HTTPField(name: name, value: value))
    }
    self.init(
      method: request.method, authority: request.value(of: "Host") ?? "", path: request.target,
      headerFields: fields, body: request.body)
  }
}
