import Interception

@testable import DNSBypass

extension FuzzTarget {
  static let serviceRecords = FuzzTarget(
    name: "https-records", reads: "HTTPS records of a server of DNS", maximumLength: 1_024,
    seeds: [
      // A record with h3 at port 443, an alias, and one with mandatory keys, hints and an unknown key.
      message([[0, 1, 0, 0, 1, 0, 3, 2, 0x68, 0x33, 0, 3, 0, 2, 1, 0xBB]]),
      message([[0, 0, 1, 0x62, 0]]),
      message([
        [0, 1, 0, 0, 1, 0, 6, 2, 0x68, 0x32, 2, 0x68, 0x33],
        [
          0, 16, 1, 0x62, 0, 0, 0, 0, 4, 0, 1, 0, 4, 0, 1, 0, 3, 2, 0x68, 0x33, 0, 2, 0, 0, 0, 4, 0, 4, 192,
          0,
          2, 1, 0, 6, 0, 16, 0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 2, 0x9B, 0, 1, 0x61,
        ],
      ]),
    ]
  ) { bytes in
    let host = NameMessage.name(of: "www.example.com") ?? []
    guard let answer = try? NameMessage.services(bytes, for: host) else { return }
    try require(
      answer.service.count <= min(HTTPService.maximumCount, bytes.count / 14),
      "Each endpoint has a record of its own, and few are kept.", "\(answer)")
    try require(
      answer.timeToLive != nil || (answer.service == .empty && answer.alias == nil),
      "Without records there is neither a service nor an alias.", "\(answer)")
    try require(
      answer.alias == nil || answer.service == .empty, "An alias has no service of its own.", "\(answer)")
    if let alias = answer.alias {
      try require((2...255).contains(alias.count) && alias.last == 0, "An alias is a name.", "\(alias)")
    }
    if let port = answer.service.http3Port(at: [host], originPort: 443) {
      try require((1...65_535).contains(port), "A port is one of UDP.", "\(port)")
    }
  }

  /// A response about "www.example.com", with HTTPS records of these data.
  private static func message(_ records: [[UInt8]]) -> [UInt8] {
    let question: [UInt8] = [
      3, 0x77, 0x77, 0x77, 7, 0x65, 0x78, 0x61, 0x6D, 0x70, 0x6C, 0x65, 3, 0x63, 0x6F, 0x6D, 0, 0, 65, 0, 1,
    ]
    return [0, 0, 0x81, 0x80, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0] + question
      + records.flatMap { [0xC0, 12, 0, 65, 0, 1, 0, 0, 0, 60, 0, UInt8($0.count)] + $0 }
  }

  static let nameAnswer = FuzzTarget(
    name: "dns-answer", reads: "answers of a server of DNS", maximumLength: 1_024,
    seeds: [
      // The answer of RFC 8484, section 4.2.2, and one with an alias and two addresses.
      [
        0x00, 0x00, 0x81, 0x80, 0x00, 0x01, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x03, 0x77, 0x77, 0x77, 0x07,
        0x65, 0x78, 0x61, 0x6D, 0x70, 0x6C, 0x65, 0x03, 0x63, 0x6F, 0x6D, 0x00, 0x00, 0x1C, 0x00, 0x01, 0xC0,
        0x0C, 0x00, 0x1C, 0x00, 0x01, 0x00, 0x00, 0x0E, 0x7D, 0x00, 0x10, 0x20, 0x01, 0x0D, 0xB8, 0xAB, 0xCD,
        0x00, 0x12, 0x00, 0x01, 0x00, 0x02, 0x00, 0x03, 0x00, 0x04,
      ],
      [
        0, 0, 0x81, 0x80, 0, 1, 0, 3, 0, 0, 0, 0, 3, 0x77, 0x77, 0x77, 7, 0x65, 0x78, 0x61, 0x6D, 0x70, 0x6C,
        0x65, 3, 0x63, 0x6F, 0x6D, 0, 0, 1, 0, 1, 0xC0, 12, 0, 5, 0, 1, 0, 0, 0, 9, 0, 4, 1, 0x62, 0xC0, 16,
        0xC0, 45, 0, 1, 0, 1, 0, 0, 0, 8, 0, 4, 192, 0, 2, 1, 0xC0, 45, 0, 1, 0, 1, 0, 0, 0, 7, 0, 4, 192, 0,
        2,
        2,
      ],
    ]
  ) { bytes in
    for type in NameMessage.RecordType.allCases {
      guard let answer = try? NameMessage.answer(bytes, for: "www.example.com", type) else { continue }
      let length = type == .version4 ? 4 : 16
      try require(
        answer.addresses.allSatisfy { $0.bytes.count == length },
        "The addresses are of the kind that was asked for.")
      try require(
        answer.addresses.count * (11 + length) <= bytes.count, "Each address has a record of its own.",
        "\(answer)")
      try require(
        answer.addresses.isEmpty == (answer.timeToLive == nil),
        "Addresses have a time, and nothing else has.",
        "\(answer)")
    }
  }
}
