import Interception
import Testing

@testable import RedirectFollowing

@Suite(
  .enabled(if: WebPlatformLocation.mustRun, "Requires ../shared/vectors/wpt-urltestdata.json"))
struct WebPlatformLocationTests {
  // What is refused although the URL Standard accepts it, with the reason for each.
  private static let stricter: [String: Int] = [
    // The standard removes tabs and line breaks, which filters in front of it may not expect.
    "unreadable": 4,
    "it contains a user name, which would be sent as credentials of the server's choice": 9,
    // The standard converts names to their ASCII form, decodes percent-encoding, and reads `http:path` and
    // `///host` as it reads `path` and `//host`; RFC 3986 gives all of them no host or an invalid one.
    "its host is not a name of letters, digits, hyphens, dots and underscores": 25,
    "parsers interpret its host as different addresses": 8,
    "its port is not a number from 1 to 65535 without leading zeros": 3,
  ]

  @Test("Every target that is accepted is that of the URL Standard, except for backslashes")
  func targets() throws {
    let locations = try WebPlatformLocation.all()
    #expect(locations.count == 199)
    for location in locations {
      guard case .target = location.ours, location.ours != location.standard else { continue }
      // The standard reads a backslash as a slash, and may find a host after two of them. Here it is encoded,
      // which never leaves the host.
      #expect(location.input.contains("\\"), "\(location.input.debugDescription): \(location.ours)")
      let target = try RedirectTarget(
        URIReference(#require(LocationText.encoded(location.input.utf8))).resolved(
          against: location.base.reference))
      #expect(target.hasOrigin(of: location.base) || location.input.contains("://foo.com/"))
    }
  }

  @Test("What the URL Standard refuses is refused, and further refusals are of declared kinds")
  func refusals() throws {
    var counts: [String: Int] = [:]
    for location in try WebPlatformLocation.all() {
      switch (location.standard, location.ours) {
      case (.refused, .target): Issue.record("\(location.input.debugDescription) is accepted")
      case (.target, .refused(let reason)): counts[reason, default: 0] += 1
      default: break
      }
    }
    #expect(counts == Self.stricter)
  }
}
