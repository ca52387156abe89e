import Testing

@testable import CurlTransport

@Suite struct StreamAllowanceTests {
  private var allowance = StreamAllowance()

  /// Lets `count` requests leave over a connection.
  private mutating func enter(_ port: Int, _ count: Int = 1) { for _ in 0..<count { allowance.enter(port) } }

  /// Lets a request be answered over a connection, and another one take its place.
  private mutating func answer(_ port: Int) {
    allowance.leave(port, hasAnswer: true)
    allowance.enter(port)
  }

  @Test("Only libcurl before 8.0 needs it")
  func versions() {
    #expect(StreamAllowance.isNeeded(by: LoadedLibrary(version: LibraryVersion(7, 88, 1))))
    #expect(!StreamAllowance.isNeeded(by: LoadedLibrary(version: LibraryVersion(8, 0))))
  }

  @Test mutating func `one connection shows no limit`() {
    enter(1, 100)
    #expect(allowance.limit == nil)
    #expect(allowance.carried == 100)
    #expect(allowance.hasRoom(beside: 1_000))
  }

  @Test mutating func `another connection shows that the fullest one is full`() {
    enter(1, 3)
    enter(2)
    #expect(allowance.limit == 3)
    enter(3)
    #expect(allowance.limit == 3)
    #expect(allowance.carried == 5)
    #expect(allowance.hasRoom(beside: 8) && !allowance.hasRoom(beside: 9))
  }

  @Test mutating func `where all are full one more opens the next, and the rest wait for it`() {
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

  @Test mutating func `a connection that has not answered gets no more than is known`() {
    enter(1, 2)
    enter(2, 2)
    answer(1)
    #expect(!allowance.hasRoom(beside: 4))
    answer(2)
    #expect(allowance.hasRoom(beside: 4))
  }

  @Test mutating func `without any connection one opens the first`() {
    enter(1, 2)
    enter(2)
    for port in [1, 1, 2] { allowance.leave(port, hasAnswer: true) }
    #expect(allowance.carried == 0)
    #expect(allowance.hasRoom(beside: 0) && !allowance.hasRoom(beside: 1))
  }

  @Test mutating func `more than the limit shows another one, once the connection has answered`() {
    enter(1, 2)
    enter(2, 3)
    #expect(allowance.limit == 2, "the server may still refuse the third")
    answer(2)
    enter(2)
    #expect(allowance.limit == 4)
  }

  @Test mutating func `a connection that is not in use is no witness`() {
    enter(1, 5)
    for _ in 0..<5 { allowance.leave(1, hasAnswer: true) }
    enter(2)
    #expect(allowance.limit == nil)
    allowance.leave(9, hasAnswer: true)
    #expect(allowance.carried == 1)
  }
}
