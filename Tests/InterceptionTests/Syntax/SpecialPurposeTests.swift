import Testing

@testable import Interception

@Suite("Special-purpose addresses")
struct SpecialPurposeTests {
  /// A row of a registry, its first and last address, and the addresses before and after it that are public.
  struct Row: Sendable, CustomTestStringConvertible {
    let first: String
    let last: String
    let purpose: IPAddress.SpecialPurpose?
    var before: String?
    var after: String?

    init(
      _ first: String, _ last: String, _ purpose: IPAddress.SpecialPurpose?, before: String? = nil,
      after: String? = nil
    ) {
      (self.first, self.last, self.purpose, self.before, self.after) = (first, last, purpose, before, after)
    }

    var testDescription: String { "\(first) to \(last)" }
  }

  /// IANA's IPv4 registry, and the blocks for multicast.
  static let version4: [Row] = [
    Row("0.0.0.0", "0.255.255.255", .reserved, after: "1.0.0.0"),
    Row("0.0.0.0", "0.0.0.0", .reserved),
    Row("10.0.0.0", "10.255.255.255", .private, before: "9.255.255.255", after: "11.0.0.0"),
    Row("100.64.0.0", "100.127.255.255", .private, before: "100.63.255.255", after: "100.128.0.0"),
    Row("127.0.0.0", "127.255.255.255", .loopback, before: "126.255.255.255", after: "128.0.0.0"),
    Row("169.254.0.0", "169.254.255.255", .linkLocal, before: "169.253.255.255", after: "169.255.0.0"),
    Row("172.16.0.0", "172.31.255.255", .private, before: "172.15.255.255", after: "172.32.0.0"),
    Row("192.0.0.0", "192.0.0.7", .reserved, before: "191.255.255.255"),
    Row("192.0.0.8", "192.0.0.8", .reserved, after: "192.0.0.9"),
    Row("192.0.0.9", "192.0.0.9", nil),
    Row("192.0.0.10", "192.0.0.10", nil),
    Row("192.0.0.11", "192.0.0.255", .reserved, before: "192.0.0.10", after: "192.0.1.0"),
    Row("192.0.0.170", "192.0.0.171", .reserved),
    Row("192.0.2.0", "192.0.2.255", .documentation, before: "192.0.1.255", after: "192.0.3.0"),
    Row("192.31.196.0", "192.31.196.255", nil, before: "192.31.195.255", after: "192.31.197.0"),
    Row("192.52.193.0", "192.52.193.255", nil, before: "192.52.192.255", after: "192.52.194.0"),
    Row("192.88.99.0", "192.88.99.255", .reserved, before: "192.88.98.255", after: "192.88.100.0"),
    Row("192.88.99.2", "192.88.99.2", .reserved),
    Row("192.168.0.0", "192.168.255.255", .private, before: "192.167.255.255", after: "192.169.0.0"),
    Row("192.175.48.0", "192.175.48.255", nil, before: "192.175.47.255", after: "192.175.49.0"),
    Row("198.18.0.0", "198.19.255.255", .reserved, before: "198.17.255.255", after: "198.20.0.0"),
    Row("198.51.100.0", "198.51.100.255", .documentation, before: "198.51.99.255", after: "198.51.101.0"),
    Row("203.0.113.0", "203.0.113.255", .documentation, before: "203.0.112.255", after: "203.0.114.0"),
    Row("224.0.0.0", "239.255.255.255", .multicast, before: "223.255.255.255"),
    Row("240.0.0.0", "255.255.255.255", .reserved),
    Row("255.255.255.255", "255.255.255.255", .reserved),
  ]

