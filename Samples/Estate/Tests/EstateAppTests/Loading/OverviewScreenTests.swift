import Switchyard
import SwitchyardTesting
import Testing

@testable import Listings

@Suite("The overview", .timeLimit(.minutes(5)))
@MainActor struct OverviewScreenTests {
  @Test("Its three loads give way to those of other screens")
  func priority() async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .notFound))
    let client = APIClient(dispatcher: try Pipeline(over: dispatcher) {})
    try await OverviewScreen(city: "GALT", client: client.atLowPriority).load()
    #expect(dispatcher.requests.map(\.options.priority) == [.low, .low, .low])
    _ = try? await APIManager(HouseListAPI(), client: client).load(.response, for: HomeSearch())
    #expect(dispatcher.requests.last?.options.priority == .normal)
  }
}
