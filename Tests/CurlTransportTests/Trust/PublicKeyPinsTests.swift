import Testing

@testable import CurlTransport

@Suite struct PublicKeyPinsTests {
  static let one = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
  static let two = "sha256/+/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="

  @Test func `a host is found whatever its case, names below it and above it are not meant`() throws {
    let pins = try PublicKeyPins(["Api.Example.org": [Self.one, Self.two]])
    #expect(pins.entry(for: "API.example.ORG")?.pins == [Self.one, Self.two])
    // The root's dot makes another text of the same name, which must not be a way around.
    #expect(pins.entry(for: "api.example.org.") != nil)
    #expect(pins.entry(for: "v2.api.example.org") == nil)
    #expect(pins.entry(for: "example.org") == nil)
    #expect(PublicKeyPins().isEmpty && !pins.isEmpty)
  }

  @Test func `libcurl gets its own form of the pins`() throws {
    let entry = try #require(try PublicKeyPins(["a": [Self.one, Self.two]]).entry(for: "a"))
    #expect(
      entry.list
        == "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=;sha256//+/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="
    )
  }

  @Test(arguments: [[], [PublicKeyPinsTests.one], [PublicKeyPinsTests.one, PublicKeyPinsTests.one]])
  func `E4: a backup pin is demanded`(pins: [String]) {
    #expect(throws: PublicKeyPins.Fault.noBackupPin(host: "a.test")) {
      try PublicKeyPins(["a.test": pins])
    }
  }

  @Test(arguments: [
    "", "sha256/", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=",
    "sha256/A;AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  ])
  func `what is no digest is no pin`(text: String) {
    #expect(throws: PublicKeyPins.Fault.malformedPin(host: "a.test", pin: text)) {
      try PublicKeyPins(["a.test": [Self.one, text]])
    }
  }

  @Test(arguments: ["", "*.example.org", "a.test:443", "https://a.test", "bücher.test"])
  func `a pattern or a port is no host`(host: String) {
    #expect(throws: PublicKeyPins.Fault.invalidHost(host)) {
      try PublicKeyPins([host: [Self.one, Self.two]])
    }
  }

  @Test func `a text without certificate has no pin`() {
    #expect(CertificateKey.pin(ofPEM: "") == nil)
    #expect(
      CertificateKey.pin(ofPEM: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n") == nil)
  }
}
