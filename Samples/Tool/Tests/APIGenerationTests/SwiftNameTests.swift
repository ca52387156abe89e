import Testing

@testable import APIGeneration

@Suite struct SwiftNameTests {
  @Test(
    "The name of a type is in upper camel case",
    arguments: [
      ("pet", "Pet"), ("pet_store", "PetStore"), ("userId", "UserID"), ("HTTPServer", "HTTPServer"),
      ("URLs", "URLs"), ("v1.Pet-Item", "V1PetItem"), ("2fa", "Model2fa"), ("", "Empty"), ("größe", "Größe"),
      ("GET /pets/{id}", "GetPetsID"), ("API_KEY", "APIKey"),
    ])
  func types(_ text: String, _ name: String) { #expect(SwiftName.type(text) == name) }

  @Test(
    "The name of a member is in lower camel case, and never one that a member can't have",
    arguments: [
      ("pet_id", "petID"), ("ID", "id"), ("+1", "plus1"), ("-1", "minus1"), ("1024x1024", "value1024x1024"),
      ("", "empty"), ("init", "initValue"), ("self", "selfValue"), ("100%", "value100"), ("a-b", "aB"),
      ("X-Rate-Limit", "xRateLimit"), ("*", "asterisk"), ("日本", "日本"), ("\u{1F600}", "value"),
    ])
  func members(_ text: String, _ name: String) { #expect(SwiftName.member(text) == name) }

  @Test("Names that are equal in Swift get numbers")
  func collisions() {
    var scope = NameScope(reserved: ["Error"])
    #expect(scope.unique("Pet") == "Pet")
    #expect(scope.unique("Pet") == "Pet2")
    #expect(scope.unique("Error", suffix: "Model") == "ErrorModel")
    #expect(scope.unique("Pet") == "Pet3")
  }

  @Test(
    "A literal holds any text",
    arguments: [("a\"b\\c", "\"a\\\"b\\\\c\""), ("\n\u{202E}", "\"\\n\\u{202e}\""), ("\\(x)", "\"\\\\(x)\"")])
  func literals(_ text: String, _ literal: String) { #expect(SwiftLiteral.text(text) == literal) }

  @Test("A description can't end its comment, and is wrapped")
  func comments() {
    #expect(DocComment.lines("a\r\nb\u{2028}c\n\n") == ["a", "b", "c"])
    #expect(DocComment.lines("a\u{7}b") == ["ab"])
    #expect(DocComment.lines(String(repeating: "word ", count: 50)).allSatisfy { $0.count <= 96 })
  }

  @Test("Drift names the lines that a file lacks, and those that it has too much")
  func drift() throws {
    #expect(GeneratedDrift(from: "a\nb\n", to: "a\nb\n") == nil)
    let drift = try #require(GeneratedDrift(from: "a\nb\nc\nd\n", to: "a\nx\nc\ny\nd\n"))
    #expect(drift.lines(of: "F") == ["F:2: - b", "F:2: + x", "F:4: + y"])
    let long = try #require(GeneratedDrift(from: "", to: (0..<100).map { "\($0)\n" }.joined()))
    #expect(long.lines(of: "F").last == "F: 60 more lines differ; generate the file again.")
  }
}
