import Testing

@testable import CurlTransport

@Suite struct StreamAllowanceTests {
  private var allowance = StreamAllowance()

  /// Sends `count` requests over a connection.
  private mutating func enter(_ port: Int, _ count: Int = 1) { for _ in 0..<count { allowance.enter(port) } }

  /// Ends a request with a response, and sends another one over the connection.
  private mutating func answer(_ port: Int) {
    allowance.leave(port, hasAnswer: true)
    allowance.enter(port)
  }

  @Test("Only libcurl before 8.0 needs it")
  func versions() {
    #expect(StreamAllowance.isNeeded(by: LoadedLibrary(version: LibraryVersion(7, 88, 1))))
    #expect(!StreamAllowance.isNeeded(by: LoadedLibrary(version: LibraryVersion(8, 0))))
  }

  @Test("One connection shows no limit")
  mutating func oneConnection() {
    enter(1, 100)
    #expect(allowance.limit == nil)
    #expect(allowance.carried == 100)
    #expect(allowance.hasRoom(beside: 1_000))
  }

  @Test("A second connection shows that the fullest one is full")
  mutating func secondConnection() {
    enter(1, 3)
    enter(2)
    #expect(allowance.limit == 3)
    enter(3)
    #expect(allowance.limit == 3)
    #expect(allowance.carried == 5)
    #expect(allowance.hasRoom(beside: 8) && !allowance.hasRoom(beside: 9))
  }

  @Test("If all are full, one request opens another connection and the rest wait for it")
  mutating func allFull() {
    enter(1, 2)
    answer(1)
    enter(2, 2)
    answer(2)
    #expect(allowance.limit == 2)
    #expect(allowance.hasRoom(beside: 4), "nothing is on its way")
    #expect(!allowance.hasRoom(beside: 5), "one is on its way to a connection of its own")
    enter(3)
    #expect(allowance.hasRoom(beside: 5))
  }

  @Test("A connection that has not responded gets no more than the known limit")
  mutating func unanswered() {
    enter(1, 2)
    enter(2, 2)
    answer(1)
    #expect(!allowance.hasRoom(beside: 4))
    answer(2)
    #expect(allowance.hasRoom(beside: 4))
  }

  @Test("Without connections, one request opens the first")
  mutating func noConnection() {
    enter(1, 2)
    enter(2)
    for port in [1, 1, 2] { allowance.leave(port, hasAnswer: true) }
    #expect(allowance.carried == 0)
    #expect(allowance.hasRoom(beside: 0) && !allowance.hasRoom(beside: 1))
  }

  @Test("A connection that has responded and carries more raises the limit")
  mutating func raisedLimit() {
    enter(1, 2)
    enter(2, 3)
    #expect(allowance.limit == 2, "the server may still refuse the third")
    answer(2)
    enter(2)
    #expect(allowance.limit == 4)
  }

  @Test("An idle connection shows no limit")
  mutating func idleConnection() {
    enter(1, 5)
    for _ in 0..<5 { allowance.leave(1, hasAnswer: true) }
    enter(2)
    #expect(allowance.limit == nil)
    allowance.leave(9, hasAnswer: true)
    #expect(allowance.carried == 1)
  }
}
