import Foundation
import HTTPTypes
import SwitchyardTesting

@testable import DNSBypass
@testable import Interception
@testable import NetworkMonitoring
@testable import RequestLogging

extension FuzzTarget {
  static let netlink = FuzzTarget(
    name: "netlink", reads: "messages of the kernel about links, addresses and routes",
    seeds: [link, address, route, link + address + route, [0], Array(repeating: 255, count: 20)]
  ) { bytes in
    let (messages, isComplete) = NetlinkMessage.messages(in: bytes[...])
    let printed = messages.flatMap(written)
    if isComplete {
      try require(
        NetlinkMessage.messages(in: printed[...]).messages.map(written), equals: messages.map(written),
        "Messages, written again, are the same messages.")
    }
    var session = NetlinkSession(port: 1)
    _ = session.begin()
    // The messages of three requests, as if the kernel had answered each with all of them.
    for sequence in 1...3 {
      let answers = messages.flatMap { message in
        written(
          NetlinkMessage(
            type: message.type, flags: message.flags & ~NetlinkConstant.dumpInterrupted,
            sequence: UInt32(sequence), port: 1, payload: message.payload))
      }
      _ = session.receive(answers[...])
      let end = NetlinkMessage(
        type: NetlinkConstant.done, flags: 0, sequence: UInt32(sequence), port: 1, payload: [0, 0, 0, 0])
      for case .publish(let table) in session.receive(written(end)[...]) { try check(table) }
    }
    _ = session.receive(bytes[...])
  }

  private static func check(_ table: NetworkTable) throws {
    let state = table.state { name in name.hasPrefix("w") ? "wlan" : nil }
    for text in state.gateways + state.interfaces.flatMap(\.addresses) {
      try require(IPAddress(text).map { "\($0)" }, equals: text, "A reported address is an address.")
    }
  }

  private static func written(_ message: NetlinkMessage) -> [UInt8] {
    let length = NetlinkMessage.headerSize + message.payload.count
    return NetlinkMessage.bytes(of: UInt32(length)) + NetlinkMessage.bytes(of: message.type)
      + NetlinkMessage.bytes(of: message.flags) + NetlinkMessage.bytes(of: message.sequence)
      + NetlinkMessage.bytes(of: message.port) + message.payload
      + [UInt8](repeating: 0, count: (4 - length % 4) % 4)
  }

  private static func message(_ type: UInt16, _ payload: [UInt8]) -> [UInt8] {
    written(NetlinkMessage(type: type, flags: 2, sequence: 1, port: 1, payload: payload[...]))
  }

  private static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
    NetlinkMessage.bytes(of: UInt16(4 + value.count)) + NetlinkMessage.bytes(of: type) + value
      + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
  }

  private static let link = message(
    NetlinkConstant.newLink,
    [0, 0, 1, 0, 2, 0, 0, 0, 0x41, 0, 0, 0, 0, 0, 0, 0] + attribute(3, Array("wlan0\0".utf8)))
  private static let address = message(
    NetlinkConstant.newAddress, [2, 24, 0, 0, 2, 0, 0, 0] + attribute(1, [192, 0, 2, 7]))
  private static let route = message(
    NetlinkConstant.newRoute,
    [2, 0, 0, 0, 254, 0, 0, 1, 0, 0, 0, 0] + attribute(4, [2, 0, 0, 0]) + attribute(5, [192, 0, 2, 1]))
}

extension FuzzTarget {
  private static let secret = "s3cr3tsecr3t"

  static let archive = FuzzTarget(
    name: "archive", reads: "what is logged of exchanges: HAR documents and curl commands",
    seeds: texts(
      "/a?b=c#d\nX-A\nvalue\ntext/html\n/b?c=d\n<html>",
      "/\nLocation\nhttps://u@h/\napplication/json\n\n{\"a\":1}",
      "/é\"\\\u{7F}\nReferer\n//u:p@h/?q\napplication/x-www-form-urlencoded\n\na=b&c"),
    words: ["\n", "?", "&", "=", "#", "//", "@", "\"", "\\", "'", "$(", "\0", "{", "Location", "Referer"]
  ) { bytes in
    let lines = bytes.split(separator: 0x0A, maxSplits: 5, omittingEmptySubsequences: false).map { text($0) }
    guard lines.count == 6 else { return }
    var request = Request(
      method: .post, scheme: "https", authority: "u:\(secret)@api.example",
      path: "/\(lines[0])?t=\(secret)#\(secret)",
      body: .bytes(Array("t=\(secret)&\(lines[5])".utf8)))
    request.head.headerFields = [
      .authorization: "Bearer \(secret)", .cookie: "a=\(secret)",
      .contentType: "application/x-www-form-urlencoded",
    ]
    var fields: HTTPFields = [
      .contentType: lines[3], .location: "\(lines[4])?t=\(secret)", .setCookie: secret,
    ]
    if let name = HTTPField.Name(lines[1]) {
      request.head.headerFields[name] = lines[2]
      fields[name] = lines[2]
    }
    let head = HTTPResponse(status: .init(code: 200, reasonPhrase: lines[0]), headerFields: fields)
    let format = ArchiveFormat(redaction: Redaction(), bodies: BodySampling())
    let entry = ArchiveEntry(
      request, .answered(head, bytes: 1, sample: Array(lines[5].utf8), nil),
      startedAt: WallTime(secondsSince1970: 1_790_000_000), after: .seconds(1), format: format)
    let json = entry.json.bytes
    try require(
      (try? JSONSerialization.jsonObject(with: Data(json))) != nil, "An entry of a HAR document is JSON.",
      text(json))
    try require(!text(json).contains(secret), "An entry of a HAR document shows no secret.", text(json))
    let command = CurlCommand(request).line
    try require(!command.contains(secret), "A curl command shows no secret.", command)
    try require(!command.utf8.contains { $0 == 0x0A || $0 == 0 }, "A curl command is one line.", command)
  }

