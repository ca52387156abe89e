import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestAuthorization

@Suite struct BasicAuthorizationTests {
  // The first two are those of RFC 7617, sections 2 and 2.1.
  @Test(
    "Known users have the published credentials",
    arguments: [
      ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
      ("test", "123£", "Basic dGVzdDoxMjPCow=="), ("", "", "Basic Og=="),
      ("u", "a:b", "Basic dTphOmI="),
    ])
  func known(_ user: String, _ password: String, _ value: String) async throws {
    let server = ScriptedDispatcher(answering: Response(status: .unauthorized))
    let chain = server.intercepted(
      by: try AuthorizationInterceptor(
        BasicAuthorization(user: user, password: password), for: ["api.switchyard.test"]))
    let response = try await chain.dispatch(Request(authority: "api.switchyard.test", path: "/"))
    #expect(response.status == .unauthorized)
    #expect(server.requests.map { $0.head.headerFields[.authorization] } == [value])
  }

  @Test(
    "A colon in the user name and control characters are refused, without naming the text",
    arguments: [
      ("zq:b", "qz"), ("zq\u{0}", "qz"), ("zq\r\nX: y", "qz"), ("zq", "qz\n"), ("zq", "qz\u{7F}"),
      ("zq\u{85}", "qz"),
    ])
  func refused(_ user: String, _ password: String) throws {
    let error = try #require(
      #expect(throws: AuthorizationError.self) { try BasicAuthorization(user: user, password: password) })
    guard case .invalidCredentials(let rule) = error.reason else {
      Issue.record("\(error)")
      return
    }
    #expect(!rule.contains("zq") && !rule.contains("qz") && rule.hasSuffix("."))
    #expect(throws: error) { try DigestAuthorization(user: user, password: password) }
  }

  @Test("The partition is the account's name, and never the user name, which may be a secret")
  func account() throws {
    let request = Request(authority: "api.switchyard.test", path: "/")
    func partitions(_ user: String, account: String?) throws -> [String] {
      let schemes: [any AuthorizationScheme] = [
        try BasicAuthorization(user: user, password: "", account: account),
        try DigestAuthorization(user: user, password: "", account: account),
      ]
      return try schemes.map { scheme in
        request.identified(as: try #require(scheme.identity(for: request))).context.partition
      }
    }
    #expect(try partitions("zq", account: "7") == ["7", "7"])
    for user in ["zq", ""] {
      let unnamed = try partitions(user, account: nil)
      #expect(Set(unnamed).count == 2 && unnamed.allSatisfy { !$0.isEmpty && !$0.contains("zq") })
    }
  }
}
