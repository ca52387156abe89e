/// What a close frame says.
public struct WebSocketClosure: Sendable, Hashable, CustomStringConvertible {
  /// The maximum number of bytes of a reason in UTF-8: those of a control frame without the code.
  package static let maximumReasonLength = FrameHeader.maximumControlLength - 2

  /// The code; nil if the frame has none.
  public let code: WebSocketCloseCode?
  /// The reason, which is empty if the frame has none.
  ///
  /// It is the peer's text, so it may contain anything.
  public let reason: String

  /// Creates the content of a close frame.
  package init(code: WebSocketCloseCode?, reason: String = "") {
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
