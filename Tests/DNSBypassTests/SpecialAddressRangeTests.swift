import Interception
import Testing

@testable import DNSBypass

@Suite struct SpecialAddressRangeTests {
  @Test(
    "Non-public ranges are recognized, also embedded in IPv6 addresses",
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
    ] as [(String, SpecialAddressRange?)])
  func ranges(_ text: String, range: SpecialAddressRange?) throws {
    #expect(try #require(IPAddress(text)).specialRange == range)
  }
}
