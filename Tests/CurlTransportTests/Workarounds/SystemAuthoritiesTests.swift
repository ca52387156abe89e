import Testing

@testable import CurlTransport

@Suite struct SystemAuthoritiesTests {
  private static let (debian, fedora) = (SystemAuthorities.bundles[0], SystemAuthorities.bundles[1])

  @Test(
    "The system's bundle replaces a default of libcurl only if that does not exist",
    arguments: [
      ([fedora], [debian], debian), ([debian], [debian, fedora], nil), ([debian], [fedora], fedora),
      (["/nowhere.crt", "/etc/ssl/certs"], ["/etc/ssl/certs", debian], nil),
      (["/nowhere.crt"], [], nil), (["/nowhere.crt"], ["/elsewhere.crt"], nil), ([], [debian], nil),
    ] as [([String], [String], String?)])
  func choice(defaults: [String], existing: [String], file: String?) {
    #expect(SystemAuthorities.file(insteadOf: defaults, exists: existing.contains) == file)
  }
}
