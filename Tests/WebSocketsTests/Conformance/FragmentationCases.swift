@testable import WebSockets

// Section 5: fragments, control frames between them, and fragments without a message.
extension ConformanceCase {
  static let fragmentation: [ConformanceCase] =
    fragmentedControlFrames + fragmentedTexts + orphans + orphansBesideMessages + interruptedMessages

  private static let parts = ["one, ", "two, ", "three, ", "four, ", "five"].map { Array($0.utf8) }
  private static let pings = [Array("first".utf8), Array("second".utf8)]

  private static func start(_ number: Int) -> ServerFrame {
    ServerFrame(opcode: 1, isFinal: false, payload: parts[number])
  }

  private static func text(_ numbers: Range<Int>) -> Exchange.Reply {
    .text(Array(parts[numbers].joined()))
  }

  private static let fragmentedControlFrames = [
    fragmentedControlFrame("5.1", "ping", opcode: 9), fragmentedControlFrame("5.2", "pong", opcode: 10),
  ]

  private static func fragmentedControlFrame(
    _ id: String, _ kind: String, opcode: UInt8
  ) -> ConformanceCase {
    ConformanceCase(
      id, "a \(kind) in two fragments", end: .failed(.protocolError),
      Exchange([
        ServerFrame(opcode: opcode, isFinal: false, payload: parts[0]), .continuation(parts[1]),
      ]))
  }

  private static let divisions: [(division: Exchange.Division, name: String)] = [
    (.whole, "in one write"), (.frames, "each in a write"), (.octets(1), "byte by byte"),
  ]

  private static let fragmentedTexts = divisions.enumerated().flatMap { index, entry -> [ConformanceCase] in
    [
      ConformanceCase(
        "5.\(3 + index)", "a text in two fragments, \(entry.name)",
        Exchange([start(0), .continuation(parts[1])], in: entry.division, replies: [text(0..<2)])),
      ConformanceCase(
        "5.\(6 + index)", "a text in two fragments with a ping between them, \(entry.name)",
        Exchange(
          [start(0), .ping(pings[0]), .continuation(parts[1])], in: entry.division,
          replies: [.pong(pings[0]), text(0..<2)])),
    ]
  }

  private static let orphans =
    orphans("a last fragment", isFinal: true, from: 9)
    + orphans("a fragment that is not the last one", isFinal: false, from: 12)

  private static func orphans(_ kind: String, isFinal: Bool, from first: Int) -> [ConformanceCase] {
    divisions.enumerated().map { index, entry in
      ConformanceCase(
        "5.\(first + index)", "\(kind) without a message, and then a text, \(entry.name)",
        end: .failed(.protocolError),
        Exchange([.continuation(parts[0], isFinal: isFinal), .text("late")], in: entry.division))
    }
  }

  private static let orphansBesideMessages: [ConformanceCase] = [
    ConformanceCase(
      "5.15", "a text in two fragments, a fragment without a message, and then a text",
      end: .failed(.protocolError),
      Exchange(
        [start(0), .continuation(parts[1]), .continuation(parts[2], isFinal: false), .text("late")],
        replies: [text(0..<2)])),
    ConformanceCase(
      "5.16", "twice a fragment without a message that is not the last one, and a text in two fragments",
      end: .failed(.protocolError),
      Exchange(
        [0, 1].flatMap { _ in
          [.continuation(parts[0], isFinal: false), start(1), .continuation(parts[2])]
        })),
    ConformanceCase(
      "5.17", "twice a last fragment without a message, and a text in two fragments",
      end: .failed(.protocolError),
      Exchange([0, 1].flatMap { _ in [.continuation(parts[0]), start(1), .continuation(parts[2])] })),
  ]

  private static let interruptedMessages: [ConformanceCase] = [
    ConformanceCase(
      "5.18", "a text that is not complete, and another one", end: .failed(.protocolError),
      Exchange([start(0), .text("another")])),
    interruptedMessage("5.19", in: .whole, "in two writes"),
    interruptedMessage("5.20", in: .frames, "each in a write"),
  ]

  /// The server continues the text when it has the pong of the first ping.
  private static func interruptedMessage(
    _ id: String, in division: Exchange.Division, _ name: String
  ) -> ConformanceCase {
    ConformanceCase(id, "a text in five fragments with two pings between them, \(name)") {
      [
        Exchange(
          [start(0), .continuation(parts[1], isFinal: false), .ping(pings[0])], in: division,
          replies: [.pong(pings[0])]),
        Exchange(
          [
            .continuation(parts[2], isFinal: false), .continuation(parts[3], isFinal: false),
            .ping(pings[1]), .continuation(parts[4]),
          ], in: division, replies: [.pong(pings[1]), text(0..<5)]),
      ]
    }
  }
}
