import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite struct HandlePoolTests {
  static let limits: [(limit: Duration?, told: Int, toldAtHand: Int)] = [
    (.seconds(10), 10_000, 0),
    (.zero, 1, 0),
    (.milliseconds(299_999), 299_999, 0),
    // From here on libcurl's own limit would come first.
    (.seconds(300), 300_000, 300_000),
    (nil, Int(Int32.max), Int(Int32.max)),
  ]

  @Test(arguments: limits)
  func `libcurl is told the limit of connecting unless a connection is at hand`(
    limit: Duration?, told: Int, toldAtHand: Int
  ) throws {
    var request = Request(HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/"))
    request.options.timeouts.connect = limit
    let plan = try RequestPlan(request, sites: SiteMemory(userAgent: nil), decodable: [])
    let described = try #require(HandlePool.Described(plan, route: Route(proxy: nil, pinning: nil)))
    #expect(described.connectLimit(isAtHand: false) == told)
    #expect(described.connectLimit(isAtHand: true) == toldAtHand)
  }
}
