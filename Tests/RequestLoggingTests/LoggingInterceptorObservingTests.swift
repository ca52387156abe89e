import HTTPTypes
import InMemoryLogging
import Interception
import Logging
import RequestLogging
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct LoggingInterceptorObservingTests {
  private let capture = LogCapture()

  private func send(over dispatcher: some Dispatcher = ScriptedDispatcher(), _ outer: InlineInterceptor)
    async throws
  {
    let request = Request(authority: "user:pass@a.test", path: "/houses?token=abcdefgh")
    let logging = LoggingInterceptor(logger: capture.logger())
    _ = try await Pipeline(over: dispatcher) {
      outer
      logging
    }.send(request)
  }

  private func cache(_ status: Exchange.CacheStatus, asksServer: Bool) -> InlineInterceptor {
    InlineInterceptor("Cache", stage: .caching) { request, next in
      var response = asksServer ? try await next.dispatch(request) : Response(status: .ok)
      response.exchange.cache = status
      return response
    }
  }

  @Test("E11: A cached response is logged as a cache hit")
  func hit() async throws {
    try await send(cache(.hit(ttl: 54), asksServer: false))
    #expect(capture.messages == ["answered from cache"])
    let line = capture.entries[0]
    #expect(line.level == .debug)
    #expect(
      line.keys == [
        "cache.hit", "cache.status", "duration.ms", "request.attempt", "request.authority", "request.id",
        "request.method", "request.path", "request.scheme", "response.status",
      ])
    #expect(line["cache.status"] == "hit; ttl=54")
    #expect(line["cache.hit"] == "true")
    #expect(line["request.authority"] == "a.test")
    #expect(line["request.path"] == "/houses")
  }

  @Test("A revalidated response is logged as an attempt and as a cache hit")
  func revalidated() async throws {
    try await send(cache(.revalidated(), asksServer: true))
    #expect(capture.messages == ["request started", "request finished", "answered from cache"])
    #expect(capture.entries[2]["cache.hit"] == "true")
  }

  @Test("A request forwarded by a cache is logged at the start level")
  func forwarded() async throws {
    try await send(cache(.forwarded(.uriMiss, stored: true), asksServer: true))
    #expect(capture.messages == ["request started", "request finished", "forwarded by the cache"])
    #expect(capture.entries[2].level == .trace)
    #expect(capture.entries[2]["cache.status"] == "fwd=uri-miss; stored")
    #expect(capture.entries[2]["cache.hit"] == "false")
  }

  @Test("A response produced by an interceptor is logged")
  func answeredByAnother() async throws {
    try await send(InlineInterceptor("Stub", stage: .sharing) { _, _ in Response(status: .accepted) })
    #expect(capture.messages == ["answered without the network"])
    #expect(capture.entries[0]["response.status"] == "202")
  }

  @Test("E11: A request refused further out is logged with the interceptor that refused it")
  func refusedFurtherOut() async throws {
    let refusing = InlineInterceptor("Validation", stage: .validation) { _, _ in
      throw NetworkError(.rejected, "The method is unknown; use another one.")
    }
    await #expect(throws: NetworkError.self) { try await send(refusing) }
    #expect(capture.messages == ["request failed"])
    #expect(capture.entries[0]["error.origin"] == "interceptor Validation")
    #expect(capture.entries[0]["error.reason"] == "The method is unknown; use another one.")
  }

  @Test("A failure of the dispatcher is logged once")
  func wireFailureOnce() async throws {
    let passing = InlineInterceptor("Pass", stage: .retry) { request, next in try await next.dispatch(request)
    }
    let failing = ScriptedDispatcher(failing: NetworkError(.connect, "Connection refused."))
    await #expect(throws: NetworkError.self) { try await send(over: failing, passing) }
    #expect(capture.messages == ["request started", "request failed"])
  }

  @Test("A response refused further out is logged as an attempt and as a failure")
  func answerRefused() async throws {
    let refusing = InlineInterceptor("Validation", stage: .validation) { request, next in
      _ = try await next.dispatch(request)
      throw NetworkError(.rejected, "The response isn't JSON.")
    }
    await #expect(throws: NetworkError.self) { try await send(refusing) }
    #expect(capture.messages == ["request started", "request finished", "request failed"])
  }

  @Test("A failure replaced by another one further out is logged twice")
  func anotherFailureFollows() async throws {
    let replacing = InlineInterceptor("Replacing", stage: .retry) { request, next in
      do { return try await next.dispatch(request) } catch { throw NetworkError(.rejected, "No more tries.") }
    }
    let failing = ScriptedDispatcher(failing: NetworkError(.connect, "Connection refused."))
    await #expect(throws: NetworkError.self) { try await send(over: failing, replacing) }
    #expect(capture.entries.compactMap { $0["error.label"] } == ["connect", "rejected"])
  }

  @Test("A response or failure that was not retried is logged with the reason")
  func notRetried() async throws {
    let retry = InlineInterceptor("Retry", stage: .retry) { request, next in
      var response = try await next.dispatch(request)
      response.exchange.retryRefusal = .budgetSpent
      return response
    }
    try await send(over: ScriptedDispatcher(answering: Response(status: .badGateway)), retry)
    #expect(capture.messages == ["request started", "request finished", "request not retried"])
    #expect(capture.entries[2]["retry.refusal"] == "budget_spent")
    #expect(capture.entries[2]["response.status"] == "502")

    var failure = NetworkError(.transport, "The connection was lost.")
    failure.retryRefusal = .notIdempotent
    await #expect(throws: NetworkError.self) { try await send(over: ScriptedDispatcher(), refusing(failure)) }
    #expect(capture.messages.suffix(2) == ["request finished", "request failed"])
    #expect(capture.entries.last?["retry.refusal"] == "not_idempotent")
  }

  @Test("A failure that was logged is logged again only with why it was not retried")
  func failureNotRetried() async throws {
    let failing = ScriptedDispatcher(failing: NetworkError(.transport, "The connection was lost."))
    for (refusal, messages) in [
      (Exchange.RetryRefusal.notIdempotent, ["request started", "request failed", "request not retried"]),
      (.noAttemptsLeft, ["request started", "request failed"]),
    ] {
      let before = capture.messages.count
      let retry = InlineInterceptor("Retry", stage: .retry) { request, next in
        do throws(NetworkError) {
          return try await next.dispatch(request)
        } catch {
          var failure = error
          failure.retryRefusal = refusal
          throw failure
        }
      }
      await #expect(throws: NetworkError.self) { try await send(over: failing, retry) }
      #expect(Array(capture.messages.dropFirst(before)) == messages)
    }
  }

  private func refusing(_ failure: NetworkError) -> InlineInterceptor {
    InlineInterceptor("Retry", stage: .retry) { request, next in
      _ = try await next.dispatch(request)
      throw failure
    }
  }
}
