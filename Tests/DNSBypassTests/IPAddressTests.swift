import Testing

@testable import DNSBypass

@Suite struct IPAddressTests {
  @Test(
    "Well-formed addresses are read, and written in their canonical form",
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
      "", ".", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.04", "01.2.3.4", "1.2.3.", ".1.2.3", "1..2.3",
      "0x7f.0.0.1", "127.1", "2130706433", "1.2.3.4 ", " 1.2.3.4", "1.2.3.-4", "1.2.3.+4", "１.2.3.4", ":",
      ":::",
      "1:2", "1:2:3:4:5:6:7:8:9", "1::2::3", "::1:", ":1::", "12345::", "g::", "1:2:3:4:5:6:7", "::1.2.3",
      "1.2.3.4::", "::1.2.3.4:5", "fe80::1%eth0", "[::1]", "1:2:3:4:5:6:7:8::", "1:2:3:4::5:6:7:8",
      "::ffff:1.2.3.256",
      String(repeating: "1:", count: 50_000),
    ])
  func refused(_ text: String) { #expect(IPAddress(text) == nil) }

  @Test(
    "Ranges without servers are recognised, in IPv6 dress too",
    arguments: [
      ("127.0.0.1", .loopback), ("127.255.255.255", .loopback), ("::1", .loopback),
      ("::ffff:127.0.0.1", .loopback),
      ("64:ff9b::7f00:1", .loopback), ("2002:7f00:1::", .loopback), ("169.254.1.1", .linkLocal),
      ("fe80::1", .linkLocal), ("febf::1", .linkLocal), ("10.0.0.1", .private), ("172.16.0.1", .private),
      ("172.31.255.255", .private), ("192.168.1.1", .private), ("100.64.0.1", .private),
      ("fc00::1", .private),
      ("fdff::1", .private), ("fec0::1", .private), ("::ffff:10.0.0.1", .private), ("224.0.0.1", .multicast),
      ("239.255.255.255", .multicast), ("ff02::1", .multicast), ("0.0.0.0", .reserved),
      ("240.0.0.1", .reserved),
      ("255.255.255.255", .reserved), ("::", .reserved), ("::8.8.8.8", .reserved), ("8.8.8.8", nil),
      ("172.32.0.1", nil), ("172.15.0.1", nil), ("100.128.0.1", nil), ("192.169.0.1", nil),
      ("126.0.0.1", nil),
      ("2001:db8::1", nil), ("::ffff:8.8.8.8", nil), ("2002:808:808::", nil), ("fe00::1", nil),
    ] as [(String, AddressScope?)])
  func scopes(_ text: String, scope: AddressScope?) throws {
    #expect(try #require(IPAddress(text)).scope == scope)
  }
}
