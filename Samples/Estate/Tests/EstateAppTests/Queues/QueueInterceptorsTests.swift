import Switchyard
import SwitchyardTesting
import Testing

@testable import EstateNetwork

@Suite("The interceptors of queues", .timeLimit(.minutes(5)))
struct QueueInterceptorsTests {
  @Test("Nothing is uploaded while there is no network")
  func network() async throws {
    let network = ReachabilityState()
    let server = ScriptedDispatcher { _, _ in Response(status: .created) }
    let pipeline = try Pipeline(over: server) { NetworkCheckInterceptor(network: network) }
    let request = Request(method: .post, authority: "api.example.com", path: "/activity")
    #expect(try await pipeline.dispatch(request).status == .created)
    network.update(.offline)
    let error = await #expect(throws: NetworkError.self) { try await pipeline.dispatch(request) }
    #expect(error?.kind == .offline && error?.requestMayHaveBeenProcessed == false)
    network.update(.online)
    #expect(try await pipeline.dispatch(request).status == .created)
    #expect(server.requests.count == 2)
  }

  @Test("It keeps the laws of interceptors")
  func laws() async throws {
    let network = ReachabilityState()
    #expect(await checkInterceptorLaws(NetworkCheckInterceptor(network: network)).violations.isEmpty)
  }
}
