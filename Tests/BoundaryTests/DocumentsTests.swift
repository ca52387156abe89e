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

  @Test("A document belongs to the module whose folder it is in")
  func module() {
    #expect(Documents.module(of: "README.md").isEmpty)
    #expect(Documents.module(of: "Sources/Calls/Downloads/Downloads.docc/Downloads.md") == "Downloads")
    #expect(Documents.module(of: "Sources/Switchyard/Switchyard.docc/Security.md") == "Switchyard")
    #expect(Documents.module(of: "Sources/Switchyard/Exports.swift") == "Switchyard")
    #expect(Documents.module(of: "Plugins/Stores/SQLiteStores/SQLiteStores.docc/A.md") == "SQLiteStores")
  }

  @Test("The blocks of doc comments are read without their indentation, and the code given to them")
  func comments() {
    let source = """
      /// A type.
      ///
      /// ```swift
      /// if a {
      ///   b()
      /// }
      /// ```
      struct A {
        /// ```sh
        /// ls
        /// ```
        /// ```swift
        /// c()
        /// ```
        let d = 1
      }
      """
    #expect(DocComments.blocks(of: source).map(\.text) == ["if a {\n  b()\n}\n", "c()\n"])
    #expect(DocComments.blocks(of: source).map(\.line) == [4, 13])
    let page = "# A\n<!-- given to doc comments\nimport B\nlet a = 1\n-->\n```swift\nc()\n```"
    #expect(Documents.codeGivenToComments(in: page) == "import B\nlet a = 1")
    #expect(Documents.blocks(of: page).map(\.given) == [""])
  }

  @Test("Imports and extensions are taken out of code, and its lines keep their numbers")
  func parts() {
    let parts = CodeParts("import A\n\nextension B {\n  let c = 1\n}\nd()\n")
    #expect(parts.imports == ["import A"])
    #expect(parts.extensions == ["fileprivate extension B {", "  let c = 1", "}"])
    #expect(parts.statements == ["", "", "", "", "", "d()", ""])
  }

  @Test("A quotation is found in code of another indentation, and only as a whole")
  func quotations() {
    let code = "func a() {\n  b()\n\n  c()\n}\n"
    #expect(Quotations.lines(of: code, contain: "b()\nc()\n"))
    #expect(!Quotations.lines(of: code, contain: "b()\nd()\n"))
    #expect(!Quotations.lines(of: code, contain: "\n"))
  }
}
