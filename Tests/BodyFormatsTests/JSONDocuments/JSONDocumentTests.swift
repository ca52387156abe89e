import BodyFormats
import Foundation
import SwitchyardTesting
import Testing

@Suite("A raw JSON document", .timeLimit(.minutes(5)))
struct JSONDocumentTests {
  @Test(
    "A value has the text that stands in the document",
    arguments: [
      "7", "-1.5e3", "true", "null", #""""#, #""a\"]}b""#, #""\\""#, "[]", "{}", #"[1, "]", [2]]"#,
      #"{"a}": {"b": "\"}"}, "c": []}"#,
    ])
  func text(value: String) throws {
    let document = try JSONDocument(Array(#" {"x" : [ 0 ,\#(value) , {}]} "#.utf8))
    #expect(try Array(document["x"][1].text) == Array(value.utf8))
    #expect(try Array(JSONDocument(Array(value.utf8)).text) == Array(value.utf8))
  }

  @Test("An error has the offset of its fault, and the offset a line")
  func offsets() throws {
    let text = Array("{\n\"a\": 7,\n\"b\": {}\n}".utf8)
    let document = try JSONDocument(text)
    let mismatch = #expect(throws: BodyDecodingError.self) { try String(json: document["a"]) }
    let missing = #expect(throws: BodyDecodingError.self) { try document["b"]["c"] }
    let truncated = #expect(throws: BodyDecodingError.self) { try JSONDocument(Array(text.dropLast())) }
    let lines = [mismatch, missing, truncated].map { $0?.offset.map { JSONDocument.line(at: $0, in: text) } }
    #expect(lines == [2, 3, 4])
  }

  enum Fields {
    static let price = JSONField<Int>("asking_price")
    static let sold = JSONField<String?>("sold_on")
  }

  private let text = #"""
    {"houses": [{"id": 1, "asking_price": 5}, {"id": 2, "asking_price": "6", "sold_on": null},
      {"id": 3, "sold_on": "May \u00e9\ud83d\ude00\n"}], "total": 3, "a\"b": [[], [true]]}
    """#

  private func document(_ text: String) throws -> JSONDocument { try JSONDocument(Array(text.utf8)) }

  private func error(_ body: () throws -> Void) throws -> BodyDecodingError {
    try #require(throws: BodyDecodingError.self) { try body() }
  }

  @Test("Fields, keys and indexes reach any value, and types read it")
  func reading() throws {
    let document = try document(text)
    #expect(try document["houses"][0][Fields.price] == 5)
    #expect(try document["houses"][0][Fields.sold] == nil)
    #expect(try document["houses"][1][Fields.sold] == nil)
    #expect(try document["houses"][2][Fields.sold] == "May é😀\n")
    #expect(try Int(json: document["total"]) == 3)
    #expect(try document["a\"b"][1][0].kind == .boolean)
    #expect(try [JSONDocument](json: document["houses"]).map { try Int(json: $0["id"]) } == [1, 2, 3])
    #expect(document.kind == .object)
    #expect(Fields.price.name == "asking_price" && Fields.price == JSONField<Int>("asking_price"))
  }

  @Test("An error names the path, what was expected and what was found")
  func errors() throws {
    let document = try document(text)
    let cases: [(BodyDecodingError.Kind, String, () throws -> Void)] = [
      (
        .mismatch, "`houses[1].asking_price` should be Int, but is a string.",
        {
          _ = try document["houses"][1][Fields.price]
        }
      ),
      (
        .missing, "`houses[2].asking_price` is required, but is missing.",
        {
          _ = try document["houses"][2][Fields.price]
        }
      ),
      (.missing, "`houses[3]` is required, but is missing.", { _ = try document["houses"][3] }),
      (.missing, "`houses[-1]` is required, but is missing.", { _ = try document["houses"][-1] }),
      (.mismatch, "`total` should be an array, but is a number.", { _ = try document["total"][0] }),
      (.mismatch, "`houses` should be an object, but is an array.", { _ = try document["houses"]["a"] }),
      (
        .mismatch, "`a\"b[1][0]` should be a string, but is a Boolean.",
        {
          _ = try String(json: document["a\"b"][1][0])
        }
      ),
      (
        .mismatch, "`houses[0].id` should be a string, but is a number.",
        {
          _ = try document["houses"][0][JSONField<String?>("id")]
        }
      ),
      (.mismatch, "The content should be an array, but is an object.", { _ = try document[0] }),
    ]
    for (kind, reason, body) in cases {
      let error = try error(body)
      #expect(error.kind == kind && error.reason == reason)
      #expect(
        error.field == (reason.hasPrefix("`") ? reason.split(separator: "`").first.map(String.init) : nil))
    }
  }

  @Test("Depth, length and duplicate keys are bounded as by JSONCoding", arguments: [1, 128, 512])
  func limits(depth: Int) throws {
    let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    _ = try JSONDocument(Array(nested.utf8), maximumDepth: depth)
    let deep = try error { _ = try JSONDocument(Array("[\(nested)]".utf8), maximumDepth: depth) }
    #expect(deep.kind == .tooDeep(limit: depth))
    let bottomless = try error { _ = try document(String(repeating: "[", count: 1_000_000)) }
    #expect(bottomless.kind == .tooDeep(limit: 128) && bottomless.field?.hasSuffix("[0][0]") == true)
  }

  @Test("A text that is too long or empty is refused")
  func length() throws {
    #expect(try error { _ = try document("") }.kind == .empty)
    _ = try JSONDocument(Array("[1]".utf8), maximumLength: 3)
    let long = try error { _ = try JSONDocument(Array("[1] ".utf8), maximumLength: 3) }
    #expect(long.kind == .tooLarge(limit: 3))
  }

  @Test("The same key twice is refused with its path, or the first one is read")
  func duplicates() throws {
    let text = #"{"homes":[{"price":1},{"price":1,"\u0070rice":2}]}"#
    let error = try error { _ = try document(text) }
    #expect(error.kind == .duplicateKey && error.field == "homes[1].price")
    let accepted = try JSONDocument(Array(text.utf8), acceptsDuplicateKeys: true)
    #expect(try accepted["homes"][1][JSONField<Int>("price")] == 1)
    #expect(try [String: Int](json: accepted["homes"][1]) == ["price": 1])
  }

  @Test("The path to a late element of a long array ends early")
  func longArray() throws {
    let count = 100_000
    let document = try document(
      #"{"prices":["# + Array(repeating: "null", count: count).joined(separator: ",") + "]}")
    let elements = try [JSONDocument](json: document["prices"])
    #expect(elements.count == count)
    let early = try error { _ = try Int(json: elements[4096]) }
    #expect(early.field == "prices[4096]")
    // Without a limit, these errors would pass 10^8 elements.
    for element in elements.suffix(1_000) {
      let late = try error { _ = try Int(json: element) }
      #expect(late.reason == "`prices.…` should be Int, but is null.")
    }
  }

  @Test("A key with escapes is found by its text")
  func escapedKeys() throws {
    let document = try document(#"{"\u0061\/\t": 1, "a": 2}"#)
    #expect(try document[JSONField<Int>("a/\t")] == 1)
    #expect(try document[JSONField<Int>("a")] == 2)
    #expect(try [String: Int](json: document) == ["a/\t": 1, "a": 2])
  }

  @Test("An error never repeats a value")
  func secrets() throws {
    let secret = "correct-horse"
    let document = try document(#"{"token": "\#(secret)"}"#)
    let error = try error { _ = try document[JSONField<Int>("token")] }
    #expect(!"\(error)".contains(secret) && error.field == "token")
    let malformed = try self.error { _ = try self.document(#"{"token": \#(secret)}"#) }
    #expect(malformed.kind == .malformed && !"\(malformed)".contains(secret))
  }

  @Test("Random documents are read as JSONSerialization reads them")
  func agreement() throws {
    var random = SeededRandom(seed: 7)
    for _ in 0..<500 {
      let value = Self.value(depth: 4, using: &random)
      let data = try JSONSerialization.data(withJSONObject: ["root": value])
      let document = try JSONDocument(Array(data))
      #expect(try Self.object(document["root"]) as? NSObject == value as? NSObject)
    }
  }

  private static func value(depth: Int, using random: inout SeededRandom) -> Any {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
    case 0: NSNumber(value: Int.random(in: .min ... .max, using: &random))
    case 1: NSNumber(value: Double.random(in: -1e12...1e12, using: &random))
    case 2:
      String(
        (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
          "aé😀\"\\\n\u{1}/\u{2028}".randomElement(using: &random)
        })
    case 3: NSNull()
    case 4: (0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1, using: &random) }
    default:
      [String: Any](
        uniqueKeysWithValues: (0..<Int.random(in: 0...4, using: &random)).map {
          ("k\"\($0)", value(depth: depth - 1, using: &random))
        })
    }
  }

  private static func object(_ json: JSONDocument) throws -> Any {
    switch json.kind {
    case .object: try [String: JSONDocument](json: json).mapValues(object)
    case .array: try [JSONDocument](json: json).map(object)
    case .string: try String(json: json)
    case .number:
      try (try? Int(json: json)).map { NSNumber(value: $0) } ?? NSNumber(value: Double(json: json))
    case .boolean: NSNumber(value: try Bool(json: json))
    case .null: NSNull()
    }
  }
}
