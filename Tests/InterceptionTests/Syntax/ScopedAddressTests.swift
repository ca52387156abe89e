import Testing

@testable import Interception

@Suite struct ScopedAddressTests {
  @Test(
    "An address is parsed with its zone in either form",
    arguments: [
      ("192.0.2.1", nil, "192.0.2.1", "192.0.2.1"), ("2001:DB8:0::1", nil, "2001:db8::1", "[2001:db8::1]"),
      ("fe80::1", nil, "fe80::1", "[fe80::1]"), ("FE80::1%eth0", "eth0", "fe80::1%eth0", "[fe80::1%25eth0]"),
      ("fe80::1%25eth0", "eth0", "fe80::1%eth0", "[fe80::1%25eth0]"),
      ("febf::%2", "2", "febf::%2", "[febf::%252]"),
      // The number of an interface, and its two encoded forms.
      ("fe80::%25", "25", "fe80::%25", "[fe80::%2525]"), ("fe80::%2525", "25", "fe80::%25", "[fe80::%2525]"),
      ("fe80::%251", "1", "fe80::%1", "[fe80::%251]"),
      ("fe80::%Br-1.2_~", "Br-1.2_~", "fe80::%Br-1.2_~", "[fe80::%25Br-1.2_~]"),
    ] as [(String, String?, String, String)])
  func parsed(_ text: String, zone: String?, description: String, host: String) throws {
    let address = try ScopedAddress(text)
    #expect(address.zone == zone)
    #expect("\(address)" == description)
    #expect(address.host == host)
    #expect(try ScopedAddress(host.filter { $0 != "[" && $0 != "]" }) == address)
  }

  @Test(
    "A zone that is malformed, or of an address that is not link-local, is refused",
    arguments: [
      ("", .noAddress), ("a.example", .noAddress), ("fe80%eth0", .noAddress), ("%eth0", .noAddress),
      ("fe80::1%", .malformedZone), ("fe80::1%a%b", .malformedZone), ("fe80::1%a b", .malformedZone),
      ("fe80::1%25é", .malformedZone), ("fe80::1%0123456789abcdef", .malformedZone),
      ("fe80::1%25a/b", .malformedZone), ("fe80::1%a]", .malformedZone),
      ("::1%lo", .needlessZone), ("2001:db8::1%25eth0", .needlessZone), ("192.0.2.1%eth0", .needlessZone),
      ("169.254.0.1%eth0", .needlessZone), ("ff02::1%eth0", .needlessZone), ("fec0::1%eth0", .needlessZone),
      ("::ffff:169.254.0.1%eth0", .needlessZone),
    ] as [(String, ScopedAddress.Fault)])
  func refused(_ text: String, fault: ScopedAddress.Fault) {
    #expect(throws: fault) { try ScopedAddress(text) }
  }
}
