import Mediation
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct GuardDeadlineTests {
  /// A guard that decides when its gate opens.
  private struct SlowGuard: RouteGuard {
    let id = "slow"
    var deadline: Duration?
    let gate: Gate
    var verdict: GuardVerdict = .proceed

    func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict {
      if target.name == "LoginRoute" { return .proceed }
      await gate.wait()
      return verdict
    }
  }

  private static func mediator(
    _ journal: Journal, _ candidate: any RouteGuard, _ clock: ManualClock,
    login: @escaping @Sendable () async -> Bool = { true }
  ) throws -> Mediator {
    let module = TestModule { table in
      table.action(HouseRoute.self) { route, _ in journal.note("house \(route.id)") }
      table.action(LoginRoute.self) { _, _ in await login() }
    }
    return try Mediator(
      schemes: ["estate"], modules: [module], guards: [candidate], observers: [journal], clock: clock)
  }

  @Test("F16: a guard that exceeds its deadline ends the call with an error that names it")
  func late() async throws {
    let journal = Journal()
    let clock = ManualClock()
    // The gate stays closed: a late guard is not awaited, even if it ignores its cancellation.
    let mediator = try Self.mediator(journal, SlowGuard(deadline: .seconds(2), gate: Gate()), clock)
    let call = Task {
      await #expect(throws: RouteError.self) { try await mediator.open("estate://home/1") }
    }
    try await waitUntil("a task sleeps on the clock") { clock.sleepers == 1 }
    clock.advance(by: .milliseconds(1999))
    #expect(clock.sleepers == 1)
    clock.advance(by: .milliseconds(1))
    let error = await call.value
    #expect(error?.caseName == "overdue slow 2.0 seconds")
    #expect(
      error?.description
        == "Guard \"slow\" did not decide within 2.0 seconds: try again, or raise its deadline.")
    #expect(journal.lines == ["failed HouseRoute overdue slow 2.0 seconds"])
  }

  @Test("A guard that decides in time cancels its deadline")
  func inTime() async throws {
    let journal = Journal()
    let clock = ManualClock()
    let gate = Gate()
    let mediator = try Self.mediator(journal, SlowGuard(deadline: .seconds(2), gate: gate), clock)
    let call = Task { try await mediator.open("estate://home/1") }
    try await waitUntil("a task sleeps on the clock") { clock.sleepers == 1 }
    gate.open()
    try await call.value
    #expect(journal.lines.contains("house 1"))
    try await waitUntil("no task sleeps on the clock") { clock.sleepers == 0 }
  }

  @Test("A verdict after the deadline has no effect")
  func lateVerdict() async throws {
    let journal = Journal()
    let clock = ManualClock()
    let gate = Gate()
    let mediator = try Self.mediator(
      journal, SlowGuard(deadline: .seconds(2), gate: gate, verdict: .redirect("estate://login")), clock)
    let call = Task {
      await errorName { () throws(RouteError) in try await mediator.open("estate://home/1") }
    }
    try await waitUntil("a task sleeps on the clock") { clock.sleepers == 1 }
    clock.advance(by: .seconds(2))
    #expect(await call.value == "overdue slow 2.0 seconds")
    gate.open()
    #expect(!journal.lines.contains { $0.hasPrefix("verdict") || $0.hasPrefix("opened") })
  }

  @Test("Without a deadline the clock is not used")
  func withoutDeadline() async throws {
    let clock = ManualClock()
    let gate = Gate()
    let mediator = try Self.mediator(Journal(), SlowGuard(gate: gate), clock)
    let call = Task { try await mediator.open("estate://home/1") }
    clock.advance(by: .seconds(1_000_000))
    #expect(clock.sleepers == 0)
    gate.open()
    try await call.value
  }

  @Test("A detour does not count towards the deadline")
  func detour() async throws {
    let journal = Journal()
    let clock = ManualClock()
    let gate = Gate()
    let begun = Gate()
    let answered = Gate()
    gate.open()
    let mediator = try Self.mediator(
      journal, SlowGuard(deadline: .seconds(2), gate: gate, verdict: .detour("estate://login")), clock
    ) {
      begun.open()
      await answered.wait()
      return true
    }
    let call = Task { try await mediator.open("estate://home/1") }
    await begun.wait()
    clock.advance(by: .seconds(600))
    answered.open()
    try await call.value
    #expect(journal.lines.contains("house 1"))
  }

  @Test("A cancelled caller does not wait for a guard with a deadline")
  func cancelled() async throws {
    let clock = ManualClock()
    let mediator = try Self.mediator(Journal(), SlowGuard(deadline: .seconds(2), gate: Gate()), clock)
    let call = Task {
      await errorName { () throws(RouteError) in try await mediator.open("estate://home/1") }
    }
    try await waitUntil("a task sleeps on the clock") { clock.sleepers == 1 }
    call.cancel()
    #expect(await call.value == "cancelled")
    try await waitUntil("no task sleeps on the clock") { clock.sleepers == 0 }
  }

  @Test("A guard with a deadline that throws refuses the call")
  func throwing() async throws {
    struct Broken: Error {}
    struct BrokenGuard: RouteGuard {
      let id = "broken"
      var deadline: Duration? { .seconds(1) }
      func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict {
        throw Broken()
      }
    }
    let mediator = try Self.mediator(Journal(), BrokenGuard(), ManualClock())
    #expect(
      await errorName { () throws(RouteError) in try await mediator.open("estate://home/1") } == "failed")
  }
}