  static let redaction = FuzzTarget(
    name: "redaction", reads: "URLs, queries and JSON whose values are hidden in logs",
    seeds: texts(
      "a=b&c", "//h/p?q#f", "https://u:p@h/?a=b", "{\"a\": [\"b\", {\"c\": 1}]", "{\"x\\\"y\":", "?a", "#"),
    words: ["?", "&", "=", "#", "//", "@", "\"", "\\", ":", "{", "}", "[", "]", ",", "\u{301}"]
  ) { bytes in
    let text = text(bytes)
    let redaction = Redaction()
    let shown = [
      "in a query": redaction.query("\(text)&t=\(secret)&\(text)"),
      "after a query's mark": redaction.path("\(text)?t=\(secret)&\(text)"),
      "in a URL's query": redaction.url("\(text)?t=\(secret)"),
      "before a URL's host": redaction.url("https://u:\(secret)@\(text)"),
      "in an authority": redaction.authority("u:\(secret)@\(text)"),
      "in JSON": redaction.json("\(text){\"t\": \"\(secret)\"}"),
      "in a JSON list": redaction.json("{\"t\": [\"\(secret)\", \(text)"),
    ]
    for (place, shown) in shown {
      try require(!shown.contains(secret), "A secret \(place) is hidden.", shown)
    }
  }
}

extension FuzzTarget {
  static let addressList = FuzzTarget(
    name: "address-list", reads: "lists of addresses, and the files that they are kept in",
    maximumLength: 16_384,
    seeds: texts(
      "issued 1764000000\napi.estate.example 203.0.114.7 [2001:db9::7]:8443\r\n\n# x\n",
      "a:80 8.8.8.8:53 1::2",
      "switchyard addresses 1 1790000000\n"),
    words: [
      "issued ", " ", "\n", "203.0.114.7", "[2001:db9::7]", ":443", "127.0.0.1", "::ffff:10.0.0.1",
      "example.com",
    ]
  ) { bytes in
    let record = AddressListRecord(refreshed: WallTime(secondsSince1970: 1), signed: bytes)
    if let encoded = record.encoded() {
      try require(AddressListRecord.decode(encoded), equals: record, "A record is read as it was written.")
    }
    if let record = AddressListRecord.decode(bytes) {
      try require(record.encoded(), equals: bytes, "A record is written as it was read.")
    }
    guard let list = try? AddressList(text: bytes) else { return }
    let lines =
      (list.issued.map { ["issued \($0.seconds)"] } ?? [])
      + list.hosts.map { "\($0.key) \($0.value.joined(separator: " "))" }
    try require(
      try? AddressList(text: Array(lines.joined(separator: "\n").utf8)), equals: list,
      "A list of addresses, written again, is the same list.")
    guard let table = try? AddressTable(list.hosts) else { return }
    for host in table.hosts {
      for target in table.addresses(for: host, scheme: "https") {
        guard let address = IPAddress(target.address) else {
          throw BrokenLaw(law: "What is connected to is an address.", evidence: target.address)
        }
        try require(
          address.specialPurpose == nil, "An address of a list is one of the Internet.", target.address)
      }
    }
  }

  static let cassette = FuzzTarget(
    name: "cassette", reads: "recorded exchanges", maximumLength: 8_192,
    seeds: texts(
      #"{"version":1,"interactions":[{"request":{"method":"GET","scheme":"https","authority":"a","path":"/","#
        + #""fields":[{"name":"A","value":"b"}]},"response":{"status":200,"fields":[],"body":{"text":"x","length":1,"#
        + #""sha256":"2d"},"isComplete":true}}]}"#,
      #"{"version":1,"interactions":[{"request":{"method":"","scheme":"","authority":"","path":"","fields":[],"body":"#
        + #"{"base64":"//79","length":3,"sha256":""}},"failure":{"label":"tls.expired","reason":"r","#
        + #""requestMayHaveBeenProcessed":true,"limit":9223372036854775807}}]}"#),
    words: [
      "\"request\":", "\"response\":", "\"failure\":", "\"body\":", "\"fields\":", "\"text\":", "\"base64\":",
      "{", "}",
    ]
  ) { bytes in
    try check(Cassette.Document.self, bytes, "A cassette")
    guard let document = try? JSONDecoder().decode(Cassette.Document.self, from: Data(bytes)) else { return }
    let cassette = Cassette(interactions: document.interactions)
    let json = try cassette.json()
    try require(
      try? JSONDecoder().decode(Cassette.Document.self, from: Data(json.utf8)).interactions,
      equals: cassette.interactions,
      "The file of a cassette is read as it was written.")
    for interaction in cassette.interactions {
      _ = (interaction.request.body?.bytes, interaction.response?.body?.bytes)
    }
  }
}
