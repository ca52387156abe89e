import BodyFormats
import Foundation
import PageBridging

extension FuzzTarget {
  private static let documents = texts(
    #"{"houses": [{"id": 7, "price": 1.5e3, "sold": null, "a\u00e9\ud83c\udfe0": true}, []]}"#,
    #"[1, -0.0, 1E+2, ""]"#,
    #"{"a": 1, "a": 2}"#, #"{"\u0061": 1, "a": 2}"#, "[[[[[[[[[[]]]]]]]]]]", "\u{FEFF}{}", #""\ud800""#, "01",
    "1e400",
    #"{"a": "\x"}"#, "[9223372036854775807, 18446744073709551616, 0.1]")
  private static let tokens = [
    "{", "}", "[", "]", ":", ",", "\"", "\\u0061", "\\ud83c\\udfe0", "\\n", "true", "false", "null", "1e9",
    "-0", "\"a\":",
  ]

  static let json = FuzzTarget(
    name: "json", reads: "JSON as values of types", seeds: documents, words: tokens
  ) { bytes in
    let strict = try? JSONCoding(maximumDepth: 512).decode(PageValue.self, from: bytes)
    if strict != nil {
      let isValid = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
      try require(isValid, "What is decoded is JSON for Foundation too.")
    }
    let accepting = JSONCoding(acceptsDuplicateKeys: true, maximumDepth: 512)
    guard let value = try? accepting.decode(PageValue.self, from: bytes) else { return }
    let printed = try [UInt8](JSONEncoder().encode(value))
    // A number without fraction is read as an integer, however it was written. Duplicate keys are gone.
    try require(
      (try? JSONCoding(maximumDepth: 512).decode(PageValue.self, from: printed)).map(withoutIntegers),
      equals: withoutIntegers(value), "A value, written as JSON, is that value.")
  }

  private static func withoutIntegers(_ value: PageValue) -> PageValue {
    switch value {
    case .int(let integer): .double(Double(integer))
    case .array(let elements): .array(elements.map(withoutIntegers))
    case .object(let members): .object(members.mapValues(withoutIntegers))
    case .null, .bool, .double, .string: value
    }
  }

  static let jsonDocument = FuzzTarget(
    name: "json-document", reads: "JSON where its bytes are", seeds: documents, words: tokens
  ) { bytes in
    let document = try? JSONDocument(bytes, acceptsDuplicateKeys: true, maximumDepth: 512)
    let object = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    guard let document else {
      // This parser alone refuses half of a surrogate pair, a mark of the byte order, wide encodings, and the
      // comma after the last member that Foundation allows.
      let tokens = text(bytes.filter { !" \t\r\n".utf8.contains($0) })
      let hasReason =
        ["\\u", ",}", ",]"].contains { tokens.contains($0) } || bytes.contains { $0 == 0 || $0 >= 0xEF }
      try require(object == nil || hasReason, "What Foundation reads as JSON can be read.")
      return
    }
    guard let object else {
      // Foundation alone refuses numbers that no Double can hold.
      try require(
        bytes.contains { $0 | 0x20 == UInt8(ascii: "e") } || bytes.count > 300, "A document is JSON.")
      return
    }
    try compare(document, object)
    if let strict = try? JSONDocument(bytes, maximumDepth: 512) {
      try require(strict.kind, equals: document.kind, "")
    }
  }

  /// Returns the text without byte order marks, which Foundation drops from strings and keys.
  private static func withoutMarks(_ text: String) -> String {
    var scalars = text.unicodeScalars
    scalars.removeAll { $0 == "\u{FEFF}" }
    return String(scalars)
  }

  private static func compare(_ document: JSONDocument, _ object: Any) throws {
    _ = [document.mismatch("").field]
    switch document.kind {
    case .object:
      let members = try [String: JSONDocument](json: document)
      let others = object as? [String: Any] ?? [:]
      try require(
        Set(members.keys.map(withoutMarks)), equals: Set(others.keys.map(withoutMarks)),
        "Foundation reads the same keys.")
      // Of equal keys Foundation reads another one than this parser, so the values are not compared.
      for (_, member) in members { try walk(member) }
    case .array:
      let elements = try [JSONDocument](json: document)
      let others = object as? [Any] ?? []
      try require(elements.count, equals: others.count, "Foundation reads as many elements.")
      for (element, other) in zip(elements, others) { try compare(element, other) }
    case .string:
      try require(
        withoutMarks(try String(json: document)), equals: (object as? String).map(withoutMarks),
        "Foundation reads the same string.")
    case .number:
      // Foundation rounds numbers of many digits twice.
      if let other = object as? NSNumber, let number = try? Double(json: document) {
        try require(
          abs(number - other.doubleValue) <= abs(number) * 1e-12, "Foundation reads the same number.",
          "\(number) is not \(other)")
      }
      if let integer = try? Int(json: document), let other = object as? NSNumber, abs(integer) < 1 << 53 {
        try require(Double(integer), equals: other.doubleValue, "Foundation reads the same integer.")
      }
      _ = try? UInt8(json: document)
    case .boolean:
      try require(try Bool(json: document), equals: object as? Bool, "Foundation reads the same Boolean.")
    case .null: try require(object is NSNull, "Foundation reads null.")
    }
  }

  private static func walk(_ document: JSONDocument) throws {
    switch document.kind {
    case .object: for member in try [String: JSONDocument](json: document).values { try walk(member) }
    case .array: for element in try [JSONDocument](json: document) { try walk(element) }
    case .string: _ = try String(json: document)
    case .number: _ = (try? Double(json: document), try? Int(json: document))
    case .boolean: _ = try Bool(json: document)
    case .null: break
    }
  }

  static let pageCall = FuzzTarget(
    name: "page-call", reads: "calls of web pages, and replies to them",
    seeds: texts(
      #"{"id": "7", "method": "price", "params": {"id": "3"}}"#,
      #"{"id": "7", "url": "estate://price?id=3"}"#,
      #"{"id": "7", "event": "progress", "value": [0.5, {"a": null}]}"#,
      #"{"id": "7", "event": "failure", "reason": "not_found"}"#),
    words: tokens + [
      "\"id\"", "\"method\"", "\"params\"", "\"url\"", "\"event\"", "\"success\"", "\"value\"",
    ]
  ) { bytes in
    try check(PageCall.self, bytes, "A page's call")
    try check(PageReply.self, bytes, "A reply to a page")
  }

  static func check<Value: Codable & Equatable>(_ type: Value.Type, _ bytes: [UInt8], _ what: String) throws {
    guard let value = try? JSONDecoder().decode(type, from: Data(bytes)) else { return }
    let written = try JSONEncoder().encode(value)
    try require(
      try? JSONDecoder().decode(type, from: written), equals: value, "\(what), written as JSON, is the same.")
  }
}
