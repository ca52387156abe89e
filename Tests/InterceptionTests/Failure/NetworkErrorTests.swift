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
