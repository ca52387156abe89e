import Testing

@testable import DNSBypass

@Suite("ServiceBinding")
struct ServiceBindingTests {
  private static let owner = NameMessageBuilder.name("example.com")

  /// The data of a record: its priority, its target and its parameters.
  private static func data(
    _ priority: UInt8 = 1, _ target: String = "foo.example.com", _ parameters: [UInt8] = []
  ) -> [UInt8] {
    [0, priority] + NameMessageBuilder.name(target) + parameters
  }

  private static func binding(_ data: [UInt8]) throws(NameMessage.Fault) -> ServiceBinding {
    try ServiceBinding(NameReader(data), owner: owner)
  }

  /// A record of RFC 9460, appendix D.1 or D.2, and what is read.
  struct Vector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let data: [UInt8]
    let priority: UInt16
    let target: String
    var protocols: [String] = []
    var port: Int?
  }

  private static let vectors = [
    Vector(
      testDescription: "AliasMode", data: data(0), priority: 0, target: "foo.example.com"),
    Vector(testDescription: "TargetName is \".\"", data: data(1, ""), priority: 1, target: "example.com"),
    Vector(
      testDescription: "port=53", data: data(16, "foo.example.com", [0, 3, 0, 2, 0, 0x35]), priority: 16,
      target: "foo.example.com", port: 53),
    Vector(
      testDescription: "key667=hello",
      data: data(1, "foo.example.com", [0x02, 0x9B, 0, 5, 0x68, 0x65, 0x6C, 0x6C, 0x6F]), priority: 1,
      target: "foo.example.com"),
    Vector(
      testDescription: "key667=\"hello\\210qoo\"",
      data: data(
        1, "foo.example.com",
        [0x02, 0x9B, 0, 9, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0xD2, 0x71, 0x6F, 0x6F]), priority: 1,
      target: "foo.example.com"),
    Vector(
      testDescription: "two IPv6 hints",
      data: data(
        1, "foo.example.com",
        [
          0, 6, 0, 0x20, 0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x20, 0x01, 0x0D, 0xB8,
          0, 0, 0, 0, 0, 0, 0, 0, 0, 0x53, 0, 1,
        ]), priority: 1, target: "foo.example.com"),
    Vector(
      testDescription: "an IPv6 hint that embeds IPv4",
      data: data(
        1, "example.com",
        [
          0, 6, 0, 0x10, 0x20, 0x01, 0x0D, 0xB8, 0x01, 0x22, 0x03, 0x44, 0, 0, 0, 0, 0xC0, 0, 2, 0x21,
        ]), priority: 1, target: "example.com"),
    Vector(
      testDescription: "alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1",
      data: data(
        16, "foo.example.org",
        [
          0, 0, 0, 4, 0, 1, 0, 4, 0, 1, 0, 9, 2, 0x68, 0x32, 5, 0x68, 0x33, 0x2D, 0x31, 0x39, 0, 4, 0, 4,
          0xC0, 0, 2, 1,
        ]), priority: 16, target: "foo.example.org", protocols: ["h2", "h3-19"]),
    Vector(
      testDescription: "alpn=\"f\\\\oo\\,bar,h2\"",
      data: data(
        16, "foo.example.org",
        [0, 1, 0, 12, 8, 0x66, 0x5C, 0x6F, 0x6F, 0x2C, 0x62, 0x61, 0x72, 2, 0x68, 0x32]), priority: 16,
      target: "foo.example.org", protocols: ["f\\oo,bar", "h2"]),
  ]

  @Test("The records of RFC 9460, appendix D, are read", arguments: vectors)
  func valid(vector: Vector) throws {
    let binding = try Self.binding(vector.data)
    #expect(binding.priority == vector.priority && binding.isAlias == (vector.priority == 0))
    #expect(binding.target == NameMessageBuilder.name(vector.target))
    #expect(binding.protocols.map { String(decoding: $0, as: UTF8.self) } == vector.protocols)
    #expect(binding.port == vector.port)
    #expect(binding.isCompatible && !binding.speaksHTTP3)
    for count in 0..<vector.data.count where !Self.isWhole(vector.data, count) {
      #expect(throws: NameMessage.Fault.malformed, "\(count)") {
        try Self.binding(Array(vector.data[..<count]))
      }
    }
  }

  /// Whether the first bytes of a record are one themselves: it ends after the target, or a parameter.
  private static func isWhole(_ data: [UInt8], _ count: Int) -> Bool {
    var place = 2
    while place < data.count, data[place] > 0 { place += 1 + Int(data[place]) }
    place += 1
    while place < count, place + 3 < data.count {
      place += 4 + Int(data[place + 2]) << 8 + Int(data[place + 3])
    }
    return place == count
  }

  @Test(
    "Records with malformed parameters are refused: those of RFC 9460, appendix D.3, and further ones",
    arguments: [
      ("key123=abc key123=def", [0, 123, 0, 3, 97, 98, 99, 0, 123, 0, 3, 100, 101, 102]),
      ("mandatory", [0, 0, 0, 0]), ("alpn", [0, 1, 0, 0]), ("port", [0, 3, 0, 0]),
      ("ipv4hint", [0, 4, 0, 0]), ("ipv6hint", [0, 6, 0, 0]),
      ("no-default-alpn=abc", [0, 1, 0, 3, 2, 0x68, 0x32, 0, 2, 0, 3, 97, 98, 99]),
      ("mandatory=mandatory", [0, 0, 0, 2, 0, 0]),
      ("mandatory=key123,key123", [0, 0, 0, 4, 0, 123, 0, 123, 0, 123, 0, 3, 97, 98, 99]),
      ("mandatory in descending order", [0, 0, 0, 4, 0, 3, 0, 1, 0, 1, 0, 2, 1, 97, 0, 3, 0, 2, 0, 1]),
      ("half a key in mandatory", [0, 0, 0, 3, 0, 1, 0, 0, 1, 0, 2, 1, 97]),
      ("keys in descending order", [0, 3, 0, 2, 0, 53, 0, 1, 0, 2, 1, 97]),
      ("an empty protocol", [0, 1, 0, 1, 0]), ("a protocol beyond its list", [0, 1, 0, 2, 2, 0x68]),
      ("a port of one byte", [0, 3, 0, 1, 53]), ("a port of three bytes", [0, 3, 0, 3, 0, 0, 53]),
      ("three bytes of an IPv4 hint", [0, 4, 0, 3, 192, 0, 2]),
      ("an IPv4 hint as one of IPv6", [0, 6, 0, 4, 192, 0, 2, 1]),
      ("a value beyond the record", [0, 123, 0, 4, 97]), ("half a key", [0]), ("no length", [0, 123]),
    ] as [(String, [UInt8])])
  func malformed(_ name: String, parameters: [UInt8]) {
    #expect(throws: NameMessage.Fault.malformed) {
      try Self.binding(Self.data(1, "foo.example.com", parameters))
    }
    // An alias has none.
    #expect(throws: Never.self) { try Self.binding(Self.data(0, "foo.example.com", parameters)) }
  }

  @Test(
    "A record whose parameters contradict each other, or must be understood and aren't, is not used",
    arguments: [
      ("mandatory=key123", [0, 0, 0, 2, 0, 123], false), ("mandatory=port", [0, 0, 0, 2, 0, 3], false),
      ("mandatory=key123 key123=a", [0, 0, 0, 2, 0, 123, 0, 123, 0, 1, 97], false),
      ("mandatory=ech ech=a", [0, 0, 0, 2, 0, 5, 0, 5, 0, 1, 97], false), ("ech=a", [0, 5, 0, 1, 97], true),
      ("mandatory=port port=53", [0, 0, 0, 2, 0, 3, 0, 3, 0, 2, 0, 53], true),
      ("no-default-alpn", [0, 2, 0, 0], false),
      ("alpn=h3 no-default-alpn", [0, 1, 0, 3, 2, 0x68, 0x33, 0, 2, 0, 0], true),
      ("port=0", [0, 3, 0, 2, 0, 0], false),
    ] as [(String, [UInt8], Bool)])
  func compatibility(_ name: String, parameters: [UInt8], isCompatible: Bool) throws {
    let binding = try Self.binding(Self.data(1, "foo.example.com", parameters))
    #expect(binding.isCompatible == isCompatible)
  }

  @Test("A compressed target is refused, and a long or unfinished one as well")
  func targets() {
    for data: [UInt8] in [
      [0, 1, 0xC0, 0], [0, 1, 1, 97, 0xC0, 0], [0, 1, 3, 97], [0, 1], [0],
      [0, 1] + (0..<5).flatMap { _ in [63] + [UInt8](repeating: 97, count: 63) } + [0],
    ] {
      #expect(throws: NameMessage.Fault.malformed) { try Self.binding(data) }
    }
  }

  @Test("One malformed record of a name invalidates the others, and one of another name doesn't")
  func recordSet() throws {
    let h3: [UInt8] = [0, 1, 0, 3, 2, 0x68, 0x33]
    let sound = Self.data(1, "", h3)
    let broken = Self.data(2, "", [0, 1, 0, 0])
    func answer(brokenName: String) throws(NameMessage.Fault) -> ServiceAnswer {
      try NameMessage.services(
        NameMessageBuilder(
          "example.com",
          records: [
            .service("example.com", sound, seconds: 300), .service(brokenName, broken, seconds: 9),
          ]
        ).bytes, for: Self.owner)
    }
    #expect(throws: NameMessage.Fault.malformed) { try answer(brokenName: "example.com") }
    let found = try answer(brokenName: "other.test")
    #expect(found.timeToLive == .seconds(300) && found.alias == nil)
    #expect(found.service.http3Port(at: [Self.owner], originPort: 443) == 443)
  }

  @Test("Arbitrary bytes are read or refused, and what is kept is bounded")
  func arbitraryBytes() {
    let records = (1...20).map { number in
      NameMessageBuilder.Record.service(
        "example.com", Self.data(UInt8(number), "", [0, 1, 0, 3, 2, 0x68, 0x33, 0, 3, 0, 2, 1, 187]),
        seconds: 60)
    }
    let message = NameMessageBuilder("example.com", records: records).bytes
    #expect((try? NameMessage.services(message, for: Self.owner))?.service.count == HTTPService.maximumCount)
    for _ in 0..<5_000 {
      var bytes = message
      for _ in 0..<Int.random(in: 1...4) {
        bytes[Int.random(in: 0..<bytes.count)] = UInt8.random(in: 0...255)
      }
      if let answer = try? NameMessage.services(bytes, for: Self.owner) {
        #expect(answer.service.count <= HTTPService.maximumCount)
      }
    }
  }
}

