import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct ManagerOutputTests {
  func manager(_ text: String) -> APIManager<Homes> {
    APIManager(
      Homes(),
      client: APIClient(
        dispatcher: ScriptedDispatcher(answering: Response(status: .ok, bytes: Array(text.utf8)))))
  }

  @Test("A manager's async form returns the API's output, and keeps it beside the raw data")
  func output() async throws {
    let manager = manager(Homes.oneHome)
    manager.paramSource = ParamSource(Search())
    let expected = Homes.Output(homes: [Home(id: 42, askingPrice: 250_000)])
    #expect(try await manager.load(.output, for: Search()) == expected)
    #expect(manager.state.value == expected)
    #expect(manager.lastResponse?.text == Homes.oneHome)
    manager.clear()
    #expect(manager.state.value == nil)
    #expect(try await manager.load(.output) == expected)
  }

  @Test("A8: Content that is not of the API's type is the same failure for delegate and async caller")
  func malformed() async throws {
    let manager = manager(#"{"homes": [{"id": 42}], "code": 3, "message": "Broken."}"#)
    let listener = Listener()
    manager.delegate = listener
    manager.load(Search())
    try await listener.wait(for: 1)
    let delivered = try #require(listener.deliveries.first?.failure)
    let awaited = try #require(
      await failure { () async throws(APIError) in try await manager.load(.output, for: Search()) })
    for error in [delivered, awaited] {
      #expect(error.kind == .malformed(field: "homes[0].askingPrice"))
      #expect(error.failureBody(of: Homes.self) == Homes.Failure(code: 3, message: "Broken."))
    }
    #expect(manager.state.value == nil)
    #expect(manager.lastResponse == nil)
  }

  @Test("An API reads the failure of each status in its own way")
  func failureByStatus() async throws {
    struct Order: API {
      enum Failure: Sendable, Equatable {
        case soldOut(Int)
        case other(String)
      }
      static let endpoint = Endpoint<NoParams>(.estate, "order", path: "/order")

      func failure(from response: APIResponse) throws -> Failure {
        switch response.status.code {
        case 409: .soldOut(try response.json())
        case 422: throw DecodingMismatchError("no content")
        default: .other(response.text ?? "")
        }
      }
    }
    func body(_ status: HTTPResponse.Status, _ content: String) async -> Order.Failure? {
      let client = APIClient(
        dispatcher: ScriptedDispatcher(answering: Response(status: status, bytes: Array(content.utf8))))
      let error = await failure { () async throws(APIError) in _ = try await client.load(Order()) }
      #expect(error?.kind == .status(status.code))
      return error?.failureBody(of: Order.self)
    }
    #expect(await body(.conflict, "3") == .soldOut(3))
    #expect(await body(.badRequest, "no") == .other("no"))
    #expect(await body(.unprocessableContent, "no") == nil)
    #expect(await body(.badRequest, "") == nil)
  }

  @Test("The output is kept when a later load fails, like the raw data")
  func keptOutput() async throws {
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: number == 1 ? .ok : .badGateway, bytes: Array(Homes.oneHome.utf8))
    }
    let manager = APIManager(Homes(), client: APIClient(dispatcher: dispatcher))
    _ = try await manager.load(.output, for: Search())
    _ = try? await manager.load(.output, for: Search())
    #expect(manager.lastError?.kind == .status(502))
    #expect(manager.state.value?.homes.count == 1)
  }

  @Test("An API without a type of its own has the raw data as its output")
  func rawOutput() async throws {
    let client = APIClient(dispatcher: ScriptedDispatcher())
    let manager = APIManager(Forecast(), client: client)
    let output = try await manager.load(.output)
    #expect(output == manager.lastResponse)
  }
}
