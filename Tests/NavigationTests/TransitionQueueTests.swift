import Navigation
import Testing

/// A host whose transitions end when the test ends them.
@MainActor private final class SlowHost: TransitionHost {
  var begun: [NavigationUpdate] = []
  var running = 0
  var mostRunning = 0
  private var ends: [CheckedContinuation<Void, Never>] = []

  func transition(_ update: NavigationUpdate) async {
    begun.append(update)
    running += 1
    mostRunning = max(mostRunning, running)
    await withCheckedContinuation { ends.append($0) }
    running -= 1
  }

  func end() { ends.removeFirst().resume() }
}

@MainActor @Suite(.timeLimit(.minutes(5))) struct TransitionQueueTests {
  private let host = SlowHost()

  private func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
  }

  @Test("F18: Transitions never overlap; changes during one are shown by the next, in order")
  func serial() async throws {
    let queue = TransitionQueue(host)
    let navigator = Navigator(host: queue)
    #expect(!queue.isBusy)
    try navigator.show(TextScreen("1"), named: "1")
    await until { host.running == 1 }
    try navigator.show(TextScreen("2"), named: "2")
    try navigator.show(TextScreen("3"), named: "3")
    try navigator.perform(.pop)
    try navigator.show(TextScreen("4"), named: "4", style: .present)
    for _ in 0..<20 { await Task.yield() }
    #expect(host.begun.count == 1 && queue.isBusy)
    host.end()
    await until { host.begun.count == 2 && host.running == 1 }
    let second = host.begun[1]
    #expect(second.state == navigator.state)
    #expect(second.state.entries.map(\.name) == ["1", "2", "4"])
    #expect(second.state.entries.allSatisfy { second.screen($0.id) != nil })
    let kinds = second.changes.map { change -> String in
      switch change {
      case .pushed(let entry): "+\(entry.name)"
      case .presented(let entry): "^\(entry.name)"
      case .removed(let entries): "-\(entries.map(\.name).joined())"
      default: "\(change)"
      }
    }
    #expect(kinds == ["+2", "+3", "-3", "^4"])
    host.end()
    await queue.settled()
    #expect(!queue.isBusy && host.mostRunning == 1 && host.begun.count == 2)
    try navigator.perform(.dismiss)
    await until { host.running == 1 }
    host.end()
    await queue.settled()
    #expect(host.begun[2].changes.count == 1)
  }

  @Test("A pending transition retains no screen that was left")
  func pendingRetainsNothing() async throws {
    let queue = TransitionQueue(host)
    let navigator = Navigator(host: queue)
    try navigator.show(TextScreen("1"), named: "1")
    await until { host.running == 1 }
    weak var gone: TextScreen?
    do {
      let screen = TextScreen("2")
      gone = screen
      try navigator.show(screen, named: "2")
    }
    #expect(gone != nil)
    try navigator.perform(.pop)
    #expect(gone == nil)
    host.end()
    await until { host.running == 1 && host.begun.count == 2 }
    host.end()
    await queue.settled()
  }
}
