import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import RequestAuthorization

@Suite(.timeLimit(.minutes(5))) struct TokenRefreshTests {
  /// Sends requests at once and returns their results by number.
  private func results(_ count: Int, over chain: Pipeline) async -> [Int: Result<Response, NetworkError>] {
    await withTaskGroup(of: (Int, Result<Response, NetworkError>).self) { group in
      for number in 0..<count {
        group.addTask {
          do throws(NetworkError) {
            return (number, .success(try await chain.send(.member(number))))
          } catch {
            return (number, .failure(error))
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  @Test("A21: 1,000 requests on an expired token cause one refresh, and each is sent again once")
  func storm() async throws {
    let count = 1_000
    let arrived = WaitableValue(0)
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.head.headerFields[.authorization] == "Bearer old" else {
        return Response(status: .ok, bytes: request.body.bytes ?? [])
      }
      // The expired token is refused only when every request has been sent with it.
      arrived.update { $0 += 1 }
      do { try await arrived.wait { $0 >= count } } catch { throw NetworkError(.cancelled(.task), "x") }
      return Response(status: .unauthorized)
    }
    let tokens = TestTokens()
    let member = BearerAuthorization(from: tokens, starting: try AccessToken("old"))
    let results = await results(count, over: try member.chain(over: server))
    #expect(tokens.calls == [try AccessToken("old")])
    #expect(server.count(of: "old") == count)
    #expect(server.count(of: "new1") == count)
    #expect(server.requests.count == 2 * count)
    for (number, result) in results {
      // Each replay has its own request's body, and each caller its own response.
      #expect(try await result.get().body.collect(upTo: 9) == Array("\(number)".utf8))
    }
    #expect(Set(server.requests.map(\.id)).count == count)
    #expect(member.refresher.waiterCount == 0)
  }

  @Test("A refresh that a request of low priority causes runs at a high one, because others wait for it")
  func priority() async throws {
    let seen = WaitableValue(TaskPriority.background)
    let tokens = TestTokens { _, number in
      seen.update { $0 = Task.currentPriority }
      return try AccessToken("new\(number)")
    }
    let member = BearerAuthorization(from: tokens, starting: try AccessToken("old"))
    let chain = try member.chain(over: ScriptedDispatcher.accepting { "new1" })
    let response = try await Task(priority: .low) { try await chain.send(.member()) }.value
    #expect(response.status == .ok)
    #expect(seen.value == .high)
  }

  @Test("A21: A second refusal after the refresh is returned, and no loop follows over many requests")
  func noLoop() async throws {
    let server = ScriptedDispatcher(answering: Response(status: .unauthorized))
    let tokens = TestTokens()
    let clock = TestClock()
    let member = BearerAuthorization(
      from: tokens, starting: try AccessToken("old"), time: TimeSource(clock))
    let chain = try member.chain(over: server)
    #expect(try await chain.send(.member()).status == .unauthorized)
    #expect(server.requests.count == 2 && tokens.calls.count == 1)
    for _ in 1...20 { #expect(try await chain.send(.member()).status == .unauthorized) }
    #expect(tokens.calls.count == TokenState.limit)
    #expect(server.requests.count == 21 + TokenState.limit)
    clock.advance(by: TokenState.limitWindow)
    #expect(try await chain.send(.member()).status == .unauthorized)
    #expect(tokens.calls.count == TokenState.limit + 1)
  }

  @Test("A request that is refused late, with an older token, is sent again without another refresh")
  func olderToken() async throws {
    let isHeld = WaitableValue(true)
    let arrived = WaitableValue(0)
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.head.headerFields[.authorization] == "Bearer old" else { return Response(status: .ok) }
      arrived.update { $0 += 1 }
      if request.head.path == "/1" {
        do { try await isHeld.wait { !$0 } } catch { throw NetworkError(.cancelled(.task), "x") }
      }
      return Response(status: .unauthorized)
    }
    let tokens = TestTokens()
    let member = BearerAuthorization(from: tokens, starting: try AccessToken("old"))
    let chain = try member.chain(over: server)
    let late = Task { try await chain.send(.member(1)) }
    try await arrived.wait { $0 == 1 }
    #expect(try await chain.send(.member(2)).status == .ok)
    isHeld.update { $0 = false }
    #expect(try await late.value.status == .ok)
    #expect(tokens.calls.count == 1)
    #expect(server.count(of: "new1") == 2)
  }

  @Test("Requests that start during a refresh wait, and are sent with the new token only")
  func waiting() async throws {
    let mayEnd = WaitableValue(false)
    let tokens = TestTokens { _, _ in
      try await mayEnd.wait(until: \.self)
      return try AccessToken("new")
    }
    let member = BearerAuthorization(from: tokens)
    let server = ScriptedDispatcher.accepting { "new" }
    let chain = try member.chain(over: server)
    async let ended = results(10, over: chain)
    try await member.waitForWaiters(10)
    #expect(server.requests.isEmpty)
    mayEnd.update { $0 = true }
    for result in await ended.values { #expect(try result.get().status == .ok) }
    #expect(tokens.calls == [nil])
    #expect(server.requests.count == 10)
  }

  @Test(
    "A21: A refresh that requires a login fails all waiting requests, is broadcast once, and isn't repeated")
  func needsLogin() async throws {
    let mayEnd = WaitableValue(false)
    let tokens = TestTokens { _, _ in
      try await mayEnd.wait(until: \.self)
      throw AuthorizationError(.needsLogin)
    }
    let member = BearerAuthorization(from: tokens, starting: try AccessToken("old"))
    var events = member.events().makeAsyncIterator()
    let server = ScriptedDispatcher.accepting { "login" }
    let chain = try member.chain(over: server)
    async let ended = results(10, over: chain)
    try await member.waitForWaiters(10)
    mayEnd.update { $0 = true }
    for result in await ended.values {
      let error = #expect(throws: NetworkError.self) { try result.get() }
      #expect(error?.kind == .needsLogin)
      #expect(error?.underlying(as: AuthorizationError.self)?.reason == .needsLogin)
      #expect(error?.origin == .interceptor("AuthorizationInterceptor"))
    }
    guard case .needsLogin = await events.next() else {
      Issue.record("no event")
      return
    }
    let sent = server.requests.count
    let error = await #expect(throws: NetworkError.self) { try await chain.send(.member()) }
    #expect(error?.kind == .needsLogin)
    #expect(error?.requestMayHaveBeenProcessed == false)
    #expect(server.requests.count == sent && tokens.calls.count == 1)
    // A stream that starts later reports the state, too.
    guard case .needsLogin = await member.events().first(where: { _ in true }) else {
      Issue.record("no event")
      return
    }
    member.replaceToken(with: try AccessToken("login"))
    #expect(try await chain.send(.member()).status == .ok)
    #expect(member.refresher.broadcast.readerCount == 1)
  }

  @Test(
    "A refresh that fails for another reason fails all waiting requests with its kind; the next tries again")
  func failure() async throws {
    let mayEnd = WaitableValue(false)
    let tokens = TestTokens { _, number in
      try await mayEnd.wait(until: \.self)
      guard number > 1 else {
        throw NetworkError(.offline, "No network.", origin: .dispatcher("d"), attempt: 7)
      }
      return try AccessToken("new")
    }
    let member = BearerAuthorization(from: tokens)
    var events = member.events().makeAsyncIterator()
    let chain = try member.chain(over: ScriptedDispatcher.accepting { "new" })
    async let ended = results(10, over: chain)
    try await member.waitForWaiters(10)
    mayEnd.update { $0 = true }
    for result in await ended.values {
      let error = #expect(throws: NetworkError.self) { try result.get() }
      #expect(error?.kind == .offline)
      #expect(error?.reason == "The access token could not be refreshed: No network.")
      #expect(error?.attempt == 1 && error?.requestMayHaveBeenProcessed == false)
    }
    guard case .refreshFailed(let error) = await events.next() else {
      Issue.record("no event")
      return
    }
    #expect(error.kind == .offline)
    #expect(try await chain.send(.member()).status == .ok)
    guard case .refreshed(let token) = await events.next() else {
      Issue.record("no event")
      return
    }
    #expect(token.value == "new" && member.token == token)
  }

  @Test("An error of a source that isn't typed is rejected, and its text isn't quoted")
  func foreignFailure() async throws {
    struct Foreign: Error, CustomStringConvertible { let description = "hunter2" }
    let member = BearerAuthorization(from: TestTokens { _, _ in throw Foreign() })
    let chain = try member.chain(over: ScriptedDispatcher())
    let error = await #expect(throws: NetworkError.self) { try await chain.send(.member()) }
    #expect(error?.kind == .rejected && error?.underlying is Foreign)
    #expect(error?.description.contains("hunter2") == false)
  }
}
