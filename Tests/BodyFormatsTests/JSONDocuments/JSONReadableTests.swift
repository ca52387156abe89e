import BodyFormats
import Testing

@Suite("Values of a raw JSON document as types", .timeLimit(.minutes(5)))
struct JSONReadableTests {
  private func read<Value: JSONReadable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
    try Value(json: JSONDocument(Array(text.utf8)))
  }

  private func reason<Value: JSONReadable>(_ text: String, as type: Value.Type) throws -> String {
    try #require(throws: BodyDecodingError.self) { try read(text, as: type) }.reason
  }

  @Test("An integer is read up to the edges of its type")
  func integers() throws {
    #expect(try read("9223372036854775807") == Int64.max)
    #expect(try read("-9223372036854775808") == Int64.min)
    #expect(try read("18446744073709551615") == UInt64.max)
    #expect(try read("-128") == Int8.min)
    #expect(try read("255") == UInt8.max)
    #expect(try read("-0") == UInt(0))
    #expect(try read("7.0") == 7)
    #expect(try read("-7.50e1") == -75)
    #expect(try read("9007199254740991.0") == 9_007_199_254_740_991)
    #expect(try read("9007199254740993.0") == 9_007_199_254_740_993)
    #expect(try read("9.223372036854775807e18") == Int64.max)
    #expect(try read("-92233720368547758080E-1") == Int64.min)
    #expect(try read("-0.0e9") == UInt(0))
    #expect(try read("0.00025e+6") == 250)
    #expect(try read("1.00e2") == UInt8(100))
    #expect(try read("25600e-2", as: Int.self) == 256)
  }

  @Test(
    "A number that an integer cannot represent is refused",
    arguments: [
      "9223372036854775808", "-9223372036854775809", "1.5", "1e19", "1e999", "1e-1", "4503599627370497.4",
      "1.00000000000000000001", "1.00000000000000000001e0", "1e99999999999999999999",
      "10e-99999999999999999999",
      "9223372036854775808.0", "9.223372036854775808e18", "100000000000000000000000000000000000000",
    ])
  func unrepresentable(_ text: String) throws {
    #expect(try reason(text, as: Int64.self) == "The content has a value that its type does not allow.")
    #expect(throws: BodyDecodingError.self) { try read("-1", as: UInt8.self) }
    #expect(throws: BodyDecodingError.self) { try read("128", as: Int8.self) }
    #expect(throws: BodyDecodingError.self) { try read("2.56e2", as: UInt8.self) }
    #expect(throws: BodyDecodingError.self) { try read("-1.0", as: UInt8.self) }
  }

  @Test("A number is rounded as Swift's literals are, and one beyond the range is refused")
  func floatingPoint() throws {
    #expect(try read("0.1") == 0.1)
    #expect(try read("-2.5e-3") == -0.0025)
    #expect(try read("123456789012345678901234567890") == 123_456_789_012_345_678_901_234_567_890.0)
    #expect(try read("1.7976931348623157e308") == Double.greatestFiniteMagnitude)
    #expect(try read("4.9e-324") == Double.leastNonzeroMagnitude)
    #expect(try read("1e-999") == 0.0)
    #expect(try read("-0", as: Double.self).sign == .minus)
    #expect(try read("1.5") == Float(1.5))
    #expect(try reason("1e999", as: Double.self) == "The content has a value that its type does not allow.")
    #expect(throws: BodyDecodingError.self) { try read("1e39", as: Float.self) }
  }

  @Test("A string is read with its escapes removed")
  func strings() throws {
    #expect(try read(#""\"\\\/\b\f\n\r\t""#) == "\"\\/\u{8}\u{C}\n\r\t")
    #expect(try read(#""a\u0000b\u00E9\u20ac\uD83D\uDE00é""#) == "a\u{0}bé€😀é")
    #expect(try read(#""""#) == "")
    #expect(try reason("[]", as: String.self) == "The content should be a string, but is an array.")
  }

  @Test("Booleans, arrays, dictionaries and enumerations are read")
  func others() throws {
    enum Kind: String, JSONReadable { case house, condo }
    #expect(try read("true") == true)
    #expect(try read(" false") == false)
    #expect(try read("[[1],[],[2,3]]") == [[1], [], [2, 3]])
    #expect(try read(#"{"a":[1],"b":[]}"#) == ["a": [1], "b": []])
    #expect(try read(#"["condo","house"]"#) == [Kind.condo, .house])
    #expect(try reason("1", as: Bool.self) == "The content should be a Boolean, but is a number.")
    #expect(try reason("[1,[2]]", as: [Int].self) == "`[1]` should be Int, but is an array.")
    #expect(
      try reason(#"{"a":{"b":null}}"#, as: [String: [String: Int]].self)
        == "`a.b` should be Int, but is null.")
    #expect(
      try reason(#"["house","villa"]"#, as: [Kind].self) == "`[1]` has a value that its type does not allow.")
    #expect(try reason("1", as: [String: Int].self) == "The content should be an object, but is a number.")
    #expect(try reason("{}", as: [Int].self) == "The content should be an array, but is an object.")
  }

  @Test("A type of an app's own reads its fields, and its error has the path")
  func ownType() throws {
    struct House: JSONReadable, Equatable {
      static let price = JSONField<Int>("price")
      let price: Int

      init(json: JSONDocument) throws {
        price = try json[Self.price]
        guard price >= 0 else { throw try json["price"].mismatch("should not be negative") }
      }
    }
    let houses = JSONField<[House]>("houses")
    let good = try JSONDocument(Array(#"{"houses":[{"price":1},{"price":2}]}"#.utf8))
    #expect(try good[houses].map(\.price) == [1, 2])
    let bad = try JSONDocument(Array(#"{"houses":[{"price":1},{"price":-2}]}"#.utf8))
    let error = try #require(throws: BodyDecodingError.self) { try bad[houses] }
    #expect(error.field == "houses[1].price" && error.reason == "`houses[1].price` should not be negative.")
  }
}
