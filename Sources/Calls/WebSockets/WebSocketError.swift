import HTTPTypes
public import Interception

/// The error type of WebSockets: what failed, and why.
public struct WebSocketError: Error, LoggableError, Sendable, CustomStringConvertible {
  /// What failed; cases are added in major versions only.
  public enum Kind: Sendable, Hashable {
    /// The request can't open a WebSocket, or the server switched protocols in a wrong way.
    case handshakeFailed
    /// The server responded with another status than 101; see ``WebSocketError/response``.
    case refused
    /// The handshake or the connection failed in the network; see ``WebSocketError/networkError``.
    case network
    /// The server violated the protocol or a limit, and the connection was closed with this code.
    case protocolViolation(WebSocketCloseCode)
    /// The connection is closed; the closure is the server's, if it sent one.
    case closed(WebSocketClosure?)
    /// The server did not respond to a ping in time.
    case pongTimeout
    /// There is no connection at the moment; see ``ReconnectingWebSocket``.
    case notConnected
    /// The waiting task was cancelled.
    case cancelled
  }

  /// What failed.
  public let kind: Kind
  /// A sentence that names the culprit and the remedy; it never contains a secret.
  public let reason: String
  /// The response that refused the handshake, with at most the first 64 KiB of its body.
  public let response: Response?
  /// The error of the handshake's request or of the connection.
  public let networkError: NetworkError?

  init(_ kind: Kind, _ reason: String, response: Response? = nil, networkError: NetworkError? = nil) {
    self.kind = kind
    self.reason = reason
    self.response = response
    self.networkError = networkError
  }

  /// Creates the error of a request or a connection that failed in the network.
  init(_ error: NetworkError) {
    self.init(error.kind == .cancelled(.task) ? .cancelled : .network, error.reason, networkError: error)
  }

  /// The reason.
  public var description: String { reason }

  static func violation(_ fault: ProtocolFault) -> WebSocketError {
    WebSocketError(
      .protocolViolation(fault.code), "The connection was closed with code \(fault.code): \(fault).")
  }

  static func closed(_ closure: WebSocketClosure?) -> WebSocketError {
    WebSocketError(
      .closed(closure),
      closure.map { "The server closed the connection with \($0); connect again if it is still needed." }
        ?? "The connection is closed; connect again to send messages.")
  }

  static let cancelled = WebSocketError(.cancelled, "The waiting task was cancelled.")

  static let lost = WebSocketError(
    NetworkError(
      .transport,
      "The server ended the connection without a close frame; connect again if it is still needed.",
      requestMayHaveBeenProcessed: true))

  static func pongTimeout(_ limit: Duration) -> WebSocketError {
    WebSocketError(
      .pongTimeout,
      "The server did not respond to a ping within \(limit); check the network, and connect again.")
  }

  static func refused(_ response: Response) -> WebSocketError {
    let remedy = response.credentialUse?.remedy ?? "check the path and the credentials"
    return WebSocketError(
      .refused, "The server responded with \(response.status.code) instead of 101; \(remedy).",
      response: response)
  }
}
