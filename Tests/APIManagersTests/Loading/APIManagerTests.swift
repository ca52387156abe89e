import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import APIManagers

@Suite(.timeLimit(.minutes(5))) @MainActor struct APIManagerTests {
  let listener = Listener()
  let gate = Gate()

  func held(answering bytes: [UInt8] = Array("[]".utf8)) -> ScriptedDispatcher {
    ScriptedDispatcher { [gate] request, _ throws(NetworkError) in
      try await gate.pass(request)
      return Response(status: .ok, bytes: bytes)
    }
  }

  @Test("A2: Params are read from the source at load time, and load(params) needs no source")
  func paramSource() async throws {
    @MainActor final class Screen { var search = Search(city: "Lyon") }
    let screen = Screen()
    let dispatcher = ScriptedDispatcher()
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: dispatcher))
    manager.delegate = listener
    manager.paramSource = ParamSource(screen, \.search)
    screen.search.city = "Nantes"
    manager.load()
    try await listener.wait(for: 1)
    screen.search.city = "Brest"
    manager.load()
    try await listener.wait(for: 2)
    manager.load(Search(city: "Lille"))
    try await listener.wait(for: 3)
    #expect(
      dispatcher.requests.map(\.head.path) == [
        "/v2/condos?city=Nantes&page=1", "/v2/condos?city=Brest&page=1", "/v2/condos?city=Lille&page=1",
      ])
  }

  @Test("A load without a param source, or whose owner was released, is refused with the reason")
  func missingSource() throws {
    final class Screen { let search = Search() }
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: ScriptedDispatcher()))
    guard case .invalid(let missing) = manager.load() else {
      Issue.record("The manager loaded without params.")
      return
    }
    #expect(missing.reason.contains("set paramSource"))
    var screen: Screen? = Screen()
    manager.paramSource = try ParamSource(#require(screen), \.search)
    screen = nil
    guard case .invalid(let gone) = manager.load() else {
      Issue.record("The manager loaded with the params of a released owner.")
      return
    }
    #expect(gone.reason.contains("was released"))
  }

  @Test("A3: reform adds to the params, and its result is validated")
  func reform() async throws {
    struct Paged: API {
      let page: Int
      static let endpoint = CondoList.endpoint
      func reform(_ params: Search) -> Search { Search(city: params.city, page: page) }
      func validate(_ params: Search) throws(ParamsError) {
        guard params.page > 0 else { throw ParamsError(field: "page", "pages start at 1.") }
      }
    }
    let dispatcher = ScriptedDispatcher()
    let third = APIManager(Paged(page: 3), client: APIClient(dispatcher: dispatcher))
    third.delegate = listener
    third.load(Search(city: "Lyon"))
    try await listener.wait(for: 1)
    #expect(dispatcher.requests.map(\.head.path) == ["/v2/condos?city=Lyon&page=3"])

    let none = APIManager(Paged(page: 0), client: APIClient(dispatcher: dispatcher))
    #expect(none.load(Search(city: "Lyon")) == .invalid(ParamsError(field: "page", "pages start at 1.")))
    #expect(dispatcher.requests.count == 1)
  }

  @Test("A4: Params that the validator refuses are not sent, and the failure names the field")
  func paramValidator() async throws {
    let dispatcher = ScriptedDispatcher()
    let manager = APIManager(HouseList(), client: APIClient(dispatcher: dispatcher))
    manager.delegate = listener
    #expect(manager.load(Search(city: "")) == .invalid(ParamsError(field: "city", "choose a city.")))
    #expect(listener.deliveries.isEmpty, "The delegate must not be called within load.")
    try await listener.wait(for: 1)
    #expect(listener.deliveries.first?.failure?.kind == .invalidParams(field: "city"))
    #expect(listener.deliveries.first?.failure?.description == "estate/houses.list: city: choose a city.")
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("A5: Without validators, params and responses are accepted")
  func noValidator() async throws {
    let manager = APIManager(
      CondoList(), client: APIClient(dispatcher: ScriptedDispatcher(answering: Response(status: .noContent))))
    manager.delegate = listener
    manager.load(Search(city: ""))
    try await listener.wait(for: 1)
    #expect(listener.deliveries.first?.failure == nil)
    #expect(manager.lastResponse?.status == .noContent)
  }

  @Test("A response that the validator rejects is a failure, and must not be stored")
  func rejectedResponse() async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .ok, bytes: Array("refuse".utf8)))
    let manager = APIManager(HouseList(), client: APIClient(dispatcher: dispatcher))
    manager.delegate = listener
    manager.load(Search())
    try await listener.wait(for: 1)
    let failure = try #require(listener.deliveries.first?.failure)
    #expect(failure.kind == .invalidResponse)
    #expect(failure.response?.text == "refuse")
    #expect(manager.lastResponse == nil)
    let check = try #require(dispatcher.requests.first?.context.storageCheck)
    #expect(!check.permits(HTTPResponse(status: .ok), bytes: Array("refuse".utf8)))
    #expect(!check.permits(HTTPResponse(status: .badGateway), bytes: Array("[]".utf8)))
    #expect(check.permits(HTTPResponse(status: .ok), bytes: Array("[]".utf8)))
  }

  @Test("A10: isLoading is true until the last of several requests has finished")
  func isLoading() async throws {
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: held()))
    manager.delegate = listener
    #expect(!manager.isLoading)
    let first = try #require(manager.load(Search(page: 1)).request)
    let second = try #require(manager.load(Search(page: 2)).request)
    try await gate.waitForHeld(2)
    gate.open(second)
    try await listener.wait(for: 1)
    #expect(manager.isLoading)
    gate.open(first)
    try await listener.wait(for: 2)
    #expect(!manager.isLoading)
  }

  @Test("A12: cancel(id) cancels exactly that request while several services have requests in flight")
  func cancelOne() async throws {
    let client = APIClient(dispatcher: held())
    let condos = APIManager(CondoList(), client: client)
    let forecast = APIManager(Forecast(), client: client)
    condos.delegate = listener
    forecast.delegate = listener
    let first = try #require(condos.load(Search(page: 1)).request)
    let second = try #require(condos.load(Search(page: 2)).request)
    let third = try #require(forecast.load().request)
    try await gate.waitForHeld(3)
    forecast.cancel(second)  // No effect on another manager's request.
    condos.cancel(second)
    try await gate.waitForCancellations(1)
    try await listener.wait(for: 1)
    #expect(listener.deliveries.map(\.request) == [second])
    #expect(listener.deliveries.first?.failure?.kind == .cancelled)
    gate.openAll()
    try await listener.wait(for: 3)
    #expect(Set(listener.deliveries.filter { $0.failure == nil }.map(\.request)) == [first, third])
  }

  @Test("A13: cancelAll ends every request exactly once, as cancelled")
  func cancelAll() async throws {
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: held()))
    manager.delegate = listener
    let requests = Set((1...3).map { manager.load(Search(page: $0)).request })
    try await gate.waitForHeld(3)
    manager.cancelAll()
    manager.cancelAll()
    try await gate.waitForCancellations(3)
    gate.openAll()
    try await listener.wait(for: 3)
    await letOthersRun()
    #expect(listener.deliveries.count == 3)
    #expect(Set(listener.deliveries.map(\.request)) == requests)
    #expect(listener.deliveries.allSatisfy { $0.failure?.kind == .cancelled })
    #expect(!manager.isLoading)
  }

  @Test("A13: Releasing a manager cancels its requests, and nothing is delivered afterwards")
  func release() async throws {
    var manager: APIManager<CondoList>? = APIManager(CondoList(), client: APIClient(dispatcher: held()))
    manager?.delegate = listener
    manager?.load(Search(page: 1))
    manager?.load(Search(page: 2))
    try await gate.waitForHeld(2)
    weak let weakManager = manager
    manager = nil
    #expect(weakManager == nil)
    try await gate.waitForCancellations(2)
    gate.openAll()
    await letOthersRun()
    #expect(listener.deliveries.isEmpty)
  }

  @Test(
    "A14: A cancelled request ends exactly once as cancelled, even if the dispatcher responds anyway")
  func deafDispatcher() async throws {
    let hold = Gate()
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      // An unstructured task, which the cancellation doesn't reach.
      await Task { try? await hold.pass(request) }.value
      return Response(status: .ok)
    }
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: dispatcher))
    manager.delegate = listener
    let request = try #require(manager.load(Search()).request)
    try await hold.waitForHeld(1)
    manager.cancel(request)
    try await listener.wait(for: 1)
    hold.open(request)
    await letOthersRun()
    #expect(listener.deliveries.map(\.request) == [request])
    #expect(listener.deliveries.first?.failure?.kind == .cancelled)
    #expect(manager.lastResponse == nil)
  }

  @Test("A14: A response on its way to the main actor when its request is cancelled is discarded")
  func lateResponse() async throws {
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: held()))
    manager.delegate = listener
    let request = try #require(manager.load(Search()).request)
    manager.cancel(request)
    // What the request's task does if its response arrives before the cancellation takes effect.
    let response = APIResponse(api: CondoList.identity, request: request, bytes: [])
    manager.finish(request, .success(LoadedResponse(response: response, output: response)))
    await letOthersRun()
    #expect(listener.deliveries.map { $0.failure?.kind } == [.cancelled])
    #expect(manager.lastResponse == nil)
  }

  @Test("A16: A success clears the failure, a failure keeps the raw data, and clear() clears both")
  func reset() async throws {
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: number == 2 ? .ok : .badGateway)
    }
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: dispatcher))
    manager.delegate = listener
    manager.load(Search())
    try await listener.wait(for: 1)
    #expect(manager.lastError?.kind == .status(502))
    manager.load(Search())
    try await listener.wait(for: 2)
    #expect(manager.lastError == nil)
    #expect(manager.lastResponse != nil)
    manager.load(Search())
    try await listener.wait(for: 3)
    #expect(manager.lastError?.kind == .status(502))
    #expect(manager.lastResponse != nil)
    manager.clear()
    #expect(manager.lastError == nil)
    #expect(manager.lastResponse == nil)
  }

  @Test("A18: A downgraded API is refused before anything is sent, until it is switched on again")
  func downgrade() async throws {
    let dispatcher = ScriptedDispatcher()
    let downgrades = DowngradeList()
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: dispatcher, downgrades: downgrades))
    manager.delegate = listener
    downgrades.switchOff(CondoList.identity, because: "Condos are unavailable tonight.")
    #expect(manager.load(Search()) == .downgraded(reason: "Condos are unavailable tonight."))
    try await listener.wait(for: 1)
    #expect(listener.deliveries.first?.failure?.kind == .downgraded)
    #expect(listener.deliveries.first?.failure?.reason == "Condos are unavailable tonight.")
    #expect(dispatcher.requests.isEmpty)
    downgrades.switchOn(CondoList.identity)
    manager.load(Search())
    try await listener.wait(for: 2)
    #expect(dispatcher.requests.count == 1)
  }
}
