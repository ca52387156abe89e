/// The status code with which a WebSocket is closed (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The number.
  public let rawValue: UInt16

  /// Creates a code from its number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The purpose of the connection is fulfilled.
  public static let normal = WebSocketCloseCode(rawValue: 1000)
  /// The server shuts down, or the client leaves the page.
  package static let goingAway = WebSocketCloseCode(rawValue: 1001)
  /// The peer violated the protocol.
  package static let protocolError = WebSocketCloseCode(rawValue: 1002)
  /// The peer sent a type of data that can't be accepted.
  package static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
  /// The peer sent content that contradicts its type, such as a text that is not UTF-8.
  package static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
  /// The peer violated a policy.
  package static let policyViolation = WebSocketCloseCode(rawValue: 1008)
  /// The peer sent a message that is too large.
  package static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
  /// The server did not negotiate an extension that the client needs.
  package static let mandatoryExtension = WebSocketCloseCode(rawValue: 1010)
  /// The server failed.
  package static let internalError = WebSocketCloseCode(rawValue: 1011)
  /// The server restarts.
  package static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
  /// The server is overloaded.
  package static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
  /// A gateway had an invalid response from its server.
  package static let badGateway = WebSocketCloseCode(rawValue: 1014)

  /// Whether a close frame may carry the code: 1005, 1006 and 1015 only describe closures without one.
  package var isSendable: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// The number.
  public var description: String { "\(rawValue)" }
}
