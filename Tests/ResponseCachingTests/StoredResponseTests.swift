import HTTPTypes
import Interception
import Testing

@testable import ResponseCaching

@Suite struct StoredResponseTests {
  private static func instant(_ seconds: Int) -> CacheInstant {
    CacheInstant(wall: CacheFixture.start.advanced(by: .seconds(seconds)), steady: nil)
  }

  @Test(
    "A store keeps a response while it is fresh, and then for the longer of its own time and the stale window",
    arguments: [
      (60, 0, 0, 100, 160), (60, 0, 20, 100, 140), (60, 0, 160, 100, 0), (60, 0, 161, 100, -1),
      (60, 0, 60, 0, 0), (60, 30, 0, 100, 160), (60, 300, 0, 100, 360), (60, 300, 400, 100, -40),
      // A response that is stale when it arrives is kept from then on.
      (0, 0, 0, 100, 100), (-7_200, 0, 0, 100, 100), (-7_200, 0, 101, 100, -1),
      // After the clock was set back the whole time is left.
      (60, 0, -5, 100, 160), (0, 0, -5, 0, 0),
    ])
  func remaining(lifetime: Int, staleWindow: Int, after elapsed: Int, staleFor: Int, expected: Int) throws {
    let key = try #require(CacheKey(.houses(), leavingOut: .standard))
    let head = HTTPResponse(status: .ok)
    let response = StoredResponse(
      key: key, selector: try #require(VariantSelector(of: head, to: [:], leavingOut: .standard)), head: head,
      body: [], trailers: nil,
      freshness: Freshness(
        received: Self.instant(0), initialAge: .zero, lifetime: .seconds(lifetime),
        staleWindow: .seconds(staleWindow)))
    #expect(
      response.remaining(at: Self.instant(elapsed), staleFor: .seconds(staleFor)) == .seconds(expected))
  }
}
