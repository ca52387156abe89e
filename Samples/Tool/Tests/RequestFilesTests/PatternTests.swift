import Testing

@testable import RequestFiles

@Suite(.timeLimit(.minutes(5))) struct PatternTests {
  @Test(
    "A pattern finds the match that it prefers, with its groups",
    arguments: [
      ("b+", "abbbc", "bbb", []), ("^b", "ab", nil, []), ("c$", "abc", "c", []),
      (#"\bfoo"#, "a foo", "foo", []),
      (#"(\d{4})-(\d{2})"#, "on 2024-05-06", "2024-05", ["2024", "05"]), ("a|ab", "ab", "a", []),
      ("(a|ab)(c|bcd)", "abcd", "abcd", ["a", "bcd"]), ("a.c", "a\nc", nil, []),
      ("(?s)a.c", "a\nc", "a\nc", []),
      ("a*?b", "aab", "aab", []), ("<.+?>", "<a><b>", "<a>", []), ("<.+>", "<a><b>", "<a><b>", []),
      ("(?i)HÄUS", "häuser", "häus", []), ("(?m)^b$", "a\nb\nc", "b", []), ("[^a-c]+", "abxyc", "xy", []),
      (#"[\d.-]+"#, "v1.2-3", "1.2-3", []), (#"\w+"#, "-größe-", "größe", []), ("x{2,3}", "xxxx", "xxx", []),
      ("(?:ab)+", "ababx", "abab", []), ("(?<n>a)b", "ab", "ab", ["a"]), ("(a)|b", "b", "b", [nil]),
      (#"\x41\u{1F600}"#, "A😀", "A😀", []), ("(a*)*", "b", "", [nil]), ("", "x", "", []),
      ("[]x]", "]", "]", []),
      (#"\/a"#, "/a", "/a", []), ("a{0}b", "ab", "b", []),
    ] as [(String, String, String?, [String?])])
  func matches(pattern: String, text: String, match: String?, groups: [String?]) throws {
    let scalars = Array(text.unicodeScalars)
    let found = try Pattern(pattern.unicodeScalars).firstMatch(in: scalars)
    func part(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
    #expect(found.map { part($0.range) } == match)
    if let found { #expect(found.groups.map { $0.map(part) } == groups) }
  }

  @Test(
    "A pattern that is malformed or not supported has a fault with its place",
    arguments: [
      ("a(b", 3, "no end"), ("a)", 1, "closes nothing"), ("*a", 0, "follows nothing"), ("[a", 2, "no end"),
      ("a{3,2}", 6, "less than"), (#"(a)\1"#, 4, "backreferences"), ("(?=a)", 2, "lookahead"),
      (#"\p{L}"#, 1, "Unicode"),
      ("[z-a]", 4, "less than"), ("a**", 3, "repetition"), ("(?<=a)b", 3, "lookbehind"),
      (#"a\"#, 2, "backslash"),
      ("a{2000}", 7, "1000"), ("((a{1000}){1000}){1000}", 0, "repeats too much"),
    ])
  func faults(pattern: String, offset: Int, word: String) {
    #expect {
      _ = try Pattern(pattern.unicodeScalars)
    } throws: { error in
      guard let fault = error as? Pattern.Fault else { return false }
      return fault.offset == offset && fault.reason.contains(word)
    }
    let nested = String(repeating: "(", count: 5_000)
    #expect(throws: Pattern.Fault.self) { try Pattern(nested.unicodeScalars) }
  }

  @Test("A pattern that keeps a backtracking search busy ends at once, and an expensive one has a fault")
  func linear() throws {
    let text = Array((String(repeating: "a", count: 5_000) + "b").unicodeScalars)
    for pattern in ["(a+)+$", "(a|a)*c"] {
      let match = try Pattern(pattern.unicodeScalars).firstMatch(in: text)
      #expect(match?.range == nil)
    }
    let costly = try Pattern("(a?){1000}(a?){1000}b".unicodeScalars)
    let long = Array(String(repeating: "a", count: 2_000).unicodeScalars)
    #expect(throws: Pattern.tooCostly) { _ = try costly.firstMatch(in: long, stepLimit: 100_000) }
  }

  @Test("A replacement whose searches read the rest of the text each time, or that grows, has a fault")
  func costlyReplacement() throws {
    let text = Array(String(repeating: "a", count: 3_000).unicodeScalars)
    let rereading = try Pattern("a.*b|a".unicodeScalars)
    #expect(throws: Pattern.tooCostly) { try rereading.replacing(in: text, with: "", stepLimit: 100_000) }
    let growing = try Pattern("(.*)".unicodeScalars)
    let groups = String(repeating: "$1", count: 100)
    #expect(throws: Pattern.tooCostly) { try growing.replacing(in: text, with: groups, stepLimit: 100_000) }
  }

  @Test(
    "Every match is replaced, and groups can be used",
    arguments: [
      (#"\d"#, "123", "x", "xxx"), ("(a)(b)", "ab-ab", "$2${1}", "ba-ba"), ("", "ab", "-", "-a-b-"),
      ("x", "abc", "-", "abc"), ("a", "a", "$", "$"),
    ])
  func replacement(pattern: String, text: String, replacement: String, result: String) throws {
    #expect(
      try Pattern(pattern.unicodeScalars).replacing(in: Array(text.unicodeScalars), with: replacement)
        == result)
  }
}
