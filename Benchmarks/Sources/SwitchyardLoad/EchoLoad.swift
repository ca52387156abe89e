import WebSockets

/// Messages that a server sends back over one WebSocket.
public struct EchoLoad: Sendable {
  /// The number of bytes of a message.
  public static let messageSize = 1_024

  private let socket: WebSocket
  private let message: WebSocketMessage

  /// Opens the WebSocket through a pipeline without interceptors, which only a handshake passes.
  ///
  /// - Parameter isText: Whether the messages are texts, which must be valid UTF-8, or bytes.
  public init(_ url: String, isText: Bool) async throws {
    socket = try await WebSocketLoad.connect(to: url, over: WebSocketLoad.pipeline(connections: 1))
    message =
      isText
      ? .text(String(repeating: "a", count: Self.messageSize))
      : .binary(Array(repeating: UInt8(ascii: "a"), count: Self.messageSize))
  }

  /// Sends `count` messages, of which `inFlight` wait for their echo at a time.
  @concurrent public func exchange(_ count: Int, inFlight: Int) async throws {
    var messages = socket.messages.makeAsyncIterator()
    var sent = 0
    while sent < min(inFlight, count) {
      try await socket.send(message)
      sent += 1
    }
    for _ in 0..<count {
      let size =
        switch try await messages.next() {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        case nil: 0
        }
      guard size == Self.messageSize else { throw UnexpectedEcho(size: size) }
      if sent < count {
        try await socket.send(message)
        sent += 1
      }
    }
  }
}

/// A message of another size than the one that was sent, or none.
private struct UnexpectedEcho: Error {
  let size: Int
}
