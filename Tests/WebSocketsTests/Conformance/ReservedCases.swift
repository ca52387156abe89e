@testable import WebSockets

// Section 3, reserved bits, and section 4, reserved types of frames. No extension was negotiated.
extension ConformanceCase {
  static let reserved: [ConformanceCase] = reservedBits + reservedTypes

  private static let greeting = Array("greeting".utf8)
  private static let late = Array("after the fault".utf8)

  /// A frame between a text that is delivered and a ping that is not answered.
  private static func surrounded(_ frame: ServerFrame, in division: Exchange.Division) -> Exchange {
    Exchange([.text("greeting"), frame, .ping(late)], in: division, replies: [.text(greeting)])
  }

  private static let reservedBits: [ConformanceCase] = [
    ConformanceCase(
      "3.1", "a text with RSV3", end: .failed(.protocolError),
      Exchange([ServerFrame(opcode: 1, reserved: 1, payload: late)])),
    ConformanceCase(
      "3.2", "a text, one with RSV2, and a ping, in one write", end: .failed(.protocolError),
      surrounded(ServerFrame(opcode: 1, reserved: 2, payload: late), in: .whole)),
    ConformanceCase(
      "3.3", "a text, one with RSV2 and RSV3, and a ping, in three writes", end: .failed(.protocolError),
      surrounded(ServerFrame(opcode: 1, reserved: 3, payload: late), in: .frames)),
    ConformanceCase(
      "3.4", "a text, one with RSV1, and a ping, byte by byte", end: .failed(.protocolError),
      surrounded(ServerFrame(opcode: 1, reserved: 4, payload: late), in: .octets(1))),
    ConformanceCase(
      "3.5", "a binary message with RSV1 and RSV3", end: .failed(.protocolError),
      Exchange([ServerFrame(opcode: 2, reserved: 5, payload: late)])),
    ConformanceCase(
      "3.6", "a ping with RSV1 and RSV2", end: .failed(.protocolError),
      Exchange([ServerFrame(opcode: 9, reserved: 6, payload: late)])),
    ConformanceCase(
      "3.7", "a close frame with all three bits", end: .failed(.protocolError),
      Exchange([ServerFrame(opcode: 8, reserved: 7, payload: [0x03, 0xE8])])),
  ]

  /// Five types follow those of messages, and five those of control frames.
  private static let reservedTypes =
    reservedTypes("4.1", "message", from: 3) + reservedTypes("4.2", "control frame", from: 11)

  private static func reservedTypes(
    _ section: String, _ kind: String, from first: UInt8
  ) -> [ConformanceCase] {
    [
      ConformanceCase(
        "\(section).1", "a \(kind) of the type \(first), empty", end: .failed(.protocolError),
        Exchange([ServerFrame(opcode: first)])),
      ConformanceCase(
        "\(section).2", "a \(kind) of the type \(first + 1), with a payload", end: .failed(.protocolError),
        Exchange([ServerFrame(opcode: first + 1, payload: late)])),
      ConformanceCase(
        "\(section).3", "a text, a \(kind) of the type \(first + 2), empty, and a ping, in three writes",
        end: .failed(.protocolError), surrounded(ServerFrame(opcode: first + 2), in: .frames)),
      ConformanceCase(
        "\(section).4", "a text, a \(kind) of the type \(first + 3), with a payload, and a ping",
        end: .failed(.protocolError),
        surrounded(ServerFrame(opcode: first + 3, payload: late), in: .whole)),
      ConformanceCase(
        "\(section).5",
        "a text, a \(kind) of the type \(first + 4), with a payload, and a ping, byte by byte",
        end: .failed(.protocolError),
        surrounded(ServerFrame(opcode: first + 4, payload: late), in: .octets(1))),
    ]
  }
}
