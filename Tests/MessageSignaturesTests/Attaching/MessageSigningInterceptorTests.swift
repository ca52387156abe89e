import CommandRunning
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import MessageSignatures

@Suite struct MessageSigningInterceptorTests {
  private let clock = WallClock()
  private let clientKey: MessageKey
  private let serverKey: MessageKey
  private let verification: ResponseVerification

  init() throws {
    clientKey = try SignedMessage.key("app-1")
    serverKey = try MessageKey(id: "server", algorithm: .ed25519, privateKeyPEM: TestKeys.ed25519Private)
    verification = ResponseVerification(
      keys: MessageKeys(
        try MessageKey(id: "server", algorithm: .ed25519, publicKeyPEM: TestKeys.ed25519Public)),
      maximumBodySize: 1_000)
  }

  private func interceptor(verifying: ResponseVerification? = nil) -> MessageSigningInterceptor {
    MessageSigningInterceptor(key: clientKey, verifying: verifying, time: clock.time)
  }

  /// A server that verifies each request, and changes its own signed response before it sends it.
  private func server(
    nonce: String? = nil, change: @escaping @Sendable (inout Response, Request) -> Void = { _, _ in }
  ) -> ScriptedDispatcher {
    let verifier = MessageVerifier(
      keys: MessageKeys(clientKey), start: WallTime(secondsSince1970: 0), time: clock.time)
    let signer = MessageSigner(key: serverKey, options: .response)
    let time = clock.time
    return ScriptedDispatcher { request, _ throws(NetworkError) in
      let body = try await request.body.collect(upTo: 1 << 20)
      do throws(MessageSignatureError) {
        let message = SignableMessage(request.head, content: body)
        try verifier.verify(message)
        let content = Array("{\"ok\":true}".utf8)
        var response = Response(
          status: .ok, headerFields: [.contentType: "application/json"], bytes: content)
        for field in try signer.sign(
          SignableMessage(response.head, content: content), inResponseTo: message,
          at: time.wallTime(), nonce: nonce)
        {
          response.head.headerFields.append(field)
        }
        change(&response, request)
        return response
      } catch {
        return Response(status: error.status, bytes: Array("\(error)".utf8))
      }
    }
  }

  private func request(_ body: RequestBody = .text("price=1")) -> Request {
    Request(
      method: .post, authority: "API.estate.example", path: "/v1/houses?city=sh&page=2",
      headerFields: [.authorization: "Bearer t0ken", .contentType: "text/plain"], body: body)
  }

  static let bodies: [(String, RequestBody)] = [
    ("none", .empty), ("bytes", .text("price=1")),
    (
      "restartable",
      .restartable(length: nil) { ScriptedByteSource([Array("pri".utf8), Array("ce=1".utf8)]) }
    ),
  ]

  @Test("C6: The verifier accepts signed requests with any kind of replayable body", arguments: bodies)
  func accepted(_ kind: String, _ body: RequestBody) async throws {
    let dispatcher = server()
    let pipeline = try Pipeline(over: dispatcher) { interceptor() }
    let response = try await pipeline.send(request(body))
    #expect(response.status == .ok)
    let fields = dispatcher.requests[0].head.headerFields
    #expect((fields[MessageSignatureFields.contentDigest] != nil) == (kind != "none"))
    #expect(fields[MessageSignatureFields.signatureInput]?.contains("\"@authority\"") == true)
  }

  @Test("A response with a nonce is accepted as soon as the app runs, because it is bound to its request")
  func responseNonce() async throws {
    let pipeline = try Pipeline(over: server(nonce: "r0")) { interceptor(verifying: verification) }
    #expect(try await pipeline.send(request()).status == .ok)
    // The policy of the response alone doesn't bind it, so the nonce is all that does.
    var policy = SignaturePolicy.response
    policy.requiredComponents = [.status]
    let unbound = ResponseVerification(keys: verification.keys, policy: policy, maximumBodySize: 1_000)
    let other = try Pipeline(over: server(nonce: "r0")) { interceptor(verifying: unbound) }
    let error = await #expect(throws: NetworkError.self) { try await other.send(request()) }
    #expect(error?.underlying as? MessageSignatureError == MessageSignatureError(.forgottenNonce))
  }

