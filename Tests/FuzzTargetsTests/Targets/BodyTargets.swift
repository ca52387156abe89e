import Foundation
import Interception

@testable import BodyFormats

extension FuzzTarget {
  static let serverSentEvents = FuzzTarget(
    name: "server-sent-events", reads: "streams of events",
    seeds: texts(
      "data: a\ndata: b\n\nevent: x\rid: 7\rdata\r\r",
      "\u{FEFF}data: x\r\n\r\nretry: 5000\r\n: comment\r\ndata:y\r\n\r\n",
      "id: \0\nid\ndata:\n\nretry: 99999999999999999999\n\n", "data: cut off"),
    words: ["data:", "event:", "id:", "retry:", "\n\n", "\r\n", "\r", ": ", "\u{FEFF}"]
  ) { bytes in
    let whole = try events(bytes, pieceLength: max(1, bytes.count))
    let length = 1 + Int(bytes.first ?? 0) % 7
    try require(
      try events(bytes, pieceLength: length).events, equals: whole.events,
      "The events do not depend on how the bytes are divided.")
    try require(
      whole.events, equals: eventsOfSpecification(bytes), "The events are those of the specification.")
    let printed = whole.events.map { event in
      "event: \(event.type)\nid: \(event.lastEventID)\n"
        + event.data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }.joined()
        + "\n"
    }.joined()
    guard !whole.events.contains(where: { $0.data.contains("\r\n") }) else { return }
    try require(
      try events(Array(printed.utf8), pieceLength: 4_096).events, equals: whole.events,
      "Events, written again, are the same events.")
  }

  private static func events(_ bytes: [UInt8], pieceLength: Int) throws -> (
    events: [ServerSentEvent], id: String
  ) {
    var parser = ServerSentEventParser()
    var events: [ServerSentEvent] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      parser.append(Array(rest.prefix(pieceLength)))
      rest = rest.dropFirst(pieceLength)
      while let event = try parser.next() { events.append(event) }
    }
    return (events, parser.lastEventID)
  }

  /// The steps of WHATWG HTML, section 9.2.6, over the decoded text as a whole.
  private static func eventsOfSpecification(_ bytes: [UInt8]) -> [ServerSentEvent] {
    var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    var lines: [String.UnicodeScalarView] = []
    var line = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      if scalar == "\n", index > 0, scalars[index - 1] == "\r" { continue }
      if scalar == "\n" || scalar == "\r" {
        lines.append(line)
        line = String.UnicodeScalarView()
      } else {
        line.append(scalar)
      }
    }
    var (events, data, type, id): ([ServerSentEvent], String?, String, String) = ([], nil, "", "")
    for line in lines {
      guard !line.isEmpty else {
        if let data {
          events.append(ServerSentEvent(type: type.isEmpty ? "message" : type, data: data, lastEventID: id))
        }
        (data, type) = (nil, "")
        continue
      }
      let colon = line.firstIndex(of: ":")
      var value = colon.map { line[line.index(after: $0)...] } ?? line[line.endIndex...]
      if value.first == " " { value = value.dropFirst() }
      switch String(line[..<(colon ?? line.endIndex)]) {
      case "data": data = (data.map { $0 + "\n" } ?? "") + String(value)
      case "event": type = String(value)
      case "id": if !value.contains("\0") { id = String(value) }
      default: break
      }
    }
    return events
  }
}

extension FuzzTarget {
  static let multipartForm = FuzzTarget(
    name: "multipart-form", reads: "names, file names and values of multipart forms",
    seeds: texts(
      "title\nharbour.jpeg\nimage/png\nvalue", "a\"b\r\n\0\nü%22\ntext/plain; a=b\n\r\n--x", "a\n\n\n"),
    words: ["\"", "\r\n", "--b0undary", "%22", "; filename=", "Content-Type: ", "text/plain", "\n"]
  ) { bytes in
    let parts = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, !text(bytes).contains("--b0undary") else { return }
    var form = try MultipartForm(boundary: "b0undary")
    let (name, fileName, type) = (text(parts[0]), text(parts[1]), text(parts[2]))
    form.append(text(parts[3]), named: name)
    try? form.append(bytes: Array(parts[3]), named: name, fileName: fileName, contentType: type)
    guard let written = form.body.bytes else { return }
    try require(form.length, equals: Int64(written.count), "The length of a form is the number of its bytes.")
    var received: [(head: String, content: [UInt8])] = []
    var rest = written[...]
    while rest.starts(with: Array("--b0undary\r\n".utf8)) {
      guard let head = rest.firstRange(of: Array("\r\n\r\n".utf8)),
        let end = rest[head.upperBound...].firstRange(of: Array("\r\n--b0undary".utf8))
      else { throw BrokenLaw(law: "A receiver finds the end of each part.", evidence: escaped(rest)) }
      received.append((text(rest[..<head.lowerBound]), Array(rest[head.upperBound..<end.lowerBound])))
      rest = rest[(end.lowerBound + 2)...]
    }
    try require(received.count, equals: form.parts.count, "A receiver finds all parts of a form.")
    for (part, (head, content)) in zip(form.parts, received) {
      try require(part.body.bytes ?? [], equals: content, "A receiver reads the content that was sent.")
      let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
      try require(
        lines.count, equals: part.contentType == nil ? 2 : 3, "A name adds no line to the head of a part.")
      let quotes = lines[1].utf8.count { $0 == UInt8(ascii: "\"") }
      try require(quotes, equals: part.fileName == nil ? 2 : 4, "A name ends at its quotation mark.")
    }
  }

  static let formFields = FuzzTarget(
    name: "form-fields", reads: "names and values of queries and forms",
    seeds: texts("city\nLisbon\npage\n2", "a b\n+&=%é\n\n"), words: ["&", "=", "%41", "+", "\n", "é", "\0"]
  ) { bytes in
    let texts = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { text($0) }
    let pairs = stride(from: 0, to: texts.count - 1, by: 2).map { (texts[$0], texts[$0 + 1]) }
    let encoded = FormFields(pairs).encoded
    var components = URLComponents()
    components.percentEncodedQuery = encoded
    let read = pairs.isEmpty ? [] : components.queryItems ?? []
    try require(
      read.map { [$0.name, $0.value ?? ""] }, equals: pairs.map { [$0.0, $0.1] },
      "Foundation reads the fields of a form that were written.")
    try require(
      QueryItems("/?" + encoded).items.map { [text($0.name), text($0.value)] },
      equals: pairs.map { [$0.0, $0.1] },
      "The fields of a form are read as they were written.")
  }
}
