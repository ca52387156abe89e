import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import EstateServer

@Suite("The outage of the demo")
struct DemoOutageTests {
  @Test("It begins with the first request, asks for a second, and ends by itself; then it begins again")
  func outage() async throws {
    let seconds = Mutex(0.0)
    let api = try APICaller(now: { Date(timeIntervalSince1970: 1_800_000_000 + seconds.withLock { $0 }) })
    for (time, status) in [(0, 503), (1.9, 503), (2, 200), (2.5, 503), (4.4, 503), (4.5, 200)] {
      seconds.withLock { $0 = time }
      let reply = try await api.get("/v1/demo/away")
      #expect(reply.status.code == status, "\(time)")
      #expect(reply.fields[.retryAfter] == (status == 503 ? "1" : nil))
      #expect(reply.errorCode == (status == 503 ? "away" : nil))
    }
  }
}
