import SwitchyardTesting
import Testing

@testable import Mediation

@Suite(.timeLimit(.minutes(5))) struct MediatorLinkQueueTests {
  static func mediator(
    _ journal: Journal, _ links: LinkQueuePolicy? = LinkQueuePolicy(),
    house: @escaping @Sendable (HouseRoute, RouteContext) async throws -> Void = { _, _ in }
  ) throws -> Mediator {
    let module = TestModule { table in
      table.action(HouseRoute.self) { route, context in
        journal.note("house \(route.id)")
        try await house(route, context)
        journal.note("end \(route.id)")
      }
    }
    return try Mediator(schemes: ["estate"], modules: [module], observers: [journal], links: links)
  }

  private static func link(_ mediator: Mediator, _ id: Int) -> Task<String?, Never> {
    Task {
      await errorName { () throws(RouteError) in
        try await mediator.receive("estate://home/\(id)", from: .push)
      }
    }
  }

  private static func houses(_ journal: Journal) -> [String] {
    journal.lines.filter { $0.hasPrefix("house") || $0.hasPrefix("end") }
  }

  @Test("Links that arrive before the app is ready wait and open in order, one after the other")
  func order() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    var links: [Task<String?, Never>] = []
    for id in 1...3 {
      links.append(Self.link(mediator, id))
      // The journal is called after the link has been queued.
      try await waitUntil("\(id) links wait") { journal.lines.count == id }
    }
    #expect(journal.lines == (1...3).map { "linkWaits estate://home/\($0)" })
    // Calls from within the app do not wait.
    try await mediator.open("estate://home/9")
    #expect(Self.houses(journal) == ["house 9", "end 9"])
    mediator.ready()
    for link in links { #expect(await link.value == nil) }
    #expect(
      Self.houses(journal).dropFirst(2) == ["house 1", "end 1", "house 2", "end 2", "house 3", "end 3"])
    try await mediator.receive("estate://home/4", from: .push)
    #expect(!journal.lines.contains("linkWaits estate://home/4"))
    mediator.hold()
    let held = Self.link(mediator, 5)
    try await waitUntil("one link waits") { mediator.links?.count == 1 }
    mediator.ready()
    #expect(await held.value == nil)
  }

  @Test(
    "The queue is bounded, and the caller of a dropped link gets an error",
    arguments: [(LinkQueuePolicy.Overflow.dropOldest, 1), (.dropNewest, 3)])
  func bounded(_ overflow: LinkQueuePolicy.Overflow, _ dropped: Int) async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal, LinkQueuePolicy(limit: 2, overflow: overflow))
    var links: [Task<String?, Never>] = []
    for id in 1...3 {
      links.append(Self.link(mediator, id))
      try await waitUntil("the link is in the journal") { journal.lines.count >= id }
    }
    #expect(await links[dropped - 1].value == "linkDropped 2")
    mediator.ready()
    for (index, link) in links.enumerated() where index != dropped - 1 { #expect(await link.value == nil) }
    #expect(journal.lines.contains("failed - linkDropped 2"))
    #expect(
      Self.houses(journal).filter { $0.hasPrefix("house") }
        == (1...3).filter { $0 != dropped }.map { "house \($0)" })
  }

  @Test("A link whose caller is cancelled leaves the queue")
  func cancelled() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    let first = Self.link(mediator, 1)
    try await waitUntil("one link waits") { mediator.links?.count == 1 }
    let second = Self.link(mediator, 2)
    try await waitUntil("two links wait") { mediator.links?.count == 2 }
    first.cancel()
    #expect(await first.value == "cancelled")
    mediator.ready()
    #expect(await second.value == nil)
    #expect(Self.houses(journal) == ["house 2", "end 2"])
  }

  @Test("After a link that fails the next one opens")
  func failing() async throws {
    struct Broken: Error {}
    let journal = Journal()
    let mediator = try Self.mediator(journal) { route, _ in if route.id == 1 { throw Broken() } }
    let first = Self.link(mediator, 1)
    try await waitUntil("one link waits") { mediator.links?.count == 1 }
    let second = Self.link(mediator, 2)
    try await waitUntil("two links wait") { mediator.links?.count == 2 }
    mediator.ready()
    #expect(await first.value == "failed")
    #expect(await second.value == nil)
  }

  @Test("A link received while a queued one is being opened does not wait for it")
  func nested() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal) { route, context in
      if route.id == 1 { try await context.mediator.receive("estate://home/7", from: .push) }
    }
    let first = Self.link(mediator, 1)
    try await waitUntil("one link waits") { mediator.links?.count == 1 }
    let second = Self.link(mediator, 2)
    try await waitUntil("two links wait") { mediator.links?.count == 2 }
    mediator.ready()
    #expect(await first.value == nil)
    #expect(await second.value == nil)
    #expect(Self.houses(journal) == ["house 1", "house 7", "end 7", "end 1", "house 2", "end 2"])
  }

  @Test("Malformed text is refused at once and takes no place in the queue")
  func malformed() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    let long = "estate://home/" + String(repeating: "x", count: 1_000_000)
    for url in ["no url", "estate:home", long] {
      #expect(
        await errorName { () throws(RouteError) in try await mediator.receive(url, from: .push) }
          == "malformedURL")
    }
    #expect(mediator.links?.count == 0)
    #expect(journal.lines == Array(repeating: "failed - malformedURL", count: 3))
  }

  @Test("Unknown and forbidden links both wait and end in the same error")
  func forbidden() async throws {
    let journal = Journal()
    let mediator = try MediatorCallingTests.mediator(journal, links: LinkQueuePolicy())
    let urls = ["estate://ledger", "estate://nowhere", "estate://price?id=1"]
    let answers = Journal()
    await withTaskGroup(of: Void.self) { group in
      for url in urls {
        group.addTask {
          let name = await errorName { () throws(RouteError) in try await mediator.receive(url, from: .push) }
          answers.note(name ?? "-")
        }
      }
      await #expect(throws: Never.self) {
        try await waitUntil("three links wait") { mediator.links?.count == 3 }
      }
      mediator.ready()
    }
    #expect(answers.lines == ["notFound", "notFound", "notFound"])
  }

  @Test("Many concurrent links all end, whether cancelled or not")
  func concurrent() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal, LinkQueuePolicy(limit: 8))
    let answers = Journal()
    await withTaskGroup(of: Void.self) { group in
      for id in 1...200 {
        group.addTask {
          let link = Self.link(mediator, id)
          if id % 5 == 0 { link.cancel() }
          if id % 40 == 0 { mediator.ready() }
          if id % 90 == 0 { mediator.hold() }
          let name = await link.value ?? "opened"
          answers.note(name)
        }
      }
      group.addTask {
        // Admit the links that still wait after a hold.
        await #expect(throws: Never.self) {
          try await waitUntil("all links are answered") {
            mediator.ready()
            return answers.lines.count >= 200
          }
        }
      }
    }
    let counts = Dictionary(grouping: answers.lines) { $0 }.mapValues(\.count)
    #expect(counts.values.reduce(0, +) == 200)
    #expect(Set(counts.keys).isSubset(of: ["opened", "cancelled", "linkDropped 8"]))
    #expect(
      journal.lines.count { $0.hasPrefix("end") } == counts["opened"], "each opened link ran once")
    #expect(mediator.links?.count == 0)
  }
}
