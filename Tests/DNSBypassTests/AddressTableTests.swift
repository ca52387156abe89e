import Interception
import Testing

@testable import DNSBypass

@Suite struct AddressTableTests {
  private func table() throws -> AddressTable {
    try AddressTable([
      "API.estate.example": [
        "203.0.114.7", "[2001:db9::7]:8443", "203.0.114.8:8080", "2001:DB9:0::9", "[2001:db9::a]",
      ],
      "api.estate.example:8443": ["203.0.114.9"],
    ])
  }

  @Test("Addresses with and without ports are returned in canonical form, in the table's order")
  func addresses() throws {
    #expect(
      try table().addresses(for: "api.estate.example", scheme: "https").map(\.description) == [
        "203.0.114.7", "[2001:db9::7]:8443", "203.0.114.8:8080", "[2001:db9::9]", "[2001:db9::a]",
      ])
    #expect(try table().hosts == ["api.estate.example", "api.estate.example:8443"])
  }

  @Test(
    "E7: Hosts match exactly, ignoring case, and a name without a port covers every port",
    arguments: [
      ("api.estate.example", "https", 5), ("Api.Estate.EXAMPLE", "HTTPS", 5),
      ("api.estate.example:443", "https", 5),
      ("api.estate.example", "http", 5), ("api.estate.example:80", "http", 5),
      ("api.estate.example:80", "https", 5),
      ("api.estate.example:8443", "https", 1), ("api.estate.example:8443", "http", 1),
      ("api.estate.example:8444", "https", 5), ("api.estate.example:8444", "ftp", 0),
      ("estate.example", "https", 0),
      ("www.api.estate.example", "https", 0),
      ("api.estate.example.", "https", 5), ("API.estate.example.:8443", "https", 1),
      ("api.estate.example..", "https", 0), ("api.estate.example", "ftp", 0), ("", "https", 0),
      ("api.estate.example:", "https", 0), ("api.estate.example:x", "https", 0), ("203.0.114.7", "https", 0),
      ("user@api.estate.example", "https", 0), ("[2001:db9::7]:443", "https", 0),
    ])
  func matching(_ authority: String, scheme: String, count: Int) throws {
    #expect(try table().addresses(for: authority, scheme: scheme).count == count)
  }

  @Test("A name with the scheme's port overrides the same name without a port")
  func exactFirst() throws {
    let table = try AddressTable(["a.example": ["203.0.114.1"], "a.example:443": ["203.0.114.2"]])
    #expect(table.addresses(for: "a.example", scheme: "https") == [ConnectTarget(address: "203.0.114.2")])
    #expect(table.addresses(for: "a.example", scheme: "http") == [ConnectTarget(address: "203.0.114.1")])
  }

  @Test("A name without a port covers ports other than the scheme's default")
  func everyPort() throws {
    let table = try AddressTable(["api.example": ["203.0.114.1", "203.0.114.2:9443"]])
    let name = try #require(table.name(for: "API.example:8601", scheme: "https"))
    #expect(name == HostName(host: "api.example", port: 8_601))
    #expect(table.addresses(of: name).map(\.description) == ["203.0.114.1", "203.0.114.2:9443"])
    #expect(table.name(for: "api.example:443", scheme: "https") == HostName(host: "api.example", port: nil))
    let narrow = try AddressTable(["api.example:8601": ["203.0.114.1"]])
    #expect(narrow.addresses(for: "api.example:8601", scheme: "https").count == 1)
    #expect(narrow.addresses(for: "api.example", scheme: "https") == [])
    #expect(narrow.addresses(for: "api.example:8602", scheme: "https") == [])
  }

  @Test("All faults of a table are reported at once, with remedies")
  func faults() throws {
    let issue = #expect(throws: AddressTableIssue.self) {
      try AddressTable([
        "a.example": [], "A.example": ["203.0.114.1", "203.0.114.1"], "b.example": ["203.0.114.256", "b"],
        "c.example": ["127.0.0.1", "::ffff:10.0.0.1"], "d.example": (0...64).map { "203.0.114.\($0)" },
        "": ["203.0.114.1"], "e.example:0": ["203.0.114.1"], "f example": ["203.0.114.1"],
        "203.0.114.1": ["203.0.114.1"], "*.g.example": ["203.0.114.1"], ".h.example": ["203.0.114.1"],
        "i.example": ["203.0.114.1"], "i.example.": ["203.0.114.1"],
        "j.example": ["2001:db9::1%eth0", "[fe80::1%]:1"],
      ])
    }
    #expect(
      issue?.faults == [
        .invalidHost(""), .invalidHost("*.g.example"), .invalidHost(".h.example"),
        .invalidHost("203.0.114.1"), .repeatedAddress("203.0.114.1", of: "A.example"),
        .repeatedHost("a.example"), .noAddresses("a.example"),
        .invalidAddress("203.0.114.256", of: "b.example"),
        .invalidAddress("b", of: "b.example"), .refusedAddress("127.0.0.1", of: "c.example", .loopback),
        .refusedAddress("::ffff:10.0.0.1", of: "c.example", .private),
        .tooManyAddresses("d.example", count: 65),
        .invalidHost("e.example:0"), .invalidHost("f example"), .repeatedHost("i.example."),
        .invalidZone("2001:db9::1%eth0", of: "j.example"), .invalidZone("[fe80::1%]:1", of: "j.example"),
      ])
    let text = try #require(issue?.description)
    #expect(text.contains("remove it, or allow .loopback"))
    #expect(text.split(separator: "\n").count == 17)
  }

  @Test(
    "Malformed addresses are refused",
    arguments: [
      "203.0.114.1:", "203.0.114.1:0", "203.0.114.1:65536", "203.0.114.1:+1", "[2001:db9::1",
      "[2001:db9::1]x",
      "[2001:db9::1]:", "[203.0.114.1]:80", "2001:db9::1]:80", "a.example", "", "203.0.114.1/24",
    ])
  func malformed(_ address: String) {
    let issue = #expect(throws: AddressTableIssue.self) { try AddressTable(["a.example": [address]]) }
    #expect(issue?.faults == [.invalidAddress(address, of: "a.example")])
  }

  @Test("An allowed range is accepted; others are still refused")
  func allowed() throws {
    let table = try AddressTable(["a.example": ["127.0.0.1", "::1"]], allowing: [.loopback])
    #expect(table.addresses(for: "a.example", scheme: "http").count == 2)
    #expect(throws: AddressTableIssue(faults: [.refusedAddress("10.0.0.1", of: "a.example", .private)])) {
      try AddressTable(["a.example": ["10.0.0.1"]], allowing: [.loopback])
    }
  }

  @Test("A link-local address may name its zone, in brackets or without")
  func zones() throws {
    let table = try AddressTable(
      ["a.example": ["fe80::1%eth0", "[fe80::2%25eth0]:8443"]], allowing: [.linkLocal])
    #expect(
      table.addresses(for: "a.example", scheme: "http") == [
        ConnectTarget(address: "fe80::1%eth0"), ConnectTarget(address: "fe80::2%eth0", port: 8443),
      ])
    #expect(throws: AddressTableIssue(faults: [.refusedAddress("fe80::1%eth0", of: "a.example", .linkLocal)]))
    {
      try AddressTable(["a.example": ["fe80::1%eth0"]])
    }
  }

  @Test("A table with too many hosts is refused before it is parsed")
  func tooManyHosts() {
    let hosts = Dictionary(uniqueKeysWithValues: (0...1_024).map { ("h\($0).example", ["203.0.114.1"]) })
    #expect(throws: AddressTableIssue(faults: [.tooManyHosts(1_025)])) { try AddressTable(hosts) }
  }

  @Test("A fault truncates long text")
  func longText() {
    let issue = #expect(throws: AddressTableIssue.self) {
      try AddressTable(["a.example": [String(repeating: "9", count: 100_000)]])
    }
    #expect((issue?.description.utf8.count ?? .max) < 400)
  }
}
