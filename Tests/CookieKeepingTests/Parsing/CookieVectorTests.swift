import Foundation
import Interception
import Testing

@testable import CookieKeeping

@Suite(.enabled(if: CookieVectors.mustRun, "Requires ../shared/vectors/cookies"), .timeLimit(.minutes(5)))
struct CookieVectorTests {
  // The cases whose result differs, with the reason for each.
  private static let exceptions: [String: String] = [
    "disabled-chromium0022": "switched off by the group; RFC 6265bis ignores a field with a NUL",
    "disabled-chromium0023": "switched off by the group; RFC 6265bis ignores a field with a carriage return",
    "disabled-path0029": "switched off by the group; paths are compared without decoding them",
    "name0017": "a value without a name is not sent as a pair, as in RFC 6265",
    "name0025": "a value without a name is not sent as a pair, as in RFC 6265",
    "optional-domain0042":
      "RFC 6265 ignores an empty Domain, but RFC 6265bis takes the last one, so this is a host-only cookie",
  ]

  @Test(
    "H4: The 222 cases of the http-state working group give the field of RFC 6265bis, but for six named ones"
  )
  func states() throws {
    let now = WallTime(secondsSince1970: 1_420_070_400)
    let cases = try CookieVectors.states()
    #expect(cases.count == 222)
    var differing: Set<String> = []
    for state in cases {
      var jar = CookieJar()
      let url = try #require(CookieURL(text: state.setURL))
      for line in state.received { _ = jar.store(line, from: url, at: now, .singleLabels) }
      let field = jar.field(for: try #require(CookieURL(text: state.requestURL)), at: now)?.description
      let isEqual = field == state.expected6265bis ?? state.expected
      if !isEqual { differing.insert(state.name) }
      #expect(isEqual || Self.exceptions[state.name] != nil, "\(state.name): \(field ?? "no field")")
    }
    #expect(differing == Set(Self.exceptions.keys))
  }

  @Test("H4: All 70 dates are read as RFC 6265 says")
  func dates() throws {
    let cases = try CookieVectors.dates()
    #expect(cases.count == 70)
    for date in cases {
      #expect(CookieDate.parse(date.input.utf8)?.seconds == date.epoch, "\(date.input)")
    }
  }

  @Test(
    "H4: All 78 cases of the public suffix list are recognized, with the rules of the list that they need")
  func suffixes() throws {
    let suffixes = PublicSuffixes(list: SuffixSample.list)
    let cases = try CookieVectors.suffixes()
    #expect(cases.count == 78)
    for (domain, registered) in cases {
      let found = domain.flatMap { suffixes.registeredDomain(of: $0) }
      #expect(found == registered.flatMap(Punycode.domain), "\(domain ?? "null")")
    }
  }

  @Test(
    "The installed public suffix list gives the same, and is read within seconds",
    .enabled(if: FileManager.default.fileExists(atPath: SuffixSample.installed)))
  func installedList() throws {
    let text = try String(contentsOf: URL(filePath: SuffixSample.installed), encoding: .utf8)
    let suffixes = PublicSuffixes(list: text)
    for (domain, registered) in try CookieVectors.suffixes() {
      let found = domain.flatMap { suffixes.registeredDomain(of: $0) }
      #expect(found == registered.flatMap(Punycode.domain), "\(domain ?? "null")")
    }
    for suffix in ["co.uk", "github.io", "com"] { #expect(suffixes.contains(suffix)) }
    #expect(!suffixes.contains("swift.org"))
  }
}
