import Testing

@testable import APIManagers

@Suite(.timeLimit(.minutes(5))) struct LoadWaiterTests {
  @Test("A caller gets the value that comes first, and later ones are refused")
  func first() async {
    var accepted: [Bool] = []
    let value = await withCheckedContinuation { continuation in
      let waiter = LoadWaiter<Int>(continuation)
      accepted.append(waiter.isResumed)
      accepted.append(waiter.resume(returning: 1))
      accepted.append(waiter.resume(returning: 2))
      accepted.append(waiter.isResumed)
    }
    #expect(value == 1)
    #expect(accepted == [false, true, false, true])
  }

  @Test("A caller is resumed exactly once, whichever side is first", arguments: 0..<50)
  func concurrency(round: Int) async {
    let (value, accepted) = await withTaskGroup(of: Int?.self) { group in
      let value = await withCheckedContinuation { continuation in
        let waiter = LoadWaiter<Int>(continuation)
        for number in 1...4 { group.addTask { waiter.resume(returning: number) ? number : nil } }
      }
      return (value, await group.compactMap { $0 }.reduce(into: []) { $0.append($1) })
    }
    #expect(accepted == [value])
  }
}
