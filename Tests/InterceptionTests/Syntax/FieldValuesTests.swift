import HTTPTypes
import Testing

@testable import Interception

@Suite("Field values")
struct FieldValuesTests {
  private static func fields(_ name: HTTPField.Name, _ values: [String]) -> HTTPFields {
    HTTPFields(values.map { HTTPField(name: name, value: $0) })
  }

  private static func fields(_ name: HTTPField.Name, bytes values: [UInt8]...) -> HTTPFields {
    HTTPFields(values.map { HTTPField(name: name, value: $0) })
  }

  // MARK: Bytes

  @Test(
    "A text is UTF-8, or else ISO 8859-1, and its bytes are kept",
    arguments: [
      (Array("Jos\u{E9}".utf8), "Jos\u{E9}"), (Array("Jos".utf8) + [0xE9], "Jos\u{E9}"),
      ([0xFF, 0x80, 0xA0], "\u{FF}\u{80}\u{A0}"), ([0xC3], "\u{C3}"), ([], ""),
    ] as [([UInt8], String)])
  func text(bytes: [UInt8], text: String) {
    let field = HTTPField(name: .contentDisposition, value: bytes)
    #expect(field.text == text)
    #expect(field.bytes == bytes)
    #expect(FieldText(bytes).description == text && FieldText(bytes).bytes == bytes)
  }

  @Test("Each byte has its own character of ISO 8859-1")
  func latin1() {
    let text = FieldText.latin1(UInt8.min...UInt8.max)
    #expect(text.unicodeScalars.map { UInt8(exactly: $0.value) } == Array(UInt8.min...UInt8.max))
  }

  @Test("Fields are the same by their bytes, whatever the order of their names")
  func sameness() {
    let (e, other) = (Self.fields(.cookie, bytes: [0xE9]), Self.fields(.cookie, bytes: [0xE8]))
    #expect(e == other, "Strings don't tell them apart; if they do, haveValues(of:) is not needed.")
    #expect(e.haveValues(of: e) && !e.haveValues(of: other))
    let composed = Self.fields(.cookie, ["\u{E9}"])
    #expect(!composed.haveValues(of: Self.fields(.cookie, ["e\u{301}"])))
    let left: HTTPFields = [.accept: "a", .range: "b", .cookie: "c"]
    let right: HTTPFields = [.cookie: "c", .accept: "a", .range: "b"]
    #expect(left.haveValues(of: right) && !left.haveValues(of: [.accept: "a", .range: "b"]))
    #expect(!Self.fields(.via, ["1", "2"]).haveValues(of: Self.fields(.via, ["2", "1"])))
  }

  @Test("The bytes of several fields are joined as their strings are")
  func joined() {
    #expect(Self.fields(.cookie, bytes: [0xE9], [0x61]).bytes(of: .cookie) == [0xE9, 0x3B, 0x20, 0x61])
    #expect(Self.fields(.via, bytes: [0xE9], [0x61]).bytes(of: .via) == [0xE9, 0x2C, 0x20, 0x61])
    #expect(HTTPFields().bytes(of: .via) == nil)
  }

  // MARK: Fields with one value

  static let singles: [HTTPField.Name] = [
    .location, .contentLength, .eTag, .contentRange, .retryAfter, .date, .age, .lastModified,
    .contentLocation,
    .expires,
  ]

  @Test("The same value several times, and an empty one beside it, count as one", arguments: singles)
  func repeated(name: HTTPField.Name) throws {
    for values in [["5"], ["5", "5"], ["5", "5", "5"], ["", "5"], ["5", ""], ["", "5", "5"]] {
      #expect(try Self.fields(name, values).single(name)?.value == "5", "\(values)")
      #expect(Self.fields(name, values).singleValue(name) == "5")
      #expect(Self.fields(name, values)[text: name] == "5")
    }
    #expect(try HTTPFields().single(name) == nil)
    #expect(try Self.fields(name, ["", ""]).single(name)?.value == "")
    let opaque = Self.fields(name, bytes: [0xE9], [0xE9])
    #expect(try opaque.single(name)?.bytes == [0xE9])
  }

  @Test("Different values are an error that names the field", arguments: singles)
  func different(name: HTTPField.Name) throws {
    for values in [["5", "6"], ["5", "5", "6"], ["", "6", "5"]] {
      let error = #expect(throws: RepeatedFieldError.self) { try Self.fields(name, values).single(name) }
      #expect(error?.name == name && error?.count == 2)
      #expect(error?.description.contains("2 different values of \(name.rawName)") == true)
      #expect(Self.fields(name, values).singleValue(name) == nil)
    }
    #expect(throws: RepeatedFieldError.self) { try Self.fields(name, bytes: [0xE9], [0xE8]).single(name) }
  }

