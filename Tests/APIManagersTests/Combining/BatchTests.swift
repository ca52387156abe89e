import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct BatchTests {
  /// The loads of a batch that a test finishes one by one.
  struct Loads: Sendable {
    struct State: Sendable {
      var started: [Int] = []
      var finished: [Int: Result<Int, PageFailure>] = [:]
      var cancelled: Set<Int> = []
      var running = 0
      var maximumRunning = 0
    }

    let state = WaitableValue(State())

    @Sendable func load(_ number: Int) async throws -> Int {
      state.update { state in
        state.started.append(number)
        state.running += 1
        state.maximumRunning = max(state.maximumRunning, state.running)
      }
      defer { state.update { $0.running -= 1 } }
      do {
        let result = try await state.wait { $0.finished[number] != nil }.finished[number]
        return try result?.get() ?? 0
      } catch let error as CancellationError {
        state.update { _ = $0.cancelled.insert(number) }
        throw error
      }
    }

    func finish(_ number: Int, _ result: Result<Int, PageFailure>) {
      state.update { $0.finished[number] = result }
    }
  }

  @Test("A20: A batch returns all values, ends at the first failure, or collects the result of each load")
  func row() async throws {
    let loads = Loads()
    for number in 0..<4 { loads.finish(number, .success(number * 10)) }
    #expect(try await Batch(over: 0..<4, load: loads.load).values() == [0, 10, 20, 30])

    let failing = Loads()
    let failed = Task { try await Batch(over: 0..<4, load: failing.load).values() }
    try await failing.state.wait { $0.started.count == 4 }
    failing.finish(2, .failure(PageFailure(number: 2)))
    do {
      _ = try await failed.value
      Issue.record("The failure should be thrown.")
    } catch let error as BatchError {
      #expect(error.index == 2)
      #expect(error.underlying as? PageFailure == PageFailure(number: 2))
      #expect("\(error)" == "Load 2 of the batch failed: PageFailure")
    }
    #expect(failing.state.value.cancelled == [0, 1, 3])
    #expect(failing.state.value.running == 0)

    let collecting = Loads()
    for number in [3, 1] { collecting.finish(number, .success(number)) }
    for number in [0, 2] { collecting.finish(number, .failure(PageFailure(number: number))) }
    let results = await Batch(over: 0..<4, load: collecting.load).results()
    #expect(results.map { try? $0.get() } == [nil, 1, nil, 3])
    #expect(results.map(\.failure) == [PageFailure(number: 0), nil, PageFailure(number: 2), nil])
  }

  @Test("At most the given number of loads is in progress, and results keep the order of the loads")
  func width() async throws {
    let loads = Loads()
    let task = Task { try await Batch(over: 0..<10, width: 3, load: loads.load).values() }
    for step in 0..<10 {
      let state = try await loads.state.wait { $0.started.count == min(10, 3 + step) }
      // The one that started last ends first.
      let latest = try #require(state.started.last { state.finished[$0] == nil })
      loads.finish(latest, .success(latest + 100))
      try await loads.state.wait { $0.running < state.running || $0.started.count > state.started.count }
    }
    #expect(try await task.value == Array(100..<110))
    #expect(loads.state.value.maximumRunning == 3)
  }

  @Test("After a failure no further load starts")
  func noFurther() async throws {
    let loads = Loads()
    loads.finish(0, .failure(PageFailure()))
    await #expect(throws: BatchError.self) {
      try await Batch(over: 0..<100, width: 1, load: loads.load).values()
    }
    #expect(loads.state.value.started == [0])
  }

  @Test("Cancelling the caller's task cancels the loads in progress, and the others don't start")
  func cancellation() async throws {
    let loads = Loads()
    let values = Task { try await Batch(over: 0..<9, width: 2, load: loads.load).values() }
    try await loads.state.wait { $0.started.count == 2 }
    values.cancel()
    do {
      _ = try await values.value
      Issue.record("The cancellation should be thrown.")
    } catch {
      #expect((error as? BatchError)?.underlying is CancellationError)
    }
    #expect(loads.state.value.started.count == 2 && loads.state.value.running == 0)

    let collecting = Loads()
    let results = Task { await Batch(over: 0..<9, width: 2, load: collecting.load).results() }
    try await collecting.state.wait { $0.started.count == 2 }
    results.cancel()
    let ends = await results.value
    #expect(ends.count == 9)
    #expect(
      ends.allSatisfy { if case .failure(let error) = $0 { error is CancellationError } else { false } })
    #expect(collecting.state.value.started.count == 2 && collecting.state.value.running == 0)
  }

  @Test("A batch without loads returns nothing, and a width below 1 is raised to 1")
  func bounds() async throws {
    #expect(try await Batch(over: [Int]()) { $0 }.values().isEmpty)
    #expect(await Batch(over: [Int]()) { $0 }.results().isEmpty)
    #expect(try await Batch(over: [1, 2], width: 0) { $0 }.values() == [1, 2])
  }

  @Test("Managers load as a batch, and each response or error is that of its manager")
  @MainActor func managers() async throws {
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.head.path?.contains("houses") == true else {
        throw NetworkError(.offline, "There is no network.")
      }
      return Response(status: .ok)
    }
    let client = APIClient(dispatcher: dispatcher)
    let (houses, condos) = (APIManager(HouseList(), client: client), APIManager(CondoList(), client: client))
    let loads: [@Sendable @MainActor () async throws -> APIResponse] = [
      { try await houses.load(.response, for: Search()) },
      { try await condos.load(.response, for: Search()) },
    ]
    let results = await Batch(over: loads) { load in try await load() }.results()
    #expect(results.map { (try? $0.get())?.api } == [HouseList.identity, nil])
    guard case .failure(let error as APIError) = results[1] else { throw PageFailure() }
    #expect(error.kind == .offline && error.api == CondoList.identity)
  }
}

extension Result where Success == Int, Failure == any Error {
  fileprivate var failure: PageFailure? {
    if case .failure(let error) = self { error as? PageFailure } else { nil }
  }
}
