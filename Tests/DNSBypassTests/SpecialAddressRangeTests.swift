import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import DNSBypass

@Suite struct SpecialAddressRangeTests {
  private static let addresses: [(String, SpecialAddressRange?)] = [
    ("127.0.0.1", .loopback), ("::1", .loopback), ("::ffff:127.0.0.1", .loopback),
    ("64:ff9b::7f00:1", .loopback), ("2002:7f00:1::", .loopback), ("169.254.1.1", .linkLocal),
    ("fe80::1", .linkLocal), ("10.0.0.1", .private), ("100.64.0.1", .private), ("fec0::1", .private),
    ("::ffff:10.0.0.1", .private), ("64:ff9b::a00:1", .private), ("2002:a00:1::1", .private),
    ("224.0.0.1", .multicast), ("ff02::1", .multicast), ("192.0.2.1", .documentation),
    ("198.51.100.1", .documentation), ("203.0.113.7", .documentation), ("2001:db8::7", .documentation),
    ("3fff::1", .documentation), ("::ffff:203.0.113.7", .documentation), ("0.0.0.0", .reserved),
    ("192.0.0.1", .reserved), ("192.0.0.8", .reserved), ("192.88.99.1", .reserved),
    ("198.18.0.1", .reserved), ("198.19.255.255", .reserved), ("240.0.0.1", .reserved),
    ("255.255.255.255", .reserved), ("::", .reserved), ("::8.8.8.8", .reserved), ("100::1", .reserved),
    ("64:ff9b:1::808:808", .reserved), ("2001::1", .reserved), ("2001:2::1", .reserved),
    ("2001:10::1", .reserved), ("5f00::1", .reserved), ("::ffff:0:8.8.8.8", .reserved), ("8.8.8.8", nil),
    ("192.0.0.9", nil), ("192.0.0.10", nil), ("192.0.1.1", nil), ("198.20.0.1", nil), ("203.0.114.1", nil),
    ("2001:1::1", nil), ("2001:3::1", nil), ("2001:4:112::1", nil), ("2001:20::1", nil), ("2001:30::1", nil),
    ("2001:db9::1", nil), ("::ffff:8.8.8.8", nil), ("64:ff9b::808:808", nil), ("2002:808:808::", nil),
  ]

  @Test(
    "A table refuses an address that is not public, and accepts it if its range is allowed",
    arguments: addresses)
  func tables(_ text: String, range: SpecialAddressRange?) throws {
    guard let range else {
      #expect(try AddressTable(["a.example": [text]]).hosts == ["a.example"])
      return
    }
    #expect(throws: AddressTableIssue(faults: [.refusedAddress(text, of: "a.example", range)])) {
      try AddressTable(["a.example": [text]])
    }
    let others = Set(SpecialAddressRange.allCases).subtracting([range])
    #expect(throws: AddressTableIssue.self) { try AddressTable(["a.example": [text]], allowing: others) }
    #expect(try AddressTable(["a.example": [text]], allowing: [range]).hosts == ["a.example"])
  }

  @Test("A resolver ignores an address that is not public unless its range is allowed", arguments: addresses)
  func resolvers(_ text: String, range: SpecialAddressRange?) async throws {
    let address = try #require(IPAddress(text))
    let server = ScriptedDispatcher { _, _ throws(NetworkError) in
      // Both questions get the same answer; the one for the other kind of addresses has no such record.
      let message = NameMessageBuilder(
        "a.example", records: [.address("a.example", address.bytes, seconds: 60)]
      ).bytes
      return Response(
        status: .ok, headerFields: [.contentType: "application/dns-message"], bytes: message)
    }
    func found(allowing ranges: Set<SpecialAddressRange>) async throws -> [String] {
      try await HTTPSNameResolver("https://dns.test/dns-query", over: server, allowing: ranges)
        .addresses(of: "a.example").map(\.address)
    }
    #expect(try await found(allowing: []) == (range == nil ? ["\(address)"] : []))
    if let range { #expect(try await found(allowing: [range]) == ["\(address)"]) }
  }
}
