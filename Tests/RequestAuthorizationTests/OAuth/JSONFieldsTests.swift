import Foundation
import SwitchyardTesting
import Testing

@testable import RequestAuthorization

@Suite struct JSONFieldsTests {
  private func fields(_ text: String) -> JSONFields? { JSONFields(Array(text.utf8)) }

  @Test("Strings and numbers of an object are read, nested values are skipped")
  func reading() throws {
    let text = """
       { "a" : "1", "b":2.5e3 ,"c":{"a":["}",{"x":"\\""}]},"d":[1,"]"], "e":true,"f":null,"":"empty" ,"n":-1}\n
      """
    let object = try #require(fields(text))
    #expect(object.strings == ["a": "1", "": "empty"])
    #expect(object.numbers == ["b": 2_500, "n": -1])
    #expect(object.hasOther("b") && object.hasOther("c") && object.hasOther("d") && object.hasOther("e"))
    #expect(!object.hasOther("a") && !object.hasOther("f") && !object.hasOther("g"))
    #expect(fields("{\"a\":1e999,\"b\":-1e999}")?.numbers == ["a": .infinity, "b": -.infinity])
    #expect(fields("{\"a\":[],\"a\":\"b\"}")?.hasOther("a") == false)
    #expect(fields("{}")?.strings == [:])
    #expect(fields(#"{"a":"1","a":"2"}"#)?.strings == ["a": "2"])
    #expect(fields(#"{"a":"1","a":null}"#)?.strings == [:])
  }

  @Test("Escapes are decoded, with pairs of surrogates")
  func escapes() {
    let text = #"{"t":"\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\ude00é"}"#
    #expect(fields(text)?.strings["t"] == "\"\\/\u{8}\u{C}\n\r\té€😀é")
  }

  @Test(
    "Anything but a JSON object is refused",
    arguments: [
      "", " ", "null", "[]", "\"a\"", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1}x",
      "{\"a\":1 \"b\":2}",
      "{a:1}", "{\"a\":tru}", "{\"a\":inf}", "{\"a\":nan}", "{\"a\":0x1}", "{\"a\":1..2}",
      "{\"a\":\"\u{1}\"}", #"{"a":"\x"}"#, #"{"a":"\ud83d"}"#,
      #"{"a":"\ude00"}"#, #"{"a":"\ud83d\u0041"}"#, #"{"a":"\u12"}"#, "{\"a\":\"", "{\"a\":[",
      "<html></html>",
      "access_token=a&token_type=bearer",
    ])
  func malformed(_ text: String) { #expect(fields(text) == nil) }

  @Test("A body that isn't UTF-8, or is nested 60,000 times, is read without a trap")
  func hostile() {
    #expect(JSONFields(Array("{\"a\":\"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8)) == nil)
    let depth = 30_000
    let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(fields("{\"a\":\(nested),\"b\":\"c\"}")?.strings == ["b": "c"])
    #expect(fields("{\"a\":" + String(repeating: "[", count: 60_000)) == nil)
  }

  @Test("Random objects that Foundation writes have the same strings, and truncated ones are refused")
  func foundation() throws {
    var random = SeededRandom(seed: 8)
    let alphabet = Array("ab\"\\/\n\té€😀{}[]:, ")
    for _ in 1...300 {
      var object: [String: String] = [:]
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        func text() -> String {
          String(
            (0..<Int.random(in: 0...8, using: &random)).map { _ in
              alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            })
        }
        object[text()] = text()
      }
      let bytes = [UInt8](try JSONSerialization.data(withJSONObject: object))
      #expect(JSONFields(bytes)?.strings == object)
      for end in 0..<bytes.count { #expect(JSONFields(Array(bytes[..<end])) == nil) }
    }
  }
}