@Suite("HTTPService")
struct HTTPServiceTests {
  private static let h3: [UInt8] = [0, 1, 0, 3, 2, 0x68, 0x33]
  private static let h2: [UInt8] = [0, 1, 0, 3, 2, 0x68, 0x32]
  private static let host = NameMessageBuilder.name("a.test")
  private static let edge = NameMessageBuilder.name("edge.test")

  private static func record(_ priority: UInt8, _ target: String, _ parameters: [UInt8]) -> [UInt8] {
    [0, priority] + NameMessageBuilder.name(target) + parameters
  }

  /// Records of the host "a.test", whose addresses are those of "edge.test".
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let records: [[UInt8]]
    let port: Int?
  }

  @Test(
    "HTTP/3 is used where the preferred record of the request's own addresses has it",
    arguments: [
      Case(testDescription: "none", records: [], port: nil),
      Case(testDescription: "the owner", records: [record(1, "", h3)], port: 443),
      Case(testDescription: "the host", records: [record(1, "a.test", h3)], port: 443),
      Case(testDescription: "an alias of the addresses", records: [record(1, "EDGE.test", h3)], port: 443),
      Case(testDescription: "another name", records: [record(1, "b.test", h3)], port: nil),
      Case(testDescription: "a port", records: [record(1, "", h3 + [0, 3, 0, 2, 1, 0])], port: 256),
      Case(testDescription: "another protocol", records: [record(1, "", h2)], port: nil),
      Case(testDescription: "no protocol", records: [record(1, "", [])], port: nil),
      Case(
        testDescription: "preferred without", records: [record(2, "", h3), record(1, "", h2)], port: nil),
      Case(testDescription: "equal, one with", records: [record(1, "", h2), record(1, "", h3)], port: 443),
      Case(
        testDescription: "preferred elsewhere", records: [record(1, "b.test", h2), record(2, "", h3)],
        port: 443),
      Case(
        testDescription: "preferred with an unknown mandatory key",
        records: [record(1, "", [0, 0, 0, 2, 0, 99] + h3 + [0, 99, 0, 0]), record(2, "", h2)], port: nil),
    ])
  func choice(_ example: Case) throws {
    let bindings = try example.records.map { try ServiceBinding(NameReader($0), owner: Self.host) }
    let service = HTTPService(bindings)
    #expect(service.http3Port(at: [Self.host, Self.edge], originPort: 443) == example.port)
  }

  @Test("Beside an alias other records are ignored, and an alias of the root means that there is no service")
  func aliases() throws {
    func answer(_ records: [[UInt8]]) throws -> ServiceAnswer {
      ServiceAnswer(
        try records.map { try ServiceBinding(NameReader($0), owner: Self.host) }, timeToLive: .seconds(9))
    }
    let aliased = try answer([Self.record(1, "", Self.h3), Self.record(0, "edge.test", [])])
    #expect(aliased.alias == Self.edge && aliased.service == .empty && aliased.timeToLive == .seconds(9))
    let closed = try answer([Self.record(0, "", []), Self.record(1, "", Self.h3)])
    #expect(closed.alias == nil && closed.service == .empty && closed.timeToLive == .seconds(9))
  }
}
