import Interception
import Testing

@testable import DNSBypass

@Suite("NameMessage")
struct NameMessageTests {
  private typealias Message = NameMessageBuilder

  private func answer(
    _ message: [UInt8], for host: String = "www.example.com", _ type: NameMessage.RecordType = .version4
  ) throws(NameMessage.Fault) -> NameMessage.Answer {
    try NameMessage.answer(message, for: host, type)
  }

  private func fault(of message: [UInt8]) -> NameMessage.Fault? {
    do throws(NameMessage.Fault) {
      _ = try answer(message)
      return nil
    } catch {
      return error
    }
  }

  @Test("A query is that of RFC 8484, section 4.1.1")
  func query() {
    let example: [UInt8] = [
      0x00, 0x00, 0x01, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x77, 0x77, 0x77, 0x07,
      0x65, 0x78, 0x61, 0x6D, 0x70, 0x6C, 0x65, 0x03, 0x63, 0x6F, 0x6D, 0x00, 0x00, 0x01, 0x00, 0x01,
    ]
    #expect(NameMessage.query("www.example.com", .version4) == example)
    #expect(NameMessage.query("WWW.Example.com", .version4) == example)
    #expect(NameMessage.query("a", .version6)?.suffix(4) == [0, 28, 0, 1])
    for host in ["", ".", "a..b", ".a", "a.", String(repeating: "a", count: 64)] {
      #expect(NameMessage.query(host, .version4) == nil, "\(host)")
    }
    let long = (0..<4).map { _ in String(repeating: "a", count: 63) }.joined(separator: ".")
    #expect(NameMessage.query(long, .version4) == nil)
    #expect(NameMessage.query(String(long.dropLast(2)), .version4)?.count == 271)
  }

  @Test("The answer of RFC 8484, section 4.2.2, is read")
  func example() throws {
    let message: [UInt8] = [
      0x00, 0x00, 0x81, 0x80, 0x00, 0x01, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x03, 0x77, 0x77, 0x77, 0x07,
      0x65, 0x78, 0x61, 0x6D, 0x70, 0x6C, 0x65, 0x03, 0x63, 0x6F, 0x6D, 0x00, 0x00, 0x1C, 0x00, 0x01, 0xC0,
      0x0C, 0x00, 0x1C, 0x00, 0x01, 0x00, 0x00, 0x0E, 0x7D, 0x00, 0x10, 0x20, 0x01, 0x0D, 0xB8, 0xAB, 0xCD,
      0x00, 0x12, 0x00, 0x01, 0x00, 0x02, 0x00, 0x03, 0x00, 0x04,
    ]
    let answer = try answer(message, .version6)
    #expect(answer.addresses.map { "\($0)" } == ["2001:db8:abcd:12:1:2:3:4"])
    #expect(answer.timeToLive == .seconds(3709))
  }

  @Test("Aliases are followed in any order, and the shortest time counts")
  func aliases() throws {
    let message = Message(
      "www.example.com",
      records: [
        .address("edge.cdn.test", [192, 0, 2, 1], seconds: 300),
        .alias("www.example.com", "a.cdn.test", seconds: 60),
        .address("other.test", [192, 0, 2, 9], seconds: 1),
        .alias("a.cdn.test", "EDGE.cdn.test", seconds: 900),
        .address("edge.cdn.test", [192, 0, 2, 2], seconds: 200),
      ]
    ).bytes
    let answer = try answer(message)
    #expect(answer.addresses.map { "\($0)" } == ["192.0.2.1", "192.0.2.2"])
    #expect(answer.names == ["www.example.com", "a.cdn.test", "edge.cdn.test"].compactMap(NameMessage.name))
    #expect(answer.timeToLive == .seconds(60))
  }

  @Test("A name that doesn't exist, has no address of the kind, or has aliases in a circle has none")
  func none() throws {
    #expect(try answer(Message("www.example.com", flags: 0x8183).bytes) == NameMessage.Answer())
    #expect(try answer(Message("www.example.com").bytes) == NameMessage.Answer())
    let circle = Message(
      "www.example.com",
      records: [
        .alias("www.example.com", "b.test", seconds: 9), .alias("b.test", "www.example.com", seconds: 9),
      ])
    #expect(try answer(circle.bytes) == NameMessage.Answer())
  }

  @Test("A time with its highest bit set means 0")
  func times() throws {
    let message = Message(
      "www.example.com", records: [.address("www.example.com", [192, 0, 2, 1], seconds: 0x8000_0001)])
    #expect(try answer(message.bytes).timeToLive == .zero)
  }

