import HTTPTypes
import SwitchyardTesting
import Testing

@testable import RequestAuthorization

@Suite struct ChallengeTests {
  private static let apps = Challenge(
    scheme: "newauth", parameters: ["realm": "apps", "type": "1", "title": "Login to \"apps\""])
  private static let simple = Challenge(scheme: "basic", parameters: ["realm": "simple"])

  @Test(
    "Challenges are separated from parameters as in RFC 9110, section 11.6.1",
    arguments: [
      // RFC 9110, section 11.6.1.
      (
        [#"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#],
        [Self.simple, Self.apps]
      ),
      // RFC 7235, section 4.1, and the same in two fields.
      (
        [#"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#],
        [Self.apps, Self.simple]
      ),
      (
        [#"Newauth realm="apps", type=1, title="Login to \"apps\"""#, #"Basic realm="simple""#],
        [Self.apps, Self.simple]
      ),
      // Names in any case, white space around the equals sign, empty list elements.
      ([#" , ,BASIC\#tRealm = "simple" , , "#], [Self.simple]),
      (["Negotiate"], [Challenge(scheme: "negotiate")]),
      (["Negotiate, Basic realm=simple"], [Challenge(scheme: "negotiate"), Self.simple]),
      (["Basic realm=simple,Negotiate"], [Self.simple, Challenge(scheme: "negotiate")]),
      (["NTLM TlRMTVNTUAAC+/=="], [Challenge(scheme: "ntlm", token68: "TlRMTVNTUAAC+/==")]),
      (
        ["NTLM abc, Basic realm=simple"], [Challenge(scheme: "ntlm", token68: "abc"), Self.simple]
      ),
      (["Scheme a=b=c"], []), (["Basic realm=\"\""], [Challenge(scheme: "basic", parameters: ["realm": ""])]),
      (
        [#"Basic realm="comma, \\ and \"quote\"""#],
        [Challenge(scheme: "basic", parameters: ["realm": #"comma, \ and "quote""#])]
      ),
      (
        [#"Bearer realm="é", error="invalid_token""#],
        [Challenge(scheme: "bearer", parameters: ["realm": "é", "error": "invalid_token"])]
      ),
      // What is malformed is omitted with the remainder of its field; what precedes it is kept.
      ([#"Basic realm="simple", Digest realm="open"#], [Self.simple]),
      ([#"Basic realm="simple", =x, Negotiate"#], [Self.simple]),
      ([#"Digest realm="a" nonce="b""#], []), ([#"Digest realm="a", realm="b""#], []),
      (
        [#"Basic realm=simple"#, "\"", ",,,", "", #"Negotiate"#],
        [Self.simple, Challenge(scheme: "negotiate")]
      ),
      ([#"Basic "realm""#], []), (["Basic realm=\"a\\"], []), ([], []),
    ])
  func parsing(_ fields: [String], _ challenges: [Challenge]) {
    #expect(Challenge.list(fields) == challenges)
  }

  @Test("A refusal has the challenges of all its fields, in order")
  func refusal() {
    var head = HTTPResponse(status: .unauthorized)
    head.headerFields.append(HTTPField(name: .wwwAuthenticate, value: "Negotiate"))
    head.headerFields.append(HTTPField(name: .wwwAuthenticate, value: "Basic realm=simple"))
    let refusal = Refusal(of: nil, head: head)
    #expect(refusal.challenges == [Challenge(scheme: "negotiate"), Self.simple])
    #expect(refusal.challenges.map(\.realm) == [nil, "simple"])
  }

  @Test("A field of 64 KiB, 1,000 challenges or 1,000 parameters are read up to the limits")
  func limits() {
    let many = (1...1_000).map { "Scheme\($0) realm=\"r\"" }.joined(separator: ", ")
    #expect(Challenge.list([many]).count == Challenge.countLimit)
    #expect(Challenge.list(Array(repeating: "Basic realm=r", count: 1_000)).count == Challenge.countLimit)
    let parameters = "Basic " + (1...1_000).map { "p\($0)=1" }.joined(separator: ", ")
    #expect(Challenge.list([parameters]) == [])
    // A value that is cut by the limit must not be used.
    let long = #"Basic realm="simple", Digest nonce=""# + String(repeating: "n", count: 64 << 10) + "\""
    #expect(Challenge.list([long]) == [Self.simple])
    let token = "Basic realm=simple, Token " + String(repeating: "t", count: 64 << 10)
    #expect(Challenge.list([token]) == [Self.simple])
    #expect(Challenge.list([String(repeating: ",", count: 64 << 10), "Basic realm=simple"]) == [])
    #expect(Challenge.list([String(repeating: "\"\\", count: 32 << 10)]) == [])
  }

  @Test("Any bytes are read without a trap, and every challenge of a valid field is found")
  func fuzzing() {
    var random = SeededRandom(seed: 14)
    let pieces = ["Basic", "Digest", " ", ",", "=", "\"", "\\", "realm", "a", "==", "\t", "é", "nonce=\"x\""]
    for _ in 1...2_000 {
      let text = (0..<Int.random(in: 0...12, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let list = Challenge.list([text])
      #expect(list.count <= 12, "\(text)")
      #expect(Challenge.list(["Basic realm=simple", text]).first == Self.simple, "\(text)")
    }
  }
}
