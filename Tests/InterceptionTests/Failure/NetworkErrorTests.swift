import Foundation
import SwitchyardTesting
import Testing

@testable import Interception

@Suite("A network error")
struct NetworkErrorTests {
  @Test(
    "The label is from a bounded set",
    arguments: [
      (NetworkError.Kind.timeout(.firstByte), "timeout_firstByte"), (.tls(.nameMismatch), "tls_nameMismatch"),
      (.cancelled(.shutdown), "cancelled_shutdown"), (.bodyTooLarge(limit: 9), "body_too_large"),
      (.notStored, "not_stored"), (.proxyAuthentication, "proxy_authentication"),
      (.descriptorsExhausted, "descriptors_exhausted"), (.unsupported, "unsupported"),
      (.needsLogin, "needs_login"),
    ])
  func label(kind: NetworkError.Kind, expected: String) {
    #expect(NetworkError(kind, "why").label == expected)
  }

  @Test("An error that has an origin is not wrapped again")
  func wrappedOnce() {
    let first = NetworkError.wrapping(
      Refusal(why: "x"), origin: .interceptor("a"), attempt: 2, requestMayHaveBeenProcessed: false)
    let second = NetworkError.wrapping(
      first, origin: .interceptor("b"), attempt: 3, requestMayHaveBeenProcessed: true)
    #expect(second.origin == .interceptor("a"))
    #expect(second.attempt == 2)
    #expect(!second.requestMayHaveBeenProcessed)
  }

  @Test("An error without an origin is given one, and remains marked as possibly processed")
  func attributed() {
    let error = NetworkError(.rejected, "why", requestMayHaveBeenProcessed: true)
    let attributed = NetworkError.wrapping(
      error, origin: .interceptor("a"), attempt: 1, requestMayHaveBeenProcessed: false)
    #expect(attributed.origin == .interceptor("a"))
    #expect(attributed.requestMayHaveBeenProcessed)
    #expect("\(attributed)" == "rejected (a): why")
  }

  private struct Quoting: LocalizedError, CustomStringConvertible {
    let errorDescription: String?
    var description: String { errorDescription ?? "" }
  }

  private enum Broken: Error { case row(String) }

  @Test(
    "The text of a foreign error is in no reason, but its type is, and the error remains reachable",
    arguments: [
      (Quoting(errorDescription: "token s3cret"), "Quoting"), (Broken.row("s3cret"), "Broken"),
      (
        NSError(domain: "Rows", code: 7, userInfo: [NSLocalizedDescriptionKey: "s3cret"]),
        "NSError (Rows 7)"
      ),
      (CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: "s3cret"]), "CocoaError"),
    ] as [(any Error, String)])
  func foreignText(foreign: any Error, type: String) async throws {
    let traces = TraceRecorder()
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [traces]) {
      InlineInterceptor("Reading", stage: .validation) { _, _ in throw foreign }
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(.example) }
    #expect(error.reason.contains(type) && "\(error)".hasPrefix("rejected (Reading): "))
    #expect(!"\(error)".contains("s3cret") && !"\(traces.traces)".contains("s3cret"))
    #expect(error.underlying.map { "\($0)" } == "\(foreign)")
  }

  @Test("An error of the package keeps its text")
  func ownText() async throws {
    let issue = PipelineIssue(faults: [.repeated("Caching", count: 2)])
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      InlineInterceptor("Nested", stage: .validation) { _, _ in throw issue }
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(.example) }
    #expect(error.reason == "\(issue)" && error.underlying(as: PipelineIssue.self) == issue)
  }

  @Test("An error is a value: changing a copy leaves the original unchanged")
  func copies() {
    let original = NetworkError(.connect, "refused", underlying: Refusal(why: "port"), attempt: 2)
    var copy = original
    copy.kind = .offline
    copy.reason = "no network"
    copy.origin = .pipeline
    copy.attempt = 3
    copy.requestMayHaveBeenProcessed = true
    copy.underlying = nil
    #expect(copy.kind == .offline)
    #expect("\(copy)" == "offline: no network")
    #expect(copy.origin == .pipeline)
    #expect(copy.attempt == 3)
    #expect(copy.requestMayHaveBeenProcessed)
    #expect(copy.underlying == nil)
    #expect(original.kind == .connect)
    #expect("\(original)" == "connect: refused")
    #expect(original.origin == nil)
    #expect(original.attempt == 2)
    #expect(!original.requestMayHaveBeenProcessed)
    #expect(original.underlying(as: Refusal.self) == Refusal(why: "port"))
  }
}
