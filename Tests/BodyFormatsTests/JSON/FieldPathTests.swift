import Testing

@testable import BodyFormats

@Suite("The path to a field")
struct FieldPathTests {
  @Test("Keys are separated by dots, and indices are in brackets")
  func format() {
    #expect(FieldPath.text([FieldPath.Component]()) == nil)
    #expect(FieldPath.text([.key("items"), .index(3), .key("price")]) == "items[3].price")
    #expect(FieldPath.text([.index(0), .index(1)]) == "[0][1]")
  }

  @Test("A long path shows its end, a long key its beginning, and no control character is shown")
  func bounds() throws {
    let deep = try #require(FieldPath.text(Array(repeating: .key("abcdefgh"), count: 1_000) + [.key("end")]))
    #expect(deep.hasPrefix("….abcdefgh") && deep.hasSuffix(".abcdefgh.end"))
    #expect(deep.utf8.count <= FieldPath.maximumBytes + 3)
    let long = try #require(FieldPath.text([.key(String(repeating: "k", count: 1 << 20))]))
    #expect(long == String(repeating: "k", count: FieldPath.maximumKeyBytes) + "…")
    #expect(FieldPath.text([.key("a\u{1B}[2J\nb")]) == "a?[2J?b")
  }

  @Test(
    "The path to a byte of a text is that of its key, array or object",
    arguments: [
      (#"{"a":1,"a":2}"#, 7, "a"), (#"[0,{"b":{"a":1,"c":[{"a":1}],"a":2}}]"#, 29, "[1].b.a"),
      (#"[[],[],[[]]]"#, 8, "[2][0]"), (#"{"x":{"y":[1,2,{"z":[]}]}}"#, 20, "x.y[2].z"),
      (#"{"x":[{"a":1},{"a":1,"a":2}]}"#, 21, "x[1].a"), (#"{"a\"]b":{"c":0,"c":0}}"#, 17, #"a"]b.c"#),
    ])
  func place(_ text: String, _ offset: Int, _ path: String) {
    #expect(FieldPath.text(JSONPlace.path(to: offset, in: Array(text.utf8).span)) == path)
  }
}
