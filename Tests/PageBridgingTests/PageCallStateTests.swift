import Testing

@testable import PageBridging

@Suite struct PageCallStateTests {
  @Test("An id is free again once its final reply has been taken")
  func freeID() {
    var state = PageCallState(limit: 2)
    same(state.begin("a"), .begins(serial: 1))
    same(state.begin("a"), .duplicate)
    state.end("a", 1, .success(.null))
    same(state.begin("a"), .duplicate)
    same(state.next(), PageReply(id: "a", event: .success(.null)))
    same(state.begin("a"), .begins(serial: 2))
  }

  @Test("A call ends once, and nothing follows")
  func singleEnd() {
    var state = PageCallState(limit: 2)
    same(state.begin("a"), .begins(serial: 1))
    state.end("a", 1, .failure(.failed))
    state.end("a", 1, .success(.null))
    state.report("a", 1, .int(1))
    same(state.next(), PageReply(id: "a", event: .failure(.failed)))
    same(state.next(), nil)
  }

  @Test("An earlier call cannot reply for a later one with the same id")
  func sameID() {
    var state = PageCallState(limit: 2)
    same(state.begin("a"), .begins(serial: 1))
    state.end("a", 1, .success(.null))
    _ = state.next()
    same(state.begin("a"), .begins(serial: 2))
    state.report("a", 1, .int(1))
    state.end("a", 1, .success(.int(1)))
    same(state.next(), nil)
    state.report("a", 2, .int(2))
    same(state.next(), PageReply(id: "a", event: .progress(.int(2))))
  }

  @Test("Of the waiting progress replies only the latest is sent, before the final reply")
  func latestProgress() {
    var state = PageCallState(limit: 2)
    same(state.begin("a"), .begins(serial: 1))
    for number in 1...1000 { state.report("a", 1, .int(number)) }
    state.end("a", 1, .success(.null))
    same(state.next(), PageReply(id: "a", event: .progress(.int(1000))))
    same(state.next(), PageReply(id: "a", event: .success(.null)))
    same(state.next(), nil)
  }

  @Test("Calls and replies are bounded")
  func bounds() {
    var state = PageCallState(limit: 2)
    same(state.begin("a"), .begins(serial: 1))
    same(state.begin("b"), .begins(serial: 2))
    var answers: [PageCallState.Entry] = []
    for number in 0..<10 {
      let entry = state.begin("c\(number)")
      if entry == .busy { state.refuse("c\(number)", .busy) }
      answers.append(entry)
    }
    #expect(answers == Array(repeating: .busy, count: 6) + Array(repeating: .flooded, count: 4))
  }

  @Test("Nothing is sent after the bridge is closed")
  func closed() {
    var state = PageCallState(limit: 2)
    same(state.begin("a"), .begins(serial: 1))
    state.report("a", 1, .int(1))
    state.close()
    state.end("a", 1, .success(.null))
    same(state.next(), nil)
    same(state.begin("b"), .closed)
  }
}

/// Compares the result of a mutating call, which `#expect` does not accept.
private func same<T: Equatable>(
  _ answer: T, _ expected: T, at location: SourceLocation = #_sourceLocation
) {
  #expect(answer == expected, sourceLocation: location)
}
