/// What a peer did against RFC 6455 or the limits, and the code with which the connection is closed for it.
package struct ProtocolFault: Error, Hashable, CustomStringConvertible {
  /// The code that the peer receives.
  let code: WebSocketCloseCode
  /// What happened, as a part of a sentence.
  package let description: String

  private init(_ code: WebSocketCloseCode, _ description: String) {
    self.code = code
    self.description = description
  }

  /// The fault of a peer that violates the framing.
  static func violation(_ description: String) -> ProtocolFault {
    ProtocolFault(.protocolError, description)
  }

  /// The fault of a text that is not UTF-8.
  static let invalidText = ProtocolFault(.invalidPayload, "a text is not valid UTF-8")

  /// The fault of a compressed message that can't be decompressed.
  package static let invalidCompression = ProtocolFault(
    .invalidPayload, "a compressed message is malformed (RFC 7692)")

  /// The fault of this side when there is no memory to decompress messages.
  static let noMemory = ProtocolFault(.internalError, "there is no memory to decompress messages")

  /// The fault of a frame or a message that exceeds a limit.
  package static func tooLarge(_ part: String, limit: Int) -> ProtocolFault {
    ProtocolFault(
      .messageTooBig,
      "a \(part) is longer than the \(limit) bytes allowed; raise the limit of the configuration")
  }

  /// The fault of a message in too many fragments.
  static func fragments(limit: Int) -> ProtocolFault {
    ProtocolFault(.policyViolation, "a message has more than \(limit) fragments")
  }

  /// The fault of a peer that sends pings too often.
  static let pingFlood = ProtocolFault(
    .policyViolation, "pings came more often than \(PingAllowance.perSecond) times per second")
}

/// Limits how often a peer may send pings, by a bucket of tokens.
///
/// Each ping makes this side send a pong, so a peer could keep it busy without a message.
struct PingAllowance {
  /// The number of pings per second that a peer may send for any time.
  static let perSecond = 20
  /// The number of pings that a peer may send at once.
  static let burst = 100

  private var tokens = Double(burst)
  private var latest: Duration?

  /// Records a ping.
  ///
  /// - Throws: ``ProtocolFault/pingFlood`` if it is one too many.
  mutating func use(at now: Duration) throws(ProtocolFault) {
    if let latest {
      let elapsed = (now - latest) / .seconds(1)
      tokens = min(Double(Self.burst), tokens + elapsed * Double(Self.perSecond))
    }
    latest = now
    guard tokens >= 1 else { throw .pingFlood }
    tokens -= 1
  }
}
