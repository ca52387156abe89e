import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import APIManagers

@Suite("LoadOrder", .timeLimit(.minutes(5))) @MainActor struct LoadOrderTests {
  /// How a load ends.
  enum End: Sendable {
    case success
    case failure
  }

  /// Loads in the order in which they end, by their numbers, and whose outcomes are kept.
  struct Row: Sendable {
    let ends: [(load: Int, end: End)]
    let response: Int?
    let error: Int?

    init(_ ends: [(load: Int, end: End)], response: Int?, error: Int?) {
      (self.ends, self.response, self.error) = (ends, response, error)
    }
  }

  nonisolated static let rows = [
    Row([(1, .success), (2, .success)], response: 2, error: nil),
    Row([(2, .success), (1, .success)], response: 2, error: nil),
    Row([(3, .success), (1, .success), (2, .success)], response: 3, error: nil),
    Row([(2, .success), (1, .failure)], response: 2, error: nil),
    Row([(1, .success), (2, .failure)], response: 1, error: 2),
    Row([(2, .failure), (1, .success)], response: 1, error: 2),
    Row([(2, .failure), (1, .failure)], response: nil, error: 2),
    Row([(3, .failure), (2, .success), (1, .success)], response: 2, error: 3),
  ]

  @Test("The outcome of the load that began last is kept, in whichever order they end", arguments: rows)
  func order(_ row: Row) async throws {
    let gate = Gate()
    let failing = WaitableValue<Set<RequestID>>([])
    let dispatcher = ScriptedDispatcher { [gate] request, _ throws(NetworkError) in
      try await gate.pass(request)
      guard !failing.value.contains(request.id) else { throw NetworkError(.transport, "\(request.id)") }
      return Response(status: .ok)
    }
    let listener = Listener()
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: dispatcher))
    manager.delegate = listener
    let requests = try (0..<row.ends.count).map { _ in try #require(manager.load(Search()).request) }
    try await gate.waitForHeld(requests.count)
    for (count, (load, end)) in row.ends.enumerated() {
      let request = requests[load - 1]
      if case .failure = end { failing.update { _ = $0.insert(request) } }
      gate.open(request)
      try await listener.wait(for: count + 1)
    }
    #expect(manager.lastResponse?.request == row.response.map { requests[$0 - 1] })
    #expect(manager.state.value?.request == row.response.map { requests[$0 - 1] })
    #expect(manager.lastError?.request == row.error.map { requests[$0 - 1] })
    #expect(listener.deliveries.map(\.request) == row.ends.map { requests[$0.load - 1] })
  }

  @Test("After clear, the response of a request in flight is kept again")
  func cleared() {
    var order = LoadOrder()
    let (first, second) = (order.begin(), order.begin())
    #expect(order.end(second, isSuccess: true) == (true, true))
    order.clear()
    #expect(order.end(first, isSuccess: true) == (true, true))
  }
}
