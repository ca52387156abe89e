import Testing
import URLSessionTransport

@testable import LoopbackTesting

/// The cases about content codings over the dispatcher that decodes by itself; `CurlConformanceTests` runs
/// all cases over the other one.
@Suite(.timeLimit(.minutes(5)))
struct CodingConformanceTests {
  @Test(
    "URLSessionDispatcher asks for codings like every dispatcher, and delivers decoded content",
    arguments: [.codingsRequested, .codedContent, .brokenCoding, .decodedLimit] as [ConformanceCase])
  func platform(_ conformanceCase: ConformanceCase) async throws {
    let report = try await runDispatcherConformance([conformanceCase]) { _ in URLSessionDispatcher() }
    #expect(report.violations.isEmpty, "\(report)")
  }
}
