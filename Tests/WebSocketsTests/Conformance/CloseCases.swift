@testable import WebSockets

// Section 7: close frames of the server.
extension ConformanceCase {
  static let closing: [ConformanceCase] = framesAfterClosing + closePayloads + validCodes + invalidCodes

  private static let farewell = Array("so long".utf8)
  private static let normal = End.closed(WebSocketClosure(code: .normal))

  private static let framesAfterClosing: [ConformanceCase] = [
    ConformanceCase(
      "7.1.1", "a text, and a close frame when it has come back", Exchange(isBinary: false, farewell)),
    ConformanceCase("7.1.2", "two close frames", end: normal, Exchange([.close(1000), .close(nil)])),
    ConformanceCase(
      "7.1.3", "a close frame, and then a ping", end: normal, Exchange([.close(1000), .ping()])),
    ConformanceCase(
      "7.1.4", "a close frame, and then a text", end: normal, Exchange([.close(1000), .text("late")])),
    ConformanceCase(
      "7.1.5", "a close frame between the fragments of a text", end: normal,
      Exchange([.text("half", isFinal: false), .close(1000), .continuation(farewell)])),
    // The list allows any result over a socket: the unread ping can reset the connection while what was sent
    // back is on its way.
    ConformanceCase(
      "7.1.6", "a text of 256 KiB, a short one, a close frame and a ping", end: normal, scope: .reader,
      Exchange(
        [
          ServerFrame(opcode: 1, payload: ServerFrame.payload(isBinary: false, count: 256 << 10)),
          .text("so long"), .close(1000), .ping(),
        ],
        replies: [.text(ServerFrame.payload(isBinary: false, count: 256 << 10)), .text(farewell)])),
  ]

  /// A text that the bytes of a surrogate make invalid, and that continues after them.
  private static let broken = UTF8Cases.word + [0xED, 0xA0, 0x80] + farewell

  private static let closePayloads: [ConformanceCase] = [
    ConformanceCase(
      "7.3.1", "a close frame without a code", end: .closed(WebSocketClosure(code: nil)),
      Exchange([.close(nil)])),
    ConformanceCase(
      "7.3.2", "a close frame of one byte", end: .failed(.protocolError),
      Exchange([ServerFrame(opcode: 8, payload: [0x61])])),
    ConformanceCase("7.3.3", "a close frame with a code", end: normal, Exchange([.close(1000)])),
    ConformanceCase(
      "7.3.4", "a close frame with a code and a reason",
      end: .closed(WebSocketClosure(code: .normal, reason: "so long")), Exchange([.close(1000, farewell)])),
    ConformanceCase(
      "7.3.5", "a close frame with a reason of 123 bytes, the maximum",
      end: .closed(WebSocketClosure(code: .normal, reason: String(repeating: "*", count: 123))),
      Exchange([.close(1000, [UInt8](repeating: 0x2A, count: 123))])),
    ConformanceCase(
      "7.3.6", "a close frame with a reason of 124 bytes", end: .failed(.protocolError),
      Exchange([.close(1000, [UInt8](repeating: 0x2A, count: 124))])),
    // The list also allows 1002.
    ConformanceCase(
      "7.5.1", "a close frame whose reason is not UTF-8", end: .failed(.invalidPayload),
      Exchange([.close(1000, broken)])),
  ]

  private static let valid: [UInt16] = [
    1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999,
  ]
  private static let invalid: [UInt16] = [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999]

  private static let validCodes = valid.enumerated().map { index, code in
    ConformanceCase(
      "7.7.\(index + 1)", "a close frame with the code \(code)",
      end: .closed(WebSocketClosure(code: .init(rawValue: code))), Exchange([.close(code)]))
  }

  /// For the codes from 5000 on the list allows any behavior; they are treated as the other invalid ones.
  private static let invalidCodes =
    invalid.enumerated().map { invalidCode("7.9.\($0 + 1)", $1) }
    + [invalidCode("7.13.1", 5000), invalidCode("7.13.2", 65_535)]

  private static func invalidCode(_ id: String, _ code: UInt16) -> ConformanceCase {
    ConformanceCase(
      id, "a close frame with the invalid code \(code)", end: .failed(.protocolError),
      Exchange([.close(code)]))
  }
}
