import LoopbackServing

@testable import WebSockets

/// A server's end of a WebSocket, used by its connection's own thread.
final class FrameWire {
  let request: ReceivedRequest
  let wire: WireConnection
  private var buffer: [UInt8] = []

  init(_ request: ReceivedRequest, _ wire: WireConnection) {
    self.request = request
    self.wire = wire
  }

  /// The head by which a server switches protocols.
  static func acceptance(of request: ReceivedRequest, _ lines: [String] = []) throws -> String {
    let key = request.value(of: "Sec-WebSocket-Key") ?? ""
    let fields =
      [
        "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Accept: \(try OpeningHandshake.acceptance(of: key))",
      ] + lines
    return "HTTP/1.1 101 Switching Protocols\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
  }

  func send(_ frames: ServerFrame...) throws { try wire.send(frames.flatMap(\.bytes)) }

  /// Returns the next frame of the client; nil at the end of the connection.
  func next() throws -> ClientFrame? {
    while true {
      if let frame = ClientFrame(buffer[...]) {
        buffer.removeFirst(frame.size)
        return frame
      }
      guard let bytes = try wire.read() else { return nil }
      buffer += bytes
    }
  }

  /// Reads until the client's close frame, and returns its content.
  func closure() throws -> WebSocketClosure? {
    while let frame = try next() {
      if frame.type == .close { return try WebSocketClosure(payload: frame.payload) }
    }
    return nil
  }
}

extension ScriptedServer {
  /// Starts a server that switches to WebSockets and then follows a script.
  static func switching(
    _ lines: [String] = [], _ script: @escaping @Sendable (FrameWire) throws -> Void
  ) throws -> ScriptedServer {
    try ScriptedServer(raw: { request, wire in
      try wire.send(try FrameWire.acceptance(of: request, lines))
      try script(FrameWire(request, wire))
    })
  }

  /// Starts a server that sends every message back, and responds to the client's close frame.
  static func echo() throws -> ScriptedServer {
    try switching { peer in
      while let frame = try peer.next() {
        switch frame.type {
        case .text, .binary, .continuation:
          try peer.send(
            ServerFrame(opcode: frame.type.rawValue, isFinal: frame.isFinal, payload: frame.payload))
        case .ping: try peer.send(.pong(frame.payload))
        case .pong: continue
        case .close: return try peer.send(ServerFrame(opcode: 8, payload: frame.payload))
        }
      }
    }
  }
}
