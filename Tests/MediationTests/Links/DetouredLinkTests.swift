import SwitchyardTesting
import Synchronization
import Testing

@testable import Mediation

/// Links that wait for a person.
@Suite(.timeLimit(.minutes(5))) struct DetouredLinkTests {
  /// An app with houses, of which those below 100 need a sign-in, which a test answers.
  private struct App {
    let journal = Journal()
    let mediator: Mediator
    let answers = WaitableValue<[Result<Bool, RouteError>]>([])
    let logins = WaitableValue(0)
    let isMember = SharedFlag(false)

    init(_ policy: LinkQueuePolicy? = LinkQueuePolicy()) throws {
      let guardian = TestGuard("members") { [isMember] target, _ in
        let id = target.parameters["id"].flatMap(Int.init) ?? 100
        // Two spellings of one detour.
        return isMember.value || id >= 100
          ? .proceed : .detour(id % 2 == 0 ? "estate://login" : "ESTATE://Login/?a")
      }
      let module = TestModule { [journal, answers, logins, isMember] table in
        table.action(HouseRoute.self, guards: [guardian]) { route, _ in journal.note("house \(route.id)") }
        table.action(LoginRoute.self) { _, _ in
          let wanted = logins.update { count in
            count += 1
            return count
          }
          try await answers.wait { $0.count >= wanted }
          let answer = try answers.value[wanted - 1].get()
          if answer { isMember.value = true }
          return answer
        }
      }
      mediator = try Mediator(schemes: ["estate"], modules: [module], links: policy)
    }

    func link(_ id: Int) -> Task<String?, Never> {
      Task { [mediator] in
        await errorName { () throws(RouteError) in
          try await mediator.receive("estate://home/\(id)", from: .push)
        }
      }
    }

    func answer(_ result: Result<Bool, RouteError>) { answers.update { $0.append(result) } }

    var houses: [String] { journal.lines }
  }

  /// A flag that a test and its app share.
  private final class SharedFlag: Sendable {
    private let flag: Mutex<Bool>
    init(_ value: Bool) { flag = Mutex(value) }
    var value: Bool {
      get { flag.withLock { $0 } }
      set { flag.withLock { $0 = newValue } }
    }
  }

  @Test("Links after one that waits for a sign-in open at once, and after the sign-in that one opens")
  func passing() async throws {
    let app = try App()
    let first = app.link(1)
    try await waitUntil("a link waits") { app.mediator.links?.count == 1 }
    let second = app.link(101)
    try await waitUntil("two links wait") { app.mediator.links?.count == 2 }
    app.mediator.ready()
    #expect(await second.value == nil)
    for id in 102...120 { #expect(await app.link(id).value == nil) }
    #expect(app.houses == (101...120).map { "house \($0)" })
    app.answer(.success(true))
    #expect(await first.value == nil)
    #expect(app.houses.last == "house 1" && app.houses.count == 21)
  }

  @Test(
    "Of links that wait for the same sign-in one opens, and the others fail with an error that says so",
    arguments: [(LinkQueuePolicy.Overflow.dropOldest, 8), (.dropNewest, 1)])
  func superseded(_ overflow: LinkQueuePolicy.Overflow, _ kept: Int) async throws {
    let app = try App(LinkQueuePolicy(overflow: overflow))
    var links: [Task<String?, Never>] = []
    for id in 1...8 {
      links.append(app.link(id))
      try await waitUntil("\(id) links wait") { app.mediator.links?.count == id }
    }
    // A call of the app that needs the sign-in is no link.
    let call = Task { [mediator = app.mediator] in
      await errorName { () throws(RouteError) in try await mediator.open("estate://home/9") }
    }
    try await app.logins.wait { $0 == 1 }
    app.mediator.ready()
    try await waitUntil("one link and the call wait for one detour") {
      app.mediator.links?.count == 0 && app.mediator.detours.counts == (2, 1)
    }
    for (index, link) in links.enumerated() where index + 1 != kept {
      #expect(await link.value?.hasPrefix("linkSuperseded") == true)
    }
    app.answer(.success(true))
    #expect(await links[kept - 1].value == nil)
    #expect(await call.value == nil)
    #expect(Set(app.houses) == ["house \(kept)", "house 9"])
    #expect(app.logins.value == 1)
  }

  @Test(
    "What waited for a sign-in that the user left is refused, and opens nothing after a later sign-in",
    arguments: [Result<Bool, RouteError>.failure(.dismissed), .success(false)])
  func left(_ answer: Result<Bool, RouteError>) async throws {
    let app = try App()
    app.mediator.ready()
    let first = app.link(1)
    try await app.logins.wait { $0 == 1 }
    app.answer(answer)
    #expect(await first.value == "rejected members")
    let second = app.link(2)
    try await app.logins.wait { $0 == 2 }
    app.answer(.success(true))
    #expect(await second.value == nil)
    #expect(app.houses == ["house 2"])
    #expect(app.mediator.detours.counts == (0, 0))
  }

  @Test("A cancelled link that waits for a sign-in leaves it, and the next one begins it again")
  func cancelled() async throws {
    let app = try App()
    app.mediator.ready()
    let first = app.link(1)
    try await app.logins.wait { $0 == 1 }
    first.cancel()
    #expect(await first.value == "cancelled")
    let second = app.link(3)
    try await app.logins.wait { $0 == 2 }
    app.answers.update { $0 = [.success(true), .success(true)] }
    #expect(await second.value == nil)
    #expect(app.houses == ["house 3"])
  }

  @Test("Links that wait for the queue and links that wait for a sign-in all end", arguments: 0..<20)
  func random(_ seed: Int) async throws {
    var random = SeededRandom(seed: UInt64(seed))
    let app = try App(LinkQueuePolicy(limit: 4, overflow: random.below(2) == 0 ? .dropOldest : .dropNewest))
    let ids = (0..<40).map { id in random.below(2) == 0 ? id + 1 : id + 101 }
    let links = ids.map { app.link($0) }
    for link in links where random.below(8) == 0 { link.cancel() }
    app.mediator.ready()
    // Each sign-in is answered, the first ones with a refusal.
    app.answers.update {
      $0 = Array(repeating: .success(false), count: 3) + Array(repeating: .success(true), count: 60)
    }
    var opened = 0
    for link in links {
      let name = await link.value
      if name == nil { opened += 1 }
      let isKnown =
        name.map { name in
          ["cancelled", "rejected members", "linkDropped 4", "linkSuperseded"].contains { name.hasPrefix($0) }
        } ?? true
      #expect(isKnown, "\(name ?? "-")")
    }
    #expect(app.houses.count == opened)
    #expect(Set(app.houses).count == opened)
    #expect(app.mediator.links?.count == 0 && app.mediator.detours.counts == (0, 0))
  }

  @Test("A link whose detour itself receives a link is not in its way")
  func nested() async throws {
    let journal = Journal()
    let guardian = TestGuard("members") { target, _ in
      target.parameters["id"] == "1" ? .detour("estate://login") : .proceed
    }
    let module = TestModule { table in
      table.action(HouseRoute.self, guards: [guardian]) { route, _ in journal.note("house \(route.id)") }
      table.action(LoginRoute.self) { _, context in
        // As the page of a sign-in does, when it returns to the app.
        try await context.mediator.receive("estate://home/2", from: .push)
        return true
      }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module], links: LinkQueuePolicy())
    let first = Task { try await mediator.receive("estate://home/1", from: .push) }
    try await waitUntil("a link waits") { mediator.links?.count == 1 }
    mediator.ready()
    try await first.value
    #expect(journal.lines == ["house 2", "house 1"])
  }
}
