import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ResponseUpdatesTests {
  /// The texts of all responses and whether each is a hit, and the error that follows them.
  private static func updates(
    of request: Request, over dispatcher: some Dispatcher
  ) async throws -> (texts: [String], hits: [Bool], error: NetworkError?) {
    var (texts, hits): ([String], [Bool]) = ([], [])
    var iterator = dispatcher.updates(of: request).makeAsyncIterator()
    while true {
      do throws(NetworkError) {
        guard let response = try await iterator.next() else { return (texts, hits, nil) }
        texts.append(String(decoding: try await response.body.collect(upTo: 99), as: UTF8.self))
        hits.append(response.exchange.cache?.isHit ?? false)
      } catch {
        #expect(try await iterator.next() == nil)
        return (texts, hits, error)
      }
    }
  }

  private static func chain(_ fixture: CacheFixture) -> some Dispatcher {
    fixture.server.intercepted(by: fixture.cache)
  }

  @Test(
    "D9: The stored response is shown first, fresh or stale, and the server's after it",
    arguments: [1, 70])
  func two(age: Int) async throws {
    let fixture = CacheFixture { request, number throws(NetworkError) in
      guard number < 4 else { throw NetworkError(.offline, "There is no network.") }
      // The third response has the same content as the second.
      return Response(status: .ok, bytes: Array("response \(min(number, 2))".utf8))
    }
    let chain = Self.chain(fixture)
    // Nothing is stored: one response, of the server.
    let first = try await Self.updates(of: .houses(), over: chain)
    #expect(first.texts == ["response 1"] && first.hits == [false] && first.error == nil)
    // The stored one and a new one.
    fixture.clock.advance(by: .seconds(age))
    let second = try await Self.updates(of: .houses(), over: chain)
    #expect(second.texts == ["response 1", "response 2"] && second.hits == [true, false])
    #expect(second.error == nil)
    // The server's is equal: one response.
    let third = try await Self.updates(of: .houses(), over: chain)
    #expect(third.texts == ["response 2"] && third.hits == [true] && third.error == nil)
    // The server fails: its error follows the stored response.
    let fourth = try await Self.updates(of: .houses(), over: chain)
    #expect(fourth.texts == ["response 2"] && fourth.error?.kind == .offline)
    #expect(fixture.server.requests.count == 4)
  }

  @Test("A response that the server confirms with a 304 is returned once")
  func confirmed() async throws {
    let fixture = CacheFixture { request, _ throws(NetworkError) in
      request.head.headerFields.contains(.ifNoneMatch)
        ? Response(status: .notModified) : Response(status: .ok, headerFields: [.eTag: "\"a\""], bytes: [65])
    }
    _ = try await fixture.send(.houses())
    let updates = try await Self.updates(of: .houses(), over: Self.chain(fixture))
    #expect(updates.texts == ["A"] && updates.error == nil)
    #expect(fixture.server.requests.last?.head.headerFields[.ifNoneMatch] == "\"a\"")
  }

  @Test("D9: The stored response is shown before anything is sent; a loop that ends then sends nothing")
  func ended() async throws {
    let fixture = CacheFixture()
    _ = try await fixture.send(.houses())
    for try await _ in Self.chain(fixture).updates(of: .houses()) { break }
    #expect(fixture.server.requests.count == 1)
  }

  @Test("Without a cache, or without a rule, there is one response, of the server")
  func uncached() async throws {
    let server = ScriptedDispatcher(answering: Response(status: .ok, bytes: [65]))
    let updates = try await Self.updates(of: .houses(), over: server)
    #expect(updates.texts == ["A"] && server.requests.count == 1)
    let fixture = CacheFixture()
    let off = try await Self.updates(of: .houses(rule: .off), over: Self.chain(fixture))
    #expect(off.texts == ["response 1"] && fixture.server.requests.count == 1)
  }

  @Test("Cancelling the task that reads cancels the request to the server")
  func cancelled() async throws {
    let isSent = WaitableValue(false)
    let fixture = CacheFixture { _, number throws(NetworkError) in
      guard number > 1 else { return Response(status: .ok, bytes: [65]) }
      isSent.update { $0 = true }
      await #expect(throws: CancellationError.self) {
        try await waitUntil("the request is cancelled") { false }
      }
      throw NetworkError(.cancelled(.task), "The request was cancelled.")
    }
    _ = try await fixture.send(.houses())
    let reader = Task { try await Self.updates(of: .houses(), over: Self.chain(fixture)) }
    _ = try await isSent.wait { $0 }
    reader.cancel()
    let updates = try await reader.value
    #expect(updates.texts == ["A"] && updates.error?.kind == .cancelled(.task))
  }
}
