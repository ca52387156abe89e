import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct InFlightStrategyTests {
  let listener = Listener()
  let gate = Gate()
  let dispatcher: ScriptedDispatcher

  init() {
    dispatcher = ScriptedDispatcher { [gate] request, _ throws(NetworkError) in
      try await gate.pass(request)
      return Response(status: .ok)
    }
  }

  func manager<A: API>(_ api: A) -> APIManager<A> {
    let manager = APIManager(api, client: APIClient(dispatcher: dispatcher))
    manager.delegate = listener
    return manager
  }

  @Test("A15: ignoreNew joins a load of an equal request, and one delivery serves both")
  func joins() async throws {
    let manager = manager(Refresh())
    let first = try #require(manager.load(Search()).request)
    #expect(manager.load(Search()) == .joined(first))
    try await gate.waitForHeld(1)
    gate.openAll()
    try await listener.wait(for: 1)
    await letOthersRun()
    #expect(listener.deliveries.map(\.request) == [first])
    #expect(dispatcher.requests.count == 1)
    #expect(manager.load(Search()).request != first, "A finished request must not be joined.")
  }

  @Test("A15: ignoreNew never delivers the response of a different request")
  func ignores() async throws {
    let manager = manager(Refresh())
    let first = try #require(manager.load(Search(page: 1)).request)
    #expect(manager.load(Search(page: 2)) == .ignored(inFlight: first))
    let failure = await failure { () async throws(APIError) in
      try await manager.load(.response, for: Search(page: 2))
    }
    #expect(failure?.kind == .ignored(inFlight: first))
    try await gate.waitForHeld(1)
    gate.openAll()
    try await listener.wait(for: 1)
    await letOthersRun()
    #expect(listener.deliveries.count == 1)
    #expect(dispatcher.requests.count == 1)
  }

  @Test("A15: cancelPrevious cancels the earlier requests, and only the last one succeeds")
  func cancelsPrevious() async throws {
    let manager = manager(Filter())
    let requests = try (1...3).map { try #require(manager.load(Search(page: $0)).request) }
    try await gate.waitForCancellations(2)
    try await listener.wait(for: 2)
    #expect(manager.isLoading)
    try await gate.waitForHeld(1)
    gate.open(requests[2])
    try await listener.wait(for: 3)
    #expect(listener.deliveries.compactMap { $0.failure?.kind } == [.cancelled, .cancelled])
    #expect(listener.deliveries.first { $0.failure == nil }?.request == requests[2])
  }

  @Test("A15: parallel sends all requests")
  func parallel() async throws {
    let manager = manager(CondoList())
    for _ in 1...3 { manager.load(Search()) }
    try await gate.waitForHeld(3)
    gate.openAll()
    try await listener.wait(for: 3)
    #expect(listener.deliveries.allSatisfy { $0.failure == nil })
  }

  @Test("A load does not join a transfer of an equal request, whose content it would never receive")
  func joinsNoTransfer() async throws {
    let manager = manager(Refresh())
    let caller = Task {
      await failure { () async throws(APIError) in try await manager.load(.stream, for: Search()) }
    }
    try await gate.waitForHeld(1)
    let transfer = try #require(dispatcher.requests.first?.id)
    #expect(manager.load(Search()) == .ignored(inFlight: transfer))
    let refused = await failure { () async throws(APIError) in
      try await manager.load(.response, for: Search())
    }
    #expect(refused?.kind == .ignored(inFlight: transfer))
    gate.openAll()
    #expect(await caller.value == nil)
    #expect(dispatcher.requests.count == 1)
  }

  @Test("A cancelled request is not joined, even if it has not finished yet")
  func joinsNoCancelled() async throws {
    let manager = manager(Refresh())
    let first = try #require(manager.load(Search()).request)
    manager.cancel(first)
    let second = manager.load(Search())
    #expect(second == .sent(try #require(second.request)))
  }
}
