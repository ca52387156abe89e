import Testing

@Suite struct DocumentsTests {
  @Test("Blocks are read with their language, line, heading and hidden code")
  func blocks() {
    let text = """
      # Title

      `A.swift`

      ```swift
      let a = 1

      let b = 2
      ```
      <!-- given
      struct C {}
      -->
      ```swift
      import Testing
      ```
      """
    #expect(
      Documents.blocks(of: text) == [
        .init(
          language: "swift", text: "let a = 1\n\nlet b = 2\n", line: 6, heading: "`A.swift`", given: ""),
        .init(
          language: "swift", text: "import Testing\n", line: 14, heading: "`A.swift`",
          given: "struct C {}\n"),
      ])
    #expect(Documents.blocks(of: text).map(\.isTest) == [false, true])
  }
}
