import Faults
import FaultsRoutes
import Switchyard
import SwitchyardTesting
import Testing

@Suite("The module of faults")
struct FaultsModuleTests {
  @Test("A failure cannot be provoked in an app that does not say that it is a demonstration")
  func refused() async throws {
    let server = ScriptedHouses().dispatcher()
    let mediator = try Mediator(
      schemes: ["estate"],
      modules: [FaultsModule(client: APIClient(dispatcher: server), stranger: server, port: 1)])
    let error = await #expect(throws: RouteError.self) { try await mediator.call(FaultRoute(kind: .refused)) }
    #expect(error.map { "\($0)" }?.contains("this app does not let its user provoke failures") == true)
  }
}
