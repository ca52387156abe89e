import CurlTransport
import LoopbackTesting
import Testing

/// One set of certificates for all cases: making one takes longer than most cases.
private let certificates = Result { try LoopbackCertificates() }

@Suite(.timeLimit(.minutes(3)))
struct CurlConformanceTests {
  @Test("E2: CurlDispatcher keeps each promise of a dispatcher", arguments: ConformanceCase.all)
  func keeps(_ conformanceCase: ConformanceCase) async throws {
    let report = try await runDispatcherConformance(
      [conformanceCase], certificates: certificates.get()
    ) { setting in
      CurlDispatcher(configuration: .init(tls: TLSPolicy(authorities: .file(setting.authorityFile))))
    }
    #expect(report.entries.map(\.verdict) == [.kept])
  }
}
