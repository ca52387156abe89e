import CurlTransport
import Interception
import LoopbackServing
import Testing

@testable import WebSocketCompression
@testable import WebSockets

/// The published cases over a socket: the client sends every message back, as the list demands.
///
/// They run one after the other, because they would leave no thread to other tests.
@Suite("WebSocket by the published cases", .serialized, .timeLimit(.minutes(5)))
struct WebSocketConformanceTests {
  @Test(
    "H5: a client sends messages back, answers pings, and closes with the code of the published list",
    arguments: ConformanceCase.all.filter { $0.scope != .reader })
  func connection(entry: ConformanceCase) async throws {
    let exchanges = try entry.exchanges()
    let observed = Watched<ConformancePeer.Observation?>(nil)
    let lines = entry.compression.map { ["Sec-WebSocket-Extensions: \($0.field)"] } ?? []
    let server = try ScriptedServer.switching(lines) { wire in
      let observation = ConformancePeer(entry, wire).play(exchanges)
      observed.update { $0 = observation }
    }
    var configuration = WebSocketConfiguration()
    configuration.pingInterval = nil
    configuration.compression = entry.compression?.offer
    let socket = try await WebSocket.connect(
      Request("ws://\(server.authority)/\(entry.id)"), over: CurlDispatcher(), configuration: configuration)
    #expect(socket.isCompressed == (entry.compression != nil))
    var messages: [Exchange.Reply] = []
    var failure: WebSocketError?
    do throws(WebSocketError) {
      for try await message in socket.messages {
        messages.append(Exchange.Reply(message))
        // A connection that has ended meanwhile also ends the messages, with its error.
        try? await socket.send(message)
      }
    } catch {
      failure = error
    }
    let replies = exchanges.flatMap(\.replies)
    #expect(messages == replies.filter(\.isMessage))
    let observation = try #require(await observed.wait { $0 != nil })
    switch entry.end {
    case .echo:
      #expect(failure == nil)
      #expect(observation == .init(replies: replies, closure: WebSocketClosure(code: .normal)))
    case .closed(let closure):
      let isNormal = closure.code == nil || closure.code == .normal
      #expect(failure?.kind == (isNormal ? nil : .closed(closure)))
      #expect(socket.closure == closure)
      #expect(observation.closure == WebSocketClosure(code: closure.code))
      // What was sent back before the connection ended.
      #expect(replies.starts(with: observation.replies))
    case .failed(let code):
      #expect(failure?.kind == .protocolViolation(code))
      #expect(observation.closure == WebSocketClosure(code: code))
      #expect(replies.starts(with: observation.replies))
    }
  }
}

/// The server's side of a case.
struct ConformancePeer {
  /// What the client did.
  struct Observation: Sendable, Hashable {
    var replies: [Exchange.Reply] = []
    /// Its close frame; nil if the connection ended without one.
    var closure: WebSocketClosure?
  }

  private let entry: ConformanceCase
  private let wire: FrameWire
  private let inflater = MessageInflater(retainsContext: false)

  init(_ entry: ConformanceCase, _ wire: FrameWire) {
    self.entry = entry
    self.wire = wire
  }

  /// Sends what the case has, and returns what the client did.
  func play(_ exchanges: [Exchange]) -> Observation {
    var observation = Observation()
    do {
      var due = 0
      for exchange in exchanges {
        for write in exchange.writes { try wire.wire.send(write) }
        due += exchange.replies.count
        while entry.end == .echo, observation.replies.count < due {
          guard try receive(&observation) else { return observation }
        }
      }
      if entry.end == .echo { try wire.send(.close(1000)) }
    } catch {
      // The client has closed the connection, and its close frame says why.
    }
    while (try? receive(&observation)) == true {}
    return observation
  }

  /// Receives a frame; returns false after the close frame, and at the end of the connection.
  private func receive(_ observation: inout Observation) throws -> Bool {
    guard let frame = try wire.next() else { return false }
    switch frame.type {
    case .text: observation.replies.append(.text(try message(frame)))
    case .binary: observation.replies.append(.binary(try message(frame)))
    case .pong: observation.replies.append(.pong(frame.payload))
    case .close:
      observation.closure = try WebSocketClosure(payload: frame.payload)
      return false
    case .ping, .continuation: observation.replies.append(.other(frame.type))
    }
    return true
  }

  private func message(_ frame: ClientFrame) throws -> [UInt8] {
    guard frame.isCompressed, entry.compression != nil else { return frame.payload }
    guard let inflater else { throw WireConnection.Closed() }
    return try inflater.inflate(frame.payload[...], limit: .max) + inflater.finish(limit: .max)
  }
}
