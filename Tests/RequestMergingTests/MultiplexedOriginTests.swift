import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestMerging

@Suite(.timeLimit(.minutes(5))) struct MultiplexedOriginTests {
  typealias Fixture = MergingFixture

  @Test(
    "Requests to an origin last seen speaking HTTP/2 are sent by themselves, unless the rule asks for more")
  func multiplexed() async throws {
    let version = WaitableValue(TransportReport.HTTPVersion.http2)
    let fixture = try Fixture(respond: { request, _ throws(NetworkError) in
      Fixture.respond(request, version: version.value)
    })
    // The version is not known before the first response.
    let first = fixture.send(Fixture.request("1"))
    try await fixture.endWindow()
    _ = await first.value
    _ = await fixture.send(Fixture.request("2")).value
    #expect(fixture.paths == ["/prices/1", "/prices/2"], "The second one does not wait for a window.")
    // A proxy or another server may answer later.
    version.update { $0 = .http1 }
    _ = await fixture.send(Fixture.request("3")).value
    let merged = try await fixture.sendAll(["4", "5"].map { Fixture.request($0) })
    try await fixture.endWindow()
    for task in merged { _ = await task.value }
    #expect(fixture.paths.last == "/prices?ids=4,5")

    version.update { $0 = .http2 }
    let asked = try asking(version)
    for _ in 0..<2 {
      let tasks = try await asked.sendAll(["6", "7"].map { Fixture.request($0) })
      try await asked.endWindow()
      for task in tasks { _ = await task.value }
    }
    #expect(asked.paths == ["/prices?ids=6,7", "/prices?ids=6,7"])
  }

  private func asking(_ version: WaitableValue<TransportReport.HTTPVersion>) throws -> MergingFixture {
    try Fixture({ $0.appliesToMultiplexed = true }) { request, _ throws(NetworkError) in
      Fixture.respond(request, version: version.value)
    }
  }
}
