import HTTPTypes
import Testing

@testable import ResponseCaching

@Suite struct SelectingFieldTests {
  @Test(
    "Spellings of one value are the same, and quoted strings are never changed",
    arguments: [
      ("Foo", "1,2", " 1 ,\t2 ", true), ("Foo", "a, \"b , c\"", "a,\"b , c\"", true),
      ("Foo", "\"b , c\"", "\"b,c\"", false), ("Foo", "\"b\\\" , c\"", "\"b\\\",c\"", false),
      ("Foo", "a b", "ab", false), ("Foo", "A", "a", false), ("Foo", "a;q=1", "a; q=1", false),
      ("Foo", "\"a , b", "\"a,b", false),
      ("Accept-Language", "en, de;q=0.5", "EN,De ; q=0.5", true),
      ("Accept-Language", "en, de", "de, en", false),
      ("Accept-Encoding", "GZIP , br", "gzip,br", true), ("Accept-Language", "en", "en-GB", false),
    ])
  func normalized(_ name: String, _ left: String, _ right: String, areSame: Bool) {
    let name = HTTPField.Name.named(name)
    #expect(
      (SelectingField.normalized(left, of: name) == SelectingField.normalized(right, of: name)) == areSame)
  }
}
