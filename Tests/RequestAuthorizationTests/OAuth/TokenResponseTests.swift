import Interception
import Testing

@testable import RequestAuthorization

@Suite struct TokenResponseTests {
  private static let now = WallTime(secondsSince1970: 1_700_000_000)

  private func token(_ body: String, status: Int = 200, replacing previous: AccessToken? = nil) throws
    -> AccessToken
  {
    try TokenResponse.token(status: status, body: Array(body.utf8), replacing: previous, at: Self.now)
  }

  @Test("The example of RFC 6749, section 5.1, is read")
  func example() throws {
    let body = """
      {
        "access_token":"2YotnFZFEjr1zCsicMWpAA",
        "token_type":"Bearer",
        "expires_in":3600,
        "refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA",
        "example_parameter":"example_value"
      }
      """
    #expect(
      try token(body)
        == AccessToken(
          "2YotnFZFEjr1zCsicMWpAA", expiry: Self.now.advanced(by: .seconds(3_600)),
          refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA"))
  }

  @Test(
    "A token without a type is a bearer token, and the case of the type does not matter",
    arguments: [
      "", #","token_type":null"#, #","token_type":"""#, #","token_type":"bearer""#,
      #","token_type":"BEARER""#,
      #","token_type":"bEaReR","scope":null"#, #","error":"","scope":"a b""#, #","error":null"#,
      #","refresh_token":null,"extra":{"token_type":"mac"}"#,
    ])
  func type(_ fields: String) throws {
    #expect(try token("{\"access_token\":\"a\"\(fields)}") == AccessToken("a"))
    #expect(try token("\u{FEFF}{\"access_token\":\"a\"\(fields)}\n") == AccessToken("a"))
  }

  @Test(
    "The lifetime may be a number, a string or absent; what isn't positive is ignored, and it is limited",
    arguments: [
      (",\"expires_in\":60", 60), (",\"expires_in\":\"60\"", 60), (",\"expires_in\":1.5e1", 15), ("", nil),
      (",\"expires_in\":0", nil), (",\"expires_in\":-1", nil), (",\"expires_in\":\"soon\"", nil),
      (",\"expires_in\":null", nil), (",\"expires_in\":1e300", 3_153_600_000),
      (",\"expires_in\":1e999", 3_153_600_000), (",\"expires_in\":\"9e999\"", 3_153_600_000),
      (",\"expires_in\":99999999999999999999", 3_153_600_000), (",\"expires_in\":\"60.0\"", 60),
      (",\"expires_in\":\"nan\"", nil), (",\"expires_in\":\"-60\"", nil), (",\"expires_in\":\"\"", nil),
      (",\"expires_in\":true", nil), (",\"expires_in\":[60]", nil),
    ] as [(String, Int64?)])
  func lifetime(_ field: String, _ seconds: Int64?) throws {
    let token = try token("{\"access_token\":\"a\",\"token_type\":\"bearer\"\(field)}")
    #expect(token.expiry == seconds.map { Self.now.advanced(by: .seconds($0)) })
  }

  @Test("The refresh token is kept unless the response has another one")
  func refreshToken() throws {
    let previous = try AccessToken("old", refreshToken: "r1")
    let body = "{\"access_token\":\"a\",\"token_type\":\"bearer\""
    #expect(try token(body + "}", replacing: previous).refreshToken == "r1")
    #expect(try token(body + ",\"refresh_token\":\"\"}", replacing: previous).refreshToken == "r1")
    #expect(try token(body + ",\"refresh_token\":\"r2\"}", replacing: previous).refreshToken == "r2")
    #expect(try token(body + "}").refreshToken == nil)
  }

  @Test(
    "Errors are typed, whatever the status",
    arguments: [
      (200, #"{"error":"invalid_grant"}"#, .grantRefused(.invalidGrant)),
      (400, #"{"error":"invalid_client","error_description":"x"}"#, .grantRefused(.invalidClient)),
      (401, #"{"error":"no_such_code_secret"}"#, .grantRefused(.other)),
      (503, "busy", .tokenEndpointStatus(503)), (302, "", .tokenEndpointStatus(302)),
      (500, #"{"access_token":"a","token_type":"bearer"}"#, .tokenEndpointStatus(500)),
      (200, "<html>", .malformedTokenResponse("the body is not a JSON object")),
      (
        200, #"{"token_type":"bearer"}"#,
        .malformedTokenResponse("the field \"access_token\" is missing or not a string")
      ),
      (
        200, #"{"access_token":1,"token_type":"bearer"}"#,
        .malformedTokenResponse("the field \"access_token\" is missing or not a string")
      ),
      (
        200, #"{"access_token":"a","token_type":"mac"}"#,
        .malformedTokenResponse("the field \"token_type\" is not \"Bearer\"")
      ),
      (
        200, #"{"access_token":"a","token_type":"Bearer mac"}"#,
        .malformedTokenResponse("the field \"token_type\" is not \"Bearer\"")
      ),
      (
        200, #"{"access_token":"a","token_type":1}"#,
        .malformedTokenResponse("the field \"token_type\" is not \"Bearer\"")
      ),
      (
        200, #"{"access_token":"a","token_type":["bearer"]}"#,
        .malformedTokenResponse("the field \"token_type\" is not \"Bearer\"")
      ),
      (
        200, #"{"access_token":"a","token_type":false}"#,
        .malformedTokenResponse("the field \"token_type\" is not \"Bearer\"")
      ),
      (200, #"{"access_token":"a","error":"access_denied"}"#, .grantRefused(.other)),
      (400, #"{"error":""}"#, .tokenEndpointStatus(400)),
    ] as [(Int, String, AuthorizationError.Reason)])
  func errors(_ status: Int, _ body: String, _ reason: AuthorizationError.Reason) {
    let thrown = #expect(throws: AuthorizationError.self) { try token(body, status: status) }
    #expect(thrown?.reason == reason)
    #expect(thrown?.description.contains("secret_") == false)
    #expect(thrown?.description.hasSuffix(".") == true)
  }

  @Test("A token with a line break or of 20,000 characters is refused", arguments: ["a\\r\\nX: y", "", "é"])
  func illegalToken(_ value: String) {
    for value in [value, String(repeating: "a", count: 20_000)] {
      let error = #expect(throws: AuthorizationError.self) {
        try token("{\"access_token\":\"\(value)\",\"token_type\":\"bearer\"}")
      }
      guard case .invalidCredentials = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }
}
