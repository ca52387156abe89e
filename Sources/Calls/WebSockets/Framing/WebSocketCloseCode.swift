/// The status code with which a WebSocket is closed (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The number.
  public let rawValue: UInt16

  /// Creates a code from its number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The purpose of the connection is fulfilled.
  public static let normal = WebSocketCloseCode(rawValue: 1000)
  /// The server shuts down, or the client leaves the page.
  public static let goingAway = WebSocketCloseCode(rawValue: 1001)
  /// The peer violated the protocol.
  public static let protocolError = WebSocketCloseCode(rawValue: 1002)
  /// The peer sent a type of data that can't be accepted.
  public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
  /// The peer sent content that contradicts its type, such as a text that is not UTF-8.
  public static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
  /// The peer violated a policy.
  public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
  /// The peer sent a message that is too large.
  public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
  /// The server did not negotiate an extension that the client needs.
  public static let mandatoryExtension = WebSocketCloseCode(rawValue: 1010)
  /// The server failed.
  public static let internalError = WebSocketCloseCode(rawValue: 1011)
  /// The server restarts.
  public static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
  /// The server is overloaded.
  public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
  /// A gateway had an invalid response from its server.
  public static let badGateway = WebSocketCloseCode(rawValue: 1014)

  /// Whether a close frame may carry the code: 1005, 1006 and 1015 only describe closures without one.
  public var isSendable: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// The number.
  public var description: String { "\(rawValue)" }
}

/// What a close frame says.
public struct WebSocketClosure: Sendable, Hashable, CustomStringConvertible {
  /// The maximum number of bytes of a reason in UTF-8: those of a control frame without the code.
  public static let maximumReasonLength = FrameHeader.maximumControlLength - 2

  /// The code; nil if the frame has none.
  public let code: WebSocketCloseCode?
  /// The reason, which is empty if the frame has none.
  ///
  /// It is the peer's text, so it may contain anything.
  public let reason: String

  /// Creates the content of a close frame.
  public init(code: WebSocketCloseCode?, reason: String = "") {
    self.code = code
    self.reason = code == nil ? "" : reason
  }

  /// The code, without the reason.
  public var description: String { code.map { "close code \($0)" } ?? "no close code" }

  /// Reads the payload of a close frame.
  ///
  /// - Throws: The fault if it has one byte, a code that no frame may carry, or a reason that is not UTF-8.
  init(payload: [UInt8]) throws(ProtocolFault) {
    guard !payload.isEmpty else {
      self.init(code: nil)
      return
    }
    guard payload.count >= 2 else { throw .violation("a close frame has half a code") }
    let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    guard code.isSendable else { throw .violation("a close frame has the invalid code \(code)") }
    var checker = UTF8Checker()
    guard checker.accept(payload[2...]), checker.isComplete else { throw .invalidText }
    self.init(code: code, reason: String(decoding: payload[2...], as: UTF8.self))
  }

  /// The payload of a close frame; a reason that is too long ends before the character that does not fit.
  var payload: [UInt8] {
    guard let code else { return [] }
    var bytes = [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)]
    for character in reason.unicodeScalars {
      let encoded = Array(String(character).utf8)
      guard bytes.count + encoded.count <= FrameHeader.maximumControlLength else { break }
      bytes += encoded
    }
    return bytes
  }
}