  @Test("Numbers and dates are shown in the error, shortened, and what may be a secret is not")
  func redaction() {
    func text(_ name: HTTPField.Name, _ values: String...) -> String? {
      let error = #expect(throws: RepeatedFieldError.self) { try Self.fields(name, values).single(name) }
      return error?.description
    }
    #expect(
      text(.retryAfter, "3", "5")
        == "The response has 2 different values of Retry-After (\"3\", \"5\"); the server must send one.")
    #expect(text(.location, "/u/s3cret", "/v")?.contains("s3cret") == false)
    #expect(text(.eTag, "\"s3cret\"", "b")?.contains("s3cret") == false)
    #expect(text(.age, String(repeating: "1", count: 500), "2")?.utf8.count ?? .max < 160)
  }

  @Test(
    "A length is read if it is repeated alike, in several fields or in one",
    arguments: [
      (["5"], 5), (["5", "5"], 5), (["5, 5"], 5), (["5 ,5", "5"], 5), (["5, 6"], nil), (["5", "6"], nil),
      ([], nil), (["+5"], nil), (["x"], nil), (["9223372036854775808"], nil),
    ] as [([String], Int64?)])
  func length(values: [String], length: Int64?) {
    #expect(Self.fields(.contentLength, values).contentLength == length)
  }

  @Test(
    "An age is a number of digits, the first one of several (RFC 9111, section 5.1)",
    arguments: [
      (["5"], 5), (["0"], 0), (["05"], 5), (["5", "6"], 5), (["5, 6"], 5), ([", 5"], 5), (["", "5"], 5),
      (["2147483648"], 1 << 31), (["99999999999999999999"], 1 << 31),
      ([], nil), ([""], nil), (["-5"], nil), (["+5"], nil), (["x", "5"], nil), (["5.0"], nil), (["5s"], nil),
      (["\"5\""], nil), (["5 6"], nil), (["\u{0665}"], nil),
    ] as [([String], Int64?)])
  func age(values: [String], seconds: Int64?) {
    #expect(Self.fields(.age, values).age == seconds.map { .seconds($0) })
  }

  // MARK: Lists

  @Test(
    "Empty members of a list count as nothing, and commas within quoted strings don't separate",
    arguments: [
      ("", []), (",", []), (" , ,", []), ("a", ["a"]), ("a, ", ["a"]), (",a,,b , c,", ["a", "b", "c"]),
      ("\"a,b\", c", ["\"a,b\"", "c"]), ("\"a\\\",b\",c", ["\"a\\\",b\"", "c"]), ("a\t,\tb", ["a", "b"]),
      ("\"a,b", ["\"a,b"]), ("a b", ["a b"]), ("\ta b ", ["a b"]), (" \t", []),
      ("\"a", ["\"a"]), ("é", ["é"]),
    ])
  func members(value: String, members: [String]) {
    #expect(FieldList.members(of: value).map(String.init) == members)
    #expect(Self.fields(.vary, [value, ""]).members(of: .vary).map(String.init) == members)
  }

  @Test(
    "Codings are read in order, without empty members, identity and none",
    arguments: [
      ([], []), ([""], []), ([","], []), (["identity"], []), (["identity, identity"], []), (["none"], []),
      (["None", "IDENTITY", ""], []), (["gzip"], ["gzip"]), (["gzip, "], ["gzip"]), (["gzip", ""], ["gzip"]),
      (["", "gzip"], ["gzip"]), ([" GZIP\t,identity"], ["gzip"]), (["none, br"], ["br"]),
      (["deflate, x-gzip"], ["deflate", "gzip"]), (["deflate", "br"], ["deflate", "br"]),
      (["x-compress"], ["compress"]), (["utf-8"], ["utf-8"]),
    ] as [([String], [String])])
  func codings(values: [String], codings: [String]) {
    #expect(Self.fields(.contentEncoding, values).contentCodings == codings)
  }

  @Test(
    "The last valid media type counts",
    arguments: [
      ([], nil), ([""], nil), (["text/html"], "text/html"), (["text/html;charset=x"], "text/html;charset=x"),
      (["text/html", "application/json"], "application/json"),
      (["text/html, application/json"], "application/json"), (["application/json", ""], "application/json"),
      (["application/json", "nonsense"], "application/json"),
      (["application/json", "*/*"], "application/json"),
      (["text/html; a=\"b,c\"", "/"], "text/html; a=\"b,c\""), (["nonsense"], "nonsense"),
      (["text/event-stream", "text/event-stream"], "text/event-stream"), (["a", "b"], "b"),
    ] as [([String], String?)])
  func mediaType(values: [String], type: String?) {
    #expect(Self.fields(.contentType, values).mediaType == type)
  }
}
