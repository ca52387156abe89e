import Mediation
import Testing

@Suite(.timeLimit(.minutes(5))) struct LifecycleTests {
  struct Broken: Error {}

  private struct SlowRoute: NativeRoute { let time: Duration }

  /// Top needs Middle and Middle needs Bottom; all of them record every event.
  private static func tower(_ journal: Journal, failing: String = "") -> [any BusinessModule] {
    func module(
      _ name: String, needs: [ModuleNeed], _ more: @escaping @Sendable (inout RouteTable) -> Void = { _ in }
    )
      -> NeedyModule
    {
      NeedyModule(name, needs: needs) { table in
        more(&table)
        for kind in LifecycleEvent.Kind.allCases {
          table.on(kind) { event, context in
            journal.note("\(context.module ?? "-") \(event.kind)")
            if name == failing { throw Broken() }
          }
        }
      }
    }
    return [
      module("Top", needs: [.provider(Double.self)]),
      module("Middle", needs: [.provider(Int.self)]) { $0.provide(Double.self) { _ in 1 } },
      module("Bottom", needs: []) { $0.provide(Int.self) { _ in 1 } },
      NeedyModule("Deaf"),
    ]
  }

  private static let events: [(LifecycleEvent, Bool)] = [
    (.launch, false), (.foreground, false), (.link("estate://x", from: .push), false), (.background, true),
    (.memoryWarning, true), (.logout, true),
  ]

  @Test("Events reach the listeners in the order of needs or its reverse", arguments: events)
  func order(_ event: LifecycleEvent, _ isReversed: Bool) async throws {
    let journal = Journal()
    let mediator = try Mediator(schemes: ["estate"], modules: Self.tower(journal))
    let report = await mediator.deliver(event)
    let names = isReversed ? ["Top", "Middle", "Bottom"] : ["Bottom", "Middle", "Top"]
    #expect(event.kind.isReversed == isReversed)
    #expect(journal.lines == names.map { "\($0) \(event.kind)" })
    #expect(report.entries.map(\.module) == names && report.failures.isEmpty && report.event == event)
  }

  @Test("A module that fails does not stop the others, and observers get the error")
  func failingModule() async throws {
    let journal = Journal()
    let events = ModuleJournal()
    let mediator = try Mediator(
      schemes: ["estate"], modules: Self.tower(journal, failing: "Bottom"), observers: [events],
      clock: HandClock())
    let report = await mediator.deliver(.launch)
    #expect(journal.lines == ["Bottom launch", "Middle launch", "Top launch"])
    #expect(report.failures.map(\.module) == ["Bottom"])
    #expect(report.failures.first?.failure is Broken)
    #expect(
      events.lines == [
        "Bottom launch 0.0 seconds Broken()", "Middle launch 0.0 seconds well", "Top launch 0.0 seconds well",
      ])
  }

  @Test("A module's own time excludes the time spent in other modules")
  func ownTime() async throws {
    let clock = HandClock()
    let events = ModuleJournal()
    let lender = NeedyModule("Lender") { table in
      table.provide(Int.self) { context in
        clock.advance(by: .seconds(100))
        try await context.call(SlowRoute(time: .seconds(5)))
        return 1
      }
      table.action(SlowRoute.self) { route, _ in clock.advance(by: route.time) }
      table.on(.launch) { _, _ in clock.advance(by: .seconds(2)) }
    }
    let borrower = NeedyModule("Borrower", needs: [.provider(Int.self)]) { table in
      table.on(.launch) { _, context in
        clock.advance(by: .seconds(3))
        _ = try await context.provider(Int.self)
        try await context.call(SlowRoute(time: .seconds(40)))
        clock.advance(by: .seconds(4))
      }
    }
    let mediator = try Mediator(
      schemes: ["estate"], modules: [borrower, lender], observers: [events], clock: clock)
    let report = await mediator.deliver(.launch)
    #expect(report.entries.map(\.ownTime) == [.seconds(2), .seconds(7)])
    #expect(events.lines.contains("loaded Lender.Int of Lender 100.0 seconds"))
  }

  @Test("A listener that does not return is cancelled at the limit and does not block the others")
  func stuckListener() async throws {
    let clock = HandClock()
    let forever = Gate()
    let told = Gate()
    let cancelled = Gate()
    let stuck = NeedyModule("Stuck") { table in
      table.on(.background) { _, _ in
        await withTaskCancellationHandler {
          await forever.wait()
        } onCancel: {
          cancelled.open()
        }
      }
    }
    let next = NeedyModule("Next") { table in table.on(.background) { _, _ in told.open() } }
    let mediator = try Mediator(schemes: ["estate"], modules: [next, stuck], clock: clock)
    async let delivery = mediator.deliver(.background, limit: .seconds(5))
    await clock.waitForSleeper()
    clock.advance(by: .seconds(5))
    await told.wait()
    await cancelled.wait()
    let report = await delivery
    #expect(report.entries.map(\.module) == ["Stuck", "Next"])
    #expect(
      report.failures.map { "\($0.failure.map { "\($0)" } ?? "")" } == [
        "Module Stuck did not finish within 5.0 seconds; do less work in its listener, or raise the limit."
      ])
    forever.open()
  }

  @Test("Events are delivered one at a time in order, and an event from a listener at once")
  func orderOfEvents() async throws {
    let journal = Journal()
    let begun = Gate()
    let gate = Gate()
    let module = NeedyModule("M") { table in
      table.on(.launch) { _, context in
        begun.open()
        await gate.wait()
        await context.mediator.deliver(.foreground)
        journal.note("launched")
      }
      table.on(.foreground) { _, _ in journal.note("foreground") }
      table.on(.logout) { _, _ in journal.note("logout") }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    async let launch = mediator.deliver(.launch)
    await begun.wait()
    async let logout = mediator.deliver(.logout)
    gate.open()
    _ = await (launch, logout)
    #expect(journal.lines == ["foreground", "launched", "logout"])
  }

  @Test("A report contains the place of each listener")
  func places() async throws {
    let module = NeedyModule("M") { $0.on(.launch, file: "M.swift", line: 4) { _, _ in } }
    let report = try await Mediator(schemes: ["estate"], modules: [module]).deliver(.launch)
    #expect(report.entries.map { "\($0.place)" } == ["A listener for launch in module M (M.swift:4)"])
  }

  @Test("All listeners run even if the caller is cancelled")
  func cancelledCaller() async throws {
    let journal = Journal()
    let begun = Gate()
    let gate = Gate()
    let modules = ["One", "Two", "Three"].map { name in
      NeedyModule(name) { table in
        table.on(.background) { _, _ in
          if name == "Three" {
            begun.open()
            await gate.wait()
          }
          journal.note("\(name) \(Task.isCancelled)")
        }
      }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: modules)
    for limit in [nil, Duration.seconds(60)] {
      let delivery = Task { await mediator.deliver(.background, limit: limit) }
      await begun.wait()
      delivery.cancel()
      gate.open()
      #expect(await delivery.value.failures.isEmpty)
    }
    #expect(
      journal.lines == ["Three false", "Two false", "One false", "Three false", "Two false", "One false"])
  }
}
