import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

/// What the dispatcher does with the entries of a race for a connection.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ConnectRacingTests {
  private func overtaken(_ request: Request) -> Request {
    let race = ConnectRace()
    #expect(race.entry(1).claim())
    var request = request
    request.context.raceEntry = race.entry(0)
    return request
  }

  @Test("An entry that is connected after another one sends nothing, and reads nothing of its body")
  func loser() async throws {
    let server = try ScriptedServer { .text($0.text) }
    let dispatcher = CurlDispatcher()
    let source = ScriptedByteSource([[1]])
    let request = Request(
      method: .post, scheme: "http", authority: server.authority, path: "/",
      body: .once(length: 1, source))
    let error = try #require(
      await #expect(throws: NetworkError.self) { try await dispatcher.dispatch(overtaken(request)) })
    #expect(error.underlying is ConnectRace.Overtaken)
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(source.reads == 0)
    #expect(server.requests.isEmpty)
    // libcurl closes a connection that was opened for such a request over HTTP/1.1.
    let response = try await dispatcher.dispatch(request)
    #expect(response.exchange.transport?.connectionWasReused == false)
    #expect(try await response.body.collect(upTo: 9) == [1])
  }

  @Test(
    "An overtaken entry's HTTP/2 connection carries the next request", .enabled(if: NginxServer.runsSuites))
  func keptConnection() async throws {
    let server = try await NginxServer()
    let trusted = TLSPolicy(authorityFile: server.certificates.authorityFile)
    let dispatcher = CurlDispatcher(configuration: .init(tls: trusted))
    var request = Request(authority: "\(CertificateSet.name):\(server.tlsPort())", path: "/echo")
    request.context.connectTarget = ConnectTarget(address: "127.0.0.1")
    let error = await #expect(throws: NetworkError.self) { try await dispatcher.dispatch(overtaken(request)) }
    #expect(error?.underlying is ConnectRace.Overtaken)
    let response = try await dispatcher.dispatch(request)
    #expect(response.exchange.transport?.version == .http2)
    #expect(response.exchange.transport?.connectionWasReused == true)
  }

  @Test("The entry that claims the race sends the body, which is opened once it is connected")
  func winner() async throws {
    let server = try ScriptedServer { .text($0.text) }
    let dispatcher = CurlDispatcher()
    for length in [Int64?.some(6), nil] {
      let race = ConnectRace()
      let source = ScriptedByteSource([Array("one".utf8), Array("two".utf8)])
      var request = Request(
        method: .post, scheme: "http", authority: server.authority, path: "/",
        body: .once(length: length, source))
      request.context.raceEntry = race.entry(3)
      let response = try await dispatcher.dispatch(request)
      #expect(try await response.body.collect(upTo: 9) == Array("onetwo".utf8))
      #expect(race.winner == 3)
      #expect(race.isConnecting)
    }
    #expect(server.requests.count == 2)
  }
}
