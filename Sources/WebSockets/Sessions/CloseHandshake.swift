/// The closing handshake (RFC 6455, section 7): which side has sent a close frame, without I/O.
struct CloseHandshake: Sendable, Hashable {
  /// The close frame that this side has sent, if any.
  private(set) var sent: WebSocketClosure?
  /// The close frame that the server has sent, if any.
  private(set) var received: WebSocketClosure?
  /// Whether this side sent its close frame first.
  private(set) var isLocal = false

  /// Whether messages may be sent: after a close frame there is none.
  var maySend: Bool { sent == nil }

  /// Begins to close; returns the frame to send, or nil if one was sent before.
  mutating func close(with closure: WebSocketClosure) -> WebSocketClosure? {
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
    return close(with: WebSocketClosure(code: closure.code))
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
