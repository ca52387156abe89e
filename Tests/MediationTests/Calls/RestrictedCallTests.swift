import Mediation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct RestrictedCallTests {
  /// A sum that shortcuts may request.
  private struct SumRoute: Route {
    typealias Output = Int
    static let pattern: RoutePattern = "estate://sum/{id:int}"
    static let exposure: Exposure = .link([.shortcut, .scheme("estate")])
    let id: Int
    init(from input: RouteInput) throws(RouteError) { id = try input.value("id") }
    func write(to output: inout RouteOutput) { output.set("id", to: id) }
  }

  private static func mediator(_ journal: Journal) throws -> Mediator {
    let module = TestModule { table in
      table.action(SumRoute.self) { route, context in
        context.report(0.5)
        journal.note("sum by \(context.opener ?? "-") \(context.wantsResult)")
        return route.id + 1
      }
      table.action(HouseRoute.self) { _, _ in journal.note("house") }
      table.action(PriceRoute.self) { route, _ in route.id }
    }
    return try Mediator(
      schemes: ["estate"], modules: [module], observers: [journal],
      web: RouteFallback { _, _ in journal.note("web") },
      notFound: RouteFallback { _, _ in journal.note("none") }, links: LinkQueuePolicy())
  }

  @Test("A listed and exposed route returns its result, with progress, without waiting in the queue of links")
  func result() async throws {
    let journal = Journal()
    let reports = Mutex<[Double]>([])
    let answer = try await Self.mediator(journal).open(
      "estate://sum/4", from: .shortcut, opener: "intent:sum", limitedTo: [SumRoute.self]
    ) { value in
      if let value = value as? Double { reports.withLock { $0.append(value) } }
    }
    #expect(answer as? Int == 5)
    #expect(reports.withLock { $0 } == [0.5])
    #expect(journal.lines.contains("sum by intent:sum true"))
  }

  @Test(
    "Unknown, unlisted and unexposed routes have the same outcome, and no fallback runs",
    arguments: [
      "estate://nowhere", "estate://home/1", "estate://price?id=1", "estate://home/x", "https://a.example",
    ])
  func refused(_ url: String) async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    await #expect(throws: RouteError.notFound(url: url)) {
      try await mediator.open(url, from: .shortcut, limitedTo: [SumRoute.self, PriceRoute.self])
    }
    #expect(journal.lines.count == 1 && journal.lines[0].hasPrefix("failed"))
  }

  @Test("A source that cannot be that of the URL reaches nothing")
  func foreignSource() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    await #expect(throws: RouteError.notFound(url: "estate://sum/4")) {
      try await mediator.open("estate://sum/4", from: .scheme("other"), limitedTo: [SumRoute.self])
    }
    #expect(journal.lines == ["failed - forbidden"])
    await #expect(throws: RouteError.notFound(url: "estate://sum/4")) {
      try await mediator.open("estate://sum/4", from: .shortcut, limitedTo: [])
    }
  }
}
