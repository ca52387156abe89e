import Testing

@testable import CookieKeeping

@Suite struct PublicSuffixesTests {
  @Test("Without a list, exactly the domains of a single label are public")
  func singleLabels() {
    let suffixes = PublicSuffixes.singleLabels
    for domain in ["com", "localhost", "com."] { #expect(suffixes.contains(domain)) }
    for domain in ["co.uk", "example.com", "example.com."] { #expect(!suffixes.contains(domain)) }
  }

  @Test(
    "Wildcards, exceptions and private domains of a list are obeyed",
    arguments: [
      ("kobe.jp", false), ("c.kobe.jp", true), ("city.kobe.jp", false), ("www.ck", false), ("test.ck", true),
      ("mm", true), ("github.io", true), ("me.github.io", false), ("unlisted", true), ("a.unlisted", false),
      ("xn--55qx5d.cn", true), ("xn--fiqs8s", true), ("uk.com", true), ("ak.us", true), ("a.ak.us", false),
    ])
  func rules(_ domain: String, isPublic: Bool) {
    #expect(PublicSuffixes(list: SuffixSample.list).contains(domain) == isPublic)
  }

  @Test("Comments, empty lines and all line endings are accepted")
  func format() {
    let suffixes = PublicSuffixes(list: "// co.uk\r\n\r\nco.uk\tx\r\n   \n//\n*.\n!\n")
    #expect(suffixes.contains("co.uk"))
    #expect(!suffixes.contains("x.co.uk"))
  }

  @Test(
    "Labels are encoded as RFC 3492 says",
    arguments: [
      ("b\u{FC}cher.example", "xn--bcher-kva.example"), ("B\u{DC}CHER.Example", "xn--bcher-kva.example"),
      ("\u{4F60}\u{597D}\u{4F60}\u{597D}", "xn--6qqa088eba"), ("plain.example", "plain.example"),
      ("fa\u{DF}.de", "xn--fa-hia.de"), ("\u{1F4A9}.la", "xn--ls8h.la"),
      ("\u{645}\u{635}\u{631}.\u{65E5}\u{672C}", "xn--wgbh1c.xn--wgv71a"),
    ])
  func punycode(_ domain: String, encoded: String) {
    #expect(Punycode.domain(domain) == encoded)
  }

  @Test("A label that no domain can have is not encoded")
  func longLabel() {
    #expect(Punycode.domain(String(repeating: "\u{FC}", count: 100_000)) == nil)
  }
}
