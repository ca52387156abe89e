import BodyCompression
import CommandRunning
import Cryptography
import CurlTransport
import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Synchronization
import Testing

@testable import RequestAuthorization

@Suite(.timeLimit(.minutes(5))) struct DigestAuthorizationTests {
  private static func refusal(
    nonce: String, qop: String = "auth", more: String = "", status: HTTPResponse.Status = .unauthorized
  ) -> Response {
    Response(
      status: status,
      headerFields: [
        .wwwAuthenticate:
          "Digest realm=\"r\", nonce=\"\(nonce)\", qop=\"\(qop)\", algorithm=SHA-256\(more)"
      ])
  }

  private static func chain(_ server: ScriptedDispatcher) throws -> any Dispatcher {
    let scheme = try DigestAuthorization(user: "u", password: "p", nonces: { "cnonce" })
    return server.intercepted(
      by: try AuthorizationInterceptor(scheme, for: ["api.switchyard.test", "other.switchyard.test"]))
  }

  private static func request(_ authority: String = "api.switchyard.test", body: RequestBody = .empty)
    -> Request
  {
    Request(method: .post, authority: authority, path: "/houses?x=1", body: body)
  }

  private static func sent(_ server: ScriptedDispatcher, _ parameter: String) -> [String?] {
    server.requests.map { request in
      request.head.headerFields[.authorization].flatMap { Challenge.list([$0]).first?.parameters[parameter] }
    }
  }

  @Test("After one refusal, the nonce is reused with a growing count, per origin")
  func reuse() async throws {
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      request.head.headerFields[.authorization] == nil
        ? Self.refusal(nonce: request.head.authority ?? "") : Response(status: .ok)
    }
    let chain = try Self.chain(server)
    for _ in 1...3 { #expect(try await chain.dispatch(Self.request()).status == .ok) }
    #expect(try await chain.dispatch(Self.request("other.switchyard.test")).status == .ok)
    #expect(
      Self.sent(server, "nc") == [nil, "00000001", "00000002", "00000003", nil, "00000001"])
    #expect(Self.sent(server, "uri").compactMap(\.self).allSatisfy { $0 == "/houses?x=1" })
    #expect(
      Self.sent(server, "nonce").compactMap(\.self) == [
        "api.switchyard.test", "api.switchyard.test", "api.switchyard.test", "other.switchyard.test",
      ])
  }

  @Test("A stale nonce is replaced once; the same nonce again means a wrong password and is returned")
  func stale() async throws {
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      switch number {
      case 1: Self.refusal(nonce: "1")
      case 2, 4: Response(status: .ok)
      case 3: Self.refusal(nonce: "2", more: ", stale=TRUE")
      default: Self.refusal(nonce: "2")
      }
    }
    let chain = try Self.chain(server)
    #expect(try await chain.dispatch(Self.request()).status == .ok)
    #expect(try await chain.dispatch(Self.request()).status == .ok)
    #expect(Self.sent(server, "nonce") == [nil, "1", "1", "2"])
    #expect(try await chain.dispatch(Self.request()).status == .unauthorized)
    #expect(Self.sent(server, "nonce") == [nil, "1", "1", "2", "2"])
    #expect(Self.sent(server, "nc") == [nil, "00000001", "00000002", "00000001", "00000002"])
  }

  @Test("A server that refuses every nonce gets each request twice, and no more")
  func noLoop() async throws {
    let server = ScriptedDispatcher { _, number throws(NetworkError) in Self.refusal(nonce: "\(number)") }
    let chain = try Self.chain(server)
    for _ in 1...3 { #expect(try await chain.dispatch(Self.request()).status == .unauthorized) }
    #expect(server.requests.count == 6)
  }

  @Test("If only auth-int is offered, the body in memory is hashed; the refusal of another body is returned")
  func integrity() async throws {
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      request.head.headerFields[.authorization] == nil
        ? Self.refusal(nonce: "1", qop: "auth-int") : Response(status: .ok)
    }
    let chain = try Self.chain(server)
    let file = RequestBody.restartable(length: 1) { () throws(NetworkError) in ScriptedByteSource([[1]]) }
    #expect(try await chain.dispatch(Self.request(body: file)).status == .unauthorized)
    #expect(server.requests.count == 1)
    #expect(try await chain.dispatch(Self.request(body: .text("whole"))).status == .ok)
    #expect(try await chain.dispatch(Self.request(body: .text("other"))).status == .ok)
    #expect(Self.sent(server, "qop") == [nil, nil, "auth-int", "auth-int"])
    let responses = Self.sent(server, "response").suffix(2)
    #expect(Set(responses).count == 2)
    // Without the body in memory, the request is sent without credentials.
    #expect(try await chain.dispatch(Self.request(body: file)).status == .unauthorized)
  }

  @Test("100 requests at once never repeat the count of a nonce")
  func concurrent() async throws {
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      request.head.headerFields[.authorization] == nil ? Self.refusal(nonce: "1") : Response(status: .ok)
    }
    let chain = try Self.chain(server)
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...100 {
        group.addTask {
          let response = try? await chain.dispatch(Self.request())
          #expect(response?.status == .ok)
        }
      }
    }
    let counts = Self.sent(server, "nc").compactMap(\.self)
    #expect(counts.count == 100 && Set(counts).count == 100)
  }

  @Test("A failure of the random number generator is a typed error, and no nonce is repeated")
  func randomFailure() async throws {
    let scheme = try DigestAuthorization(user: "u", password: "p", nonces: { nil })
    let server = ScriptedDispatcher(answering: Self.refusal(nonce: "1"))
    let chain = server.intercepted(by: try AuthorizationInterceptor(scheme, for: ["api.switchyard.test"]))
    let error = await #expect(throws: NetworkError.self) { try await chain.dispatch(Self.request()) }
    #expect(
      error?.underlying(as: AuthorizationError.self)?.reason == .hashUnavailable("a random client nonce"))
  }

  @Test("Client nonces are random: 32 hexadecimal digits, which differ")
  func clientNonces() async throws {
    var nonces: Set<String> = []
    for _ in 1...2 {
      let server = ScriptedDispatcher(answering: Self.refusal(nonce: "1"))
      let scheme = try DigestAuthorization(user: "u", password: "p")
      let chain = server.intercepted(by: try AuthorizationInterceptor(scheme, for: ["api.switchyard.test"]))
      _ = try await chain.dispatch(Self.request())
      let nonce = try #require(Self.sent(server, "cnonce").last ?? nil)
      #expect(nonce.utf8.count == 32)
      nonces.insert(nonce)
    }
    #expect(nonces.count == 2)
  }

  @Test(
    "A login works over the wire whatever form the challenge has",
    arguments: [
      (["Digest realm=\"camera\", nonce=\"abc\", qop=\"\""], nil),
      (["Digest realm=\"camera\", nonce=\"abc\", qop=\"token\""], nil),
      (["Digest realm=\"camera\" nonce=\"abc\" qop=\"auth\""], "auth"),
      (["Digest realm=camera, nonce=abc, qop=auth,auth-int"], "auth"),
      (["DIGEST ReAlM = camera ,, NONCE = \"a\\bc\", QOP=\"Auth\", stale=\"TRUE\", charset=UTF-8"], "auth"),
      (
        [
          "Negotiate",
          "Digest realm=camera, nonce=abc, algorithm=X-1, Digest realm=camera nonce=abc, Basic realm=x",
        ], nil
      ),
      (
        [
          "Basic realm=My Site",
          "Digest realm=\"camera\", realm=camera, nonce=abc, algorithm=\"md5\", qop=\"auth\"",
        ], "auth"
      ),
      (["Digest realm=camera, nonce=abc, qop=\"auth-int\""], "auth-int"),
    ] as [([String], String?)])
  func wire(_ challenges: [String], _ qop: String?) async throws {
    let server = try ScriptedServer { request in
      guard let written = request.value(of: "Authorization") else {
        return ScriptedReply(status: 401, fields: challenges.map { ("WWW-Authenticate", $0) })
      }
      let given = Challenge.list([written]).first?.parameters ?? [:]
      // What a strict server of RFC 7616 and RFC 2069 expects.
      let strict = Challenge.list([
        "Digest realm=\"camera\", nonce=\"abc\"" + (qop.map { ", qop=\"\($0)\"" } ?? "")
      ])
      guard let challenge = DigestChallenge.strongest(of: strict) else { return .text("none", status: 500) }
      let expected = DigestResponse(
        challenge: challenge, user: "viewer", password: Secret("open sesame"), method: request.method,
        uri: request.target, body: request.body, count: 1, clientNonce: given["cnonce"] ?? "")
      return try expected.response() == given["response"] && given["qop"] == qop
        ? .text("in") : .text("out", status: 403)
    }
    let scheme = try DigestAuthorization(user: "viewer", password: "open sesame")
    let authorization = try AuthorizationInterceptor(scheme, for: ["http://\(server.authority)"])
    let pipeline = try Pipeline(over: CurlDispatcher()) { authorization }
    let response = try await pipeline.send(
      Request(
        method: .post, scheme: "http", authority: server.authority, path: "/stream?camera=1",
        body: .text("x")))
    #expect(response.status == .ok)
    #expect(try await response.body.collect(upTo: 99) == Array("in".utf8))
    #expect(server.requests.count == 2)
  }

  @Test("A realm in ISO 8859-1 is hashed and sent back with the bytes that came")
  func latin1() async throws {
    let realm: [UInt8] = Array("\u{4B}".utf8) + [0xFC] + Array("che".utf8)
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.head.headerFields[.authorization] == nil else { return Response(status: .ok) }
      let value = Array("Digest realm=\"".utf8) + realm + Array("\", nonce=n, qop=auth".utf8)
      var head = HTTPResponse(status: .unauthorized)
      head.headerFields.append(HTTPField(name: .wwwAuthenticate, lenientValue: value))
      return Response(head)
    }
    #expect(try await Self.chain(server).dispatch(Self.request()).status == .ok)
    let request = try #require(server.requests.last)
    let field = try #require(request.head.headerFields[fields: .authorization].first)
    let sent: [UInt8] = field.withUnsafeBytesOfValue { Array($0) }
    #expect(String(decoding: sent, as: UTF8.self).hasPrefix("Digest username=\"u\", realm=\"K\u{FFFD}che\""))
    #expect(sent.contains(0xFC))
    let challenge = try #require(Challenge.list([field]).first)
    #expect(challenge.realm == "K\u{FC}che")
    let key = Hexadecimal.encode(
      try HashAlgorithm.md5.hash(of: Array("u:".utf8) + realm + Array(":p".utf8)))
    let target = Hexadecimal.encode(try HashAlgorithm.md5.hash(of: Array("POST:/houses?x=1".utf8)))
    let response = try HashAlgorithm.md5.hash(of: Array("\(key):n:00000001:cnonce:auth:\(target)".utf8))
    #expect(challenge.parameters["response"] == Hexadecimal.encode(response))
  }

  /// What curl, an independent client, sends for the same challenge.
  @Test(
    "curl computes the same response for the same challenge",
    .enabled(if: Self.hasCurl, "Requires curl"),
    arguments: [
      "Digest realm=\"camera\", nonce=\"abc\", qop=\"auth\", algorithm=MD5, opaque=\"o\"",
      "Digest realm=\"camera\", nonce=\"abc\", qop=\"auth\", algorithm=SHA-256",
      "Digest realm=\"camera\", nonce=\"abc\", qop=\"auth\", algorithm=MD5-sess",
      "Digest realm=\"camera\", nonce=\"abc\", qop=\"auth\", algorithm=SHA-256-sess",
      "Digest realm=\"ca\\\"mera\", nonce=\"abc\"",
      "Digest realm=\"camera\", nonce=\"abc\", qop=\"\"",
      "Digest realm=\"camera\", nonce=\"abc\", qop=\"token\"",
      "Digest realm=\"camera\" nonce=\"abc\" qop=\"auth\" algorithm=\"MD5\"",
      "Digest realm=/private/camera, nonce=MTIz/4==, qop=auth, stale=\"TRUE\"",
      "Digest nonce=\"abc\", opaque=, , realm=camera, algorithm=\"sha-256\", qop=\"auth-conf,auth\"",
    ])
  func curl(_ field: String) async throws {
    let server = try ScriptedServer { request in
      request.value(of: "Authorization") == nil
        ? ScriptedReply(status: 401, fields: [("WWW-Authenticate", field)]) : .text("in")
    }
    let outcome = try await Command(
      "curl", "-s", "--noproxy", "*", "--digest", "-u", "viewer:open sesame",
      "http://\(server.authority)/stream?camera=1"
    ).run()
    #expect(outcome.output == "in", "\(outcome)")
    let written = try #require(server.requests.last?.value(of: "Authorization"))
    let parameters = try #require(Challenge.list([written]).first?.parameters)
    let response = DigestResponse(
      challenge: try #require(DigestChallenge.strongest(of: Challenge.list([field]))), user: "viewer",
      password: Secret("open sesame"), method: "GET", uri: "/stream?camera=1",
      count: parameters["nc"].flatMap { UInt32($0, radix: 16) } ?? 0, clientNonce: parameters["cnonce"] ?? "")
    #expect(try response.response() == parameters["response"])
  }

  private static let hasCurl =
    ["/usr/bin/curl", "/usr/local/bin/curl", "/bin/curl"].contains {
      FileManager.default.isExecutableFile(atPath: $0)
    } || ProcessInfo.processInfo.environment["CI"] == "true"

  @Test(
    "C6: The body that auth-int covers is sent as it was hashed, also by a chain that compresses",
    arguments: ["auth-int", "auth,auth-int"])
  func compression(_ offered: String) async throws {
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      let body = try await request.body.collect(upTo: 1 << 20)
      guard let field = request.head.headerFields[.authorization] else {
        return Self.refusal(nonce: "1", qop: offered)
      }
      guard let parameters = Challenge.list([field]).first?.parameters,
        let challenge = DigestChallenge.strongest(
          of: Challenge.list(["Digest realm=\"r\", nonce=\"1\", qop=\"\(offered)\", algorithm=SHA-256"]))
      else { return Self.refusal(nonce: "2", qop: offered) }
      let expected = DigestResponse(
        challenge: challenge, user: "u", password: Secret("p"), method: "POST",
        uri: request.head.path ?? "", body: body, count: 1, clientNonce: "cnonce")
      guard let response = try? expected.response(), parameters["response"] == response else {
        return Self.refusal(nonce: "1", qop: offered)
      }
      return Response(status: .ok)
    }
    let scheme = try DigestAuthorization(user: "u", password: "p", nonces: { "cnonce" })
    let authorization = try AuthorizationInterceptor(scheme, for: ["api.switchyard.test"])
    let pipeline = try Pipeline(over: server) {
      authorization
      CompressionInterceptor(requests: .unlessRefused(.gzip), accepting: [])
    }
    let body = RequestBody.text(String(repeating: "whole ", count: 1_000))
    #expect(try await pipeline.send(Self.request(body: body)).status == .ok)
    let codings = server.requests.map { $0.head.headerFields[.contentEncoding] }
    #expect(codings == (offered == "auth-int" ? ["gzip", nil] : ["gzip", "gzip"]))
  }
}
