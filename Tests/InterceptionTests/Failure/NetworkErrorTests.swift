import Foundation
import HTTPTypes
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

  @Test(
    "An error names its request without query, user name, header fields and body, and where it comes from")
  func request() async throws {
    var secret = Request(
      method: .post, scheme: "HTTPS", authority: "user:s3cret@api.example:8443", path: "/homes/42?key=s3cret",
      headerFields: [.authorization: "Bearer s3cret"], body: .text("s3cret"))
    secret.context.partition = "s3cret"
    let request = secret
    let pipeline = try Pipeline(over: ScriptedDispatcher(failing: NetworkError(.transport, "It broke."))) {
      Standing("Passing", .validation)
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(request) }
    #expect(
      "\(error)" == "transport (ScriptedDispatcher): It broke. [POST https://api.example:8443/homes/42]")
    #expect(error.request?.path == "/homes/42" && error.reason == "It broke.")
    var dumped = ""
    dump(error, to: &dumped)
    #expect(!(dumped + String(reflecting: error)).contains("s3cret"))
  }

  @Test(
    "An error says at which attempt it occurred, and why the request was not sent again",
    arguments: Exchange.RetryRefusal.allCases)
  func refusal(refusal: Exchange.RetryRefusal) {
    var error = NetworkError.wrapping(
      NetworkError(.connect, "Refused."), of: Request.example, origin: .dispatcher("D"), attempt: 3,
      requestMayHaveBeenProcessed: false)
    error.retryRefusal = refusal
    #expect(
      "\(error)" == "connect (D): Refused. [GET https://estate.example/v1/houses, attempt 3; not sent again: "
        + "\(refusal.clause)]")
  }

  @Test("An error keeps the request that failed first, such as that of a token")
  func innermost() async throws {
    let token = Request(authority: "login.example", path: "/token?secret=1")
    let failing = try Pipeline(over: ScriptedDispatcher(failing: NetworkError(.connect, "Refused."))) {}
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      InlineInterceptor("Tokens", stage: .authorization) { _, _ in try await failing.send(token) }
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(.example) }
    #expect(error.request?.authority == "login.example")
  }

  @Test("A cancellation and an interceptor's own error name the request too")
  func everyWay() async throws {
    let pipeline = try Pipeline(over: ScriptedDispatcher()) { Standing("Passing", .validation) }
    let task = Task { try await pipeline.send(.example) }
    task.cancel()
    if case .failure(let error as NetworkError) = await task.result {
      #expect(error.request?.authority == "estate.example")
    }
    let refusing = ScriptedDispatcher().intercepted(
      by: InlineInterceptor("Refusing", stage: .validation) { _, _ in throw Refusal(why: "no") })
    let error = try await #require(throws: NetworkError.self) { try await refusing.dispatch(.example) }
    #expect(error.request?.path == "/v1/houses")
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
    #expect("\(copy)" == "offline: no network [attempt 3]")
    #expect(copy.origin == .pipeline)
    #expect(copy.attempt == 3)
    #expect(copy.requestMayHaveBeenProcessed)
    #expect(copy.underlying == nil)
    #expect(original.kind == .connect)
    #expect("\(original)" == "connect: refused [attempt 2]")
    #expect(original.origin == nil)
    #expect(original.attempt == 2)
    #expect(!original.requestMayHaveBeenProcessed)
    #expect(original.underlying(as: Refusal.self) == Refusal(why: "port"))
  }
}
