import Navigation
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct NavigatorRenderingTests {
  let host = RecordingHost()
  let navigator: Navigator

  init() { navigator = Navigator(host: host) }

  @Test("F18: Commands during a render are rendered afterwards, in order, as one update")
  func queued() throws {
    var depth = 0
    var deepest = 0
    var screens: [[Bool]] = []
    host.onRender = { [navigator] update in
      depth += 1
      deepest = max(deepest, depth)
      screens.append(update.state.entries.map { update.screen($0.id) != nil })
      if update.changes.count == 1, case .pushed(let entry)? = update.changes.first, entry.name == "first" {
        do {
          try navigator.show(TextScreen("second"), named: "second")
          try navigator.show(TextScreen("third"), named: "third", style: .present)
          try navigator.perform(.dismiss)
        } catch {
          Issue.record(error)
        }
        // The state is ahead of the update being rendered.
        #expect(navigator.state.count == 2)
        #expect(update.state.count == 1)
      }
      depth -= 1
    }
    try navigator.show(TextScreen("first"), named: "first")
    #expect(deepest == 1)
    #expect(host.updates.count == 2)
    let names = host.updates[1].changes.map { change -> String in
      switch change {
      case .pushed(let entry): "pushed \(entry.name)"
      case .presented(let entry): "presented \(entry.name)"
      case .removed(let entries): "removed \(entries.map(\.name))"
      default: "\(change)"
      }
    }
    #expect(names == ["pushed second", "presented third", "removed [\"third\"]"])
    #expect(screens == [[true], [true, true]])
    #expect(host.updates[1].state == navigator.state)
  }

  @Test("A host that answers every render with a command is refused, and the navigator keeps working")
  func renderLoop() throws {
    var refusals: [NavigationError] = []
    host.onRender = { [navigator] _ in
      do throws(NavigationError) {
        try navigator.show(TextScreen("again"), named: "again", style: .replace)
      } catch {
        refusals.append(error)
      }
    }
    try navigator.show(TextScreen("first"), named: "first")
    #expect(refusals == [.renderLoop(limit: 100)])
    #expect(host.updates.count == 100)
    #expect(refusals[0].description.contains("make it render without commands"))
    host.onRender = { _ in }
    try navigator.show(TextScreen("next"), named: "next")
    #expect(navigator.state.entries.map(\.name) == ["again", "next"])
  }

  @Test("A host that is attached later gets the whole state, and a detached one gets no update")
  func attaching() throws {
    let alone = Navigator()
    try alone.show(TextScreen("one"), named: "one")
    try alone.show(TextScreen("two"), named: "two")
    alone.attach(host)
    #expect(host.updates.map(\.changes) == [[]])
    #expect(host.updates.last?.topScreen?.title == "two")
    alone.detach()
    try alone.perform(.pop)
    #expect(host.updates.count == 1)
    let other = RecordingHost()
    alone.attach(other)
    #expect(other.updates.map(\.state.count) == [1])
  }

  @Test("The number of open screens is limited, and a full state is an error")
  func limit() throws {
    let small = Navigator(host: host, state: NavigationState(limit: 3))
    for number in 1...3 { try small.show(TextScreen("\(number)"), named: "\(number)") }
    let before = small.state
    #expect(throws: NavigationError.full(limit: 3)) { try small.show(TextScreen("4"), named: "4") }
    #expect(small.state == before)
    try small.show(TextScreen("4"), named: "4", style: .replace)
    #expect(small.state.entries.map(\.name) == ["1", "2", "4"])
    #expect(NavigationState().limit == 1_000)
  }
}
