import Testing

@testable import Interception

@Suite struct IPAddressTests {
  @Test(
    "Well-formed addresses are parsed, and written in canonical form",
    arguments: [
      ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("203.0.113.7", "203.0.113.7"),
      ("::", "::"), ("::1", "::1"), ("2001:DB8::7", "2001:db8::7"), ("1::", "1::"),
      ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
      ("2001:0db8:0000:0001:0002:0003:0004:0005", "2001:db8:0:1:2:3:4:5"),
      ("::ffff:192.0.2.1", "::ffff:c000:201"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
      ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"), ("0:0:1:0:0:0:1:0", "0:0:1::1:0"),
    ])
  func read(_ text: String, canonical: String) throws {
    let address = try #require(IPAddress(text))
    #expect("\(address)" == canonical)
    #expect(IPAddress(canonical) == address)
  }

  @Test(
    "Anything else is refused",
    arguments: [
      "", ".", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.04", "00.0.0.0", "01.2.3.4", "1.2.3.", ".1.2.3",
      "1..2.3",
      "0x7f.0.0.1", "127.1", "2130706433", "1.2.3.4 ", " 1.2.3.4", "1.2.3.-4", "1.2.3.+4", "１.2.3.4", ":",
      ":::",
      "1:2", "1:2:3:4:5:6:7:8:9", "1::2::3", "::1:", ":1::", "12345::", "g::", "1:2:3:4:5:6:7", "::1.2.3",
      "1.2.3.4::", "::1.2.3.4:5", "fe80::1%eth0", "[::1]", "1:2:3:4:5:6:7:8::", "1:2:3:4::5:6:7:8",
      "::ffff:1.2.3.256",
      String(repeating: "1:", count: 50_000),
    ])
  func refused(_ text: String) { #expect(IPAddress(text) == nil) }
}
