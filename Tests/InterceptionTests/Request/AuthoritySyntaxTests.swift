import Testing

@testable import Interception

@Suite("The syntax of an authority")
struct AuthoritySyntaxTests {
  @Test(
    "A host that ends in a number and is not a canonical IPv4 address is ambiguous",
    arguments: [
      "127.1", "0x7f000001", "0X7F.1", "2130706433", "0177.0.0.1", "127.0.0.01", "1.2.3.4.5", "1.2.3", "0",
      "00",
      "256.0.0.1", "1.2.3.256", "127.0.0.1.", "1.", "a.example.1", "a.0x", "a.0xfF", "a.09", "..1", "1..2.3",
      "4294967296", "99999999999999999999",
    ])
  func ambiguous(_ host: String) { #expect(AuthoritySyntax.isAmbiguous(host: host[...])) }

  @Test(
    "A name or a canonical IPv4 address is not ambiguous",
    arguments: [
      "127.0.0.1", "0.0.0.0", "255.255.255.255", "a.example", "a.example.", "1.2.3.4.example", "0x.cafe",
      "cafe",
      "a.b-1", "x", "0x0g", "a.x0", "1a", "a.1f", "", ".", "a..", "xn--p1ai", "under_score.9_",
    ])
  func unambiguous(_ host: String) { #expect(!AuthoritySyntax.isAmbiguous(host: host[...])) }

  @Test(
    "A port is a number from 1 to 65535 without leading zeros",
    arguments: [
      ("1", 1), ("443", 443), ("65535", 65_535), ("0", nil), ("00", nil), ("080", nil), ("08602", nil),
      ("65536", nil),
      ("99999", nil), ("100000", nil), ("", nil), ("+80", nil), ("-1", nil), ("80x", nil), (" 80", nil),
      ("８０", nil),
    ] as [(String, Int?)])
  func port(_ text: String, _ port: Int?) { #expect(AuthoritySyntax.port(text[...]) == port) }

  @Test(
    "An origin is potentially trustworthy over TLS, and on this machine",
    arguments: [
      ("https", "a.example"), ("HTTPS", "10.0.0.1"), ("wss", "a.example"), ("http", "localhost"),
      ("ws", "localhost."), ("HTTP", "a.b.localhost"), ("http", "a.localhost."), ("http", "127.0.0.1"),
      ("http", "127.255.255.255"), ("http", "[::1]"), ("http", "[0:0::1]"),
    ])
  func trustworthy(_ scheme: String, _ host: String) {
    #expect(AuthoritySyntax.isPotentiallyTrustworthy(scheme: scheme, host: host[...]))
  }

  @Test(
    "Another origin is not, however its host looks",
    arguments: [
      ("http", "a.example"), ("ws", "10.0.0.1"), ("http", "192.168.0.1"), ("http", "localhost.example"),
      ("http", "notlocalhost"), ("http", ".localhost.example"), ("http", "128.0.0.1"), ("http", "127.1"),
      ("http", "127.0.0.1.example"), ("http", "0.0.0.0"), ("http", "[::]"), ("http", "[fe80::1]"),
      ("http", "[::ffff:127.0.0.1]"), ("http", "[2002:7f00:1::]"), ("http", "::1"), ("http", "[::1"),
      ("http", ""), ("", "localhost"), ("ftp", "localhost"), ("httpsx", "a.example"),
    ])
  func untrustworthy(_ scheme: String, _ host: String) {
    #expect(!AuthoritySyntax.isPotentiallyTrustworthy(scheme: scheme, host: host[...]))
  }

  @Test(
    "Hosts and authorities are compared in lower case, without the last dot, and addresses in one form",
    arguments: [
      ("A.Example", "a.example"), ("a.example.", "a.example"), ("A.example.:8443", "a.example:8443"),
      ("a.example..", "a.example."), (".", "."), ("", ""), ("127.0.0.1", "127.0.0.1"),
      ("[2001:DB8:0::1]:80", "[2001:db8::1]:80"), ("[fe80::A%Eth0]", "[fe80::a%25Eth0]"),
      ("[FE80::1%25eth0]:1", "[fe80::1%25eth0]:1"), ("[x]", "[x]"),
    ])
  func comparable(_ authority: String, _ form: String) {
    #expect(AuthoritySyntax.comparable(authority: authority) == form)
  }

  @Test(
    "A host is a name, which may end in a dot, or an address, and no pattern",
    arguments: [
      ("a.example", true), ("A.example.", true), ("localhost", true), ("under_score.x-1", true),
      ("127.0.0.1", true), ("[::1]", true), ("[fe80::1%25eth0]", true),
      (String(repeating: "a.", count: 126) + "a", true), (String(repeating: "a.", count: 127) + "a", false),
      ("", false), (".", false), (".a.example", false), ("a..example", false), ("a.example..", false),
      ("*.a.example", false), ("a.example:1", false), ("127.1", false), ("::1", false),
      ("[127.0.0.1]", false),
      ("[::1%25lo]", false), ("a b", false), ("bücher.example", false),
    ])
  func host(_ text: String, isHost: Bool) { #expect(AuthoritySyntax.isHost(text) == isHost) }
}
