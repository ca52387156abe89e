import Cryptography
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestAuthorization

@Suite struct SecrecyTests {
  private static let secret = "correct-horse-battery-staple"

  @Test("No text, dump or mirror of a token, scheme, source, state or error reveals a secret")
  func secretsStaySecret() async throws {
    let secret = Self.secret
    let token = try AccessToken(secret, refreshToken: secret)
    let client = OAuthClient(id: "app", secret: secret)
    let inBody = OAuthClient(id: "app", secret: secret, sendsSecretInForm: true)
    let source = try OAuthTokenSource(
      "https://login.switchyard.test/token", client: client, grant: .refreshToken, over: ScriptedDispatcher())
    let basic = try BasicAuthorization(user: "u", password: secret)
    let digest = try DigestAuthorization(user: "u", password: secret)
    let member = BearerAuthorization(from: source, starting: token)
    var state = TokenState(token, leeway: .zero, canRefresh: true, at: .now())
    _ = state.decide(after: state.credentials, at: .init(wall: .now(), elapsed: .zero))
    let credentials = try Credentials("Bearer \(secret)")
    let reasons: [AuthorizationError.Reason] = [
      .needsLogin, .noRefreshToken, .tokenReplaced, .refreshTimedOut(limit: .seconds(1)),
      .grantRefused(.other),
      .malformedTokenResponse("x"), .tokenEndpointStatus(500), .hashUnavailable("MD5"),
      .tokenEndpointRedirected(to: "https://b.example"),
    ]
    let errors = reasons.map { AuthorizationError($0) }
    let subjects: [Any] = [
      token, client, inBody, source, basic, digest, member, member.refresher, state, credentials,
      Secret(secret), Refusal(of: credentials, head: .init(status: .unauthorized)), errors,
      errors.map(\.networkError), AuthorizationEvent.refreshed(token),
      try AuthorizationInterceptor(basic, for: ["a.example"]),
      try AuthorizationInterceptor(member, for: ["a.example"]),
    ]
    for subject in subjects {
      var dumped = ""
      dump(subject, to: &dumped)
      for text in [
        dumped, "\(subject)", String(reflecting: subject), String(describing: Mirror(reflecting: subject)),
      ] {
        #expect(!text.contains(secret), "\(type(of: subject))")
        #expect(!text.contains(Base64.encode(Array("u:\(secret)".utf8))), "\(type(of: subject))")
        #expect(!text.contains(Base64.encode(Array("app:\(secret)".utf8))), "\(type(of: subject))")
      }
    }
  }

  @Test("Every error names the fault and the remedy in one sentence")
  func sentences() {
    let reasons: [AuthorizationError.Reason] = [
      .needsLogin, .noRefreshToken, .tokenReplaced, .refreshTimedOut(limit: .seconds(1)),
      .grantRefused(.invalidScope),
      .malformedTokenResponse("x"), .tokenEndpointStatus(500), .hashUnavailable("MD5"),
      .tokenEndpointRedirected(to: "https://b.example"),
    ]
    let errors = reasons.map { AuthorizationError($0) }
    for error in errors {
      #expect(error.description.hasSuffix(".") && error.description.contains(";"))
      #expect(error.networkError.underlying(as: AuthorizationError.self) == error)
      #expect(error.networkError.origin == nil)
    }
  }

  @Test(
    "Credentials with a line break, a control character or nothing are refused",
    arguments: ["", "a\r\nX: y", "a\u{0}", "a\u{7F}", "é"])
  func illegalCredentials(_ value: String) {
    #expect(throws: AuthorizationError.self) { try Credentials(value) }
    #expect(throws: AuthorizationError.self) { try AccessToken(value) }
  }
}
