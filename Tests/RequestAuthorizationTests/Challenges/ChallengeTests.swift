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
      (["Basic realm=\"\""], [Challenge(scheme: "basic", parameters: ["realm": ""])]),
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
      ([#"Digest realm="a", realm="b""#], []),
      (
        [#"Basic realm=simple"#, "\"", ",,,", "", #"Negotiate"#],
        [Self.simple, Challenge(scheme: "negotiate")]
      ),
      ([#"Basic "realm""#], []), (["Basic realm=\"a\\"], []), ([], []),
    ])
  func parsing(_ fields: [String], _ challenges: [Challenge]) {
    #expect(Challenge.list(fields) == challenges)
  }

  private static func digest(_ parameters: [String: String]) -> Challenge {
    Challenge(scheme: "digest", parameters: parameters)
  }

  @Test(
    "What servers write beside the grammar is read where it has one reading",
    arguments: [
      // Spaces instead of commas, or both.
      (
        #"Digest realm="a" nonce="b" qop="auth""#, [Self.digest(["realm": "a", "nonce": "b", "qop": "auth"])]
      ),
      ("Digest realm=a\tnonce=b  , qop=auth", [Self.digest(["realm": "a", "nonce": "b", "qop": "auth"])]),
      (#"Digest realm="a" Basic realm="simple""#, [Self.digest(["realm": "a"]), Self.simple]),
      // Values that lack their quotes.
      (
        "Digest realm=/private/area, nonce=MTIz/+4=:5==, opaque=a=b",
        [Self.digest(["realm": "/private/area", "nonce": "MTIz/+4=:5==", "opaque": "a=b"])]
      ),
      (
        "Digest nonce=ab==, realm=https://a.example/?b=c;d, algorithm=MD5",
        [Self.digest(["nonce": "ab==", "realm": "https://a.example/?b=c;d", "algorithm": "MD5"])]
      ),
      ("Digest nonce=ab== realm=x@y", [Self.digest(["nonce": "ab==", "realm": "x@y"])]),
      ("Basic realm=My  Site", [Challenge(scheme: "basic", parameters: ["realm": "My  Site"])]),
      ("Digest realm=My Site nonce=b", [Self.digest(["realm": "My Site", "nonce": "b"])]),
      ("Bearer realm=é/ü", [Challenge(scheme: "bearer", parameters: ["realm": "é/ü"])]),
      // Empty values and elements.
      (#"Digest realm=, nonce="b""#, [Self.digest(["realm": "", "nonce": "b"])]),
      (#"Digest nonce="b", opaque= , realm="""#, [Self.digest(["nonce": "b", "opaque": "", "realm": ""])]),
      (#"Digest ,realm="a",,nonce="b","#, [Self.digest(["realm": "a", "nonce": "b"])]),
      (#"Digest, realm="a""#, [Self.digest(["realm": "a"])]),
      // The same parameter with the same value.
      (#"Digest realm="a", REALM=a, nonce=b"#, [Self.digest(["realm": "a", "nonce": "b"])]),
      // A list without quotes.
      (
        "Digest qop=auth,auth-int, nonce=b", [Self.digest(["qop": "auth,auth-int", "nonce": "b"])]
      ),
      ("Digest qop=auth-int, AUTH nonce=b", [Self.digest(["qop": "auth-int,AUTH", "nonce": "b"])]),
      // Data and a parameter without a value look alike.
      ("Negotiate abc=", [Challenge(scheme: "negotiate", token68: "abc=")]),
      ("Negotiate abc=, Basic realm=simple", [Challenge(scheme: "negotiate", token68: "abc="), Self.simple]),
      // What has several readings, or none, is omitted.
      (#"Digest realm="a"nonce="b""#, []), (#"Digest realm=a"b""#, []),
      (#"Digest realm="a" = "b""#, [Self.digest(["realm": "a"])]),
      ("Digest realm=x, nonce=a Negotiate", []), ("Digest nonce=a b c", []),
      (#"Digest realm=a, nonce="b"#, []),
    ])
  func departures(_ field: String, _ challenges: [Challenge]) {
    #expect(Challenge.list([field]) == challenges)
    // The same beside another field.
    #expect(Challenge.list(["Basic realm=simple", field]) == [Self.simple] + challenges)
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
