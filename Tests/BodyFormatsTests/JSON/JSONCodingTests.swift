import BodyFormats
import Foundation
import Interception
import Testing

@Suite("JSON as a format", .timeLimit(.minutes(5)))
struct JSONCodingTests {
  struct Home: Codable, Equatable {
    struct Offer: Codable, Equatable {
      var askingPrice: Int
      var listed: Date
    }

    var street: String
    var offers: [Offer]
  }

  private let home = Home(
    street: "Main/Street", offers: [Home.Offer(askingPrice: 5, listed: Date(timeIntervalSince1970: 86_400))])

  private func decode<Value: Decodable>(
    _ text: String, as type: Value.Type = Home.self, by coding: JSONCoding = JSONCoding()
  ) throws -> Value {
    try coding.decode(type, from: Array(text.utf8))
  }

  private func error<Value: Decodable>(
    _ text: String, as type: Value.Type = Home.self, by coding: JSONCoding = JSONCoding()
  ) throws -> BodyDecodingError {
    try #require(throws: BodyDecodingError.self) { try decode(text, as: type, by: coding) }
  }

  @Test(
    "A value is encoded with sorted keys and decoded again, in every format of keys and dates",
    arguments: [
      (JSONCoding(), #""askingPrice":5,"listed":"1970-01-02T00:00:00Z""#),
      (JSONCoding(usesSnakeCase: true, dates: .secondsSince1970), #""asking_price":5,"listed":86400"#),
      (JSONCoding(dates: .millisecondsSince1970), #""askingPrice":5,"listed":86400000"#),
    ])
  func formats(_ coding: JSONCoding, _ offer: String) throws {
    let bytes = try coding.encode(home)
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"offers":[{\#(offer)}],"street":"Main/Street"}"#)
    #expect(try coding.decode(Home.self, from: bytes) == home)
  }

  @Test(
    "An RFC 3339 date may have a fraction and an offset",
    arguments: [
      "1970-01-02T00:00:00Z", "1970-01-02T00:00:00.000Z", "1970-01-02T02:00:00+02:00",
      "1970-01-01T22:00:00.0-02:00",
    ])
  func dates(_ text: String) throws {
    #expect(try decode("[\"\(text)\"]", as: [Date].self) == [Date(timeIntervalSince1970: 86_400)])
  }

  @Test(
    "A mismatch names the field, what was expected and what was found",
    arguments: [
      (#"{"street":"a"}"#, BodyDecodingError.Kind.missing, "offers", "`offers` is required, but is missing."),
      (
        #"{"street":"a","offers":[{"listed":"1970-01-02T00:00:00Z"}]}"#, .missing, "offers[0].askingPrice",
        "`offers[0].askingPrice` is required, but is missing."
      ),
      (#"{"street":5,"offers":[]}"#, .mismatch, "street", "`street` should be String, but is a number."),
      (#"{"street":true,"offers":[]}"#, .mismatch, "street", "`street` should be String, but is a Boolean."),
      (#"{"street":[],"offers":[]}"#, .mismatch, "street", "`street` should be String, but is an array."),
      (#"{"street":{},"offers":[]}"#, .mismatch, "street", "`street` should be String, but is an object."),
      (#"{"street":null,"offers":[]}"#, .mismatch, "street", "`street` should be String, but is null."),
      (#"{"street":"a","offers":"b"}"#, .mismatch, "offers", "`offers` should be an array, but is a string."),
      (#"[]"#, .mismatch, nil, "The content should be an object, but is an array."),
      (
        #"{"street":"a","offers":[{"askingPrice":1.5,"listed":"1970-01-02T00:00:00Z"}]}"#, .mismatch,
        "offers[0].askingPrice", "`offers[0].askingPrice` has a value that its type does not allow."
      ),
      (
        #"{"street":"a","offers":[{"askingPrice":99999999999999999999,"listed":"1970-01-02T00:00:00Z"}]}"#,
        .mismatch, "offers[0].askingPrice",
        "`offers[0].askingPrice` has a value that its type does not allow."
      ),
      (
        #"{"street":"a","offers":[{"askingPrice":1,"listed":"yesterday"}]}"#, .mismatch, "offers[0].listed",
        "`offers[0].listed` has a value that its type does not allow."
      ),
      (
        #"{"street":"\ud800","offers":[]}"#, .mismatch, "street",
        "`street` has a value that its type does not allow."
      ),
    ] as [(String, BodyDecodingError.Kind, String?, String)])
  func mismatches(
    _ text: String, _ kind: BodyDecodingError.Kind, _ field: String?, _ reason: String
  ) throws {
    let error = try error(text)
    #expect(error.kind == kind && error.field == field && error.reason == reason, "\(error)")
    #expect(error.description == error.reason)
  }

  @Test("A field is named by the type's key, whatever the server calls it")
  func snakeCaseField() throws {
    let text = #"{"street":"a","offers":[{"asking_price":"b","listed":"1970-01-02T00:00:00Z"}]}"#
    #expect(try error(text, by: JSONCoding(usesSnakeCase: true)).field == "offers[0].askingPrice")
  }

  @Test("A number that its type cannot represent is found within any container")
  func located() throws {
    struct Nested: Decodable {
      enum Keys: CodingKey { case list, dictionary }
      let values: [Int8]
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        var list = try container.nestedUnkeyedContainer(forKey: .list)
        var values: [Int8] = []
        while !list.isAtEnd { values.append(try list.decode(Int8.self)) }
        self.values =
          values + (try container.decodeIfPresent([String: Int8].self, forKey: .dictionary) ?? [:]).values
      }
    }
    #expect(try decode(#"{"list":[1,2],"dictionary":{"a":3}}"#, as: Nested.self).values == [1, 2, 3])
    #expect(try error(#"{"list":[1,300]}"#, as: Nested.self).field == "list[1]")
    #expect(try error(#"{"list":[],"dictionary":{"a":300}}"#, as: Nested.self).field == "dictionary.a")
    #expect(try error("[[1],[2,-1]]", as: [[UInt?]].self).field == "[1][1]")
    let whole = try error("1.5", as: Int.self)
    #expect(whole.kind == .mismatch && whole.field == nil)
    #expect(try error(#"{"a":[""]}"#, as: [String: [URL]].self).field == "a[0]")
    #expect(
      try error(#"{"a":[{"b":"","c":1e999}]}"#, as: [String: [[String: Double]]].self).kind == .mismatch)
  }

  @Test(
    "Text that is not JSON is malformed",
    arguments: [
      "<html></html>", "{", #"{"street":"#, #"{"street":"a""#, "[1,2", #"{"street":"a" "offers":[]}"#, "{]}",
      "nul", "}", #"{'street':1}"#, "\u{1}",
    ])
  func malformed(_ text: String) throws {
    let error = try error(text, as: [String: Int].self)
    #expect(error.kind == .malformed && error.field == nil)
    #expect(!error.reason.contains("street") && !error.reason.contains("html"))
  }

  @Test("UTF-16 is malformed, although Foundation's decoder reads it, and nothing is empty")
  func encodings() throws {
    let error = try #require(throws: BodyDecodingError.self) {
      try JSONCoding().decode([Int].self, from: Array("[1]".utf16).flatMap { [UInt8($0), 0] })
    }
    #expect(error.kind == .malformed && error.reason.contains("UTF-8"))
    #expect(try self.error("").kind == .empty)
  }

  @Test("Deep nesting is refused before it is parsed", arguments: [128, 10_000, 1_000_000])
  func nesting(depth: Int) throws {
    let text = #"{"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
    let error = try error(text, as: [String: Int].self)
    #expect(error.kind == .tooDeep(limit: 128))
    #expect(error.field?.hasSuffix("[0][0][0]") == true && (error.field?.utf8.count ?? 0) < 256)
  }

  @Test("The depth limit can be lowered, and not raised above what the platform's decoder reads")
  func depthLimit() throws {
    #expect(JSONCoding(maximumDepth: 0).maximumDepth == 1)
    #expect(JSONCoding(maximumDepth: 1 << 20).maximumDepth == JSONCoding.greatestDepth)
    #expect(try decode("[[1]]", as: [[Int]].self, by: JSONCoding(maximumDepth: 2)) == [[1]])
    #expect(
      try error("[[[1]]]", as: [[Int]].self, by: JSONCoding(maximumDepth: 2)).kind == .tooDeep(limit: 2))

    #expect(JSONCoding().maximumDepth == 128)

    // The deepest text that is accepted is really decoded.
    struct Nest: Decodable {
      let depth: Int
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        depth = container.isAtEnd ? 1 : try container.decode(Nest.self).depth + 1
      }
    }
    let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(try decode(text, as: Nest.self, by: JSONCoding(maximumDepth: 512)).depth == 512)
  }

  @Test("A value that its type cannot represent, in a deep value of a recursive type, needs little stack")
  func deepFault() async throws {
    struct Tree: Decodable {
      let a: [Tree]?
      let n: Int?
    }
    let text =
      String(repeating: #"{"a":["#, count: 63) + #"{"n":1.5}"# + String(repeating: "]}", count: 63)
    // The stack of Swift's threads on Apple platforms.
    let field = try await onThread(stackSize: 512 << 10) { try error(text, as: Tree.self).field }
    #expect(field?.hasPrefix("…") == false && field?.hasSuffix("a[0].a[0].a") == true)
  }

  private func onThread<Value: Sendable>(
    stackSize: Int, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Result(catching: work)) }
      thread.stackSize = stackSize
      thread.start()
    }
  }

  @Test("The same key twice is refused, or accepted if asked")
  func duplicates() throws {
    let text = #"{"homes":[{"price":1},{"price":1,"\u0070rice":2}]}"#
    let error = try error(text, as: [String: [[String: Int]]].self)
    #expect(error.kind == .duplicateKey && error.field == "homes[1].price")
    #expect(error.reason.hasPrefix("`homes[1].price` occurs more than once in its object"))
    let accepted = try decode(
      text, as: [String: [[String: Int]]].self, by: JSONCoding(acceptsDuplicateKeys: true))
    #expect(accepted["homes"]?.count == 2)
  }

  @Test("An error never repeats content")
  func secrets() throws {
    let secret = "correct-horse"
    for text in [
      #"{"street":["\#(secret)"],"offers":[]}"#, #"{"street":"\#(secret)"#, #"{"street":\#(secret)}"#,
      #"{"street":"a","offers":"\#(secret)"}"#,
      #"{"street":"a","offers":[{"askingPrice":1,"listed":"\#(secret)"}]}"#,
    ] {
      let error = try error(text)
      #expect(!"\(error) \(error.field ?? "") \(String(reflecting: error))".contains(secret))
    }
  }

  @Test("A number that JSON cannot represent is refused with its field")
  func unencodable() throws {
    struct Point: Encodable { let x: Double }
    let error = try #require(throws: NetworkError.self) { try JSONCoding().encode([Point(x: .nan)]) }
    #expect(error.kind == .invalidRequest && error.reason.contains("`[0].x`"))
  }

  @Test(
    "Types of JSON and of no particular content are accepted, and pages and media are not",
    arguments: [
      ("application/json", true), ("application/problem+json", true), ("text/json", true),
      ("text/plain", true), ("application/octet-stream", true), ("application/vnd.estate", true),
      ("text/javascript", true), ("", true), ("text/html", false), ("application/xhtml+xml", false),
      ("application/xml", false), ("text/csv", false), ("image/png", false), ("multipart/mixed", false),
    ])
  func contentTypes(_ mediaType: String, isAccepted: Bool) {
    #expect(JSONCoding().accepts(mediaType) == isAccepted)
  }
}
