import LoopbackTesting
import Testing

@testable import CurlTransport

// One after another: the cases about time measure themselves.
/// What CurlDispatcher says less of than it could; each is safe, for a request is never sent twice because of
/// it.
private let exclusions: [ConformanceCase: String] = {
  var exclusions = everyLibrarysExclusions
  if LoadedLibrary.loaded().version < LibraryVersion(8, 15) {
    exclusions[.http2DroppedAtOnce] =
      "libcurl before 8.15 holds the RST_STREAM of a removed transfer back until its connection is used again, or closed"
  }
  return exclusions
}()

private let everyLibrarysExclusions: [ConformanceCase: String] = [
  .http2Refused:
    "libcurl sends a refused stream again by itself; the dispatcher stops a POST there and can't tell it from a connection that died",
  .http2GoAway:
    "libcurl reports a stream beyond GOAWAY as a connection that broke, so the dispatcher says that it may have been processed",
]

@Suite(.serialized, .timeLimit(.minutes(5)))
struct CurlConformanceTests {
  @Test("CurlDispatcher keeps each promise of a dispatcher", arguments: ConformanceCase.all, [true, false])
  func keeps(_ conformanceCase: ConformanceCase, spinsAndReusesMemory: Bool) async throws {
    let report = try await runDispatcherConformance(
      [conformanceCase], excluding: exclusions
    ) { setting in
      CurlDispatcher(
        configuration: .init(
          tls: TLSPolicy(authorities: .file(setting.authorityFile)), spinning: spinsAndReusesMemory,
          reusesMemory: spinsAndReusesMemory))
    }
    let expected = exclusions[conformanceCase].map(ConformanceReport.Verdict.excluded) ?? .kept
    #expect(report.entries.map(\.verdict) == [expected])
  }
}
