import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OccupancyTests {
  @Test("Waiting and running requests and open connections are counted", arguments: [1, 2])
  func counts(_ loops: Int) async throws {
    let dispatcher = CurlDispatcher(configuration: .init(limits: .init(perOrigin: 2), loops: loops))
    #expect(await dispatcher.occupancy() == CurlDispatcher.Occupancy())
    let gate = Gate()
    let server = try ScriptedServer { _ in
      gate.wait()
      return .text("ok")
    }
    try await withThrowingTaskGroup { group in
      for _ in 0..<5 { group.addTask { try await dispatcher.dispatch(.get(server)) } }
      try await server.wait { $0.requests == 2 }
      var occupancy = CurlDispatcher.Occupancy()
      // The tasks hand their requests over in their own time.
      try await waitUntil("three requests wait") {
        occupancy = await dispatcher.occupancy()
        return occupancy.waitingRequests == 3
      }
      #expect(
        occupancy
          == CurlDispatcher.Occupancy(waitingRequests: 3, runningRequests: 2, openConnections: 2))
      gate.open()
      for try await response in group { #expect(response.status == .ok) }
    }
    let idle = await dispatcher.occupancy()
    #expect(idle == CurlDispatcher.Occupancy(openConnections: 2))
    await dispatcher.shutdown()
    #expect(await dispatcher.occupancy() == CurlDispatcher.Occupancy())
  }

  @Test("A connection that was never made is not counted")
  func unconnected() async throws {
    let hole = try BlackHole()
    let dispatcher = CurlDispatcher()
    var request = Request(scheme: "http", authority: "127.0.0.1:\(hole.port)", path: "/")
    request.options.timeouts.connect = .milliseconds(50)
    for _ in 0..<3 {
      let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
      #expect(error?.kind == .timeout(.connect))
    }
    #expect(await dispatcher.occupancy() == CurlDispatcher.Occupancy())
    await dispatcher.shutdown()
  }
}
