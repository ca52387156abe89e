import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

/// Loads that need the output of the one before are plain Swift, one after another.
@Suite(.timeLimit(.minutes(5))) struct ChainTests {
  struct Step: API {
    struct Params: Encodable, Sendable { var from: Int }
    static let endpoint = Endpoint<Params>(.estate, "step", path: "/step")

    func output(from response: APIResponse) throws -> Int { try response.json(as: Int.self) }
  }

  /// Loads three times, each time with the output before.
  static func chain(_ client: APIClient) async throws(APIError) -> Int {
    let first = try await client.load(Step(), Step.Params(from: 1))
    let second = try await client.load(Step(), Step.Params(from: first))
    return try await client.load(Step(), Step.Params(from: second))
  }

  /// Responds to each number with its tenfold, after `pass` has returned.
  static func server(
    failingAt failing: String? = nil,
    pass: @escaping @Sendable (Request) async throws(NetworkError) -> Void = { _ in }
  ) -> ScriptedDispatcher {
    ScriptedDispatcher { request, _ throws(NetworkError) in
      try await pass(request)
      let number = request.head.path?.split(separator: "=").last ?? ""
      if number == failing ?? "none" { return Response(status: .gone) }
      return Response(status: .ok, bytes: Array("\(number)0".utf8))
    }
  }

  @Test("A20: Each load of a chain receives what the previous one returned; the first failure ends it")
  func row() async throws {
    let server = Self.server()
    #expect(try await Self.chain(APIClient(dispatcher: server)) == 1_000)
    #expect(server.requests.compactMap(\.head.path) == [1, 10, 100].map { "/v2/step?from=\($0)" })

    let failing = Self.server(failingAt: "10")
    let error = await #expect(throws: APIError.self) {
      try await Self.chain(APIClient(dispatcher: failing))
    }
    #expect(error?.kind == .status(410) && error?.api == Step.identity)
    #expect(failing.requests.count == 2)
  }

  @Test("Cancelling the caller's task cancels the load in progress, and no further one starts")
  func cancellation() async throws {
    let gate = Gate()
    let server = Self.server { request throws(NetworkError) in try await gate.pass(request) }
    let task = Task { try await Self.chain(APIClient(dispatcher: server)) }
    try await gate.waitForHeld(1)
    task.cancel()
    let error = await #expect(throws: APIError.self) { try await task.value }
    #expect(error?.kind == .cancelled)
    #expect(server.requests.count == 1)
  }

  @Test("A load that ignores the cancellation is the last one")
  func stubborn() async throws {
    let gate = Gate()
    let server = Self.server { request throws(NetworkError) in
      // A task of its own isn't cancelled with the load's.
      _ = await Task { try? await gate.pass(request) }.value
    }
    let task = Task { try await Self.chain(APIClient(dispatcher: server)) }
    try await gate.waitForHeld(1)
    task.cancel()
    gate.openAll()
    let error = await #expect(throws: APIError.self) { try await task.value }
    #expect(error?.kind == .cancelled)
    #expect(server.requests.count == 1)
  }
}
