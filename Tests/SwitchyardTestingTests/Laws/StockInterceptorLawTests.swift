import BodyCompression
import DNSBypass
import HTTPTypes
import Interception
import Logging
import RequestLogging
import RequestSigning
import RequestValidation
import ResponseCaching
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StockInterceptorLawTests {
  private let time = TimeSource(TestClock(), wall: { WallTime(secondsSince1970: 1_700_000_000) })

  @Test("Validation satisfies the laws")
  func validation() async throws {
    let report = await checkInterceptorLaws(ValidationInterceptor())
    try report.check()
    #expect(report.unproven == [:])
  }

  @Test("Signing satisfies the laws")
  func signing() async throws {
    let key = try SigningKey(id: "test", secret: [UInt8](repeating: 7, count: 32))
    let report = await checkInterceptorLaws(SigningInterceptor(key: key, time: time))
    try report.check()
    #expect(Array(report.unproven.keys) == [.callsNextAsDeclared])
  }

  @Test("Caching satisfies the laws")
  func caching() async throws {
    let report = await checkInterceptorLaws(CachingInterceptor(time: time))
    try report.check()
    #expect(Array(report.unproven.keys) == [.callsNextAsDeclared])
  }

  @Test("The DNS bypass satisfies the laws")
  func bypass() async throws {
    let table = try AddressTable(["api.switchyard.test": ["192.0.3.1", "192.0.3.2"]])
    let report = await checkInterceptorLaws(DNSBypassInterceptor(table, prober: nil, time: time))
    try report.check()
    #expect(Array(report.unproven.keys) == [.callsNextAsDeclared])
  }

  @Test("Compression satisfies the laws")
  func compression() async throws {
    let report = await checkInterceptorLaws(
      CompressionInterceptor(requests: .unlessRefused(.gzip), threshold: 0, time: time))
    try report.check()
    #expect(Array(report.unproven.keys) == [.callsNextAsDeclared])
  }

  @Test("Logging satisfies the laws")
  func logging() async throws {
    let report = await checkInterceptorLaws(
      LoggingInterceptor(logger: Logger(label: "laws") { _ in SwiftLogNoOpLogHandler() }, time: time))
    try report.check()
    #expect(report.unproven == [:])
  }
}
