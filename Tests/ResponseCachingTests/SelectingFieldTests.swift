import HTTPTypes
import Testing

@testable import ResponseCaching

@Suite struct SelectingFieldTests {
  @Test(
    "Spellings of one value are the same, in any order where none counts; quoted strings are kept",
    arguments: [
      ("Foo", "1,2", " 1 ,\t2 ", true), ("Foo", "a, \"b , c\"", "a,\"b , c\"", true),
      ("Foo", "\"b , c\"", "\"b,c\"", false), ("Foo", "\"b\\\" , c\"", "\"b\\\",c\"", false),
      ("Foo", "a b", "ab", false), ("Foo", "A", "a", false), ("Foo", "a;q=1", "a; q=1", false),
      ("Foo", "\"a , b", "\"a,b", false),
      ("Accept-Language", "en, de;q=0.5", "EN,De ; q=0.5", true),
      ("Accept-Language", "en, de", "de, en", true), ("Accept-Language", "en, de", "en, fr", false),
      ("Accept-Language", "de;q=0.9, en", "en;q=1.000,,de;Q=0.90", true),
      ("Accept-Language", "en;q=0.9, de", "de;q=0.9, en", false),
      ("Accept-Language", "en;q=0, de", "de", false), ("Accept-Language", "en", "en-GB", false),
      ("Accept-Language", "en;q=0.5, en", "en, en;q=0.5", false),
      ("Accept-Language", "en;q=2, de", "de, en;q=2", false),
      ("Accept-Language", "en;q=0.1234, de", "de, en;q=0.1234", false),
      ("Accept-Language", "en;q, de", "de, en;q", false),
      ("Accept-Language", "en us, de", "de, en us", false),
      ("Accept-Language", "en;x=1, de", "de, en;x=1", false),
      ("Accept-Encoding", "GZIP , br", "br,gzip", true), ("Accept-Encoding", "gzip;q=0, br", "br", false),
      ("Accept-Charset", "utf-8, ISO-8859-1;q=0.5", "iso-8859-1;q=0.5,UTF-8", true),
      ("Accept", "text/html;Level=1, */*;q=0.1", "*/*; q=0.100, TEXT/HTML; level=1", true),
      ("Accept", "text/html;level=1", "text/html;level=2", false),
      ("Accept", "text/html;a=\"x;q=0, y\", a/b", "a/b,text/html;a=\"x;q=0, y\"", true),
      ("Accept", "text/html;a=\"X\"", "text/html;a=\"x\"", false),
      ("Accept", "text/html;q=0.5;a=1, a/b", "a/b, text/html;q=0.5;a=1", false),
      ("Accept", "text/html;a=\"x, a/b", "a/b, text/html;a=\"x", false),
      ("Foo", "1, 2", "2, 1", false), ("Cookie", "a=1; b=2", "b=2; a=1", false),
    ])
  func normalized(_ name: String, _ left: String, _ right: String, areSame: Bool) {
    let name = HTTPField.Name.named(name)
    #expect(
      (SelectingField.normalized(Array(left.utf8), of: name)
        == SelectingField.normalized(Array(right.utf8), of: name)) == areSame)
  }
}
