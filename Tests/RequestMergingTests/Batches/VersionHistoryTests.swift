import HTTPTypes
import Interception
import Testing

@testable import RequestMerging

@Suite struct VersionHistoryTests {
  func origin(_ authority: String) -> RequestOrigin {
    RequestOrigin(HTTPRequest(method: .get, scheme: "https", authority: authority, path: "/"))
  }

  @Test("The version that was seen last counts; an unknown origin is not multiplexed")
  func last() {
    var history = VersionHistory()
    #expect(!history.isMultiplexed(origin("a.example")))
    history.record(.http2, of: origin("a.example"))
    #expect(history.isMultiplexed(origin("A.example:443")))
    #expect(!history.isMultiplexed(origin("b.example")))
    history.record(.http3, of: origin("a.example"))
    #expect(history.isMultiplexed(origin("a.example")))
    history.record(.http1, of: origin("a.example"))
    #expect(!history.isMultiplexed(origin("a.example")))
  }

  @Test("The number of origins is bounded")
  func bounded() {
    var history = VersionHistory()
    for number in 0..<10_000 {
      history.record(.http2, of: origin("\(number).example"))
      #expect(history.count <= VersionHistory.capacity)
      #expect(history.isMultiplexed(origin("\(number).example")))
    }
  }
}
