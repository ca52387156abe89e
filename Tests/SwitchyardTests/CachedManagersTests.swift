import Switchyard
import SwitchyardTesting
import Testing

@Suite("Managers over a cache", .timeLimit(.minutes(5)))
@MainActor struct CachedManagersTests {
  private struct Prices: API {
    static let endpoint = Endpoint<NoParams>(
      Service("estate", at: ServiceAddress(authority: "estate.example")), "prices", path: "/prices",
      cacheRule: .timed())

    func validate(_ answer: RawAnswer) throws(AnswerFault) {
      guard answer.text != "maintenance" else {
        throw .invalid("The service is under maintenance; try again later.")
      }
    }
  }

  private func host(over dispatcher: ScriptedDispatcher) throws -> HostApp {
    HostApp(dispatcher: try Pipeline(over: dispatcher) { CachingInterceptor() })
  }

  @Test("A6: An answer that the API's validator rejects is a failure, and is not stored")
  func refusedAnswer() async throws {
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: .ok, bytes: Array((number == 1 ? "maintenance" : "ready").utf8))
    }
    let manager = APIManager(Prices(), in: try host(over: dispatcher))
    let failure = await #expect(throws: APIFailure.self) { try await manager.response() }
    #expect(failure?.kind == .invalidAnswer)
    #expect(try await manager.response().text == "ready")
    let third = try await manager.response()
    #expect(third.text == "ready" && third.isFromCache)
    #expect(dispatcher.requests.count == 2)
  }
}
