import Testing

@testable import CurlTransport

@Suite struct PublicKeyPinsTests {
  static let one = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
  static let two = "sha256/+/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="

  @Test("A host is found in any case; its subdomains and parents are not")
  func hosts() throws {
    let pins = try PublicKeyPins(["Api.Example.org": [Self.one, Self.two]])
    #expect(pins.entry(for: "API.example.ORG")?.pins == [Self.one, Self.two])
    // The root's dot makes another text of the same name, which must not be a way around.
    #expect(pins.entry(for: "api.example.org.") != nil)
    #expect(pins.entry(for: "v2.api.example.org") == nil)
    #expect(pins.entry(for: "example.org") == nil)
    #expect(PublicKeyPins().isEmpty && !pins.isEmpty)
  }

  @Test("Pins have a form for libcurl")
  func list() throws {
    let entry = try #require(try PublicKeyPins(["a": [Self.one, Self.two]]).entry(for: "a"))
    #expect(
      entry.list
        == "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=;sha256//+/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="
    )
  }

  @Test(
    "E4: A backup pin is required",
    arguments: [[], [PublicKeyPinsTests.one], [PublicKeyPinsTests.one, PublicKeyPinsTests.one]])
  func backup(pins: [String]) {
    #expect(throws: PublicKeyPins.Fault(.noBackupPin(host: "a.test"))) {
      try PublicKeyPins(["a.test": pins])
    }
  }

  @Test(
    "A text that is no digest is refused as a pin",
    arguments: [
      "", "sha256/", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
      "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
      "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=",
      "sha256/A;AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    ])
  func malformedPin(text: String) {
    #expect(throws: PublicKeyPins.Fault(.malformedPin(host: "a.test", pin: text))) {
      try PublicKeyPins(["a.test": [Self.one, text]])
    }
  }

  @Test(
    "A pattern or a name with a port is refused as a host",
    arguments: ["", "*.example.org", "a.test:443", "https://a.test", "bücher.test"])
  func invalidHost(host: String) {
    #expect(throws: PublicKeyPins.Fault(.invalidHost(host))) {
      try PublicKeyPins([host: [Self.one, Self.two]])
    }
  }

  @Test("A text without a certificate has no pin")
  func withoutCertificate() {
    #expect(CertificateKey.pin(ofPEM: "") == nil)
    #expect(
      CertificateKey.pin(ofPEM: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n") == nil)
  }
}
