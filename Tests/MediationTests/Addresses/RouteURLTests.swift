import Mediation
import Testing

@Suite struct RouteURLTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let url: String
    let host: String
    let segments: [String]
    let query: [RouteURL.QueryItem]
    let fragment: String?

    init(
      _ url: String, _ host: String, _ segments: [String] = [], _ query: KeyValuePairs<String, String> = [:],
      fragment: String? = nil
    ) {
      self.url = url
      self.host = host
      self.segments = segments
      self.query = query.map { RouteURL.QueryItem(name: $0.key, value: $0.value) }
      self.fragment = fragment
    }

    var testDescription: String { url }
  }

  @Test(
    "F2: a URL is split and decoded by the URL profile (U2 to U15)",
    arguments: [
      Sample("estate://home", "home"),
      Sample("estate://home/", "home"),
      Sample("ESTATE://HoMe/Detail", "home", ["Detail"]),
      Sample("estate://home/42", "home", ["42"]),
      Sample("estate://home/42/", "home", ["42"]),
      Sample("estate://home/a%2Fb/c", "home", ["a/b", "c"]),
      Sample("estate://home/%252F", "home", ["%2F"]),
      Sample("estate://home/1+1", "home", ["1+1"]),
      Sample("estate://home?q=1+1", "home", [], ["q": "1 1"]),
      Sample("estate://home?q=1%2B1", "home", [], ["q": "1+1"]),
      Sample("estate://home?q=a=b==", "home", [], ["q": "a=b=="]),
      Sample("estate://home?q=&r", "home", [], ["q": "", "r": ""]),
      Sample("estate://home?=z", "home", [], ["": "z"]),
      Sample("estate://home?&&q=1&", "home", [], ["q": "1"]),
      Sample("estate://home?q=1&q=2", "home", [], ["q": "1", "q": "2"]),
      Sample("estate://home?a/b=c?d", "home", [], ["a/b": "c?d"]),
      Sample("estate://home?q=1%26r=2", "home", [], ["q": "1&r=2"]),
      Sample("estate://home/x#f?a=1#g", "home", ["x"], fragment: "f?a=1#g"),
      Sample("estate://home?q=1#x?q=999", "home", [], ["q": "1"], fragment: "x?q=999"),
      Sample("estate://home?q=%23", "home", [], ["q": "#"]),
      Sample("estate://home/北京?城=上海#区", "home", ["北京"], ["城": "上海"], fragment: "区"),
      Sample("estate://home/%E5%8C%97%E4%BA%AC", "home", ["北京"]),
      Sample("estate://用户/x", "用户", ["x"]),
      Sample("estate://home/👨‍👩‍👧", "home", ["👨‍👩‍👧"]),
      Sample("https://Good.Example./a", "good.example", ["a"]),
      Sample("https://good.example:443/a", "good.example", ["a"]),
      Sample("https://[::1]/a", "[::1]", ["a"]),
      Sample("estate://home/...", "home", ["..."]), Sample("estate://home?", "home"),
      Sample("estate://home#", "home", fragment: ""),
      Sample("estate://h%6Fme%2Fx/a", "home/x", ["a"]), Sample("estate://%E5%8C%97", "北"),
      Sample("estate://home/e%CC%81", "home", ["e\u{301}"]),
      Sample("estate://home/!$&'()*+,;=:@[]~-._", "home", ["!$&'()*+,;=:@[]~-._"]),
      Sample(
        "estate://home/12345678/1234567/123456789/x%20y%20z", "home",
        ["12345678", "1234567", "123456789", "x y z"]),
    ])
  func split(_ sample: Sample) throws {
    let url = try RouteURL(sample.url)
    #expect(url.text == sample.url)
    #expect(url.host == sample.host)
    #expect(url.segments == sample.segments)
    #expect(url.query == sample.query)
    #expect(url.fragment == sample.fragment)
    #expect(url.port == nil)
  }

  @Test(
    "F2: a violation of the profile is reported with its offset (U1 to U12)",
    arguments: [
      ("", .noScheme, 0), ("home", .noScheme, 4), ("://home", .noScheme, 0), ("1a://home", .noScheme, 0),
      ("es tate://home", .illegalCharacter(0x20), 2), (" estate://home", .illegalCharacter(0x20), 0),
      ("estate:home", .noAuthority, 7), ("mailto:a@b", .noAuthority, 7), ("estate:/home", .noAuthority, 7),
      ("estate://", .emptyHost, 9), ("estate:///home", .emptyHost, 9), ("https://?q", .emptyHost, 8),
      ("estate://u:p@home", .userInformation, 12),
      ("https://good.example@evil.example/", .userInformation, 20),
      ("estate://home:80/", .port, 13), ("https://h:65536/", .port, 10), ("https://h:/", .port, 10),
      ("https://h:8a/", .port, 10), ("https://good.example\\@evil/", .illegalCharacter(0x5C), 20),
      ("https://ex%61mple.com/", .illegalHost, 10), ("https://[::1/", .illegalHost, 8),
      ("https://[::g]/", .illegalHost, 11),
      ("https://h..example/", .illegalHost, 10), ("https://h.example../", .illegalHost, 18),
      ("https://./", .emptyHost, 8),
      ("https://.h.example/", .emptyHost, 8), ("ftp://h:21/", .port, 7),
      ("estate://home/\u{85}%", .percent, 16),
      (String(repeating: "s", count: 65) + "://h", .parameterTooLong(limit: 64), 0),
      ("estate://ho{me}", .illegalHost, 11),
      ("estate://home/%", .percent, 14), ("estate://home/%4", .percent, 14),
      ("estate://home/%zz", .percent, 14), ("estate://home?q=%4", .percent, 16),
      ("estate://home/%FF", .encoding, 14), ("estate://home/%C0%AF", .encoding, 14),
      ("estate://home/%ED%A0%80", .encoding, 14), ("estate://home/%E5%8C/%97", .encoding, 14),
      ("estate://home#%FF", .encoding, 14), ("estate://home/%00", .nul, 14),
      ("estate://home?q=a%00", .nul, 17), ("estate://home/\0", .nul, 14),
      ("estate://home//x", .emptySegment, 14), ("estate://home/x//", .emptySegment, 16),
      ("estate://home/./x", .dotSegment, 14), ("estate://home/x/..", .dotSegment, 16),
      ("estate://home/%2e%2E/x", .dotSegment, 14), ("estate://../x", .dotSegment, 9),
      ("estate://home/{id}", .illegalCharacter(0x7B), 14),
      ("estate://home/a\u{7F}", .illegalCharacter(0x7F), 15),
      ("estate://home/a\nb", .illegalCharacter(0x0A), 15),
    ] as [(String, RouteURL.SyntaxError.Reason, Int)])
  func refuse(_ text: String, _ reason: RouteURL.SyntaxError.Reason, _ offset: Int) {
    #expect(throws: RouteURL.SyntaxError(reason, at: offset)) { try RouteURL(text) }
  }

  @Test("U7: a port that is not the default is kept") func port() throws {
    #expect(try RouteURL("https://h.example:8443/").port == 8443)
    #expect(try RouteURL("http://h.example:443/").port == 443)
    #expect(try RouteURL("http://h.example:80/").port == nil)
  }

  @Test("U1, U12: limits are exact to the byte") func limits() throws {
    func url(_ length: Int) -> String {
      var url = "estate://home?"
      while url.utf8.count < length - 100 { url += "a=" + String(repeating: "x", count: 97) + "&" }
      return url + String(repeating: "y", count: length - url.utf8.count)
    }
    #expect(try RouteURL(url(8192)).text.utf8.count == 8192)
    #expect(throws: RouteURL.SyntaxError(.tooLong(limit: 8192), at: 8192)) { try RouteURL(url(8193)) }

    let segments = String(repeating: "/a", count: 64)
    #expect(try RouteURL("estate://home" + segments).segments.count == 64)
    #expect(throws: RouteURL.SyntaxError(.tooManySegments(limit: 64), at: 142)) {
      try RouteURL("estate://home" + segments + "/a")
    }

    let value = String(repeating: "v", count: 1024)
    #expect(try RouteURL("estate://home/\(value)?q=\(value)").segments == [value])
    #expect(throws: RouteURL.SyntaxError(.parameterTooLong(limit: 1024), at: 14)) {
      try RouteURL("estate://home/\(value)v")
    }
    #expect(throws: RouteURL.SyntaxError(.parameterTooLong(limit: 1024), at: 16)) {
      try RouteURL("estate://home?q=\(value)v")
    }
    // The decoded length counts.
    #expect(
      try RouteURL("estate://home/" + String(repeating: "%41", count: 1024)).segments[0].utf8.count == 1024)
  }

  @Test("U16: a fault contains a remedy and nothing of the URL") func sentence() {
    let fault = #expect(throws: RouteURL.SyntaxError.self) { try RouteURL("estate://home/secret?token=%zz") }
    #expect(fault?.description.contains("secret") == false)
    #expect(
      fault?.description
        == "The URL is malformed at byte 27: \"%\" is not followed by two hexadecimal digits; write a literal percent sign as %25."
    )
  }

  @Test("A description hides query and fragment")
  func description() throws {
    #expect(try RouteURL("estate://home/1?token=abc#d").description == "estate://home/1…")
  }
}
