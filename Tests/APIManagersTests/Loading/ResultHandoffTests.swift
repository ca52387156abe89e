import Testing

@testable import APIManagers

@Suite(.timeLimit(.minutes(5))) struct ResultHandoffTests {
  static func outcome(_ handoff: ResultHandoff<Int>) async -> String {
    switch await withCheckedContinuation({ handoff.wait($0) }) {
    case .received(let value): "received \(value)"
    case .concluded(let value): "concluded \(value)"
    }
  }

  @Test("A result that arrives before the caller waits is received, and only once")
  func early() async {
    let handoff = ResultHandoff<Int>()
    #expect(handoff.receive(1))
    #expect(!handoff.receive(2))
    #expect(await Self.outcome(handoff) == "received 1")
    #expect(handoff.conclusion == nil)
  }

  @Test("After its wait was ended a caller receives no result, and the request is finished without it")
  func concluded() async {
    let handoff = ResultHandoff<Int>()
    handoff.conclude(1)
    handoff.conclude(2)
    #expect(!handoff.receive(3))
    #expect(await Self.outcome(handoff) == "concluded 1")
    #expect(handoff.conclusion == 1)
  }

  @Test("A conclusion between a result and the caller's resumption takes precedence")
  func race() {
    let handoff = ResultHandoff<Int>()
    #expect(handoff.receive(1))
    handoff.conclude(2)
    #expect(handoff.conclusion == 2)
  }

  @Test("A caller is resumed exactly once, whichever of result and conclusion comes first", arguments: 0..<50)
  func concurrency(round: Int) async {
    let handoff = ResultHandoff<Int>()
    await withTaskGroup { group in
      group.addTask { _ = handoff.receive(1) }
      group.addTask { handoff.conclude(2) }
      group.addTask {
        let outcome = await Self.outcome(handoff)
        #expect(["received 1", "concluded 2"].contains(outcome))
      }
    }
  }
}
