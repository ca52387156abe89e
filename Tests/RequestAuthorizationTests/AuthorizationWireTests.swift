import Cryptography
import CurlTransport
import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import RequestAuthorization

/// The schemes over libcurl, against nginx.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: NginxServer.runsSuites))
struct AuthorizationWireTests {
  private static let client = Base64.encode(Array("app:s3cret".utf8))

  private func server() async throws -> NginxServer {
    // nginx reads its users relative to the configuration file.
    try await NginxServer(
      files: ["users": Array("Aladdin:{PLAIN}open sesame\n".utf8)],
      locations: """
        location /closed/ { auth_basic "estate"; auth_basic_user_file root/users; alias root/; }
        location = /token {
          default_type application/json;
          if ($http_authorization != "Basic \(Self.client)") { return 401 '{"error":"invalid_client"}'; }
          return 200 '{"access_token":"new","token_type":"Bearer","expires_in":3600}';
        }
        location /members {
          if ($http_authorization != "Bearer new") { return 401; }
          return 200 "$request_uri";
        }
        """)
  }

  private func text(_ response: Response) async throws -> String {
    String(decoding: try await response.body.collect(upTo: 1 << 10), as: UTF8.self)
  }

  @Test("nginx accepts the user and the password of the Basic scheme, and no others")
  func basic() async throws {
    let server = try await server()
    let origin = "127.0.0.1:\(server.port)"
    for (password, status) in [("open sesame", HTTPResponse.Status.ok), ("wrong", .unauthorized)] {
      let authorization = try AuthorizationInterceptor(
        BasicAuthorization(user: "Aladdin", password: password), for: ["http://\(origin)"])
      let pipeline = try Pipeline(over: CurlDispatcher()) { authorization }
      let response = try await pipeline.send(
        Request(scheme: "http", authority: origin, path: "/closed/users"))
      #expect(response.status == status)
    }
    // The same origin without permission to send credentials in the clear.
    let authorization = try AuthorizationInterceptor(
      BasicAuthorization(user: "Aladdin", password: "open sesame"), for: [origin])
    let pipeline = try Pipeline(over: CurlDispatcher()) { authorization }
    let response = try await pipeline.send(Request(scheme: "http", authority: origin, path: "/closed/users"))
    #expect(response.status == .unauthorized)
    #expect(Refusal(of: nil, head: response.head).challenges.map(\.realm) == ["estate"])
  }

  @Test("A21: Ten parallel requests with an expired token are answered after one refresh over the wire")
  func refresh() async throws {
    let server = try await server()
    let origin = "127.0.0.1:\(server.port)"
    let dispatcher = CurlDispatcher()
    let source = try OAuthTokenSource(
      "http://\(origin)/token", client: OAuthClient(id: "app", secret: "s3cret"), grant: .clientCredentials,
      over: dispatcher)
    let tokens = TestTokens { previous, _ in try await source.token(replacing: previous) }
    let member = BearerAuthorization(from: tokens, starting: try AccessToken("old"))
    let authorization = try AuthorizationInterceptor(member, for: ["http://\(origin)"])
    let pipeline = try Pipeline(over: dispatcher) { authorization }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...10 {
        group.addTask {
          let response = try await pipeline.send(
            Request(
              method: .put, scheme: "http", authority: origin, path: "/members?\(number)",
              body: .text("\(number)")))
          #expect(response.status == .ok)
          #expect(try await text(response) == "/members?\(number)")
        }
      }
      try await group.waitForAll()
    }
    #expect(tokens.calls.count == 1)
    #expect(member.token?.value == "new")
  }

  @Test("A client that the token endpoint refuses is a typed error")
  func refusedClient() async throws {
    let server = try await server()
    let source = try OAuthTokenSource(
      "http://127.0.0.1:\(server.port)/token", client: OAuthClient(id: "app", secret: "wrong"),
      grant: .clientCredentials, over: CurlDispatcher())
    await #expect(throws: AuthorizationError(.grantRefused(.invalidClient))) {
      try await source.token(replacing: nil)
    }
  }
}
