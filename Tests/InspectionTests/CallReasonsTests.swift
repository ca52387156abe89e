import HTTPTypes
import RequestLogging
import SwitchyardTesting
import Testing

@testable import Inspection
@testable import Interception

@Suite struct CallReasonsTests {
  private static func sentences(_ record: CallRecord) -> [String] {
    CallReasons(record: record, shown: .strict).sentences
  }

  private static func stored(
    _ status: Exchange.CacheStatus, rule: CacheRule = .inherited, fields: HTTPFields = [:]
  ) -> [String] {
    var request = Request.example
    request.context.cacheRule = rule
    let response = Response(
      HTTPResponse(status: .ok, headerFields: fields), exchange: Exchange(cache: status))
    return sentences(.answered(request, with: response, sent: !status.isHit))
  }

  @Test("A stored response says how long it is fresh and which rule says so")
  func hits() {
    #expect(
      Self.stored(.hit(ttl: 42), rule: .timed(.seconds(60))) == [
        "Served from the store: fresh for 42 more seconds, because the API's rule says 60 s."
      ])
    #expect(
      Self.stored(.hit(ttl: 1), rule: .timed(.seconds(60)), fields: [.cacheControl: "private, max-age=30"])
        == [
          "Served from the store: fresh for 1 more second, because the response states max-age=30."
        ])
    #expect(
      Self.stored(.hit(ttl: 9), rule: .stated(), fields: [.cacheControl: "max-age=10"]) == [
        "Served from the store: fresh for 9 more seconds, because the response states max-age=10."
      ])
    #expect(
      Self.stored(.hit(ttl: 9), rule: .stated(), fields: [.expires: "Thu, 26 Nov 2026 20:00:00 GMT"]) == [
        "Served from the store: fresh for 9 more seconds, because the response states when it expires."
      ])
    #expect(
      Self.stored(.hit(ttl: 9, isHeuristic: true), rule: .stated(heuristicLimit: .seconds(86_400))) == [
        "Served from the store: fresh for 9 more seconds by a heuristic lifetime: the response states none."
      ])
    #expect(
      Self.stored(.hit(ttl: -3), rule: .timed().with(.preferStored)) == [
        "Served from the store although it has been stale for 3 seconds, because the call accepts stale "
          + "responses."
      ])
  }

  @Test(
    "Every other way of a cache has a sentence",
    arguments: [
      (
        Exchange.CacheStatus.forwarded(.uriMiss, stored: true),
        "Sent to the server, because nothing is stored for it."
      ),
      (
        .forwarded(.bypass, stored: false), "Sent to the server, because the store is not used for this call."
      ),
      (.forwarded(.method, stored: false), "Sent to the server, because its method must reach the server."),
      (
        .forwarded(.varyMiss, stored: true),
        "Sent to the server, because what is stored was for other header fields."
      ),
      (.forwarded(.stale, stored: true), "Sent to the server, because the stored response is stale."),
      (
        .forwarded(.partial, stored: true),
        "Sent to the server, because only another part of the response is stored."
      ),
      (
        .forwarded(.request, stored: true),
        "Sent to the server, because the call demanded a response from the server."
      ),
      (
        .forwarded(.uriMiss, stored: true, collapsed: true),
        "Answered by the transfer of an identical call that was already in flight."
      ),
      (.revalidated(), "Served from the store after the server confirmed it with 304."),
      (
        .staleOnError(status: 503, ttl: -70),
        "Served from the store although it has been stale for 70 seconds, because the server responded with 503."
      ),
      (.unsatisfied, "Answered with 504: the call allows only a stored response, and none is stored."),
    ])
  func cacheStatus(status: Exchange.CacheStatus, sentence: String) {
    #expect(Self.stored(status).first == sentence)
  }

  @Test("The sentences are in the order in which things happened")
  func order() {
    var record = CallRecord(.example)
    let report = Exchange(attempts: 2, cache: .forwarded(.stale, stored: true))
    _ = record.take(.sent(.example, exchange: 0), at: .zero)
    _ = record.take(.received(Response(status: .badGateway), exchange: 0), at: .milliseconds(5))
    _ = record.take(.sent(Request.example.asAttempt(2), exchange: 1), at: .milliseconds(50))
    _ = record.take(.received(Response(status: .ok), exchange: 1), at: .milliseconds(55))
    let delivered = Response(HTTPResponse(status: .ok), exchange: report)
    _ = record.take(.delivered(delivered, stream: nil), at: .milliseconds(60))
    #expect(
      Self.sentences(record) == [
        "Sent to the server, because the stored response is stale.", "Sent again after 502: attempt 2.",
        "The response was stored.",
      ])
  }

  @Test("A duration just below a second is a second")
  func roundedDurations() {
    #expect(Milliseconds.text(.microseconds(999_400)) == "999 ms")
    #expect(Milliseconds.text(.microseconds(999_600)) == "1 s")
  }

  @Test("A retry names what it followed, and a hedged one how long the first was unanswered")
  func retries() {
    var record = CallRecord(.example)
    _ = record.take(.sent(.example, exchange: 0), at: .zero)
    _ = record.take(.received(Response(status: .serviceUnavailable), exchange: 0), at: .milliseconds(5))
    _ = record.take(.sent(Request.example.asAttempt(2), exchange: 1), at: .milliseconds(50))
    _ = record.take(.sent(Request.example.asAttempt(3), exchange: 2), at: .milliseconds(170))
    _ = record.take(
      .refused(Self.refused(.timeout(.firstByte), .noAttemptsLeft)), at: .milliseconds(200))
    #expect(
      Self.sentences(record) == [
        "Sent again after 503: attempt 2.",
        "Sent once more as attempt 3, because the one before was unanswered after 120 ms.",
        "Not sent again: it was the last attempt that the policy allows.",
        "Failed in CurlDispatcher with timeout_firstByte.",
      ])
  }

  @Test("Every refusal of a retry has a sentence of its own")
  func refusals() {
    var sentences: Set<String> = []
    for refusal in Exchange.RetryRefusal.allCases {
      let response = Response(
        HTTPResponse(status: .serviceUnavailable), exchange: Exchange(attempts: 1, retryRefusal: refusal))
      sentences.formUnion(Self.sentences(.answered(with: response)))
    }
    #expect(sentences.count == Exchange.RetryRefusal.allCases.count)
    #expect(sentences.allSatisfy { $0.hasPrefix("Not sent again: ") && $0.hasSuffix(".") })
  }

  @Test("A redirect is shown without the values of its query")
  func redirects() {
    let hop = Exchange.Redirect(status: .found, method: .get, url: "https://b.test/x?code=abc123secret")
    let response = Response(HTTPResponse(status: .ok), exchange: Exchange(attempts: 1, redirects: [hop]))
    #expect(
      Self.sentences(.answered(with: response)) == [
        "Redirected by 302 to https://b.test/x?code=██, sent as GET."
      ])
  }

  @Test("The end of a call that sent nothing, reached its limit, or was cancelled has a sentence")
  func ends() {
    func sentences(_ error: NetworkError, limit: Duration? = nil) -> [String] {
      var request = Request.example
      request.options.timeouts.call = limit
      var record = CallRecord(request)
      _ = record.take(.refused(error), at: .milliseconds(1))
      return Self.sentences(record)
    }
    #expect(
      sentences(NetworkError(.rejected, "x", origin: .interceptor("ValidationInterceptor"))) == [
        "Refused by ValidationInterceptor before anything was sent."
      ])
    #expect(
      sentences(NetworkError(.timeout(.call), "x", origin: .pipeline), limit: .milliseconds(1_500)) == [
        "Ended by the call's own time limit of 1.5 s, which includes all attempts."
      ])
    #expect(sentences(NetworkError(.cancelled(.task), "x")) == ["Cancelled by its caller."])
    #expect(
      sentences(NetworkError(.cancelled(.shutdown), "x")) == [
        "Cancelled, because the dispatcher was shut down."
      ])
    #expect(
      Self.sentences(.answered(with: Response(status: .ok), sent: false)) == [
        "Answered by an interceptor, without the network."
      ])
    #expect(
      Self.sentences(
        .answered(with: Response(HTTPResponse(status: .ok), exchange: Exchange(attempts: 1)), sent: false))
        == [
          "Answered by the transfer of an identical call that was already in flight."
        ])
  }

  private static func refused(
    _ kind: NetworkError.Kind, _ refusal: Exchange.RetryRefusal
  ) -> NetworkError {
    var error = NetworkError(kind, "x", origin: .dispatcher("CurlDispatcher"))
    error.retryRefusal = refusal
    return error
  }
}
