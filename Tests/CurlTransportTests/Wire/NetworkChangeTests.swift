import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetworkChangeTests {
  let dispatcher = CurlDispatcher()

  @Test("After a network change the next request opens a new connection, and the old one is closed")
  func newConnection() async throws {
    let server = try ScriptedServer { .text("\($0.connection)") }
    for _ in 0..<3 { _ = try await dispatcher.dispatch(.get(server)) }
    #expect(server.counts.accepted == 1)
    dispatcher.networkDidChange()
    let response = try await dispatcher.dispatch(.get(server))
    #expect(try await response.body.collect(upTo: 10) == Array("2".utf8))
    #expect(response.exchange.transport?.connectionWasReused == false)
    try await server.wait { $0.closed == 1 }
    #expect(try await dispatcher.dispatch(.get(server)).exchange.transport?.connectionWasReused == true)
    #expect(server.counts.accepted == 2)
  }

  @Test("A running request finishes on the old connection, which is then closed")
  func runningRequest() async throws {
    let gate = Gate()
    let server = try ScriptedServer(raw: { request, wire in
      guard request.target == "/slow" else {
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        return wire.stayOpen()
      }
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
      gate.wait()
      try wire.send("half")
      wire.stayOpen()
      wire.waitForClose()
    })
    let slow = try await dispatcher.dispatch(
      Request.get(server, "/slow").with { $0.options.delivery = .streamed })
    dispatcher.networkDidChange()
    #expect(try await dispatcher.dispatch(.get(server)).exchange.transport?.connectionWasReused == false)
    #expect(server.counts.accepted == 2 && server.counts.closed == 0)
    gate.open()
    #expect(try await slow.body.collect(upTo: 8) == Array("halfhalf".utf8))
    try await server.wait { $0.closed == 1 }
    #expect(try await dispatcher.dispatch(.get(server)).exchange.transport?.connectionWasReused == true)
  }

  @Test(
    "HTTP/2 connections are replaced at each network change",
    .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
  func http2() async throws {
    let server = try await NginxServer()
    let dispatcher = CurlDispatcher(
      configuration: .init(tls: .init(authorityFile: server.certificates.authorityFile)))
    let request = Request(authority: "127.0.0.1:\(server.tlsPort())", path: "/echo")
    for _ in 0..<10 {
      #expect(try await dispatcher.dispatch(request).exchange.transport?.connectionWasReused == false)
      #expect(try await dispatcher.dispatch(request).exchange.transport?.connectionWasReused == true)
      dispatcher.networkDidChange()
    }
  }

  @Test("Requests concurrent with network changes all get responses")
  func race() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<200 {
        group.addTask { [dispatcher] in
          if number.isMultiple(of: 10) { dispatcher.networkDidChange() }
          return try await dispatcher.dispatch(.get(server)).status.code
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 == 200 ? 1 : 0 }
    }
    #expect(count == 200)
    await dispatcher.shutdown()
    try await server.wait { $0.closed == $0.accepted }
  }
}
