import Testing

@testable import MessageSignatures

@Suite struct StructuredFieldParserTests {
  private typealias Rule = StructuredFieldError.Rule

  /// Dictionaries and their canonical form.
  static let dictionaries: [(String, String)] = [
    ("", ""), ("  a=1,\tb  ", "a=1, b"), ("a=?1;x;y=?0", "a;x;y=?0"), ("a=1,b=2,a=3", "a=3, b=2"),
    ("a=(  1   \"b\";q=1.50 );z", "a=(1 \"b\";q=1.5);z"), ("a=()", "a=()"),
    ("n=-12.340,m=-0,o=999999999999.999", "n=-12.34, m=0, o=999999999999.999"),
    ("s=\"a\\\"\\\\b\"", "s=\"a\\\"\\\\b\""), ("t=*tok:/en!", "t=*tok:/en!"),
    ("b=:aGVsbG8=:", "b=:aGVsbG8=:"),
    ("e=::", "e=::"), ("d=@1659578233,p=@-1", "d=@1659578233, p=@-1"),
    ("u=%\"caf%c3%a9 %25\"", "u=%\"caf%c3%a9 %25\""), ("*k_-.9=1", "*k_-.9=1"), ("f=?0", "f=?0"),
  ]

  @Test("Dictionaries are parsed and written in canonical form", arguments: dictionaries)
  func canonical(_ text: String, _ expected: String) throws {
    var writer = StructuredFieldWriter()
    writer.append(try StructuredFieldParser.dictionary(text))
    #expect(writer.text == expected)
    var again = StructuredFieldWriter()
    again.append(try StructuredFieldParser.dictionary(writer.text))
    #expect(again.text == expected)
  }

  @Test("Lists and items are parsed and written in canonical form")
  func listsAndItems() throws {
    var writer = StructuredFieldWriter()
    writer.append(try StructuredFieldParser.list("a;b=1 ,  (c d);e,\"f\""))
    #expect(writer.text == "a;b=1, (c d);e, \"f\"")
    var item = StructuredFieldWriter()
    item.append(try StructuredFieldParser.item("  42; a=?1 "))
    #expect(item.text == "42;a")
  }

  /// Faults of dictionaries: the text, the rule and the offset.
  static let faults: [(String, StructuredFieldError.Rule, Int)] = [
    ("a=1,", .trailingComma, 4), ("a=1 b=2", .missingComma, 4), ("A=1", .key, 0), ("a=", .endOfText, 2),
    ("a=(1 2", .innerList, 6), ("a=(1,2)", .innerList, 4), ("a=(1(2))", .innerList, 4), ("a=\"x", .string, 4),
    ("a=\"x\\n\"", .escape, 5), ("a=\"\u{7F}\"", .string, 3), ("a=:aGVsbG8:", .base64, 2),
    ("a=:aGVsbG9=:", .base64, 2), ("a=:aGVsbG8=", .base64, 2), ("a=:a b=:", .base64, 2),
    ("a=?2", .boolean, 3),
    ("a=1234567890123456", .number, 17), ("a=1234567890123.1", .number, 16), ("a=1.2345", .number, 7),
    ("a=1.", .number, 4), ("a=-", .number, 3), ("a=--1", .number, 3), ("a=@1.5", .date, 6),
    ("a=@x", .date, 3),
    ("a=%\"%C3\"", .displayString, 5), ("a=%\"%c3\"", .displayString, 8), ("a=%x", .displayString, 3),
    ("a=é", .notASCII, 2), ("a=1;", .endOfText, 4), ("a=1;X", .key, 4), ("a={", .item, 2), (",a", .key, 0),
  ]

  @Test("A fault names its rule and its offset", arguments: faults)
  func fault(_ text: String, _ rule: StructuredFieldError.Rule, _ offset: Int) {
    #expect(throws: StructuredFieldError(rule: rule, offset: offset)) {
      try StructuredFieldParser.dictionary(text)
    }
  }

  @Test("Text after an item is a fault, and so is an item that is missing")
  func items() {
    #expect(throws: StructuredFieldError(rule: .trailingText, offset: 2)) {
      try StructuredFieldParser.item("1 2")
    }
    #expect(throws: StructuredFieldError(rule: .endOfText, offset: 0)) { try StructuredFieldParser.item("") }
  }

  @Test("Every prefix of a field is parsed or refused, and a prefix that is cut in a value is refused")
  func truncation() throws {
    let text = #"sig1=("@method" "a";key="b");created=1;nonce="x\"y";alg="z", s2=:aGVsbG8=:"#
    for count in 0..<text.utf8.count {
      let prefix = String(decoding: text.utf8.prefix(count), as: UTF8.self)
      _ = try? StructuredFieldParser.dictionary(prefix)
    }
    for cut in [#"sig1=("@meth"#, #"sig1=("@method" "#, #"sig1=("@method");nonce="x\"#, #"s2=:aGVs"#] {
      #expect(throws: StructuredFieldError.self, "\(cut)") { try StructuredFieldParser.dictionary(cut) }
    }
  }

  @Test("A value of a megabyte is refused before it is parsed")
  func megabyte() {
    let limits = StructuredFieldParser.Limits(length: 16_384, members: 64)
    for text in [String(repeating: "a=1,", count: 262_144), String(repeating: "(", count: 1 << 20)] {
      #expect(throws: StructuredFieldError(rule: .tooLong, offset: 16_384)) {
        try StructuredFieldParser.dictionary(text, limits: limits)
      }
    }
  }

  @Test(
    "More members than allowed are refused, on every level",
    arguments: [
      (0..<9).map { "k\($0)" }.joined(separator: ","), "a=(1 2 3 4 5 6 7 8 9)",
      "a=1" + (0..<9).map { ";k\($0)" }.joined(),
    ])
  func members(_ text: String) {
    let limits = StructuredFieldParser.Limits(length: 1_000, members: 8)
    #expect {
      try StructuredFieldParser.dictionary(text, limits: limits)
    } throws: { ($0 as? StructuredFieldError)?.rule == .tooManyMembers }
  }

  @Test("A repeated key is refused where it is not allowed", arguments: ["a=1,b=2,a=3", "a=1;x;x"])
  func duplicates(_ text: String) throws {
    _ = try StructuredFieldParser.dictionary(text)
    #expect {
      try StructuredFieldParser.dictionary(
        text, limits: StructuredFieldParser.Limits(allowsDuplicateKeys: false))
    } throws: { ($0 as? StructuredFieldError)?.rule == .duplicateKey }
  }
}
