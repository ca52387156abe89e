import MediationFixtures
import SwitchyardTesting
import Synchronization
import Testing

@testable import Mediation

@Suite(.timeLimit(.minutes(5))) struct DetourFlightsTests {
  @Test("F16: concurrent calls that need the same detour share it")
  func singleFlight() async throws {
    let journal = Journal()
    let answered = Gate()
    let logins = Atomic(0)
    let mediator = try RouteGuardTests.mediator(journal, guards: [RouteGuardTests.gate]) { _ in
      logins.add(1, ordering: .relaxed)
      await answered.wait()
      return true
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 1...5 { group.addTask { try await mediator.open("estate://home/\(id)") } }
      try await waitUntil("five calls wait for one detour") { mediator.detours.counts == (5, 1) }
      #expect(!journal.lines.contains { $0.hasPrefix("house") })
      answered.open()
      try await group.waitForAll()
    }
    #expect(logins.load(ordering: .relaxed) == 1)
    #expect(Set(journal.lines.filter { $0.hasPrefix("house") }) == Set((1...5).map { "house \($0)" }))
    #expect(mediator.detours.counts == (0, 0))
    // A later call starts another detour.
    try await mediator.open("estate://home/6")
    #expect(logins.load(ordering: .relaxed) == 2)
  }

  @Test("A cancelled waiter does not affect the others")
  func cancelledWaiter() async throws {
    let journal = Journal()
    let answered = Gate()
    let mediator = try RouteGuardTests.mediator(journal, guards: [RouteGuardTests.gate]) { _ in
      await answered.wait()
      return !Task.isCancelled
    }
    // The cancelled waiter is the one that started the detour.
    let first = Task {
      await errorName { () throws(RouteError) in try await mediator.open("estate://home/1") }
    }
    try await waitUntil("one call waits for a detour") { mediator.detours.counts == (1, 1) }
    let second = Task {
      await errorName { () throws(RouteError) in try await mediator.open("estate://home/2") }
    }
    try await waitUntil("two calls wait for one detour") { mediator.detours.counts == (2, 1) }
    first.cancel()
    #expect(await first.value == "cancelled")
    #expect(mediator.detours.counts == (1, 1))
    answered.open()
    #expect(await second.value == nil)
    #expect(journal.lines.contains("house 2") && !journal.lines.contains("house 1"))
  }

  @Test("The detour is cancelled when the last waiter has left")
  func abandonedDetour() async throws {
    let begun = Gate()
    let cancelled = Gate()
    let mediator = try RouteGuardTests.mediator(Journal(), guards: [RouteGuardTests.gate]) { _ in
      begun.open()
      await withTaskCancellationHandler {
        await cancelled.wait()
      } onCancel: {
        cancelled.open()
      }
      return false
    }
    let only = Task {
      await errorName { () throws(RouteError) in try await mediator.open("estate://home/1") }
    }
    await begun.wait()
    only.cancel()
    #expect(await only.value == "cancelled")
    await cancelled.wait()
    #expect(mediator.detours.counts == (0, 0))
  }

  @Test("A caller that is cancelled before it joins leaves no state behind")
  func cancelledBeforeJoining() async throws {
    let flights = DetourFlights()
    let started = Gate()
    let task = Task {
      await started.wait()
      return await errorName { () throws(RouteError) in
        _ = try await flights.join(RouteIdentity(unrouted: "estate://login"), at: "estate://login") {
          Task.isCancelled ? .failure(.cancelled) : .success(true)
        }
      }
    }
    task.cancel()
    started.open()
    #expect(await task.value == "cancelled")
    #expect(flights.counts == (0, 0))
  }

  @Test("F16: whichever waiters are cancelled, the others continue", arguments: 0..<10)
  func manyWaiters(_ seed: Int) async throws {
    let journal = Journal()
    let answered = Gate()
    let mediator = try RouteGuardTests.mediator(journal, guards: [RouteGuardTests.gate]) { _ in
      await answered.wait()
      return !Task.isCancelled
    }
    var random = SeededRandom(seed: UInt64(seed))
    let calls = (0..<40).map { id in
      (
        isCancelled: id > 0 && random.below(2) == 0,
        task: Task {
          await errorName { () throws(RouteError) in try await mediator.open("estate://home/\(id)") }
        }
      )
    }
    let staying = calls.count { !$0.isCancelled }
    let early = random.below(30)
    // The first waiter stays, so that the detour is not abandoned; the others leave before all have joined.
    try await waitUntil("a later call waits for the detour") { mediator.detours.counts.waiters > early }
    for call in calls where call.isCancelled { call.task.cancel() }
    try await waitUntil("the calls that stay wait for one detour") { mediator.detours.counts == (staying, 1) }
    answered.open()
    for (id, call) in calls.enumerated() {
      #expect(await call.task.value == (call.isCancelled ? "cancelled" : nil))
      #expect(journal.lines.contains("house \(id)") != call.isCancelled)
    }
    #expect(mediator.detours.counts == (0, 0))
  }

  @Test("Tasks that outlive their detours do not cause a loop error")
  func outlivingTasks() async throws {
    let outcomes = Journal()
    let count = Atomic(0)
    let mediator = try RouteGuardTests.mediator(Journal(), guards: [RouteGuardTests.gate]) { context in
      let number = count.add(1, ordering: .relaxed).newValue
      let mediator = context.mediator
      // Each task starts inside the previous detour and continues after it has ended.
      if number < 12 {
        Task {
          try await waitUntil("no call waits for a detour") { mediator.detours.counts == (0, 0) }
          let name = await errorName { () throws(RouteError) in
            try await mediator.open("estate://home/\(number)")
          }
          outcomes.note(name ?? "opened")
        }
      }
      return true
    }
    try await mediator.open("estate://home/0")
    try await waitUntil("all calls have ended, or one was not opened") {
      outcomes.lines.count == 11 || outcomes.lines.contains { $0 != "opened" }
    }
    #expect(outcomes.lines == Array(repeating: "opened", count: 11))
  }

  /// Two detours, each of which needs the other once both have started.
  private final class Pair: Sendable {
    let flights = DetourFlights()
    let arrivals = Mutex(0)
    let bothOpen = Gate()

    func join(_ url: String, then other: String) async -> String? {
      do throws(RouteError) {
        _ = try await flights.join(RouteIdentity(unrouted: url), at: url) { await self.inner(other) }
        return nil
      } catch {
        return error.caseName
      }
    }

    private func inner(_ url: String) async -> Result<Bool, RouteError> {
      let count = arrivals.withLock { count in
        count += 1
        return count
      }
      if count == 2 { bothOpen.open() }
      await bothOpen.wait()
      do throws(RouteError) {
        return .success(
          try await flights.join(RouteIdentity(unrouted: url), at: url) { .success(true) })
      } catch {
        return .failure(error)
      }
    }
  }

  @Test("Two detours that need each other end in a loop error")
  func mutualDetours() async throws {
    let pair = Pair()
    async let first = pair.join("a", then: "b")
    async let second = pair.join("b", then: "a")
    #expect(await [first, second] == ["redirectLoop", "redirectLoop"])
    #expect(pair.flights.counts == (0, 0))
  }
}
