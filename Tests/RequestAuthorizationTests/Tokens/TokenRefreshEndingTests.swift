import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestAuthorization

/// Cancellations, time limits, logins and the end of the scheme during a refresh.
@Suite(.timeLimit(.minutes(5))) struct TokenRefreshEndingTests {
  /// A source that returns when the test permits it, and ignores cancellation if asked.
  private func tokens(until gate: WaitableValue<Bool>, ignoringCancellation: Bool = false) -> TestTokens {
    TestTokens { _, number in
      if ignoringCancellation {
        _ = await Task { try? await gate.wait(until: \.self) }.value
      } else {
        try await gate.wait(until: \.self)
      }
      return try AccessToken("new\(number)")
    }
  }

  @Test("A cancelled waiter ends at once and hurts no other; the last one's cancellation ends no refresh")
  func cancellation() async throws {
    let gate = WaitableValue(false)
    let tokens = tokens(until: gate)
    let member = BearerAuthorization(from: tokens)
    let server = ScriptedDispatcher.accepting { "new1" }
    let chain = try member.chain(over: server)
    let first = Task { try await chain.send(.member(1)) }
    try await member.waitForWaiters(1)
    let second = Task { try await chain.send(.member(2)) }
    try await member.waitForWaiters(2)
    first.cancel()
    let error = await #expect(throws: NetworkError.self) { try await first.value }
    #expect(error?.kind == .cancelled(.task) && error?.requestMayHaveBeenProcessed == false)
    #expect(member.refresher.waiterCount == 1)
    second.cancel()
    await #expect(throws: NetworkError.self) { try await second.value }
    #expect(member.refresher.waiterCount == 0)
    // The next request joins the same refresh.
    let third = Task { try await chain.send(.member(3)) }
    try await member.waitForWaiters(1)
    gate.update { $0 = true }
    #expect(try await third.value.status == .ok)
    #expect(tokens.calls.count == 1 && server.requests.count == 1)
  }

  @Test("A request that was cancelled before it waits starts no refresh")
  func cancelledBefore() async throws {
    let tokens = TestTokens()
    let member = BearerAuthorization(from: tokens)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await member.credentials(for: .member())
    }
    let error = await #expect(throws: NetworkError.self) { _ = try await task.value }
    #expect(error?.kind == .cancelled(.task))
    #expect(tokens.calls.isEmpty && member.refresher.waiterCount == 0)
  }

  @Test("1,000 waiters, half of them cancelled at random: each ends once, and one refresh serves the others")
  func cancelStorm() async throws {
    let gate = WaitableValue(false)
    let tokens = tokens(until: gate)
    let member = BearerAuthorization(from: tokens)
    let chain = try member.chain(over: ScriptedDispatcher.accepting { "new1" })
    var random = SeededRandom(seed: 21)
    let tasks = (0..<1_000).map { number in
      (Task { try await chain.send(.member(number)) }, Bool.random(using: &random))
    }
    try await member.waitForWaiters(1)
    for (task, isCancelled) in tasks where isCancelled { task.cancel() }
    gate.update { $0 = true }
    for (task, isCancelled) in tasks {
      let result = await task.result
      if isCancelled, case .failure(let error) = result {
        #expect((error as? NetworkError)?.kind == .cancelled(.task))
      } else {
        #expect(try result.get().status == .ok)
      }
    }
    #expect(tokens.calls.count == 1 && member.refresher.waiterCount == 0)
  }

  @Test(
    "A source that never returns is cancelled after 30 s, and its requests fail, even if it ignores that",
    arguments: [false, true])
  func timeLimit(ignoringCancellation: Bool) async throws {
    let gate = WaitableValue(false)
    let clock = TestClock()
    let tokens = tokens(until: gate, ignoringCancellation: ignoringCancellation)
    let member = BearerAuthorization(from: tokens, time: TimeSource(clock))
    let chain = try member.chain(over: ScriptedDispatcher.accepting { "new2" })
    let request = Task { try await chain.send(.member()) }
    try await member.waitForWaiters(1)
    try await waitUntil("the source is asked") { tokens.calls.count == 1 }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(30))
    let error = await #expect(throws: NetworkError.self) { try await request.value }
    #expect(error?.kind == .timeout(.whole))
    #expect(
      error?.underlying(as: AuthorizationError.self)?.reason == .refreshTimedOut(limit: .seconds(30)))
    // The late result of the first refresh is ignored. For a second the error is repeated; then a request
    // starts another refresh.
    gate.update { $0 = true }
    let repeated = await #expect(throws: NetworkError.self) { try await chain.send(.member()) }
    #expect(repeated?.kind == .timeout(.whole))
    clock.advance(by: .seconds(1))
    #expect(try await chain.send(.member()).status == .ok)
    #expect(member.token?.value == "new2")
  }

  @Test("Shortly before the expiry, requests continue with the token while one refresh runs")
  func leeway() async throws {
    let gate = WaitableValue(false)
    let clock = TestClock()
    let start = WallTime(secondsSince1970: 1_700_000_000)
    let time = TimeSource(clock) { start.advanced(by: clock.now.offset) }
    let tokens = tokens(until: gate)
    let old = try AccessToken("old", expiry: start.advanced(by: .seconds(600)))
    let member = BearerAuthorization(from: tokens, starting: old, time: time)
    var events = member.events().makeAsyncIterator()
    let server = ScriptedDispatcher(answering: Response(status: .ok))
    let chain = try member.chain(over: server)
    _ = try await chain.send(.member())
    clock.advance(by: .seconds(545))
    for _ in 1...3 { _ = try await chain.send(.member()) }
    #expect(server.count(of: "old") == 4)
    gate.update { $0 = true }
    _ = await events.next()
    _ = try await chain.send(.member())
    #expect(server.count(of: "new1") == 1 && tokens.calls == [old])
  }

  @Test("A login or logout during a refresh ends it, and its requests aren't repeated for another account")
  func replaced() async throws {
    for token in [try AccessToken("other"), nil] {
      let gate = WaitableValue(false)
      let tokens = tokens(until: gate)
      let member = BearerAuthorization(from: tokens, starting: try AccessToken("old"))
      let server = ScriptedDispatcher.accepting { "other" }
      let chain = try member.chain(over: server)
      let request = Task { try await chain.send(.member()) }
      try await member.waitForWaiters(1)
      member.replaceToken(with: token)
      let error = await #expect(throws: NetworkError.self) { try await request.value }
      #expect(error?.kind == .rejected)
      #expect(error?.underlying(as: AuthorizationError.self)?.reason == .tokenReplaced)
      gate.update { $0 = true }
      #expect(member.token == token && server.requests.count == 1)
    }
  }

  /// Calls a closure for each request between the stage of authorization and the departure.
  private struct Between: Interceptor {
    // It may respond by itself, so that credentials are added behind it.
    let traits = InterceptorTraits(stage: .caching, callsNext: .atMostOnce)
    let act: @Sendable () -> Void

    func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
      act()
      return try await next.dispatch(request)
    }
  }

  @Test("A request with renewed credentials doesn't leave after another login")
  func replacedBeforeDeparture() async throws {
    let member = BearerAuthorization(from: TestTokens(), starting: try AccessToken("old"))
    let other = try AccessToken("other")
    let passes = WaitableValue(0)
    let server = ScriptedDispatcher.accepting { "new1" }
    let authorization = try AuthorizationInterceptor(member, for: ["api.switchyard.test"])
    let chain = try Pipeline(over: server) {
      authorization
      Between {
        passes.update { $0 += 1 }
        // After the renewed credentials were obtained.
        if passes.value == 2 { member.replaceToken(with: other) }
      }
    }
    let error = await #expect(throws: NetworkError.self) { try await chain.send(.member()) }
    #expect(error?.underlying(as: AuthorizationError.self)?.reason == .tokenReplaced)
    #expect(passes.value == 2 && server.count(of: "old") == 1 && server.requests.count == 1)
  }

  @Test("A first login while requests wait for it lets them continue")
  func firstLogin() async throws {
    let tokens = tokens(until: WaitableValue(false))
    let member = BearerAuthorization(from: tokens)
    let chain = try member.chain(over: ScriptedDispatcher.accepting { "login" })
    let request = Task { try await chain.send(.member()) }
    try await member.waitForWaiters(1)
    member.replaceToken(with: try AccessToken("login"))
    #expect(try await request.value.status == .ok)
  }

  @Test("The scheme is released after its refresh, and its streams of events end")
  func released() async throws {
    weak var refresher: TokenRefresher?
    let stream: AsyncStream<AuthorizationEvent>
    do {
      let member = BearerAuthorization(from: TestTokens())
      refresher = member.refresher
      stream = member.events()
      _ = try await member.credentials(for: .member())
    }
    var count = 0
    for await _ in stream { count += 1 }
    #expect(count == 1)
    #expect(refresher == nil)
  }

  @Test("Each stream that starts while a login becomes required reports that exactly once")
  func startingMeanwhile() async throws {
    for _ in 0..<100 {
      var streams: [AsyncStream<AuthorizationEvent>] = []
      do {
        let member = BearerAuthorization(from: TestTokens { _, _ in throw AuthorizationError(.needsLogin) })
        let request = Task { try await member.credentials(for: .member()) }
        while !member.refresher.needsLogin, streams.count < 1_000 {
          streams.append(member.events())
          await Task.yield()
        }
        streams.append(member.events())
        await #expect(throws: NetworkError.self) { _ = try await request.value }
      }
      // The streams end with the scheme.
      for stream in streams { #expect(await stream.reduce(0) { count, _ in count + 1 } == 1) }
    }
  }

  @Test("A stream of events keeps the latest ones, and a stream that isn't read any more is removed")
  func events() async throws {
    let member = BearerAuthorization(from: TestTokens())
    let broadcast = member.refresher.broadcast
    let stream = member.events()
    for number in 1...40 { broadcast.send(.refreshed(try AccessToken("\(number)"))) }
    let task = Task {
      var values: [String] = []
      for await event in stream {
        if case .refreshed(let token) = event { values.append(token.value) }
        if values.count == TokenRefresher.eventCapacity { break }
      }
      return values
    }
    #expect(await task.value == (25...40).map { "\($0)" })
    let cancelled = Task { for await _ in member.events() {} }
    cancelled.cancel()
    await cancelled.value
    #expect(broadcast.readerCount <= 1)
  }
}
