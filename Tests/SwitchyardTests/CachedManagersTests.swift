import Switchyard
import SwitchyardTesting
import Testing

@Suite("Managers over a cache", .timeLimit(.minutes(5)))
@MainActor struct CachedManagersTests {
  private struct Prices: API {
    static let endpoint = Endpoint<NoParams>(
      Service("estate", at: ServiceAddress(authority: "estate.example")), "prices", path: "/prices",
      cacheRule: .timed())

    func validate(_ response: APIResponse) throws(ResponseError) {
      guard response.text != "maintenance" else {
        throw .invalid("The service is under maintenance; try again later.")
      }
    }
  }

  private func client(over dispatcher: ScriptedDispatcher) throws -> APIClient {
    APIClient(dispatcher: try Pipeline(over: dispatcher) { CachingInterceptor() })
  }

  @Test("A6: A response that the API's validator rejects is a failure, and is not stored")
  func rejectedResponse() async throws {
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: .ok, bytes: Array((number == 1 ? "maintenance" : "ready").utf8))
    }
    let manager = APIManager(Prices(), client: try client(over: dispatcher))
    let failure = await #expect(throws: APIError.self) { try await manager.response() }
    #expect(failure?.kind == .invalidResponse)
    #expect(try await manager.response().text == "ready")
    let third = try await manager.response()
    #expect(third.text == "ready" && third.isFromCache)
    #expect(dispatcher.requests.count == 2)
  }
}
