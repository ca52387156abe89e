import BodyFormats
import Foundation
import Testing

/// Equal params have the same query and form, whatever the order of their hash values is.
@Suite struct HashOrderTests {
  private struct Filter: Encodable {
    var city: String
    var tags: Set<String>
    var numbers: Set<Int>?
    var last: Int
  }

  /// Params that are encoded as the value that they wrap.
  private struct Wrapper<Value: Encodable & Sendable>: Encodable {
    let value: Value
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  @Test("A set is in the order of the text of its elements, among fields in their own order")
  func set() throws {
    let filter = Filter(city: "x", tags: ["b c", "b", "a&b", "é"], numbers: [2, 10, 1], last: 0)
    #expect(
      try FormFields(encoding: filter).encoded
        == "city=x&tags=%C3%A9&tags=a%26b&tags=b&tags=b%20c&numbers=1&numbers=10&numbers=2&last=0")
    #expect(try FormFields(encoding: Wrapper(value: ["k": Set([2, 1])])).encoded == "k=1&k=2")
  }

  @Test("A dictionary is in the order of its names, and a list in it in its own")
  func dictionary() throws {
    #expect(try FormFields(encoding: ["b": [2, 1], "a1": [0], "a": []]).encoded == "a1=0&b=2&b=1")
    #expect(try FormFields(encoding: ["b": "=&", "a": "x=y", "a1": "y"]).encoded == "a=x%3Dy&a1=y&b=%3D%26")
    #expect(try FormFields(encoding: Wrapper(value: ["b": 1, "a": 2])).encoded == "a=2&b=1")
    #expect(try FormFields(encoding: [String: String]()).encoded == "")
    #expect(try FormFields(encoding: ["b": 1, "a": 2], omitting: ["a"]).encoded == "b=1")
  }

  @Test("Equal params have one text", arguments: [10, 100, 1000, 5000])
  func equal(_ room: Int) throws {
    let texts = (0..<80).map { "t\($0)" }
    var tags: Set<String> = []
    tags.reserveCapacity(room)
    for text in texts.reversed() { tags.insert(text) }
    var fields: [String: Set<String>] = [:]
    fields.reserveCapacity(room)
    for text in texts.reversed() { fields[text] = tags }
    let filter = Filter(city: "x", tags: Set(texts), last: 0)
    let same = Filter(city: "x", tags: tags, last: 0)
    #expect(try FormFields(encoding: same).encoded == FormFields(encoding: filter).encoded)
    let plain = Dictionary(texts.map { ($0, Set(texts)) }) { first, _ in first }
    #expect(try FormFields(encoding: fields).encoded == FormFields(encoding: plain).encoded)
  }
}