  /// IANA's IPv6 registry, the deprecated blocks that it leaves out, and the block for multicast.
  static let version6: [Row] = [
    Row("::", "::", .reserved),
    Row("::1", "::1", .loopback),
    Row("::2", "::ffff", .reserved),
    Row("::ffff:0:0:0", "::ffff:0:0:0", .reserved),
    Row(
      "::ffff:0:100:0", "::ffff:0:ffff:ffff", .reserved, before: "::fffe:ffff:ffff:ffff",
      after: "::ffff:1:0:0"),
    Row("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", .reserved, after: "64:ff9b:2::"),
    Row("100::", "100::ffff:ffff:ffff:ffff", .reserved, before: "ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    Row("100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", .reserved, after: "100:0:0:2::"),
    Row("2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", .reserved, before: "2000:ffff:ffff:ffff::ffff"),
    Row("2001:1::", "2001:1::", .reserved, after: "2001:1::1"),
    Row("2001:1::1", "2001:1::3", nil),
    Row("2001:1::2", "2001:1::2", nil),
    Row("2001:1::4", "2001:1:ffff:ffff:ffff:ffff:ffff:ffff", .reserved, before: "2001:1::3"),
    Row("2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", .reserved),
    Row("2001:2:1::", "2001:2:ffff:ffff:ffff:ffff:ffff:ffff", .reserved, after: "2001:3::"),
    Row("2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff", nil),
    Row("2001:4::", "2001:4:111:ffff:ffff:ffff:ffff:ffff", .reserved, after: "2001:4:112::"),
    Row("2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff", nil),
    Row("2001:4:113::", "2001:f:ffff:ffff:ffff:ffff:ffff:ffff", .reserved),
    Row("2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", .reserved, after: "2001:20::"),
    Row("2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", nil),
    Row("2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff", nil),
    Row("2001:40::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", .reserved, after: "2001:200::"),
    Row(
      "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", .documentation,
      before: "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", after: "2001:db9::"),
    Row(
      "2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", nil,
      before: "2620:4f:7fff:ffff:ffff:ffff:ffff:ffff", after: "2620:4f:8001::"),
    Row(
      "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", .documentation,
      before: "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", after: "3fff:1000::"),
    Row(
      "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .reserved,
      before: "5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", after: "5f01::"),
    Row(
      "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .private,
      before: "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", after: "fe00::"),
    Row(
      "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .linkLocal,
      before: "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    Row("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .private),
    Row("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .multicast),
  ]

  private func purpose(_ text: String) throws -> IPAddress.SpecialPurpose? {
    try #require(IPAddress(text), "\(text)").specialPurpose
  }

  @Test(
    "Each row of IANA's registries is classified, and its neighbours are public",
    arguments: version4 + version6)
  func rows(_ row: Row) throws {
    #expect(try purpose(row.first) == row.purpose)
    #expect(try purpose(row.last) == row.purpose)
    for neighbour in [row.before, row.after].compactMap({ $0 }) {
      #expect(try purpose(neighbour) == nil, "\(neighbour)")
    }
  }

  @Test("Mapped, NAT64 and 6to4 addresses count as the IPv4 address in them", arguments: version4)
  func embedded(_ row: Row) throws {
    let texts = [row.first, row.last] + [row.before, row.after].compactMap { $0 }
    for text in texts {
      let expected = try purpose(text)
      let bytes = try #require(IPAddress(text)).bytes
      let groups = stride(from: 0, to: 4, by: 2).map { index in
        String(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]), radix: 16)
      }
      #expect(try purpose("::ffff:\(text)") == expected, "mapped \(text)")
      #expect(try purpose("64:ff9b::\(text)") == expected, "NAT64 \(text)")
      for end in ["::", "::1", ":ffff:ffff:ffff:ffff:ffff"] {
        #expect(try purpose("2002:\(groups[0]):\(groups[1])\(end)") == expected, "6to4 \(text)")
      }
      // Nothing sends to these on the Internet, whatever they embed. `::` and `::1` have rows of their own.
      #expect(try purpose("::ffff:0:\(text)") == expected ?? .reserved, "translated \(text)")
      guard text != "0.0.0.0" else { continue }
      #expect(try purpose("::\(text)") == expected ?? .reserved, "compatible \(text)")
    }
  }
}
