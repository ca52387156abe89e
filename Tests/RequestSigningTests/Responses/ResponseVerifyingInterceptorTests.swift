import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import RequestSigning

@Suite struct ResponseVerifyingInterceptorTests {
  private let clock = WallClock()
  private let keys: SigningKeys

  init() throws { keys = SigningKeys(try Signed.key()) }

  /// A server that verifies requests and signs its responses; `change` is what an intermediary does to them.
  private func server(
    _ response: Response = Response(
      status: .ok, headerFields: [.contentType: "application/json"], bytes: Array(#"{"price":1}"#.utf8)),
    change: @escaping @Sendable (inout Response) -> Void = { _ in }
  ) -> ScriptedDispatcher {
    let (keys, verifier) = (
      keys, SignatureVerifier(keys: keys, start: WallTime(secondsSince1970: 0), time: clock.time)
    )
    return ScriptedDispatcher { request, _ throws(NetworkError) in
      var response = response
      do {
        let claims = try verifier.verify(SignedRequest(request.head, body: []))
        let body = try await response.body.collect(upTo: 1 << 20)
        let fields = try ResponseSigner(keys: keys).sign(response.head, body: body, for: claims)
        for field in fields { response.head.headerFields.append(field) }
        response.body = .bytes(body)
      } catch { throw NetworkError(.transport, "\(error)") }
      change(&response)
      return response
    }
  }

  private func pipeline(over dispatcher: ScriptedDispatcher, limit: Int = 1 << 20) throws -> Pipeline {
    try Pipeline(over: dispatcher) {
      SigningInterceptor(keys: keys, time: clock.time)
      ResponseVerifyingInterceptor(keys: keys, collectingUpTo: limit)
    }
  }

  private func refusal(_ dispatcher: ScriptedDispatcher) async throws -> SignatureError? {
    do {
      _ = try await pipeline(over: dispatcher).send(Request(authority: "a.example", path: "/"))
      return nil
    } catch let error as NetworkError {
      #expect(error.kind == .rejected)
      #expect(error.origin == .interceptor("ResponseVerifyingInterceptor"))
      #expect(error.requestMayHaveBeenProcessed)
      #expect(error.reason.hasPrefix("The response "))
      #expect(!error.reason.contains("price"))
      return error.underlying(as: SignatureError.self)
    }
  }

  @Test("C6: A response that the server signed is returned unchanged")
  func accepted() async throws {
    let response = try await pipeline(over: server()).send(Request(authority: "a.example", path: "/"))
    #expect(response.status == .ok)
    #expect(try await response.body.collect(upTo: 100) == Array(#"{"price":1}"#.utf8))
  }

  struct Change: CustomTestStringConvertible {
    let testDescription: String
    let error: SignatureError
    let apply: @Sendable (inout Response) -> Void
  }

  static let changes: [Change] = [
    Change(testDescription: "body", error: .mismatch) { $0.body = .bytes(Array(#"{"price":0}"#.utf8)) },
    Change(testDescription: "body truncated", error: .mismatch) {
      $0.body = .bytes(Array(#"{"price":1"#.utf8))
    },
    Change(testDescription: "status", error: .mismatch) { $0.head.status = .created },
    Change(testDescription: "error with the signature of a success", error: .mismatch) {
      $0.head.status = .notFound
    },
    Change(testDescription: "covered field", error: .mismatch) {
      $0.head.headerFields[.contentType] = "text/html"
    },
    Change(testDescription: "covered field removed", error: .missing(.contentType)) {
      $0.head.headerFields[.contentType] = nil
    },
    Change(testDescription: "field that must be covered added", error: .uncovered(.location)) {
      $0.head.headerFields[.location] = "https://evil.example/"
    },
    Change(testDescription: "signature removed", error: .missing(SignatureFields.signature)) {
      $0.head.headerFields[SignatureFields.signature] = nil
    },
    Change(testDescription: "signature twice", error: .malformed(SignatureFields.signature)) {
      let value = $0.head.headerFields[SignatureFields.signature] ?? ""
      $0.head.headerFields.append(HTTPField(name: SignatureFields.signature, value: value))
    },
    Change(testDescription: "signature shortened", error: .malformed(SignatureFields.signature)) {
      $0.head.headerFields[SignatureFields.signature] = "00"
    },
    Change(testDescription: "covered names malformed", error: .malformed(SignatureFields.covered)) {
      $0.head.headerFields[SignatureFields.covered] = "Content-Type"
    },
  ]

  @Test("C6: A response changed on the way is refused before it is returned", arguments: changes)
  func changed(_ change: Change) async throws {
    #expect(try await refusal(server(change: change.apply)) == change.error)
  }

  @Test("C7: The signed response to another request is refused")
  func exchanged() async throws {
    let first = Mutex<HTTPFields?>(nil)
    let dispatcher = server { response in
      let fields = first.withLock { kept in
        defer { kept = kept ?? response.head.headerFields }
        return kept
      }
      if let fields { response.head.headerFields = fields }
    }
    #expect(try await refusal(dispatcher) == nil)
    #expect(try await refusal(dispatcher) == .mismatch)
  }

  @Test(
    "An unsigned error is returned, because gateways and refusals have no signature",
    arguments: [400, 401, 503])
  func unsignedError(_ code: Int) async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .init(code: code)))
    let response = try await pipeline(over: dispatcher).send(Request(authority: "a.example", path: "/"))
    #expect(response.status.code == code)
  }

  @Test("An unsigned success or redirect is refused", arguments: [200, 204, 302, 304])
  func unsignedSuccess(_ code: Int) async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .init(code: code)))
    #expect(try await refusal(dispatcher) == .missing(SignatureFields.signature))
  }

  @Test("A streamed response is collected up to the limit, and a longer one fails")
  func streamed() async throws {
    let dispatcher = server { response in
      guard case .bytes(let bytes) = response.body else { return }
      response.body = .stream(BodyStream(length: nil, ScriptedByteSource([bytes])))
    }
    let response = try await pipeline(over: dispatcher).send(Request(authority: "a.example", path: "/"))
    #expect(response.body.length == 11)
    let error = await #expect(throws: NetworkError.self) {
      try await pipeline(over: dispatcher, limit: 10).send(Request(authority: "a.example", path: "/"))
    }
    #expect(error?.kind == .bodyTooLarge(limit: 10))
  }

  @Test("The response to an unsigned request is returned as it is")
  func unsignedRequest() async throws {
    let interceptor = ResponseVerifyingInterceptor(keys: keys)
    let pipeline = try Pipeline(over: ScriptedDispatcher()) { interceptor }
    #expect(try await pipeline.send(Request(authority: "a.example", path: "/")).status == .ok)
  }

  @Test("A response can't be signed with a key that is no longer accepted")
  func removedKey() throws {
    let claims = try SignatureVerifier(keys: keys, start: WallTime(secondsSince1970: 0), time: clock.time)
      .verify(Signed(key: Signed.key()).request)
    let other = SigningKeys(try Signed.key("app-2"))
    let error = #expect(throws: SigningError.self) {
      try ResponseSigner(keys: other).sign(HTTPResponse(status: .ok), body: [], for: claims)
    }
    #expect(error?.description.contains("key") == true)
  }

  @Test("The interceptor keeps the laws of interceptors")
  func laws() async {
    let report = await checkInterceptorLaws(ResponseVerifyingInterceptor(keys: keys))
    #expect(report.violations.isEmpty, "\(report)")
  }
}
