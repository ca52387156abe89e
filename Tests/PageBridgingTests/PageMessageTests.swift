import Foundation
import PageBridging
import Testing

@Suite struct PageMessageTests {
  private static func read<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  private static func write(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test(
    "A call is decoded as documented and encoded back",
    arguments: [
      (
        #"{"id":"7","method":"price","params":{"id":"3"}}"#,
        PageCall(id: "7", method: "price", parameters: ["id": "3"])
      ),
      (#"{"id":"7","method":"share"}"#, PageCall(id: "7", method: "share")),
      (#"{"id":"8","url":"estate://price?id=3"}"#, PageCall(id: "8", url: "estate://price?id=3")),
    ])
  func call(_ text: String, _ call: PageCall) throws {
    #expect(try Self.read(PageCall.self, text) == call)
    #expect(try Self.write(call) == text)
  }

  @Test(
    "An invalid call is not decoded",
    arguments: [
      #"{"method":"price"}"#, #"{"id":7,"method":"price"}"#, #"{"id":"7"}"#,
      #"{"id":"7","method":"price","url":"estate://x"}"#, #"{"id":"7","url":"estate://x","params":{}}"#,
      #"{"id":"7","method":"price","params":{"id":3}}"#, #"[]"#,
    ])
  func senseless(_ text: String) {
    #expect(throws: DecodingError.self) { try Self.read(PageCall.self, text) }
  }

  @Test(
    "A reply is encoded as documented and decoded back",
    arguments: [
      (PageReply(id: "7", event: .progress(.double(0.5))), #"{"event":"progress","id":"7","value":0.5}"#),
      (
        PageReply(id: "7", event: .success(["a": [1, 2], "b": nil].pageValue)),
        #"{"event":"success","id":"7","value":{"a":[1,2],"b":null}}"#
      ),
      (PageReply(id: "7", event: .success(.null)), #"{"event":"success","id":"7","value":null}"#),
      (PageReply(id: "7", event: .failure(.notFound)), #"{"event":"failure","id":"7","reason":"not_found"}"#),
    ])
  func reply(_ reply: PageReply, _ text: String) throws {
    #expect(try Self.write(reply) == text)
    #expect(try Self.read(PageReply.self, text) == reply)
  }

  @Test(
    "A value is the plain JSON value",
    arguments: [
      ("null", PageValue.null), ("true", .bool(true)), ("1", .int(1)), ("-0.5", .double(-0.5)),
      (#""x""#, .string("x")),
      (#"[1,"a",null,[]]"#, .array([.int(1), .string("a"), .null, .array([])])),
      (#"{"a":{"b":false}}"#, .object(["a": .object(["b": .bool(false)])])),
    ])
  func value(_ text: String, _ value: PageValue) throws {
    #expect(try Self.read([PageValue].self, "[\(text)]") == [value])
    #expect(try Self.write([value]) == "[\(text)]")
  }

  @Test("Values of the app become values of a page")
  func pageValues() {
    #expect(String?.none.pageValue == .null)
    #expect(Int?(3).pageValue == .int(3))
    #expect(Double.nan.pageValue == .null)
    #expect([["a": true]].pageValue == .array([.object(["a": .bool(true)])]))
    #expect("x".pageValue == .string("x"))
    #expect(2.5.pageValue.pageValue == .double(2.5))
  }
}
