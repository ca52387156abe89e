import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import VendorSignatures

@Suite(.timeLimit(.minutes(5))) struct VendorSignatureInterceptorTests {
  private let credentials: VendorCredentials

  init() throws { credentials = try VendorCredentials(keyID: "K", secret: "s3cret") }

  private func interceptor(_ payload: AWSSignature.Payload = .hashed) throws -> VendorSignatureInterceptor {
    VendorSignatureInterceptor(
      try AWSSignature(region: "r", service: "s3", payload: payload), with: credentials)
  }

  @Test("The interceptor satisfies the laws with every profile")
  func laws() async throws {
    let aliyun = try AliyunSignature(version: "2014-05-26")
    let oauth = try OAuth1Signature(clientKey: "k", method: .hmacSHA1(clientSecret: "s"))
    var interceptors = [VendorSignatureInterceptor(oauth)]
    for payload in [AWSSignature.Payload.hashed, .unsigned, .chunked(sendsChecksum: true)] {
      interceptors.append(try interceptor(payload))
    }
    for kind in InsecureParameterDigest.Kind.allCases {
      interceptors.append(
        VendorSignatureInterceptor(try InsecureParameterDigest(kind, apiKey: "k", secret: "s")))
    }
    interceptors.append(VendorSignatureInterceptor(aliyun, with: credentials))
    var get = Request(authority: "a.example", path: "/?a=1")
    var post = Request(method: .post, authority: "a.example", path: "/", body: .text("a=1"))
    get.head.headerFields[AliyunFields.action] = "Describe"
    post.head.headerFields[AliyunFields.action] = "Describe"
    for interceptor in interceptors {
      let report = await checkInterceptorLaws(interceptor, samples: [get, post])
      #expect(report.violations.isEmpty, "\(report)")
      #expect(report.unproven.isEmpty, "\(report)")
    }
  }

  @Test("B5: Each attempt is signed anew, over what outer stages have added")
  func attempts() async throws {
    let dispatcher = ScriptedDispatcher()
    let signing = try interceptor()
    let pipeline = try Pipeline(over: dispatcher) {
      InlineInterceptor("Twice", stage: .retry) { request, next in
        _ = try await next.dispatch(request)
        return try await next.dispatch(request.asAttempt(2))
      }
      InlineInterceptor("Stamp", stage: .compression) { request, next in
        var request = request
        request.head.headerFields[.contentEncoding] = "gzip"
        request.body = .text("coded")
        return try await next.dispatch(request)
      }
      signing
    }
    _ = try await pipeline.send(
      Request(method: .put, authority: "b.example", path: "/k", body: .text("plain")))
    #expect(dispatcher.requests.count == 2)
    for request in dispatcher.requests {
      let field = try #require(request.head.headerFields[.authorization])
      #expect(field.part("SignedHeaders=") == "content-encoding;host;x-amz-content-sha256;x-amz-date")
      #expect(request.body.bytes == Array("coded".utf8))
      #expect(request.head.headerFields[values: .authorization].count == 1)
    }
  }

  @Test("A body that can be read only once is refused with the remedy, with and without a pipeline")
  func once() async throws {
    @Sendable func request() -> Request {
      Request(
        method: .put, authority: "b.example", path: "/k", body: .once(length: 1, ScriptedByteSource([[1]])))
    }
    let alternative = "choose the payload .chunked or .unsigned of AWSSignature"
    let direct = try interceptor()
    let pipeline = try Pipeline(over: ScriptedDispatcher()) { direct }
    let scoped = try Pipeline(over: ScriptedDispatcher()) { direct.only(for: .authority("b.example")) }
    for send in [
      { _ = try await pipeline.send(request()) }, { _ = try await scoped.send(request()) },
      { _ = try await direct.signed(request()) },
    ] as [@Sendable () async throws -> Void] {
      await #expect { try await send() } throws: { error in
        guard let error = error as? NetworkError else { return false }
        return error.kind == .bodyNotReplayable
          && error.reason.contains(".bytes, .file or .sequence(length:makingEach:), or \(alternative).")
      }
    }
    let dispatcher = ScriptedDispatcher()
    let signing = try interceptor(.chunked())
    let chunked = try Pipeline(over: dispatcher) { signing }
    _ = try await chunked.send(request())
    #expect(dispatcher.requests[0].body.length == 173)
  }

  @Test("An error of signing is wrapped with its type, before anything is sent")
  func wrapped() async throws {
    let dispatcher = ScriptedDispatcher()
    let signing = try interceptor(.chunked())
    let pipeline = try Pipeline(over: dispatcher) { signing }
    let body = RequestBody.restartable(length: nil) { ScriptedByteSource([[1]]) }
    await #expect {
      try await pipeline.send(Request(method: .put, authority: "b.example", path: "/k", body: body))
    } throws: { error in
      (error as? NetworkError)?.underlying(as: VendorSignatureError.self)?.reason == .unknownLength
    }
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("Only requests in scope are signed")
  func scope() async throws {
    let dispatcher = ScriptedDispatcher()
    let storage = try interceptor().only(for: .authority("b.example"))
    let oauth = VendorSignatureInterceptor(
      try OAuth1Signature(clientKey: "k", method: .hmacSHA1(clientSecret: "s"))
    ).only(for: .authority("c.example"))
    let pipeline = try Pipeline(over: dispatcher) {
      storage
      oauth
    }
    for authority in ["b.example", "c.example", "d.example"] {
      _ = try await pipeline.send(Request(authority: authority, path: "/"))
    }
    let fields = dispatcher.requests.map { $0.head.headerFields[.authorization]?.prefix(5) }
    #expect(fields == ["AWS4-", "OAuth", nil])
  }

  @Test("I3: A request that left its origin is sent without a vendor's signature, on the hop back too")
  func redirected() async throws {
    let credentials = try VendorCredentials(keyID: "k", secret: "s")
    let interceptors = [
      VendorSignatureInterceptor(
        try OAuth1Signature(clientKey: "k", method: .plaintext(clientSecret: "s3cret"))),
      VendorSignatureInterceptor(try AWSSignature(region: "r", service: "s3"), with: credentials),
      VendorSignatureInterceptor(try AliyunSignature(version: "2014-05-26"), with: credentials),
    ]
    for signing in interceptors {
      let dispatcher = ScriptedDispatcher()
      let pipeline = try Pipeline(over: dispatcher) { signing }
      var request = Request(authority: "a.example", path: "/", headerFields: [AliyunFields.action: "Run"])
      _ = try await pipeline.send(request)
      request.context.hasLeftOrigin = true
      for authority in ["b.example", "a.example"] {
        request.head.authority = authority
        _ = try await pipeline.send(request)
      }
      let signed = dispatcher.requests.map { $0.head.headerFields.contains(.authorization) }
      #expect(signed == [true, false, false])
    }
  }
}
