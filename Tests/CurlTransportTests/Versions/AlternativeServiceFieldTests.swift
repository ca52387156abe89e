import Testing

@testable import CurlTransport

@Suite("The Alt-Svc field (RFC 7838)") struct AlternativeServiceFieldTests {
  private typealias Alternative = AlternativeServiceField.Alternative

  private func read(_ text: String) -> [Alternative]? { AlternativeServiceField(text)?.alternatives }

  @Test("Alternatives are read in order, with their ages")
  func reading() {
    #expect(
      read("h3=\":443\"; ma=2592000") == [
        .init(protocolName: "h3", host: "", port: 443, maximumAge: 2_592_000)
      ])
    #expect(
      read("h3-29=\":443\";ma=60, h3=\"alt.example.com:8443\" ; persist=1;ma=\"7\" ,h2=\"[::1]:1\"")
        == [
          .init(protocolName: "h3-29", host: "", port: 443, maximumAge: 60),
          .init(protocolName: "h3", host: "alt.example.com", port: 8443, maximumAge: 7),
          .init(protocolName: "h2", host: "[::1]", port: 1),
        ])
    // The RFC's example of an encoded protocol name, and a quoted pair.
    #expect(read("w%3Dx%3Ay#z=\":1\"")?.first?.protocolName == "w=x:y#z")
    #expect(read("h3=\"\\:4\\43\"")?.first?.port == 443)
  }

  @Test("Clear has no alternatives, with or without blanks around it", arguments: ["clear", " clear\t"])
  func clear(text: String) { #expect(read(text) == []) }

  @Test("Unknown parameters and empty members are ignored, and a large age is kept as a large number")
  func tolerance() {
    let alternative = Alternative(protocolName: "h3", host: "", port: 443, maximumAge: 5)
    #expect(read(", h3=\":443\"; v=\"46,43\"; ma=5, ,") == [alternative])
    let large = read("h3=\":443\"; ma=99999999999999999999999")
    #expect(large?.first?.maximumAge == Int(Int32.max))
  }

  @Test(
    "A malformed field is none",
    arguments: [
      "", " ", ",", "Clear", "clear, h3=\":443\"", "h3", "h3=", "h3=443", "h3=\"443\"", "h3=\":0\"",
      "h3=\":65536\"",
      "h3=\":443", "h3=\":443\" ma=5", "h3=\":443\"; ma", "h3=\":443\"; ma=", "h3=\":443\"; ma=-1",
      "h3=\":443\"; ma=1.5",
      "h3=\":443\"; =5", "=\":443\"", "h3=\"a b:443\"", "h3=\"@:443\"", "h3 =\":443\"", "h3=\":443\\",
      "h3=\":443\";",
      "h3=\":443\" x", "\u{0}",
    ])
  func malformed(text: String) { #expect(read(text) == nil) }

  @Test("At most 32 alternatives are kept of a long field")
  func bound() {
    let long = (1...1000).map { "h3=\":\($0)\"" }.joined(separator: ",")
    #expect(read(long)?.map(\.port) == Array(1...32))
  }
}
