import Testing

@testable import CurlTransport
@testable import LoopbackTesting

/// The requirements that CurlDispatcher does not meet; none of them leads to a request being sent twice.
private let exclusions: [String: String] = {
  var exclusions: [String: String] = [:]
  if LoadedLibrary.loaded().version < LibraryVersion(8, 15) {
    exclusions["http2DroppedAtOnce"] =
      "libcurl before 8.15 delays the RST_STREAM of a removed transfer until its connection is reused or closed"
  }
  return exclusions
}()

// Serialized, because the cases about timeouts depend on real time.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CurlConformanceTests {
  @Test(
    "CurlDispatcher meets the requirements of a dispatcher", arguments: ConformanceCase.all, [true, false])
  func keeps(_ conformanceCase: ConformanceCase, isOptimized: Bool) async throws {
    let report = try await runDispatcherConformance(
      [conformanceCase], excluding: exclusions
    ) { setting in
      var configuration = CurlDispatcher.Configuration(
        tls: TLSPolicy(authorityFile: setting.authorityFile), spinning: isOptimized)
      configuration.reusesMemory = isOptimized
      configuration.cachesResponseHeads = isOptimized
      return CurlDispatcher(configuration: configuration)
    }
    let expected = exclusions[conformanceCase.name].map(ConformanceReport.Verdict.excluded) ?? .kept
    #expect(report.entries.map(\.verdict) == [expected])
  }
}