  @Test("A server's refusal has its code", arguments: [1, 2, 4, 5])
  func refusals(code: Int) {
    let message = Message("www.example.com", flags: 0x8180 | UInt16(code))
    #expect(fault(of: message.bytes) == .refused(code: code))
  }

  @Test("A message that is a query, truncated, cut off or too long for its records is refused")
  func malformed() {
    let whole = Message(
      "www.example.com", records: [.address("www.example.com", [192, 0, 2, 1], seconds: 9)]
    ).bytes
    #expect(fault(of: whole) == nil)
    for count in 0..<whole.count { #expect(fault(of: Array(whole[..<count])) == .malformed, "\(count)") }
    for flags in [0x0100, 0x8380] as [UInt16] {
      #expect(fault(of: Message("www.example.com", flags: flags).bytes) == .malformed)
    }
    let short = Message("www.example.com", records: [.address("www.example.com", [192, 0, 2], seconds: 9)])
    #expect(fault(of: short.bytes) == .malformed)
  }

  @Test(
    "Pointers that lead forward, to themselves or in a circle are refused",
    arguments: [12, 14, 29, 33, 40, 255])
  func pointers(target: UInt8) {
    // The name of the question is a pointer.
    let question: [UInt8] = [0, 0, 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0, 0xC0, target, 0, 1, 0, 1]
    #expect(fault(of: question) == .malformed)
    // Two pointers refer to each other.
    #expect(fault(of: [0, 0, 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0, 0xC0, 14, 0xC0, 12, 0, 1]) == .malformed)
  }

  @Test(
    "A name has at most 32 pointers, whether or not labels stand between them",
    arguments: [1, 2, 31, 32, 33, 100], [0, 1])
  func pointerLimit(pointers: Int, labels: Int) {
    // Each part but the first consists of labels and a pointer to the part before.
    var message: [UInt8] = [1, 0x61, 0]
    var part = 0
    for _ in 0..<pointers {
      let next = message.count
      for _ in 0..<labels { message += [1, 0x62] }
      message += [0xC0 | UInt8(part >> 8), UInt8(part & 0xFF)]
      part = next
    }
    var reader = NameReader(message)
    #expect(throws: Never.self) { try reader.skip(part) }
    let name = try? reader.name()
    var expected: [UInt8] = []
    for _ in 0..<pointers * labels { expected += [1, 0x62] }
    expected += [1, 0x61, 0]
    #expect(name == (pointers <= 32 ? expected : nil))
    if pointers <= 32 { #expect(reader.bytes.isEmpty) }
  }

  @Test("Arbitrary bytes are read or refused")
  func arbitraryBytes() {
    for _ in 0..<5_000 {
      var bytes = Message(
        "www.example.com",
        records: [
          .alias("www.example.com", "b.test", seconds: 9), .address("b.test", [192, 0, 2, 1], seconds: 9),
        ]
      ).bytes
      for _ in 0..<Int.random(in: 1...4) {
        bytes[Int.random(in: 0..<bytes.count)] = UInt8.random(in: 0...255)
      }
      if let answer = try? answer(bytes) { #expect(answer.addresses.count <= 1) }
    }
  }
}

/// A response of a server, without compression.
struct NameMessageBuilder {
  enum Record {
    case address(String, [UInt8], seconds: UInt32)
    case alias(String, String, seconds: UInt32)
    /// An HTTPS record with its data.
    case service(String, [UInt8], seconds: UInt32)
  }

  private(set) var bytes: [UInt8]

  init(_ host: String, flags: UInt16 = 0x8180, records: [Record] = []) {
    bytes = [0, 0, UInt8(flags >> 8), UInt8(flags & 0xFF), 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
    bytes += Self.name(host) + [0, 1, 0, 1]
    for record in records {
      switch record {
      case .address(let name, let address, let seconds):
        append(name, type: address.count == 16 ? 28 : 1, seconds, address)
      case .alias(let name, let target, let seconds): append(name, type: 5, seconds, Self.name(target))
      case .service(let name, let data, let seconds): append(name, type: 65, seconds, data)
      }
    }
  }

  private mutating func append(_ name: String, type: UInt8, _ seconds: UInt32, _ data: [UInt8]) {
    bytes += Self.name(name) + [0, type, 0, 1]
    bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: seconds >> UInt32($0)) }
    bytes += [0, UInt8(data.count)] + data
  }

  /// Returns a name as messages have it; that of the root for an empty text.
  static func name(_ text: String) -> [UInt8] {
    text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }
}
