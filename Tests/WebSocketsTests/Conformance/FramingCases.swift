@testable import WebSockets

// Section 1, the lengths of payloads, and section 2, pings and pongs.
extension ConformanceCase {
  static let framing: [ConformanceCase] = messages(isBinary: false) + messages(isBinary: true) + pings

  private static func messages(isBinary: Bool) -> [ConformanceCase] {
    let (section, kind) = isBinary ? ("1.2", "a binary message") : ("1.1", "a text")
    let lengths = [0, 125, 126, 127, 128, 65_535, 65_536].enumerated().map { index, length in
      ConformanceCase(
        "\(section).\(index + 1)", "\(kind) of \(length) bytes",
        Exchange(isBinary: isBinary, ServerFrame.payload(isBinary: isBinary, count: length)))
    }
    let pieces = ConformanceCase(
      "\(section).8", "\(kind) of 65536 bytes in writes of 997",
      Exchange(
        isBinary: isBinary, ServerFrame.payload(isBinary: isBinary, count: 65_536), in: .octets(997)))
    return lengths + [pieces]
  }

  private static let question = Array("Are you there?".utf8)
  private static let notText: [UInt8] = [0x00, 0xFF, 0xFE, 0xFD, 0xFC, 0xFB, 0x00, 0xFF]
  private static let longest = [UInt8](repeating: 0xFE, count: 125)
  private static let numbered = (0..<10).map { Array("ping number \($0)".utf8) }

  private static let pings: [ConformanceCase] = [
    ConformanceCase("2.1", "a ping without a payload", Exchange([.ping()], replies: [.pong([])])),
    ConformanceCase(
      "2.2", "a ping with a text", Exchange([.ping(question)], replies: [.pong(question)])),
    ConformanceCase(
      "2.3", "a ping with bytes that are no text", Exchange([.ping(notText)], replies: [.pong(notText)])),
    ConformanceCase(
      "2.4", "a ping of 125 bytes, the maximum", Exchange([.ping(longest)], replies: [.pong(longest)])),
    ConformanceCase(
      "2.5", "a ping of 126 bytes", end: .failed(.protocolError), Exchange([.ping(longest + [0xFE])])),
    ConformanceCase(
      "2.6", "a ping of 125 bytes, byte by byte",
      Exchange([.ping(longest)], in: .octets(1), replies: [.pong(longest)])),
    ConformanceCase("2.7", "a pong without a ping and a payload", Exchange([.pong()])),
    ConformanceCase("2.8", "a pong without a ping, with a payload", Exchange([.pong(question)])),
    ConformanceCase(
      "2.9", "a pong without a ping, and then a ping",
      Exchange([.pong(notText), .ping(question)], replies: [.pong(question)])),
    ConformanceCase(
      "2.10", "ten pings at once", Exchange(numbered.map { .ping($0) }, replies: numbered.map { .pong($0) })),
    ConformanceCase(
      "2.11", "ten pings, byte by byte",
      Exchange(numbered.map { .ping($0) }, in: .octets(1), replies: numbered.map { .pong($0) })),
  ]
}