  @Test("C6: A file is hashed as it is sent, whole or in part")
  func file() async throws {
    let pipeline = try Pipeline(over: server()) { interceptor() }
    let folder = try TemporaryFolder(prefix: "message-signing")
    let file = folder.url.appending(path: "body")
    try Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) }).write(to: file)
    for range in [nil, 10..<200_000 as Range<Int64>] {
      #expect(try await pipeline.send(request(.file(file.path, range: range))).status == .ok)
    }
  }

  @Test("A body that can be read only once is refused, because it is hashed before it is sent")
  func once() async throws {
    let dispatcher = server()
    let pipeline = try Pipeline(over: dispatcher) { interceptor() }
    let body = RequestBody.once(length: nil, ScriptedByteSource([Array("x".utf8)]))
    await #expect(throws: NetworkError.self) { try await pipeline.send(request(body)) }
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("C7: Each attempt is signed with its own time and nonce, and accepted")
  func attempts() async throws {
    let dispatcher = server()
    let pipeline = try Pipeline(over: dispatcher) {
      InlineInterceptor("TwiceOver", stage: .retry) { [clock] request, next in
        _ = try await next.dispatch(request)
        clock.advance(by: 7)
        return try await next.dispatch(request.asAttempt(2))
      }
      interceptor()
    }
    #expect(try await pipeline.send(request()).status == .ok)
    let inputs = dispatcher.requests.map { $0.head.headerFields[MessageSignatureFields.signatureInput] ?? "" }
    #expect(inputs[0].contains("created=1700000000;") && inputs[1].contains("created=1700000007;"))
    let nonces = inputs.map { input in input.split(separator: ";").first { $0.hasPrefix("nonce=") } }
    #expect(!nonces.contains(nil) && Set(nonces).count == 2)
  }

  @Test("C6: What is signed is what compression left, because the interceptor is the innermost")
  func afterCompression() async throws {
    let dispatcher = server()
    let pipeline = try Pipeline(over: dispatcher) {
      InlineInterceptor("Coder", stage: .compression) { request, next in
        var request = request
        request.body = .text("coded")
        request.head.headerFields[MessageSignatureFields.contentDigest] = "sha-256=:AAAA:"
        return try await next.dispatch(request)
      }
      interceptor()
    }
    #expect(try await pipeline.send(request()).status == .ok)
    #expect(interceptor().traits.stage == .wire)
  }

  @Test(
    "A source that returns no key sends the request unsigned, and one that fails is named without its text")
  func sources() async throws {
    struct Source: MessageKeySource {
      struct Failure: Error { let secret = "s3cret" }
      let fails: Bool
      func messageKey(for request: Request) async throws -> MessageKey? {
        if fails { throw Failure() }
        return nil
      }
    }
    let dispatcher = ScriptedDispatcher()
    let unsigned = try Pipeline(over: dispatcher) {
      MessageSigningInterceptor(keys: Source(fails: false), verifying: verification)
    }
    #expect(try await unsigned.send(request()).status == .ok)
    #expect(dispatcher.requests[0].head.headerFields[MessageSignatureFields.signature] == nil)
    let failing = try Pipeline(over: dispatcher) { MessageSigningInterceptor(keys: Source(fails: true)) }
    await #expect {
      try await failing.send(request())
    } throws: { error in
      "\(error)".contains("Failure") && !"\(error)".contains("s3cret")
    }
  }

  @Test("A response that is signed for this request is accepted, with its body")
  func response() async throws {
    let dispatcher = server()
    let pipeline = try Pipeline(over: dispatcher) { interceptor(verifying: verification) }
    let response = try await pipeline.send(request())
    #expect(response.status == .ok)
    #expect(try await response.body.collect(upTo: 100) == Array("{\"ok\":true}".utf8))
  }

  @Test("No coding is accepted if a signed response is demanded", arguments: [true, false])
  func codings(isDemanded: Bool) async throws {
    let dispatcher = server()
    var request = request()
    request.head.headerFields[.acceptEncoding] = "gzip"
    let signing = interceptor(verifying: isDemanded ? verification : nil)
    _ = try await Pipeline(over: dispatcher) { signing }.send(request)
    #expect(dispatcher.requests.map { $0.head.headerFields[.acceptEncoding] } == [isDemanded ? nil : "gzip"])
  }

  /// Changes of a signed response, and the errors to which they lead.
  static let changes: [(String, @Sendable (inout Response, Request) -> Void, MessageSignatureError)] = [
    ("status", { response, _ in response.head.status = .created }, MessageSignatureError(.mismatch)),
    (
      "body", { response, _ in response.body = .bytes(Array("{}".utf8)) },
      MessageSignatureError(.digestMismatch(.sha256))
    ),
    ("no body", { response, _ in response.body = .empty }, MessageSignatureError(.digestMismatch(.sha256))),
    (
      "type", { response, _ in response.head.headerFields[.contentType] = "text/html" },
      MessageSignatureError(.mismatch)
    ),
    (
      "unsigned", { response, _ in response.head.headerFields[MessageSignatureFields.signature] = nil },
      MessageSignatureError(.unsigned)
    ),
    (
      "uncovered",
      { response, _ in
        let input = response.head.headerFields[MessageSignatureFields.signatureInput] ?? ""
        response.head.headerFields[MessageSignatureFields.signatureInput] = input.replacing(
          " \"signature\";key=\"sig1\";req", with: "")
      },
      MessageSignatureError(.uncovered(.field(MessageSignatureFields.signature, .member("sig1")).ofRequest))
    ),
  ]

  @Test(
    "A response that was changed, or whose signature covers too little, fails the call", arguments: changes)
  func changed(
    _ name: String, _ change: @escaping @Sendable (inout Response, Request) -> Void,
    _ expected: MessageSignatureError
  ) async throws {
    let pipeline = try Pipeline(over: server(change: change)) { interceptor(verifying: verification) }
    await #expect {
      try await pipeline.send(request())
    } throws: { error in
      guard let error = error as? NetworkError else { return false }
      return error.kind == .rejected && error.requestMayHaveBeenProcessed
        && error.origin == .interceptor("MessageSigningInterceptor")
        && error.underlying(as: MessageSignatureError.self) == expected
    }
  }

  @Test("The response to another, equal request is refused: its signature covers that request's nonce")
  func replayedResponse() async throws {
    let first = Mutex<Response?>(nil)
    let pipeline = try Pipeline(
      over: server { response, _ in
        first.withLock { known in
          if let known { response = known } else { known = response }
        }
      }
    ) { interceptor(verifying: verification) }
    _ = try await pipeline.send(request())
    await #expect {
      try await pipeline.send(request())
    } throws: { ($0 as? NetworkError)?.underlying(as: MessageSignatureError.self)?.reason == .mismatch }
  }

  @Test("A response that is longer than can be verified fails")
  func longResponse() async throws {
    let pipeline = try Pipeline(
      over: server { response, _ in response.body = .bytes([UInt8](repeating: 1, count: 1_001)) }
    ) {
      interceptor(verifying: verification)
    }
    await #expect {
      try await pipeline.send(request())
    } throws: { ($0 as? NetworkError)?.kind == .bodyTooLarge(limit: 1_000) }
  }

  @Test("The interceptor obeys the laws", .timeLimit(.minutes(5)))
  func laws() async throws {
    let report = await checkInterceptorLaws(interceptor())
    #expect(report.violations.isEmpty, "\(report)")
    #expect(report.unproven.isEmpty, "\(report)")
  }

  @Test("Nonces differ, also when drawn concurrently")
  func nonces() async {
    let draw = RandomNonces.drawing()
    let drawn = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<8 { group.addTask { (0..<500).map { _ in draw() } } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(drawn).count == 4_000)
    #expect(drawn.allSatisfy { $0.utf8.count == 32 })
  }

  @Test("I3: A request that left its origin is not signed any more, on the hop back either")
  func leftOrigin() async throws {
    let dispatcher = ScriptedDispatcher()
    // What redirects do: the first hop leads to another origin, the second one back.
    let redirects = InlineInterceptor("Redirects", stage: .redirects) { request, next in
      _ = try await next.dispatch(request)
      var hop = request
      hop.context.hasLeftOrigin = true
      hop.head.authority = "other.example"
      _ = try await next.dispatch(hop)
      hop.head.authority = request.head.authority
      hop.head.path = "/admin/delete?id=7"
      return try await next.dispatch(hop)
    }
    let pipeline = try Pipeline(over: dispatcher) {
      redirects
      interceptor()
    }
    _ = try await pipeline.send(request())
    let names = [
      MessageSignatureFields.signature, MessageSignatureFields.signatureInput,
      MessageSignatureFields.contentDigest,
    ]
    let signed = dispatcher.requests.map { request in
      names.map { request.head.headerFields.contains($0) }
    }
    #expect(signed == [[true, true, true], [false, false, false], [false, false, false]])
  }

  @Test("I3: A request that left its origin is refused if its response must be verified, because none can be")
  func leftOriginVerifying() async throws {
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) { interceptor(verifying: verification) }
    var request = request()
    request.context.hasLeftOrigin = true
    let error = await #expect(throws: NetworkError.self) { try await pipeline.send(request) }
    #expect(error?.underlying(as: MessageSignatureError.self)?.reason == .leftOrigin)
    #expect(dispatcher.requests.isEmpty)
  }
}
