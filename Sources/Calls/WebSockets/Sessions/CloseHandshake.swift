/// The closing handshake (RFC 6455, section 7): which side has sent a close frame, without I/O.
struct CloseHandshake: Sendable, Hashable {
  /// The close frame that this side has sent, if any.
  private(set) var sent: WebSocketClosure?
  /// The close frame that the server has sent, if any.
  private(set) var received: WebSocketClosure?
  /// Whether this side sent its close frame first.
  private(set) var isLocal = false

  /// The number of messages that are being sent.
  private var sending = 0
  /// The close frame that follows the messages that are being sent.
  private var held: WebSocketClosure?

  /// Whether messages may be sent: after a close frame there is none.
  var maySend: Bool { sent == nil }

  /// Begins to send a message; false after a close frame.
  ///
  /// The end of the message must be recorded: until then a close frame of this side is held back, because no
  /// message may follow it (RFC 6455, section 5.5.1).
  mutating func beginSending() -> Bool {
    guard maySend else { return false }
    sending += 1
    return true
  }

  /// Ends the sending of a message; returns the close frame to send if it was held back.
  mutating func endSending() -> WebSocketClosure? {
    sending -= 1
    return sending == 0 ? held.take() : nil
  }

  /// Begins to close; returns the frame to send, or nil if one was sent before or the frame is held back.
  mutating func close(with closure: WebSocketClosure) -> WebSocketClosure? {
    guard let closure = end(with: closure) else { return nil }
    guard sending > 0 else { return closure }
    held = closure
    return nil
  }

  /// Ends the connection with a close frame, which does not wait for messages; nil if one was sent before.
  mutating func end(with closure: WebSocketClosure) -> WebSocketClosure? {
    guard sent == nil else { return nil }
    sent = closure
    isLocal = received == nil
    return closure
  }

  /// Records the server's close frame; returns the frame that responds to it, or nil if one was sent before.
  ///
  /// The response has the server's code, as RFC 6455, section 5.5.1, suggests.
  mutating func receive(_ closure: WebSocketClosure) -> WebSocketClosure? {
    guard received == nil else { return nil }
    received = closure
    return end(with: WebSocketClosure(code: closure.code))
  }
}

/// How a connection ended.
enum SessionEnd: Sendable {
  /// By close frames, or by this side; the closure is the server's, if it sent one.
  case closed(WebSocketClosure?, isLocal: Bool)
  case failed(WebSocketError)

  /// The error with which reading ends; nil for the end that was agreed on.
  var readingError: WebSocketError? {
    switch self {
    case .closed(_, isLocal: true): nil
    case .closed(let closure, isLocal: false):
      closure?.code == nil || closure?.code == .normal ? nil : .closed(closure)
    case .failed(let error): error
    }
  }

  /// The error with which sending fails.
  var sendingError: WebSocketError {
    switch self {
    case .closed(let closure, _): .closed(closure)
    case .failed(let error): error
    }
  }
}
