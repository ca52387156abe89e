import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct AsyncFormTests {
  /// A way in which a load can end.
  struct Ending: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var params = Search()
    var response: Result<Response, NetworkError> = .success(Response(status: .ok, bytes: Array("[]".utf8)))
    var network = NetworkStatus.unknown
    var isDowngraded = false
    var vetoes: Set<String> = []
    var kind: APIError.Kind?
  }

  nonisolated static let endings: [Ending] = [
    Ending(testDescription: "success"),
    Ending(testDescription: "invalid params", params: Search(city: ""), kind: .invalidParams(field: "city")),
    Ending(testDescription: "veto", vetoes: ["shouldLoad"], kind: .vetoed(by: "Gate")),
    Ending(testDescription: "downgrade", isDowngraded: true, kind: .downgraded),
    answered("refused response", .ok, "refuse", .invalidResponse),
    answered("no content", .ok, "empty", .noContent),
    answered("token", .ok, "token", .needsToken),
    answered("login", .ok, "login", .needsLogin),
    answered("login declined", .ok, "declined", .loginCancelled),
    answered("redirect", .found, "", .status(302)),
    answered("status 404", .notFound, "no house", .status(404)),
    answered("status 503", .serviceUnavailable, "{}", .status(503)),
    failed(.offline, .offline), failed(.resolve, .dns), failed(.connect, .network(.connect)),
    failed(.tls(.expired), .tls(.expired)), failed(.tls(.pinMismatch), .tls(.pinMismatch)),
    failed(.timeout(.whole), .timeout(.whole)), failed(.timeout(.connect), .timeout(.connect)),
    failed(.transport, .network(.transport)), failed(.rejected, .network(.rejected)),
    failed(.bodyTooLarge(limit: 9), .network(.bodyTooLarge(limit: 9))),
    failed(.cancelled(.shutdown), .cancelled), failed(.notStored, .network(.notStored)),
    failed(.needsLogin, .needsLogin),
    Ending(
      testDescription: "offline, not stored",
      response: .failure(NetworkError(.notStored, "Nothing is stored.")),
      network: .offline, kind: .offline),
  ]

  nonisolated static func answered(
    _ name: String, _ status: HTTPResponse.Status, _ text: String, _ kind: APIError.Kind
  ) -> Ending {
    Ending(
      testDescription: name, response: .success(Response(status: status, bytes: Array(text.utf8))), kind: kind
    )
  }

  nonisolated static func failed(_ error: NetworkError.Kind, _ kind: APIError.Kind) -> Ending {
    Ending(testDescription: "\(error)", response: .failure(NetworkError(error, "It failed.")), kind: kind)
  }

  func manager(_ ending: Ending) -> APIManager<HouseList> {
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in try ending.response.get() }
    let downgrades = DowngradeList()
    if ending.isDowngraded { downgrades.switchOff(HouseList.identity, because: "Later.") }
    let manager = APIManager(
      HouseList(),
      client: APIClient(
        dispatcher: dispatcher, reachability: ReachabilityState(ending.network), downgrades: downgrades))
    manager.hooks = [RecordingHooks("Gate", refusing: ending.vetoes)]
    return manager
  }

  @Test("A8: The async form returns what the delegate receives", arguments: endings)
  func same(ending: Ending) async throws {
    let delegated = manager(ending)
    let listener = Listener()
    delegated.delegate = listener
    delegated.load(ending.params)
    try await listener.wait(for: 1)
    let told = try #require(listener.deliveries.first).result

    let awaited = manager(ending)
    let silent = Listener()
    awaited.delegate = silent
    let returned: Result<APIResponse, APIError>
    do throws(APIError) {
      returned = .success(try await awaited.load(.response, for: ending.params))
    } catch {
      returned = .failure(error)
    }

    switch (told, returned) {
    case (.success(let one), .success(let other)):
      #expect(ending.kind == nil)
      #expect(one.status == other.status)
      #expect(one.bytes == other.bytes)
      #expect(one.text == "[]")
    case (.failure(let one), .failure(let other)):
      #expect(one.kind == ending.kind)
      #expect(other.kind == ending.kind)
      #expect(one.description == other.description)
      #expect(one.response?.bytes == other.response?.bytes)
      #expect((one.request == nil) == (other.request == nil))
    default: Issue.record("The delegate received \(told), and the caller \(returned).")
    }
    #expect(delegated.lastResponse?.bytes == awaited.lastResponse?.bytes)
    #expect(delegated.lastError?.kind == awaited.lastError?.kind)
    await letOthersRun()
    #expect(silent.deliveries.isEmpty, "An async caller's result must not be delivered to the delegate.")
  }

  @Test("A8: An async caller and a delegate that joined its request receive the same response, each once")
  func joined() async throws {
    let gate = Gate()
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      try await gate.pass(request)
      return Response(status: .ok)
    }
    let manager = APIManager(Refresh(), client: APIClient(dispatcher: dispatcher))
    let (listener, hooks) = (Listener(), RecordingHooks())
    manager.delegate = listener
    manager.hooks = [hooks]
    async let first = manager.load(.response, for: Search())
    async let second = manager.load(.response, for: Search())
    try await hooks.wait(for: "shouldLoad", count: 2)
    try await gate.waitForHeld(1)
    let request = try #require(manager.load(Search()).request)
    gate.openAll()
    let responses = try await [first, second]
    try await listener.wait(for: 1)
    #expect(responses.map(\.request) == [request, request])
    #expect(listener.deliveries.map(\.request) == [request])
    #expect(dispatcher.requests.count == 1)
  }

  @Test("A14: Cancelling the caller's task cancels its request")
  func cancelledTask() async throws {
    let gate = Gate()
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      try await gate.pass(request)
      return Response(status: .ok)
    }
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: dispatcher))
    let caller = Task {
      await failure { () async throws(APIError) in try await manager.load(.response, for: Search()) }
    }
    try await gate.waitForHeld(1)
    caller.cancel()
    try await gate.waitForCancellations(1)
    #expect(await caller.value?.kind == .cancelled)
    #expect(!manager.isLoading)
  }

  @Test("Cancelling one caller's task leaves the request to the other callers")
  func oneOfTwoCallers() async throws {
    let gate = Gate()
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      try await gate.pass(request)
      return Response(status: .ok)
    }
    let manager = APIManager(Refresh(), client: APIClient(dispatcher: dispatcher))
    let hooks = RecordingHooks()
    manager.hooks = [hooks]
    let leaving = Task {
      await failure { () async throws(APIError) in try await manager.load(.response, for: Search()) }
    }
    let staying = Task {
      await failure { () async throws(APIError) in try await manager.load(.response, for: Search()) }
    }
    try await hooks.wait(for: "shouldLoad", count: 2)
    try await gate.waitForHeld(1)
    leaving.cancel()
    #expect(await leaving.value?.kind == .cancelled)
    #expect(manager.isLoading)
    gate.openAll()
    #expect(await staying.value == nil)
    #expect(dispatcher.requests.count == 1)
  }

  @Test("A request that its sender has left ends its other callers at once when it is cancelled")
  func leftBySender() async throws {
    let gate = WaitableValue(false)
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
      // Ignores the cancellation of the request.
      _ = await Task { try? await gate.wait { $0 } }.value
      return Response(status: .ok)
    }
    let manager = APIManager(Refresh(), client: APIClient(dispatcher: dispatcher))
    let hooks = RecordingHooks()
    manager.hooks = [hooks]
    let callers = (1...2).map { _ in
      Task { await failure { () async throws(APIError) in try await manager.load(.response, for: Search()) } }
    }
    try await hooks.wait(for: "shouldLoad", count: 2)
    callers[0].cancel()
    #expect(await callers[0].value?.kind == .cancelled)
    #expect(manager.isLoading)
    manager.cancelAll()
    #expect(await callers[1].value?.kind == .cancelled)
    #expect(!manager.isLoading)
    gate.update { $0 = true }
    await letOthersRun()
    #expect(hooks.diary.lines.filter { $0.hasSuffix("didReceive") }.count == 1)
    #expect(manager.lastResponse == nil)
  }

  @Test("A task that is already cancelled sends nothing")
  func cancelledBefore() async {
    let dispatcher = ScriptedDispatcher()
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: dispatcher))
    let caller = Task {
      await failure { () async throws(APIError) in try await manager.load(.response, for: Search()) }
    }
    caller.cancel()
    #expect(await caller.value?.kind == .cancelled)
    #expect(dispatcher.requests.isEmpty)
  }
}
